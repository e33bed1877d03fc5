"""``evolve``: the fold of events into a table's state. It never refuses and never decides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, assert_never

from studio.domain import error_rates, evolve_life
from studio.domain.alarms import with_alarm
from studio.domain.anomalies import AnomalyKind, Level
from studio.domain.disputes import evolve_record
from studio.domain.events import (
    AnomalyDetected,
    CallAnswered,
    CardEvent,
    CardExposed,
    CardSubstituted,
    CauseCleared,
    CauseReturned,
    CorrectionEvent,
    DealerSignedOff,
    DealerSignedOn,
    Event,
    FollowingSet,
    IncidentEscalated,
    IncidentResolved,
    MisdealReported,
    ProfileAdopted,
    ReaderChanged,
    RecordEvent,
    RescanAsked,
    RoundCorrected,
    RoundEvent,
    RoundsBlocked,
    SeatLeft,
    SeatTaken,
    ShoeEvent,
    SupervisorCalled,
    TableEvent,
    TableOpened,
    WitnessEvent,
)
from studio.domain.evolve_cards import evolve_cards
from studio.domain.evolve_corrections import evolve_corrections, remembered
from studio.domain.evolve_round import evolve_round
from studio.domain.evolve_witness import evolve_witness, ruled, watch
from studio.domain.notices import told
from studio.domain.profile import Approval, profile_of_text
from studio.domain.replay import replay
from studio.domain.table import (
    Following,
    Reader,
    SignedOn,
    Sitting,
    SupervisorCall,
    Table,
    new_incident,
)


def evolve(table: Table, event: Event) -> Table:
    """Return the table after ``event``; raise ``ValueError`` where a journal is not in order."""
    if isinstance(event, WitnessEvent):
        return evolve_witness(table, event)
    after = error_rates.followed(table, event, evolve_life.followed(table, event, _fold(table, event)))
    if table.setup.witness is not None:
        after = watch(table, after, event)
    return remembered(told(after, event), event)


def _fold(
    table: Table, event: CardEvent | ShoeEvent | RoundEvent | TableEvent | CorrectionEvent | RecordEvent
) -> Table:
    if isinstance(event, CardEvent):
        return evolve_cards(table, event)
    if isinstance(event, ShoeEvent):
        return evolve_life.evolve_shoe(table, event)
    if isinstance(event, RoundEvent):
        return evolve_round(table, event)
    if isinstance(event, RecordEvent):
        return evolve_record(table, event)
    if isinstance(event, RoundCorrected):
        return _corrected(table, event)
    if isinstance(event, CorrectionEvent):
        return evolve_corrections(table, event)
    return _evolve_table(table, event)


def _corrected(table: Table, event: RoundCorrected) -> Table:
    after = replay(table, event.changes, evolve)
    if isinstance(after, Table):
        return after
    message = f"a correction that cannot be made ({after.text}): the journal is not in order"
    raise ValueError(message)


def _evolve_table(table: Table, event: TableEvent) -> Table:  # noqa: C901, PLR0911, PLR0912 - one case per event
    """Return the table after ``event``."""
    match event:
        case TableOpened():
            return table._replace(opened=True)
        case DealerSignedOn(dealer, name, licence_until, at_wall_ns):
            return table._replace(dealer=SignedOn(dealer, name, licence_until, at_wall_ns))
        case ReaderChanged(device) if device != table.setup.reader:
            return table
        case DealerSignedOff():
            return table._replace(dealer=None)
        case ReaderChanged(_, ready, load, ordinal, reason):
            was_ready = ready or table.reader.was_ready
            return table._replace(reader=Reader(ready, load, ordinal, reason, was_ready))
        case SeatTaken(seat, player):
            return table._replace(seats=tuple(sorted((*table.seats, Sitting(seat, player)), key=_seat_number)))
        case SeatLeft(seat):
            return table._replace(seats=tuple(one for one in table.seats if one.seat != seat))
        case FollowingSet(player, double, split):
            others = tuple(one for one in table.following if one.player != player)
            return table._replace(following=(*others, Following(player, double, split)))
        case AnomalyDetected():
            return _detected(table, event)
        case CauseCleared(number):
            return _with_incident(table, number, cleared=True)
        case RoundsBlocked(number, detail):
            return _with_incident(table, number, blocks_rounds=True, detail=detail)
        case CauseReturned(number):
            return _with_incident(table, number, cleared=False)
        case IncidentEscalated(number, level, detail):
            return _with_incident(table, number, level=level, detail=detail)
        case RescanAsked(number, tries):
            return _with_incident(table, number, tries=tries, level=Level.HOLD)
        case IncidentResolved():
            return _resolved(table, event)
        case SupervisorCalled(at_wall_ns):
            return table._replace(call=SupervisorCall(at_wall_ns))
        case CallAnswered(supervisor):
            call = table.call
            return table._replace(call=replace(call, seen_by=supervisor) if call else None)
        case ProfileAdopted():
            setup = replace(table.setup, profile=profile_of_text(event.settings))
            approval = Approval(event.approved_by, event.approved_on, event.reference, event.key)
            return table._replace(setup=setup, approval=approval)
        case MisdealReported(number, tile, seat):
            return _with_incident(table, number, tile=tile, seat=seat)
        case CardExposed(draw):
            exposed = (replace(one, revealed=True) if one.draw == draw else one for one in table.incidents)
            return table._replace(incidents=tuple(exposed))
        case CardSubstituted():
            return table.with_shoe(substituted=table.shoe.substituted + 1) if table.shoe else table
        case _:
            assert_never(event)


def _detected(table: Table, event: AnomalyDetected) -> Table:
    incident = new_incident(event.incident, event.kind, event.draw, event.detail, event.level)
    incident = replace(incident, since_ns=event.stopped_ns)
    starts = incident.stops and table.stopped_ns is None
    return table._replace(
        incidents=(*table.incidents, incident),
        incident_count=event.incident,
        alarms=with_alarm(table.alarms, event.kind, event.stopped_ns),
        stopped_ns=event.stopped_ns if starts else table.stopped_ns,
    )


def _with_incident(table: Table, number: int, **changes: Any) -> Table:  # noqa: ANN401 - replace() checks the names
    incident = table.incident(number)
    return table if incident is None else table.with_incident(replace(incident, **changes))


def _seat_number(sitting: Sitting) -> int:
    return sitting.seat


def _resolved(table: Table, event: IncidentResolved) -> Table:
    incidents = tuple(one for one in table.incidents if one.number != event.incident)
    scan = None if table.scan is not None and table.scan.incident == event.incident else table.scan
    after = table._replace(incidents=incidents, scan=scan)
    closed = table.incident(event.incident)
    if closed is not None and closed.kind is AnomalyKind.MANUAL_ABUSE:
        after = after._replace(entries_ns=())
    if closed is not None and closed.kind is AnomalyKind.PEEK_OMITTED and after.round is not None:
        after = after._replace(round=after.round._replace(peek_omitted=True))
    if table.setup.witness is not None and closed is not None:
        after = ruled(after, closed, event.way_out)
    if after.is_stopped or not table.is_stopped:
        return after
    after = after._replace(stopped_ns=None, call=None)
    return after if event.deadline_ns is None else _with_deadline(after, event.deadline_ns)


def _with_deadline(table: Table, deadline_ns: int) -> Table:
    """Give the open window its new deadline."""
    current = table.open_round
    if current.is_betting:
        return table._replace(round=current._replace(betting_deadline_ns=deadline_ns))
    if current.follow is not None:
        return table._replace(round=current._replace(follow=replace(current.follow, deadline_ns=deadline_ns)))
    if current.insurance is not None and not current.insurance.closed:
        insurance = replace(current.insurance, deadline_ns=deadline_ns)
        return table._replace(round=current._replace(insurance=insurance))
    if current.question is not None:
        question = replace(current.question, deadline_ns=deadline_ns)
        return table._replace(round=current._replace(question=question))
    return table
