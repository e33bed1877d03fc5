"""Alarms put on the shelf for a time: still open and in the list, out of the way until the time is over (S2).

A shelf changes nothing at the table: what stands still stands still. It expires by itself, and at once when the
alarm rises to a suspension.
"""

from __future__ import annotations

from typing import Final

from studio.domain.alarms import Shelf
from studio.domain.anomalies import Level
from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.claims import held_by_another
from studio.domain.correction_commands import ShelveIncident
from studio.domain.events import IncidentShelved
from studio.domain.instants import Instant
from studio.domain.people import Actor
from studio.domain.table import Incident, Table

MOST_MINUTES: Final = 60
_MINUTE_NS: Final = 60_000_000_000


def shelve(table: Table, command: ShelveIncident, actor: Actor, at: Instant) -> Answer:
    """Put an alarm on the shelf for some minutes, or for none: then it is taken off."""
    incident = table.incident(command.incident)
    if incident is None:
        return Rejected("no-such-incident", f"Incident {command.incident} is not open; look at the list again")
    if incident.level is Level.SUSPEND:
        return Rejected("critical", "A suspension is not shelved: somebody has to act")
    if not 0 <= command.minutes <= MOST_MINUTES:
        return Rejected("shelved-too-long", f"An alarm is shelved for at most {MOST_MINUTES} minutes")
    if not command.text.strip():
        return Rejected("reason-missing", "Say in words why the alarm can wait")
    refusal = held_by_another(table, actor, incident.number)
    if refusal is not None:
        return refusal
    until_ns = at.wall_ns + command.minutes * _MINUTE_NS
    return Accepted((IncidentShelved(incident.number, actor.id, actor.name, until_ns, command.text),))


def shelf_of(incident: Incident, now: Instant) -> Shelf | None:
    """Return the shelf that an alarm lies on now, ``None`` where it lies on none."""
    shelf = incident.shelf
    if shelf is None or incident.level is Level.SUSPEND or shelf.until_wall_ns <= now.wall_ns:
        return None
    return shelf
