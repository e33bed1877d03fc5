"""The one void that no person chooses, off by default: a suspended round that nobody claims (anomalies.md)."""

from __future__ import annotations

from studio.domain.anomalies import Level
from studio.domain.events import Event
from studio.domain.incidents import void_events
from studio.domain.table import RoundEnd, Table

_SECOND_NS = 1_000_000_000


def due_ns(table: Table) -> int | None:
    """Return when the open round is voided by itself, ``None`` where it is claimed, settled, or this is off."""
    seconds, current = table.setup.profile.auto_void_seconds, table.round
    suspensions = [one for one in table.incidents if one.level is Level.SUSPEND]
    if not seconds or not suspensions or current is None or current.end is not RoundEnd.NOT_YET:
        return None
    if any(one.owner for one in suspensions):
        return None
    return min(one.since_ns for one in suspensions) + seconds * _SECOND_NS


def voided(table: Table, now_ns: int) -> tuple[Event, ...]:
    """Return the void of a round that nobody claimed in time."""
    due = due_ns(table)
    if due is None or now_ns < due:
        return ()
    words = f"No supervisor claimed it within {table.setup.profile.auto_void_seconds} s"
    return void_events(table, "auto-void", words)
