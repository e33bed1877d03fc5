"""What one case comes to, folded from its own events; one that is not known here is no less one of them."""

from __future__ import annotations

from collections.abc import Iterable

from studio.domain.anomalies import CATALOGUE
from studio.domain.events import (
    AnomalyDetected,
    CauseCleared,
    CauseReturned,
    DisputeClosed,
    DisputeOpened,
    IncidentEscalated,
    IncidentResolved,
    RoundRevised,
    RoundVoided,
)
from studio.domain.people import Actor
from studio.domain.record_events import Subject
from studio.evidence.classes import Course
from studio.ports.evidence import Evidence, Fact

DISPUTE = "dispute"


class Case:
    """An incident, a dispute, or an act without either such as a void that nothing led to."""

    def __init__(self, start: Fact) -> None:
        self.start = start
        self.kind, self.number, self.level = start.name, 0, ""
        self.happened = start.name.replace("-", " ").capitalize()
        self.detail = self.way_out = self.reason = self.text = ""
        self.round: int | None = None
        self.cleared = False
        self.closed_wall_ns: int | None = None
        self.closed_by: Actor | None = None
        match start.event:
            case AnomalyDetected(number, kind, _, detail):
                rule = CATALOGUE[kind]
                self.kind, self.number, self.level = kind.value, number, rule.level.value
                self.happened, self.detail = rule.cause, detail
            case DisputeOpened(number, round_number, player, text):
                self.kind, self.number, self.round = DISPUTE, number, round_number
                self.happened, self.detail = f"{player} disputes round {round_number}", text
            case RoundRevised(round=number):
                self.round = number
            case _:
                pass

    def named(self, evidence: Evidence, table: str) -> tuple[Fact, ...]:
        """Return the events that name this case, its notes among them."""
        match self.start.event:
            case AnomalyDetected(number):
                return evidence.about(table, Subject.INCIDENT, number)
            case DisputeOpened(number):
                return evidence.about(table, Subject.DISPUTE, number)
            case _:
                return (self.start,)

    def take(self, own: Iterable[Fact]) -> None:
        """Read the case's own events in order."""
        for fact in own:
            match fact.event:
                case CauseCleared(number) if number == self.number:
                    self.cleared = True
                case CauseReturned(number) if number == self.number:
                    self.cleared = False
                case IncidentEscalated(number, level, detail) if number == self.number:
                    self.level, self.detail = level.value, detail
                case IncidentResolved(number, way_out, reason, text) if number == self.number:
                    self._close(fact, way_out.value, reason, text)
                case DisputeClosed(number, end, text) if self.kind == DISPUTE and number == self.number:
                    self._close(fact, end.value, end.value, text)
                case RoundVoided(_, reason, text) if self.number == 0:
                    self._close(fact, "void", reason, text)
                case _:
                    pass
        if self.number == 0 and self.closed_wall_ns is None:
            self._close(
                self.start, "", str(self.start.fields.get("reason", "")), str(self.start.fields.get("text", ""))
            )

    def course(self, events: Iterable[str]) -> Course:
        """Return how it went, with the names of its own events."""
        by = self.closed_by.role if self.closed_by else None
        return Course(self.kind, self.level, self.way_out, by, self.cleared, frozenset(events))

    def _close(self, fact: Fact, way_out: str, reason: str, text: str) -> None:
        self.closed_wall_ns, self.closed_by = fact.recorded.at.wall_ns, fact.recorded.actor
        self.way_out, self.reason, self.text = way_out, reason, text
