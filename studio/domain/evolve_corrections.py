"""How corrections, and the people who make them, change a table; and what a table remembers to correct."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, assert_never

from studio.domain.alarms import Shelf
from studio.domain.bets import batch_of
from studio.domain.correction_events import CorrectionEvent
from studio.domain.event_log import EMPTY_LOG
from studio.domain.events import (
    ActKind,
    BettingClosed,
    CardEntered,
    Event,
    FeltCardScanned,
    FeltReadFailed,
    FeltScanEnded,
    FeltScanStarted,
    HandsDied,
    HiddenCardOpened,
    IncidentClaimed,
    IncidentHandedOver,
    IncidentShelved,
    ProposalApproved,
    ProposalClosed,
    ProposalMade,
    RoundClosed,
    RoundCorrected,
    RoundRevised,
    RoundSettled,
    RoundVoided,
    SupervisorAbsent,
)
from studio.domain.rulings import FeltScan, Proposal
from studio.domain.sightings import SightingId
from studio.domain.table import Round, Table

_FORGETTING = frozenset({RoundSettled, RoundVoided, RoundClosed})


def remembered(table: Table, event: Event) -> Table:
    """Return the table with what a correction needs: how the round began, and what happened since."""
    kind = type(event)
    if kind is BettingClosed:
        return table._replace(round_start=table, round_log=EMPTY_LOG)
    if table.round_start is None:
        return table
    if kind in _FORGETTING:
        return table._replace(round_start=None, round_log=EMPTY_LOG)
    return table._replace(round_log=table.round_log.with_event(event))


def evolve_corrections(table: Table, event: CorrectionEvent) -> Table:
    """Return the table after ``event``; a corrected round is replayed by the fold itself."""
    match event:
        case RoundCorrected():
            return table
        case CardEntered(draw):
            current = table.round
            entered = current._replace(entered=(*current.entered, draw)) if current else None
            return table._replace(round=entered)
        case HandsDied(seat):
            return table._replace(round=_without_seat(table.open_round, seat))
        case FeltScanStarted() | FeltCardScanned() | FeltReadFailed() | FeltScanEnded():
            return _scanned(table, event)
        case ProposalMade() | ProposalApproved() | ProposalClosed() | HiddenCardOpened():
            return _proposed(table, event)
        case RoundRevised(number, results=results):
            is_shown = table.results is not None and table.rounds == number
            return table._replace(results=results) if is_shown else table
        case IncidentClaimed() | IncidentHandedOver() | IncidentShelved() | SupervisorAbsent():
            return _held_by(table, event)
        case _:
            assert_never(event)


def _without_seat(current: Round, seat: int) -> Round:
    """Take a seat's hands and every bet on it out of the round."""
    question, follow, insurance = current.question, current.follow, current.insurance
    if insurance is not None:
        insurance = replace(insurance, answers=tuple(one for one in insurance.answers if one[0] != seat))
    return current._replace(
        hands=tuple(hand for hand in current.hands if hand.id.seat != seat),
        behind=tuple(bet for bet in current.behind if bet.hand.seat != seat),
        bets=(batch_of(*(bet for batch in current.bets for bet in batch if bet.seat != seat)),),
        plans=tuple(plan for plan in current.plans if plan.hand.seat != seat),
        question=None if question is not None and question.hand.seat == seat else question,
        follow=None if follow is not None and follow.hand.seat == seat else follow,
        insurance=insurance,
        skipped=tuple(one for one in current.skipped if one is None or one.seat != seat),
    )


def _scanned(table: Table, event: FeltScanStarted | FeltCardScanned | FeltReadFailed | FeltScanEnded) -> Table:
    scan = table.scan
    match event:
        case FeltScanStarted(incident, draws):
            return table._replace(scan=FeltScan(incident, draws))
        case FeltCardScanned(sighting, card):
            read = None if scan is None else replace(scan, read=(*scan.read, card))
            return _passed(table, sighting)._replace(scan=read)
        case FeltReadFailed(sighting):
            return _passed(table, sighting)
        case FeltScanEnded(differing):
            return table._replace(scan=None if scan is None else replace(scan, differing=differing))
        case _:
            assert_never(event)


def _passed(table: Table, sighting: SightingId) -> Table:
    """Follow the reader's count; nothing came out of the shoe."""
    shoe = table.shoe
    if shoe is None or shoe.load != sighting.load or sighting.ordinal <= shoe.drawn:
        return table
    return table._replace(shoe=shoe._replace(drawn=sighting.ordinal), last_seen=sighting)


def _proposed(table: Table, event: ProposalMade | ProposalApproved | ProposalClosed | HiddenCardOpened) -> Table:
    match event:
        case ProposalMade(number, _, by, name, act, at_ns, expires_ns):
            made = Proposal(number, by, name, act, at_ns, expires_ns)
            entered = table.entries_ns
            if act.kind is ActKind.ENTER_CARD:
                entered = (*entered, at_ns)[-table.setup.profile.manual_entries_per_hour - 1 :]
            proposals = (*table.proposals, made)
            return table._replace(proposals=proposals, proposal_count=number, entries_ns=entered)
        case ProposalApproved(number, by):
            return table._replace(proposals=tuple(_approved(table, number, by)))
        case ProposalClosed(number):
            return table._replace(proposals=tuple(one for one in table.proposals if one.number != number))
        case HiddenCardOpened(draw, by):
            left = (
                one for one in table.proposals if not (one.approved_by and (one.act.draw, one.by) == (draw, by))
            )
            return table._replace(proposals=tuple(left))
        case _:
            assert_never(event)


def _approved(table: Table, number: int, by: str) -> list[Proposal]:
    """An opening waits for its proposer to look; everything else has happened with the approval."""
    found = []
    for one in table.proposals:
        if one.number != number:
            found.append(one)
        elif one.act.kind is ActKind.OPEN_CARD:
            found.append(replace(one, approved_by=by))
    return found


def _held_by(
    table: Table, event: IncidentClaimed | IncidentHandedOver | IncidentShelved | SupervisorAbsent
) -> Table:
    match event:
        case IncidentClaimed(number, by, name):
            changes: dict[str, Any] = {"owner": by, "owner_name": name, "offered_to": ""}
        case IncidentHandedOver(number, to):
            changes = {"offered_to": to}
        case IncidentShelved(number, _, name, until_wall_ns, text):
            changes = {"shelf": Shelf(until_wall_ns, name, text)}
        case SupervisorAbsent(number, stage):
            changes = {"absent_stage": stage}
        case _:
            assert_never(event)
    incident = table.incident(number)
    return table if incident is None else table.with_incident(replace(incident, **changes))
