"""Every command in every state by every role: it is taken or refused with a reason, and no state is a dead end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, get_args

import pytest
from support.table_states import COUNTING, SHARED, STATES, Start, stopped
from support.tables import COLLEAGUE, DEALER, MANAGER, READER, SUPERVISOR, PlayedTable, player
from test_anomaly_scenarios import can_be_ended

from studio.domain.actions import Action
from studio.domain.anomalies import CATALOGUE, AnomalyKind, WayOut
from studio.domain.answers import Rejected
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.cards import parse_card
from studio.domain.changes import CardValue, DeadHand, OutOfPlay, Placed
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
from studio.domain.decide import decide
from studio.domain.disputes import AddNote, CloseDispute, OpenDispute
from studio.domain.events import DisputeEnd, Subject
from studio.domain.evolve import evolve
from studio.domain.incidents import ways_out
from studio.domain.instructions import instruction, primary_button
from studio.domain.people import SYSTEM, Actor, Role
from studio.domain.player_projection import player_view
from studio.domain.profile import STUDIO_DEFAULT
from studio.domain.projections import supervisor_view
from studio.domain.record_commands import (
    RecordFault,
    RecordOverrun,
    RecordReader,
    RecordRestart,
    RecordRules,
    RecordSighting,
    RecordWarning,
)
from studio.domain.refunds import can_void, refunds
from studio.domain.shared_commands import Choosing, DecideAll, InsureAll, Insuring
from studio.domain.shoe import ShoeStep
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
from studio.domain.sightings import CardRead, CutCardRead, ForeignCard, Reading, Sighting, SightingId, Unreadable
from studio.domain.slots import HandId
from studio.domain.table import Table
from studio.domain.tiles import Concern, Tile

ACTORS: Final = (DEALER, SUPERVISOR, COLLEAGUE, MANAGER, READER, SYSTEM, *map(player, ("anna", "ben", "P1", "P3")))
_OF_THE_READER: Final = (AnomalyKind.WRONG_MODE, AnomalyKind.REVERSE_MOVEMENT, AnomalyKind.SHOE_EMPTY)
_OF_THE_MACHINE: Final = (AnomalyKind.DISK_LOW, AnomalyKind.JOURNAL_BROKEN, AnomalyKind.CLOCK_JUMP)
Samples = Callable[[PlayedTable], tuple[Command, ...]]


def readings(played: PlayedTable) -> tuple[Command, ...]:
    """Return the next card, the cut card, an unread and a strange one, of the load in play and of the next."""
    kinds: tuple[Reading, ...] = (CardRead(parse_card("5S")), CutCardRead(), Unreadable(), ForeignCard("joker"))
    places = ((played.load, played.ordinal + 1), (played.load, played.ordinal), (played.load + 1, 1))
    at_ns = played.now.monotonic_ns
    return tuple(
        RecordSighting(Sighting(SightingId("shoe-1", load, ordinal), kind, at_ns))
        for kind in kinds
        for load, ordinal in places
    )


def question(played: PlayedTable) -> int:
    current = played.table.round
    return current.question.number if current is not None and current.question is not None else 1


def resolutions(played: PlayedTable) -> tuple[Command, ...]:
    """Return every way out of the first open incident, with changes of every sort."""
    draws = [one.draw for one in played.table.round.draws] if played.table.round else []
    draw = draws[-1] if draws else 3
    number = played.table.incidents[0].number if played.table.incidents else 1
    changes: tuple[Any, ...] = (
        (),
        (CardValue(draw, parse_card("5S")),),
        (Placed(draw, HandId(1, 1)),),
        (Placed(draw, None),),
        (OutOfPlay(draw),),
        (DeadHand(1),),
    )
    return tuple(ResolveIncident(number, way, "x", "as ruled", one) for way in WayOut for one in changes)


SAMPLES: Final[dict[type[Command], Samples]] = {
    OpenTable: lambda _: (OpenTable(),),
    ChangeProfile: lambda _: (ChangeProfile("R-1", STUDIO_DEFAULT), ChangeProfile("R-1", problem="no such file")),
    SignOn: lambda _: (SignOn("2099-12-31", licence_valid=True), SignOn("2020-01-01", licence_valid=False)),
    SignOff: lambda _: (SignOff(),),
    RegisterPack: lambda _: (RegisterPack("green-1", "B-green", "green"), RegisterPack("red-1", "B-red", "red")),
    QuarantinePack: lambda _: (QuarantinePack("red-1", "marked"), QuarantinePack("nobodys", "marked")),
    BeginCount: lambda _: (BeginCount("red-1"), BeginCount("blue-1"), BeginCount("nobodys")),
    SignCount: lambda _: (SignCount(),),
    AbandonCount: lambda _: (AbandonCount(),),
    ReportForeignCard: lambda _: (ReportForeignCard("a joker"),),
    ConfirmShoeStep: lambda _: tuple(map(ConfirmShoeStep, ShoeStep)),
    OpenBetting: lambda _: (OpenBetting(),),
    PlaceBets: lambda _: tuple(
        PlaceBets((Placement((Bet("anna", 1, kind, 100),), funded),))
        for kind in BetKind
        for funded in (True, False)
    ),
    TakeSeat: lambda _: (TakeSeat("anna", 2), TakeSeat("anna", 99)),
    LeaveSeat: lambda _: (LeaveSeat("anna", 1), LeaveSeat("P1", 1)),
    SetFollowing: lambda _: (SetFollowing("anna", double=True, split=None),),
    PlanAction: lambda _: (PlanAction("P1", HandId(1, 1), Action.HIT), PlanAction("P3", HandId(3, 1), None)),
    AnswerFollow: lambda _: (AnswerFollow("anna", HandId(1, 1), follow=True, funded=True),),
    CloseBetting: lambda _: (CloseBetting(),),
    AnswerInsurance: lambda _: (AnswerInsurance("P1", 1, take=True, funded=True),),
    Decide: lambda it: tuple(Decide("P1", question(it), action, funded=True) for action in Action),
    DecideAll: lambda it: tuple(
        DecideAll(question(it), (Choosing("anna", action, funded=True), Choosing("ben", action)))
        for action in Action
    ),
    InsureAll: lambda _: (InsureAll((Insuring("anna", take=True, funded=True), Insuring("nobody", take=False))),),
    PassDeadline: lambda _: (PassDeadline(),),
    RecordSighting: readings,
    RecordReader: lambda it: (
        RecordReader("shoe-1", ready=False, reason="unplugged"),
        RecordReader("shoe-1", ready=True, load=it.load + 1, ordinal=0),
        RecordReader("cam-1", ready=False),
    ),
    RecordWarning: lambda _: tuple(
        RecordWarning("shoe-1", kind, active, "x")
        for kind in (*_OF_THE_READER, *_OF_THE_MACHINE)
        for active in (True, False)
    ),
    RecordRestart: lambda it: (RecordRestart(it.now.monotonic_ns),),
    RecordFault: lambda _: (RecordFault("x"),),
    ReturnCards: lambda _: (ReturnCards(), ReturnCards(3)),
    LoadShuffle: lambda it: (LoadShuffle(it.load + 1, "c0ffee", "5eed"),),
    CommitResult: lambda _: (CommitResult(),),
    Disagree: lambda _: (Disagree(),),
    CallSupervisor: lambda _: (CallSupervisor(),),
    AnswerCall: lambda _: (AnswerCall(),),
    Suspend: lambda _: (Suspend("x"),),
    ReportConcern: lambda _: (ReportConcern(Concern.AT_RISK, 1),),
    ReportMisdeal: lambda _: tuple(ReportMisdeal(tile, seat) for tile in Tile for seat in (None, 0, 1)),
    ReportBoxedCard: lambda _: (ReportBoxedCard(),),
    ConfirmCard: lambda _: (ConfirmCard(SightingId("cam-1", 1, 1)),),
    RecordOverrun: lambda _: (RecordOverrun("deal", 1), RecordOverrun("deal", 2)),
    RecordRules: lambda _: (RecordRules("00" * 32, "00" * 32),),
    ResolveIncident: resolutions,
    VoidRound: lambda _: (VoidRound("misdeal", "x"),),
    AddNote: lambda _: (AddNote(Subject.ROUND, 1, "x"), AddNote(Subject.INCIDENT, 99, "x")),
    OpenDispute: lambda _: (OpenDispute(1, "anna", "x"),),
    CloseDispute: lambda _: (CloseDispute(1, DisputeEnd.DECLINED, "x"),),
    ClaimIncident: lambda _: (ClaimIncident(1),),
    ShelveIncident: lambda _: (ShelveIncident(1, 10, "x"), ShelveIncident(1, 0, "x"), ShelveIncident(99, 10, "x")),
    HandOverIncident: lambda _: (HandOverIncident(1, "sue", "x"),),
    ApproveProposal: lambda _: (ApproveProposal(1),),
    DeclineProposal: lambda _: (DeclineProposal(1, "x"),),
    OpenHiddenCard: lambda it: (OpenHiddenCard(it.ordinal, "x", "y"), OpenHiddenCard(2, "x", "y")),
    ReviseRound: lambda _: (ReviseRound(1, (OutOfPlay(3),), "x", "y"),),
}
"""Of each command some that may fit and some that do not."""

SWEPT: Final = {**STATES, **{f"stopped, {name}": stopped(start) for name, start in STATES.items()}}


def test_every_command_has_its_samples() -> None:
    assert set(SAMPLES) == set(get_args(Command)) == set(ALLOWED_ROLES)


@pytest.mark.parametrize("state", SWEPT)
def test_every_command_in_this_state_is_taken_or_refused_with_a_reason_and_leads_to_no_dead_end(
    state: str,
) -> None:
    played = SWEPT[state]()
    for kind, samples in SAMPLES.items():
        for command in samples(played):
            for actor in ACTORS:
                is_allowed = actor.role in ALLOWED_ROLES[kind]
                if is_allowed or command == samples(played)[0]:
                    check(played, command, actor, is_allowed=is_allowed)


def check(played: PlayedTable, command: Command, actor: Actor, *, is_allowed: bool) -> None:
    before = played.table
    answer = decide(before, command, actor, played.now)
    if isinstance(answer, Rejected):
        assert answer.code
        assert answer.text
        return
    assert is_allowed, (command, actor)
    after = before
    for one in answer.steps:
        assert one.before == after
        after = evolve(after, one.event)
        assert one.after == after
    assert_no_dead_end(after, command)
    # What a screen shows can be told of every state.
    supervisor_view(after, played.now, "2026-01-01")
    player_view(after, "anna", 10**6, played.now)
    assert instruction(after).words
    assert not can_void(after) or all(bet.amount > 0 for bet in refunds(after))


def assert_no_dead_end(table: Table, command: object) -> None:
    for incident in table.incidents:
        latched = CATALOGUE[incident.kind].latches and not incident.cleared
        reader = incident.kind is AnomalyKind.CRASH_RECOVERY and not table.reader.ready
        assert latched or reader or can_be_ended(table, incident), (command, incident)
    primary_button(table)


# What may come over a table at any time, on the shared hand and in a count

TROUBLES: Final[dict[str, tuple[Command, Actor]]] = {
    "reader down": (RecordReader("shoe-1", ready=False), READER),
    "restart": (RecordRestart(0), SYSTEM),
    "fault": (RecordFault("x"), SYSTEM),
    "stop": (Suspend("x"), SUPERVISOR),
    "foreign card": (ReportForeignCard("a joker"), DEALER),
    "boxed card": (ReportBoxedCard(), DEALER),
    "disagree": (Disagree(), DEALER),
    "dealer gone": (SignOff(), DEALER),
    "concern": (ReportConcern(Concern.ABUSE, 1), DEALER),
    "other rules": (RecordRules("00" * 32, "00" * 32), SYSTEM),
    **{f"tile {tile}": (ReportMisdeal(tile, 1), DEALER) for tile in Tile},
    **{kind.value: (RecordWarning("shoe-1", kind, True, "x", True), READER) for kind in _OF_THE_READER},
    **{kind.value: (RecordWarning("server", kind, True, "x", True), SYSTEM) for kind in _OF_THE_MACHINE},
}


def trouble(start: Start, name: str) -> PlayedTable:
    played = start()
    match name:
        case "unread card":
            played.wait(4).no_read()
        case "unknown code":
            played.wait(4).unknown()
        case "missed cards":
            played.wait(4).card("5S", ordinal=played.ordinal + 3)
        case "the same card twice":
            played.wait(4).card("5S")
            played.wait(0.1).card("5S")
        case "a burst":
            for code in ("TC", "9C", "8D", "7H"):
                played.card(code)
                played.wait(0.02)
        case _:
            command, actor = TROUBLES[name]
            played.try_do(command, actor)
    return played


READ: Final = ("unread card", "unknown code", "missed cards", "the same card twice", "a burst")


@pytest.mark.parametrize("state", [*SHARED, *COUNTING])
@pytest.mark.parametrize("name", [*READ, *TROUBLES])
def test_no_way_out_leads_to_a_state_without_a_way_out_on_the_shared_hand_and_in_a_count(
    state: str, name: str
) -> None:
    start = {**SHARED, **COUNTING}[state]
    before = trouble(start, name)
    for incident in before.table.incidents:
        assert can_be_ended(before.table, incident), incident
        for role, actor in ((Role.SUPERVISOR, SUPERVISOR), (Role.DEALER, DEALER)):
            for way in ways_out(before.table, incident, role):
                answer = decide(
                    before.table, ResolveIncident(incident.number, way, "x", "as ruled"), actor, before.now
                )
                if isinstance(answer, Rejected):
                    # It wants to know which card, place or seat, or somebody to sign on.
                    assert answer.code in {"wrong-changes", "unknown-draw", "not-signed-on", "no-such-hand"}, way
                    continue
                after = answer.steps[-1].after if answer.steps else before.table
                for left in after.incidents:
                    assert can_be_ended(after, left), (way, left)
