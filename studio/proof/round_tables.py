"""One table's events as rows of tables: rounds, cards, bets, decisions, incidents. It folds and writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from studio.domain.events import (
    AnomalyDetected,
    BettingOpened,
    CardBurned,
    CardDealt,
    CardHeld,
    CardUnread,
    Cause,
    DecisionTaken,
    Event,
    IncidentResolved,
    RoundClosed,
    RoundSettled,
    RoundVoided,
    SharedDecisionsTaken,
)
from studio.domain.evolve import evolve
from studio.domain.setup import TableSetup
from studio.domain.table import Round, Table
from studio.ports.journal import Recorded

HEADERS: Final = {
    "rounds": (
        *("table", "round", "opened_wall_ns", "closed_wall_ns", "end", "reason", "dealer", "shoe", "variant"),
        *("rules_hash", "currency", "staked", "returned", "first_sequence", "last_sequence"),
    ),
    "cards": (
        "table",
        "round",
        "sequence",
        "wall_ns",
        "load",
        "draw",
        "card",
        "place",
        "position",
        "face",
        "dealer",
    ),
    "bets": ("table", "round", "player", "seat", "hand", "kind", "stake", "returned", "end"),
    "decisions": (
        "table",
        "round",
        "sequence",
        "wall_ns",
        "player",
        "seat",
        "hand",
        "asked",
        "action",
        "cause",
        "added",
    ),
    "incidents": (
        *("table", "round", "incident", "kind", "opened_wall_ns", "closed_wall_ns", "draw", "detail"),
        *("way_out", "by", "reason", "text"),
    ),
}
_HIDDEN: Final = "hidden"

_Found = Iterator[tuple[str, tuple[Any, ...]]]


@dataclass(slots=True)
class _Begun:
    """When the round in progress began, and what has come of it."""

    sequence: int
    wall_ns: int
    end: str = "without-bets"
    reason: str = ""
    staked: int = 0
    returned: int = 0


@dataclass(slots=True)
class RoundTables:
    """Takes a table's events in their order and yields the rows that each completes."""

    setups: list[tuple[int, TableSetup]]
    _table: Table | None = None
    _begun: _Begun | None = None
    _incidents: dict[int, tuple[AnomalyDetected, int]] = field(default_factory=dict)

    def take(self, recorded: Recorded, *, is_open: bool) -> _Found:
        """Yield the rows, each with the name of its table; a secret that is not open stays hidden."""
        before = self._table or Table(self.setups[0][1])
        rows = list(self._rows(recorded, before, is_open=is_open))
        self._table = evolve(before, recorded.event)
        yield from rows

    def still_open(self, table: str) -> _Found:
        """Yield the incidents that nobody has closed, after the last event."""
        number = self._table.rounds if self._table else 0
        for incident, (opened, since_ns) in self._incidents.items():
            about = (incident, opened.kind.value, since_ns, None, opened.draw, opened.detail)
            yield "incidents", (table, number, *about, "", "", "", "")

    def _rows(self, recorded: Recorded, before: Table, *, is_open: bool) -> _Found:
        event, table, wall_ns = recorded.event, recorded.table, recorded.at.wall_ns
        number = before.rounds
        match event:
            case BettingOpened():
                self._begun = _Begun(recorded.sequence, wall_ns)
            case DecisionTaken(hand, asked, action, cause, added):
                player = before.owner_of(hand.seat)
                decided = (player, hand.seat, hand.number, asked, action, cause, added)
                yield "decisions", (table, number, recorded.sequence, wall_ns, *decided)
            case SharedDecisionsTaken(_, players, asked, actions, added):
                for player, wanted, action, stake in zip(players, asked, actions, added, strict=True):
                    decided = (player, 1, 1, wanted, action, Cause.PLAYER, stake)
                    yield "decisions", (table, number, recorded.sequence, wall_ns, *decided)
            case AnomalyDetected(incident):
                self._incidents[incident] = event, wall_ns
            case IncidentResolved():
                yield from self._resolved(recorded, event, number)
            case RoundSettled() | RoundVoided() | RoundClosed():
                yield from self._ended(recorded, event, before)
            case _:
                yield from _card(recorded, event, before, is_open=is_open)

    def _resolved(self, recorded: Recorded, event: IncidentResolved, number: int) -> _Found:
        if event.incident in self._incidents:
            opened, since_ns = self._incidents.pop(event.incident)
            about = (event.incident, opened.kind.value, since_ns, recorded.at.wall_ns, opened.draw, opened.detail)
            closed = (event.way_out.value, recorded.actor.id, event.reason, event.text)
            yield "incidents", (recorded.table, number, *about, *closed)

    def _ended(self, recorded: Recorded, event: RoundSettled | RoundVoided | RoundClosed, before: Table) -> _Found:
        begun, current = self._begun, before.round
        if begun is None or current is None:
            return
        place = (recorded.table, current.number)
        match event:
            case RoundSettled(results):
                begun.end = "settled"
                begun.staked = sum(one.stake for one in results)
                begun.returned = sum(one.returned for one in results)
                for player, seat, hand, kind, stake, returned in results:
                    yield "bets", (*place, player, seat, hand, kind.value, stake, returned, "settled")
            case RoundVoided(refunds, reason, _):
                amounts = sum(refunds.amounts)
                begun.end, begun.reason, begun.staked, begun.returned = "voided", reason, amounts, amounts
                for bet in refunds:
                    yield (
                        "bets",
                        (*place, bet.player, bet.seat, 0, bet.kind.value, bet.amount, bet.amount, "voided"),
                    )
            case RoundClosed():
                yield "rounds", (*place, *_round(begun, recorded, before, current))
                self._begun = None


def _round(begun: _Begun, recorded: Recorded, before: Table, current: Round) -> tuple[Any, ...]:
    setup = before.setup
    return (
        *(begun.wall_ns, recorded.at.wall_ns, begun.end, begun.reason),
        *(before.dealer.dealer if before.dealer else "", before.shoe.id if before.shoe else ""),
        *(setup.rules.variant, current.rules_hash, setup.limits.currency, begun.staked, begun.returned),
        *(begun.sequence, recorded.sequence),
    )


def _card(recorded: Recorded, event: Event, before: Table, *, is_open: bool) -> _Found:
    lies: tuple[str, int | None, str]
    match event:
        case CardDealt(draw, sighting, card, slot):
            lies, code = (str(slot), slot.position, slot.face.value), card.code
        case CardBurned(draw, sighting, card, face):
            lies, code = ("discard-rack", None, face.value), card.code
        case CardHeld(draw, sighting, card):
            lies, code = ("held", None, ""), card.code
        case CardUnread(draw, sighting, code):
            lies = ("unread", None, "")
        case _:
            return
    dealer = before.dealer.dealer if before.dealer else ""
    at = (recorded.table, before.rounds, recorded.sequence, recorded.at.wall_ns)
    yield "cards", (*at, sighting.load, draw, code if is_open else _HIDDEN, *lies, dealer)
