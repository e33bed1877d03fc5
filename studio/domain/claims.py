"""Who holds an incident: claimed, handed over, or unclaimed so long that others are called (supervisor-absent)."""

from __future__ import annotations

from studio.domain.anomalies import AnomalyKind, Level, WayOut
from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.correction_commands import (
    ClaimIncident,
    HandOverIncident,
)
from studio.domain.events import Event, IncidentClaimed, IncidentHandedOver, IncidentResolved, SupervisorAbsent
from studio.domain.incidents import open_incident
from studio.domain.people import Actor, Role
from studio.domain.table import Incident, Table

_SECOND_NS = 1_000_000_000
_NEXT_SUPERVISOR, _MANAGER = 1, 2


def claim(table: Table, command: ClaimIncident, actor: Actor) -> Answer:
    """Take an incident that nobody holds, or that is offered to one; a manager may take any."""
    incident = table.incident(command.incident)
    if incident is None:
        return Rejected("no-such-incident", f"Incident {command.incident} is not open; look at the list again")
    if incident.owner == actor.id:
        return Accepted()
    if incident.owner and incident.offered_to != actor.id and actor.role is not Role.MANAGER:
        return claimed_by(incident)
    claimed: tuple[Event, ...] = (IncidentClaimed(incident.number, actor.id, actor.name),)
    absent = table.find_incident(AnomalyKind.SUPERVISOR_ABSENT)
    others = any(one.absent_stage and not one.owner for one in table.incidents if one != incident)
    if absent is not None and absent != incident and not others:
        text = f"{actor.name} took the incident on"
        claimed += (IncidentResolved(absent.number, WayOut.ACKNOWLEDGE, "claimed", text, None),)
    return Accepted(claimed)


def hand_over(table: Table, command: HandOverIncident, actor: Actor) -> Answer:
    """Offer one's incident to a colleague; it stays one's own until they claim it."""
    incident = table.incident(command.incident)
    if incident is None:
        return Rejected("no-such-incident", f"Incident {command.incident} is not open; look at the list again")
    if incident.owner != actor.id:
        return Rejected("not-yours", "Only who holds an incident can hand it over; claim it first")
    if command.to == actor.id:
        return Rejected("not-yours", "Hand it over to another person than yourself")
    return Accepted((IncidentHandedOver(incident.number, command.to, command.text),))


def claimed_by(incident: Incident) -> Rejected:
    """Return the refusal to meddle with what another supervisor holds."""
    return Rejected("claimed", f"{incident.owner_name} holds incident {incident.number}: ask for a hand-over")


def held_by_another(table: Table, actor: Actor, number: int | None = None) -> Rejected | None:
    """Return why ``actor`` may not rule on an incident, or on the whole table where no number is given."""
    if actor.role is not Role.SUPERVISOR:
        return None
    for one in table.incidents:
        if number in {None, one.number} and one.owner and one.owner != actor.id:
            return claimed_by(one)
    return None


def absence_of_ns(table: Table, incident: Incident) -> int | None:
    """Return when the absence of a supervisor is called out next for an incident, ``None`` where it is not."""
    return next((due for one, _, due in _waiting(table) if one.number == incident.number), None)


def absence_due_ns(table: Table) -> int | None:
    """Return when the next absence is to be called out, ``None`` while nothing waits for a supervisor."""
    return min((due for _, _, due in _waiting(table)), default=None)


def absences(table: Table, now_ns: int) -> tuple[Event, ...]:
    """Return the absences that are due: suspended, unclaimed, and nobody came."""
    due = [(one, stage) for one, stage, due_ns in _waiting(table) if now_ns >= due_ns]
    called: tuple[Event, ...] = tuple(SupervisorAbsent(one.number, stage) for one, stage in due)
    if not due or table.find_incident(AnomalyKind.SUPERVISOR_ABSENT) is not None:
        return called
    detail = f"Nobody has claimed incident {due[0][0].number}"
    return (open_incident(table, AnomalyKind.SUPERVISOR_ABSENT, None, detail, now_ns), *called)


def _waiting(table: Table) -> list[tuple[Incident, int, int]]:
    """Return the suspensions that nobody holds, with the stage that comes next and when."""
    profile = table.setup.profile
    after = {_NEXT_SUPERVISOR: profile.next_supervisor_seconds, _MANAGER: profile.manager_seconds}
    return [
        (one, stage, one.since_ns + after[stage] * _SECOND_NS)
        for one in table.incidents
        if one.level is Level.SUSPEND and not one.owner and (stage := one.absent_stage + 1) in after
    ]
