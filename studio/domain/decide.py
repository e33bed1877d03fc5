"""``decide``: a table and a command in, steps or a refusal out. Pure; the only way a table changes."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from studio.domain import (
    auto_void,
    betting,
    claims,
    counting,
    disputes,
    duty,
    felt_scan,
    fusion,
    incidents,
    playing,
    procedures,
    profiles,
    proposals,
    readings,
    reports,
    resolving,
    revising,
    shared_play,
    shelving,
)
from studio.domain.answers import Accepted, Answer, Decided, Rejected, Step
from studio.domain.commands import (
    ALLOWED_ROLES,
    AnswerCall,
    AnswerFollow,
    AnswerInsurance,
    CallSupervisor,
    ChangeProfile,
    CloseBetting,
    Command,
    CommitResult,
    ConfirmCard,
    Decide,
    Disagree,
    LeaveSeat,
    OpenBetting,
    OpenTable,
    PassDeadline,
    PlaceBets,
    PlanAction,
    ReportBoxedCard,
    ReportConcern,
    ReportMisdeal,
    ResolveIncident,
    SetFollowing,
    SignOff,
    SignOn,
    Suspend,
    TakeSeat,
    VoidRound,
)
from studio.domain.correction_commands import (
    ApproveProposal,
    ClaimIncident,
    DeclineProposal,
    HandOverIncident,
    OpenHiddenCard,
    ReviseRound,
    ShelveIncident,
)
from studio.domain.disputes import AddNote, CloseDispute, OpenDispute
from studio.domain.events import CardBurned, CardCounted, CardDealt, CardHeld, CardUncounted, CardUnread, Event
from studio.domain.evolve import evolve
from studio.domain.instants import Instant
from studio.domain.people import Actor, Role
from studio.domain.phases import open_deadline_ns
from studio.domain.progress import advance
from studio.domain.record_commands import (
    RecordFault,
    RecordOverrun,
    RecordReader,
    RecordRestart,
    RecordRules,
    RecordSighting,
    RecordWarning,
)
from studio.domain.shared_commands import (
    DecideAll,
    InsureAll,
)
from studio.domain.shoe_commands import (
    AbandonCount,
    BeginCount,
    ConfirmShoeStep,
    LoadShuffle,
    QuarantinePack,
    RegisterPack,
    ReportForeignCard,
    ReturnCards,
    SignCount,
)
from studio.domain.table import Table


def decide(table: Table, command: Command, actor: Actor, at: Instant) -> Decided | Rejected:
    """Return what ``command`` leads to at the moment ``at``, with all that follows from it by itself."""
    refusal = _not_allowed(table, command, actor)
    if refusal is not None:
        return refusal
    answer = _react(table, command, actor, at)
    if isinstance(answer, Rejected):
        return answer
    steps: list[Step] = []
    reaction = iter(answer.events)
    while (event := next(reaction, None) or advance(table, at.monotonic_ns)) is not None:
        event = by_dealer(table, event)
        after = evolve(table, event)
        steps.append(Step(table, event, after))
        table = after
    return Decided(tuple(steps), answer.items)


def by_dealer(table: Table, event: Event) -> Event:
    """Return the event with who was signed on, where it is one of a card (C34)."""
    match event:
        case CardDealt() | CardBurned() | CardUnread() | CardHeld() | CardCounted() | CardUncounted():
            if table.dealer is not None and not event.dealer:
                return replace(event, dealer=table.dealer.dealer)
            return event
        case _:
            return event


def _not_allowed(table: Table, command: Command, actor: Actor) -> Rejected | None:
    if actor.role not in ALLOWED_ROLES.get(type(command), frozenset()):
        return Rejected("forbidden", f"The role {actor.role} may not do this")
    if not table.opened and not isinstance(command, OpenTable):
        return Rejected("table-not-open", "The table is not open")
    if actor.role is not Role.DEALER or isinstance(command, SignOn):
        return None
    if table.dealer is None or table.dealer.dealer != actor.id:
        return Rejected("not-signed-on", "Sign on at this table first")
    return None


def _react(  # noqa: C901, PLR0911, PLR0912 - one case per command
    table: Table, command: Command, actor: Actor, at: Instant
) -> Answer:
    now_ns = at.monotonic_ns
    match command:
        case OpenTable():
            return profiles.open_table(table, command, now_ns)
        case ChangeProfile():
            return profiles.change_profile(table, command)
        case SignOn():
            return duty.sign_on(table, command, actor, at)
        case SignOff():
            return duty.sign_off(table, at)
        case RegisterPack():
            return counting.register_pack(table, command)
        case QuarantinePack():
            return counting.quarantine_pack(table, command)
        case BeginCount():
            return counting.begin_count(table, command)
        case SignCount():
            return counting.sign_count(table, actor, at)
        case AbandonCount():
            return counting.abandon_count(table)
        case ReportForeignCard():
            return incidents.report_foreign_card(table, command, actor, now_ns)
        case ConfirmShoeStep():
            return procedures.confirm_shoe_step(table, command, at)
        case OpenBetting():
            return procedures.open_betting(table, command, at)
        case PlaceBets():
            return betting.place_bets(table, command, now_ns)
        case TakeSeat():
            return betting.take_seat(table, command)
        case LeaveSeat():
            return betting.leave_seat(table, command)
        case SetFollowing():
            return betting.set_following(table, command)
        case PlanAction():
            return playing.plan_action(table, command)
        case AnswerFollow():
            return playing.answer_follow(table, command, now_ns)
        case CloseBetting():
            return procedures.close_betting(table)
        case AnswerInsurance():
            return playing.answer_insurance(table, command, now_ns)
        case Decide():
            return playing.decide_hand(table, command, now_ns)
        case DecideAll():
            return shared_play.decide_all(table, command, now_ns)
        case InsureAll():
            return shared_play.insure_all(table, command, now_ns)
        case PassDeadline():
            return _pass_deadline(table, now_ns)
        case RecordSighting(sighting) if table.scan is not None and felt_scan.is_scanned(table, sighting):
            return felt_scan.record_scanned(table, table.scan, sighting, now_ns)
        case RecordSighting(sighting):
            return readings.record_sighting(table, sighting, now_ns)
        case RecordReader():
            return incidents.record_reader(table, command, now_ns)
        case RecordWarning():
            return incidents.record_warning(table, command, now_ns)
        case RecordRestart():
            return incidents.record_restart(table, command, now_ns)
        case RecordFault():
            return procedures.record_fault(table, command, at)
        case ReturnCards():
            return procedures.return_cards(table, command, now_ns)
        case LoadShuffle():
            return procedures.load_shuffle(table, command)
        case CommitResult():
            return procedures.commit_result(table, now_ns)
        case Disagree():
            return incidents.disagree(table, now_ns)
        case CallSupervisor():
            return procedures.call_supervisor(table, at)
        case AnswerCall():
            return procedures.answer_call(table, actor)
        case Suspend():
            return procedures.suspend(table, command, actor, at)
        case ReportConcern():
            return reports.report_concern(table, command, now_ns)
        case ReportMisdeal():
            return reports.report_misdeal(table, command, at)
        case ReportBoxedCard():
            return reports.report_boxed_card(table, now_ns)
        case ConfirmCard():
            return reports.confirm_card(table, command, now_ns)
        case RecordOverrun():
            return reports.record_overrun(table, command, at)
        case RecordRules():
            return reports.record_rules(table, command, now_ns)
        case ResolveIncident():
            return resolving.resolve_incident(table, command, actor, at)
        case VoidRound():
            return resolving.void_round(table, command, actor, now_ns)
        case ClaimIncident():
            return claims.claim(table, command, actor)
        case HandOverIncident():
            return claims.hand_over(table, command, actor)
        case ShelveIncident():
            return shelving.shelve(table, command, actor, at)
        case ApproveProposal():
            return resolving.approve(table, command, actor, now_ns)
        case DeclineProposal():
            return proposals.decline(table, command, actor)
        case OpenHiddenCard():
            return proposals.open_hidden_card(table, command, actor, now_ns)
        case ReviseRound():
            return revising.propose_revision(table, command, actor, now_ns)
        case AddNote() | OpenDispute() | CloseDispute():
            return disputes.write(table, command)
        case _:
            assert_never(command)


def _pass_deadline(table: Table, now_ns: int) -> Accepted:
    """Close what is over by now: a window, a proposal, the patience for an absent supervisor."""
    closed = playing.pass_deadline(table, now_ns)
    later = (*proposals.expired(table, now_ns), *claims.absences(table, now_ns), *auto_void.voided(table, now_ns))
    return Accepted((*closed.events, *later))


def next_alarm_ns(table: Table) -> int | None:
    """Return when :class:`PassDeadline` has something to do next, ``None`` while nothing waits for the clock."""
    window_ns = None if table.is_stopped else open_deadline_ns(table.round)
    found_ns, voided_ns = fusion.next_due_ns(table), auto_void.due_ns(table)
    due = (window_ns, found_ns, voided_ns, proposals.expiry_ns(table), claims.absence_due_ns(table))
    return min((one for one in due if one is not None), default=None)
