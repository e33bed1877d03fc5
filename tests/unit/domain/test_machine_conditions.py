"""Conditions of the server's machine: what they stop, and how they end (anomalies.md, disk-low and the like)."""

from __future__ import annotations

import pytest
from support.tables import DEALER, SUPERVISOR, PlayedTable, a_setup

from studio.domain.actions import Action
from studio.domain.anomalies import CATALOGUE, AnomalyKind, Level, WayOut
from studio.domain.commands import (
    CommitResult,
    OpenBetting,
    VoidRound,
)
from studio.domain.events import RoundClosed
from studio.domain.incidents import ways_out
from studio.domain.people import SYSTEM, Role
from studio.domain.phases import Phase, open_deadline_ns, phase
from studio.domain.record_commands import RecordWarning

BLOCKING = [AnomalyKind.DISK_LOW, AnomalyKind.COMMIT_FAILED, AnomalyKind.JOURNAL_BROKEN]
HEALING = [AnomalyKind.DISK_LOW, AnomalyKind.COMMIT_FAILED]


def told(played: PlayedTable, kind: AnomalyKind, *, active: bool = True, blocks: bool = False) -> PlayedTable:
    played.do(RecordWarning("server", kind, active, "what the probe says", blocks), SYSTEM)
    return played


def asked() -> PlayedTable:
    return PlayedTable(a_setup()).ready().round(1).cards("TC 9C 9D TH")


def finished(played: PlayedTable) -> PlayedTable:
    played.decide(Action.STAND)
    played.do(CommitResult(), DEALER)
    return played


@pytest.mark.parametrize("kind", BLOCKING)
def test_in_mid_round_it_offers_no_void_that_would_close_nothing(kind: AnomalyKind) -> None:
    played = told(asked(), kind)
    assert ways_out(played.table, played.table.incidents[0], Role.SUPERVISOR) == ()
    finished(told(played, kind, active=False))
    assert phase(played.table) is Phase.IDLE
    assert all(ways_out(played.table, one, Role.SUPERVISOR) for one in played.table.incidents)


@pytest.mark.parametrize("kind", BLOCKING)
def test_the_round_is_finished_and_no_other_opens(kind: AnomalyKind) -> None:
    played = told(asked(), kind)
    assert not played.table.is_stopped
    assert open_deadline_ns(played.table.round) is not None

    finished(played)

    assert any(isinstance(event, RoundClosed) for event in played.events)
    assert phase(played.table) is Phase.IDLE
    assert [(one.kind, one.level) for one in played.table.incidents] == [(kind, Level.HOLD)]
    assert played.refused(OpenBetting(), DEALER) == "table-stopped"


@pytest.mark.parametrize("kind", BLOCKING)
def test_between_rounds_it_holds_at_once(kind: AnomalyKind) -> None:
    played = told(PlayedTable(a_setup()).ready(), kind)
    assert played.refused(OpenBetting(), DEALER) == "table-stopped"


@pytest.mark.parametrize("kind", HEALING)
@pytest.mark.parametrize("in_round", [True, False])
def test_it_resumes_by_itself_when_the_cause_is_gone(kind: AnomalyKind, *, in_round: bool) -> None:
    played = told(asked() if in_round else PlayedTable(a_setup()).ready(), kind)
    told(played, kind, active=False)
    assert played.table.incidents == ()
    if in_round:
        finished(played)
    played.do(OpenBetting(), DEALER)


def test_a_broken_journal_waits_for_the_supervisor_after_its_cause_is_gone() -> None:
    played = told(PlayedTable(a_setup()).ready(), AnomalyKind.JOURNAL_BROKEN)
    (incident,) = played.table.incidents
    assert ways_out(played.table, incident, Role.SUPERVISOR) == ()
    told(played, AnomalyKind.JOURNAL_BROKEN, active=False)
    (incident,) = played.table.incidents
    assert ways_out(played.table, incident, Role.DEALER) == ()
    played.resolve(WayOut.GO_ON)
    played.do(OpenBetting(), DEALER)


def test_a_small_step_of_the_clock_is_a_warning_that_the_dealer_acknowledges() -> None:
    played = told(asked(), AnomalyKind.CLOCK_JUMP)
    finished(played).do(OpenBetting(), DEALER)
    played.resolve(WayOut.ACKNOWLEDGE, DEALER)
    assert played.table.incidents == ()


@pytest.mark.parametrize("grows", [False, True])
def test_a_large_step_of_the_clock_lets_no_new_round_begin_until_it_is_right(*, grows: bool) -> None:
    played = asked()
    if grows:
        told(played, AnomalyKind.CLOCK_JUMP)
    told(played, AnomalyKind.CLOCK_JUMP, blocks=True)
    assert not played.table.is_stopped
    assert ways_out(played.table, played.table.incidents[0], Role.DEALER) == ()
    finished(played)
    assert played.refused(OpenBetting(), DEALER) == "table-stopped"
    told(played, AnomalyKind.CLOCK_JUMP, active=False)
    played.resolve(WayOut.GO_ON)
    played.do(OpenBetting(), DEALER)


def test_a_lost_recording_suspends_and_goes_on_once_there_is_proof_again() -> None:
    played = told(asked(), AnomalyKind.RECORDING_LOST)
    assert played.table.is_suspended
    (incident,) = played.table.incidents
    assert ways_out(played.table, incident, Role.SUPERVISOR) == (WayOut.VOID,)
    told(played, AnomalyKind.RECORDING_LOST, active=False)
    played.resolve(WayOut.GO_ON)
    finished(played)


def test_a_void_leaves_a_lost_recording_open_while_it_is_lost() -> None:
    played = told(asked(), AnomalyKind.RECORDING_LOST)
    played.do(VoidRound("recording", "No picture"), SUPERVISOR)
    assert [one.kind for one in played.table.incidents] == [AnomalyKind.RECORDING_LOST]
    assert played.refused(OpenBetting(), DEALER) == "table-stopped"


@pytest.mark.parametrize("kind", [*BLOCKING, AnomalyKind.CLOCK_JUMP, AnomalyKind.RECORDING_LOST])
def test_telling_the_same_again_changes_nothing_and_a_return_is_told(kind: AnomalyKind) -> None:
    played = told(asked(), kind)
    before = len(played.events)
    told(played, kind)
    assert len(played.events) == before
    assert played.kinds() == [kind]
    if not CATALOGUE[kind].heals:
        told(told(played, kind, active=False), kind)
        assert not played.table.incidents[0].cleared
