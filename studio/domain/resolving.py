"""What people rule: ways out, voids, and the acts of two people, each given to who knows how it is done."""

from __future__ import annotations

from typing import assert_never

from studio.domain import correcting, proposals, revising
from studio.domain.anomalies import WayOut
from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.claims import held_by_another
from studio.domain.commands import (
    ResolveIncident,
    VoidRound,
)
from studio.domain.correcting import CORRECTING
from studio.domain.correction_commands import (
    ApproveProposal,
)
from studio.domain.events import Act, ActKind, Event, IncidentResolved
from studio.domain.evolve import evolve
from studio.domain.incidents import (
    extended_deadline_ns,
    resolve,
    void_events,
    ways_out,
)
from studio.domain.instants import Instant
from studio.domain.people import SUPERVISING, Actor, Role
from studio.domain.readings import placed
from studio.domain.refunds import (
    can_void,
    refund_total,
)
from studio.domain.remedies import camera_value
from studio.domain.rulings import Proposal
from studio.domain.sightings import CardRead, Sighting
from studio.domain.table import Incident, Table


def resolve_incident(table: Table, command: ResolveIncident, actor: Actor, at: Instant) -> Answer:
    """Close an incident by one of its ways out; a void of much, and a card entered by hand, are only proposed."""
    now_ns = at.monotonic_ns
    incident = _lawful(table, command, actor.role)
    if isinstance(incident, Rejected):
        return incident
    refusal = _unsaid(actor, command.reason, command.text) or held_by_another(table, actor, incident.number)
    if refusal is not None:
        return refusal
    if command.way_out is WayOut.VOID:
        return _void(table, command.reason, command.text, actor, now_ns)
    if command.way_out is WayOut.ENTER:
        found = correcting.correct(table, incident, command, now_ns)
        act = Act(ActKind.ENTER_CARD, command.reason, command.text, incident.number, changes=command.correction)
        return found if isinstance(found, Rejected) else proposals.propose(table, act, actor, now_ns)
    if command.way_out in CORRECTING:
        return correcting.correct(table, incident, command, now_ns)
    if command.way_out is WayOut.CAMERA_VALUE:
        return _camera_value(table, incident, command, now_ns)
    return resolve(table, incident, command, at)


def _camera_value(table: Table, incident: Incident, command: ResolveIncident, now_ns: int) -> Answer:
    """Let an unread card take its place with the value that the camera reads there."""
    draw = None if incident.draw is None else table.loose_draw(incident.draw)
    card = camera_value(table, incident)
    if draw is None or card is None:
        return Rejected("not-a-way-out", "The camera reads no card at the place that is due")
    deadline_ns = extended_deadline_ns(table, incident, now_ns)
    closing = IncidentResolved(incident.number, command.way_out, command.reason, command.text, deadline_ns)
    sighting = Sighting(draw.sighting, CardRead(card), now_ns)
    return Accepted((closing, *placed(evolve(table, closing), sighting, card, now_ns)))


def _lawful(table: Table, command: ResolveIncident, role: Role) -> Incident | Rejected:
    incident = table.incident(command.incident)
    if incident is None:
        return Rejected("no-such-incident", f"Incident {command.incident} is not open; look at the list again")
    lawful = ways_out(table, incident, role)
    if command.way_out not in lawful:
        offered = ", ".join(lawful) or "none for you; call the supervisor"
        return Rejected("not-a-way-out", f"Ways out of incident {incident.number} now: {offered}")
    return incident


def _unsaid(actor: Actor, reason: str, text: str) -> Rejected | None:
    if actor.role in SUPERVISING and not (reason.strip() and text.strip()):
        return Rejected("reason-missing", "Give a reason code and say in words why")
    return None


def void_round(table: Table, command: VoidRound, actor: Actor, now_ns: int) -> Answer:
    """Void the open round with a full refund (R15)."""
    refusal = _unsaid(actor, command.reason, command.text) or held_by_another(table, actor)
    return refusal or _void(table, command.reason, command.text, actor, now_ns)


def _void(table: Table, reason: str, text: str, actor: Actor, now_ns: int) -> Answer:
    if table.round is None or not can_void(table):
        return Rejected("nothing-to-void", "No round is open that could be voided")
    if refund_total(table) <= table.setup.profile.two_person_threshold:
        return Accepted(void_events(table, reason, text))
    return proposals.propose(table, Act(ActKind.VOID_ROUND, reason, text, round=table.round.number), actor, now_ns)


def approve(table: Table, command: ApproveProposal, actor: Actor, now_ns: int) -> Answer:
    """Do what another person proposed, if it can still be done."""
    proposal = proposals.to_approve(table, command, actor, now_ns)
    if isinstance(proposal, Rejected):
        return proposal
    events = _act(table, proposal, command, now_ns)
    return events if isinstance(events, Rejected) else proposals.approved(proposal, actor, events)


def _act(table: Table, proposal: Proposal, command: ApproveProposal, now_ns: int) -> tuple[Event, ...] | Rejected:
    act = proposal.act
    match act.kind:
        case ActKind.OPEN_CARD:
            return ()
        case ActKind.VOID_ROUND:
            if table.round is None or table.round.number != act.round or not can_void(table):
                return Rejected("nothing-to-void", f"Round {act.round} can no longer be voided")
            return void_events(table, act.reason, act.text)
        case ActKind.REVISE_ROUND:
            revised = revising.revision(table, act, command.settled)
            return revised if isinstance(revised, Rejected) else (revised,)
        case ActKind.ENTER_CARD:
            asked = ResolveIncident(act.incident, WayOut.ENTER, act.reason, act.text, act.changes)
            incident = _lawful(table, asked, Role.SUPERVISOR)
            if isinstance(incident, Rejected):
                return incident
            entered = correcting.correct(table, incident, asked, now_ns)
            return entered if isinstance(entered, Rejected) else entered.events
        case _:
            assert_never(act.kind)
