"""The observer that counts and times into the metrics. It looks at kinds and times, never at a card."""

from __future__ import annotations

from typing import Final

from studio.adapters.metrics import StudioMetrics
from studio.domain.anomalies import CATALOGUE, AnomalyKind, Level, WayOut
from studio.domain.events import (
    AnomalyDetected,
    CardBurned,
    CardDealt,
    CardHeld,
    CardUnread,
    CutCardSeen,
    Event,
    IncidentEscalated,
    IncidentResolved,
    RoundSettled,
    RoundVoided,
    WitnessJudged,
)
from studio.domain.instants import Instant
from studio.domain.phases import phase
from studio.domain.table import Table
from studio.domain.witness import Verdict

_NANOSECONDS = 1_000_000_000
_OUTCOMES: Final[dict[type[Event], str]] = {
    CardDealt: "dealt",
    CardBurned: "burned",
    CardHeld: "held",
    CardUnread: "unread",
    CutCardSeen: "cut-card",
}


class MetricsObserver:
    """Implements :class:`studio.ports.observer.Observer`.

    It keeps when each table's phase and each open incident began, nothing else.
    """

    def __init__(self, metrics: StudioMetrics) -> None:
        self._metrics = metrics
        self._phase_since_ns: dict[str, int] = {}
        self._incident_since_ns: dict[tuple[str, int], int] = {}

    def happened(self, before: Table, event: Event, after: Table, at: Instant) -> None:
        """An event is on disk."""
        table = before.setup.table
        self._count(before, event, table)
        self._measure_coverage(before, after)
        self._time_incidents(before, event, table, at.monotonic_ns)
        if phase(before) is not phase(after):
            since_ns = self._phase_since_ns.get(table)
            if since_ns is not None:
                seconds = (at.monotonic_ns - since_ns) / _NANOSECONDS
                self._metrics.phase_seconds.labels(table, phase(before).value).observe(seconds)
            self._phase_since_ns[table] = at.monotonic_ns

    def _count(self, before: Table, event: Event, table: str) -> None:
        metrics = self._metrics
        match event:
            case CardDealt() | CardBurned() | CardHeld() | CardUnread() | CutCardSeen():
                metrics.cards.labels(table, event.sighting.device, _OUTCOMES[type(event)]).inc()
            case AnomalyDetected(kind=kind, level=level):
                self._opened(before, kind, level or CATALOGUE[kind].level)
            case WitnessJudged(verdict=verdict):
                self._witnessed(before, verdict)
            case IncidentResolved(incident=number, way_out=way):
                self._source_chosen(before, number, way)
            case IncidentEscalated(incident=number, level=level):
                incident = before.incident(number)
                if incident is not None:
                    self._opened(before, incident.kind, level)
            case RoundSettled():
                metrics.rounds.labels(table, "settled").inc()
            case RoundVoided():
                metrics.rounds.labels(table, "voided").inc()
                kinds = {one.kind for one in before.incidents if one.stops} or {AnomalyKind.SUPERVISOR_STOP}
                for kind in kinds:
                    metrics.voids.labels(table, kind.value).inc()
            case _:
                pass

    def _source_chosen(self, before: Table, number: int, way: WayOut) -> None:
        """Count the source that was wrong, once a person has said which."""
        incident = before.incident(number)
        witness = "camera" if before.setup.camera else "second-reader"
        wrong = {WayOut.KEEP_SCAN: witness, WayOut.CORRECT: "reader"}.get(way)
        if incident is not None and incident.kind is AnomalyKind.SOURCE_DISAGREEMENT and wrong:
            self._metrics.wrong_source.labels(before.setup.table, wrong).inc()

    def _time_incidents(self, before: Table, event: Event, table: str, now_ns: int) -> None:
        """Count incidents in and out; how long one was open is known where it was opened in this process."""
        match event:
            case AnomalyDetected(number, kind):
                self._incident_since_ns[table, number] = now_ns
                self._metrics.incidents.labels(table, kind.value).inc()
            case IncidentResolved(number, way_out):
                since_ns = self._incident_since_ns.pop((table, number), None)
                incident = before.incident(number)
                if incident is None:
                    return
                named = incident.kind.value
                self._metrics.resolved.labels(table, named, way_out.value).inc()
                if since_ns is not None:
                    seconds = (now_ns - since_ns) / _NANOSECONDS
                    self._metrics.incident_seconds.labels(table, named).observe(seconds)
            case _:
                pass

    def _witnessed(self, before: Table, verdict: Verdict) -> None:
        witness = before.setup.witness
        if witness is not None:
            self._metrics.witnessed.labels(before.setup.table, witness.device, verdict.value).inc()

    def _measure_coverage(self, before: Table, after: Table) -> None:
        witness, now = after.setup.witness, after.witness
        if witness is not None and now.judged and now is not before.witness:
            self._metrics.coverage.labels(after.setup.table, witness.device).set(now.covered / now.judged)

    def _opened(self, before: Table, kind: AnomalyKind, level: Level) -> None:
        table = before.setup.table
        if kind is AnomalyKind.SOURCE_DISAGREEMENT:
            self._witnessed(before, Verdict.DIFFERENT)
        match level:
            case Level.WARN:
                self._metrics.warnings.labels(table, kind.value).inc()
            case Level.HOLD:
                self._metrics.holds.labels(table, kind.value).inc()
            case Level.SUSPEND:
                self._metrics.suspensions.labels(table, kind.value).inc()

    def refused(self, table: str, code: str) -> None:
        """A command was refused."""
        self._metrics.refusals.labels(table, code).inc()

    def committed(self, table: str, since_byte_seconds: float) -> None:
        """What a reading led to is on disk."""
        self._metrics.byte_to_commit_seconds.labels(table).observe(since_byte_seconds)

    def painted(self, table: str, since_byte_seconds: float) -> None:
        """A console painted what a reading led to."""
        self._metrics.byte_to_paint_seconds.labels(table).observe(since_byte_seconds)
