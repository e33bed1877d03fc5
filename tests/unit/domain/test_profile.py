"""The ruling profile: its rulings outside the misdeal table, and when it changes."""

from __future__ import annotations

from typing import Any

import pytest
from support.camera_tables import CameraTable, a_camera_setup
from support.tables import DEALER, READER, SUPERVISOR, PlayedTable, a_setup

from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.bets import Bet, BetKind
from studio.domain.betting import Planner
from studio.domain.commands import (
    ChangeProfile,
    ConfirmCard,
    OpenTable,
    PassDeadline,
    ReportMisdeal,
    Suspend,
)
from studio.domain.correction_commands import ClaimIncident
from studio.domain.decide import next_alarm_ns
from studio.domain.events import BettingOpened, CardBurned, CardDealt, ProfileAdopted, RoundVoided, ShoeClosed
from studio.domain.incidents import ways_out
from studio.domain.people import SYSTEM, Role
from studio.domain.phases import Phase, phase
from studio.domain.profile import (
    STUDIO_DEFAULT,
    Approval,
    ExposedCard,
    Fault,
    OverLimitBet,
    RefusedCard,
    RulingProfile,
    profile_of,
    profile_of_text,
)
from studio.domain.record_commands import (
    RecordFault,
    RecordReader,
)
from studio.domain.setup import CameraMode, CameraSetup
from studio.domain.tiles import Tile
from studio.domain.witness import Verdict

HOUSE = RulingProfile(name="house", exposed_card=ExposedCard.BURN)
APPROVAL = Approval("Ada", "2026-11-29", "R-17", "ab" * 32)


def table_with(**rulings: Any) -> PlayedTable:
    return PlayedTable(a_setup(profile=RulingProfile(**rulings)))


# Rulings


@pytest.mark.parametrize(("value", "placed"), [(OverLimitBet.REFUSE, 1_200_000), (OverLimitBet.LOWER, 1_000_000)])
def test_m7_a_bet_over_the_maximum_is_left_to_be_refused_or_lowered_to_it(
    value: OverLimitBet, placed: int
) -> None:
    played = table_with(over_limit_bet=value).ready().betting()
    placement = Planner(played.table).plan(Bet("P1", 1, BetKind.MAIN, 1_200_000), 10_000_000)
    assert placement.bets[0].amount == placed
    assert placement.note == ("lowered-to-maximum" if value is OverLimitBet.LOWER else "")


@pytest.mark.parametrize(("value", "goes_on"), [(Fault.RESOLVE_ELSE_VOID, True), (Fault.VOID, False)])
def test_c38_a_technical_fault_before_the_result_may_be_put_right_or_voids(value: Fault, *, goes_on: bool) -> None:
    played = table_with(fault=value).ready().round(1)
    played.do(RecordFault("broken"), SYSTEM)
    ways = ways_out(played.table, played.table.incidents[0], Role.SUPERVISOR)
    assert WayOut.VOID in ways
    assert (WayOut.GO_ON in ways) == goes_on


def test_c38_between_rounds_a_fault_has_nothing_to_void_and_the_table_goes_on() -> None:
    played = table_with(fault=Fault.VOID).ready()
    played.do(RecordFault("broken"), SYSTEM)
    played.resolve(WayOut.GO_ON)
    assert not played.kinds()


def offered_extra_card(refused: RefusedCard) -> PlayedTable:
    played = table_with(exposed_card=ExposedCard.OFFER, refused_card=refused).ready().round(1, 2)
    played.cards("TC 9C 6C 4D 5D TH 3C")
    played.do(ReportMisdeal(Tile.EXPOSED), DEALER)
    return played


def test_c11_a_refused_card_is_burned_and_the_hand_is_asked_as_before() -> None:
    played = offered_extra_card(RefusedCard.BURN)
    played.resolve(WayOut.REFUSED)
    assert not played.kinds()
    assert isinstance(played.events[-2], CardBurned)
    assert played.table.open_round.question is not None
    assert played.table.open_round.question.hand.seat == 1


def test_c11_who_refuses_the_card_gets_no_more_and_the_next_hand_is_offered_it() -> None:
    played = offered_extra_card(RefusedCard.NO_MORE_CARDS)
    played.resolve(WayOut.REFUSED)
    assert played.kinds() == [AnomalyKind.EXTRA_CARD]
    played.resolve(WayOut.USE_NEXT)
    assert played.table.open_round.question is not None
    assert played.table.open_round.question.hand.seat == 2
    played.decide("hit")
    dealt = [event for event in played.events if isinstance(event, CardDealt)]
    assert (dealt[-1].card.code, str(dealt[-1].slot)) == ("3C", "seat2.hand1")


# The void that nobody chooses


def test_by_default_a_suspended_round_waits_for_a_supervisor_for_ever() -> None:
    played = table_with().ready().round(1)
    played.do(Suspend("look"), SUPERVISOR)
    played.wait(100_000).do(PassDeadline(), SYSTEM)
    assert phase(played.table) is Phase.DEALING


def test_where_the_profile_says_so_a_round_that_nobody_claims_is_voided_before_its_settlement() -> None:
    played = table_with(auto_void_seconds=90, next_supervisor_seconds=200, manager_seconds=300).ready().round(1)
    played.do(Suspend("look"), SUPERVISOR)
    due_ns = next_alarm_ns(played.table)
    assert due_ns == played.now.monotonic_ns + 90 * 10**9
    played.wait(89.9).do(PassDeadline(), SYSTEM)
    assert played.kinds() == [AnomalyKind.SUPERVISOR_STOP]
    played.wait(0.1).do(PassDeadline(), SYSTEM)
    voided = next(event for event in played.events if isinstance(event, RoundVoided))
    assert voided.reason == "auto-void"
    assert sum(bet.amount for bet in voided.refunds) == 1000
    assert phase(played.table) is Phase.IDLE


def test_a_claimed_round_is_never_voided_by_itself() -> None:
    played = table_with(auto_void_seconds=90).ready().round(1)
    played.do(Suspend("look"), SUPERVISOR)
    played.do(ClaimIncident(1), SUPERVISOR)
    played.wait(1000).do(PassDeadline(), SYSTEM)
    assert not any(isinstance(event, RoundVoided) for event in played.events)


# Changing it


def test_each_round_is_pinned_to_the_profile_in_force() -> None:
    played = PlayedTable().ready()
    opened = [event for event in played.betting().events if isinstance(event, BettingOpened)]
    assert opened[-1].profile_hash == STUDIO_DEFAULT.hash
    assert played.table.open_round.profile_hash == STUDIO_DEFAULT.hash


def test_a_table_opens_under_the_profile_it_is_told_and_the_journal_has_all_of_it() -> None:
    played = PlayedTable()
    played.do(OpenTable(HOUSE, APPROVAL), SYSTEM)
    adopted = next(event for event in played.events if isinstance(event, ProfileAdopted))
    assert profile_of_text(adopted.settings) == HOUSE
    assert (played.table.setup.profile, played.table.approval) == (HOUSE, APPROVAL)
    assert played.do(OpenTable(HOUSE, APPROVAL), SYSTEM) == ()


def test_another_profile_waits_for_the_end_of_the_round_that_is_open() -> None:
    played = PlayedTable().ready().round(1)
    assert played.refused(OpenTable(HOUSE, APPROVAL), SYSTEM) == "profile-mismatch"
    change = ChangeProfile("R-18", HOUSE, APPROVAL)
    assert played.refused(change, SUPERVISOR) == "round-open"


def test_a_profile_is_changed_between_rounds_under_a_reference_by_a_supervisor() -> None:
    played = PlayedTable().ready()
    assert played.refused(ChangeProfile(" ", HOUSE, APPROVAL), SUPERVISOR) == "reference-missing"
    assert played.refused(ChangeProfile("R-18", problem="bad signature"), SUPERVISOR) == "profile-unusable"
    assert played.refused(ChangeProfile("R-18", HOUSE, APPROVAL), DEALER) == "forbidden"
    played.do(ChangeProfile("R-18", HOUSE, APPROVAL), SUPERVISOR)
    assert played.table.setup.profile == HOUSE
    assert played.table.approval.reference == "R-18"
    assert played.do(ChangeProfile("R-18", HOUSE, APPROVAL), SUPERVISOR) == ()
    assert played.betting().table.open_round.profile_hash == HOUSE.hash


# Reading one


def test_a_profile_comes_back_from_its_text() -> None:
    assert profile_of_text(HOUSE.text) == HOUSE
    assert profile_of({"exposed_card": "burn", "name": "house"}).hash == HOUSE.hash


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"exposed_cards": "burn"}, "exposed_cards is no setting of a profile"),
        ({"exposed_card": "keep"}, "exposed_card is one of next, burn, offer, void, not 'keep'"),
        ({"rescan_tries": "two"}, "rescan_tries is a whole number, not 'two'"),
        ({"rescan_tries": True}, "rescan_tries is a whole number, not True"),
        ({"rescan_tries": 0}, "rescan_tries must be 1 or more"),
        ({"round_reserve": -1}, "round_reserve must not be negative"),
    ],
)
def test_a_wrong_setting_is_named(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        profile_of(settings)


# The camera as fallback


def fallback(**changes: Any) -> CameraTable:
    played = CameraTable(a_camera_setup(CameraMode.FALLBACK, **changes)).a_round()
    played.do(RecordReader("shoe-1", ready=False, reason="unplugged"), READER)
    return played


def test_with_the_reader_down_the_camera_and_the_dealer_finish_the_round_and_the_shoe_is_closed() -> None:
    played = fallback()
    played.resolve(WayOut.BY_CAMERA)
    assert not played.table.is_stopped
    played.decide("hit")
    played.seen("s1c3", "2C")
    assert not [event for event in played.events if isinstance(event, CardDealt) and event.card.code == "2C"]
    claim = played.table.witness.claims[-1]
    played.do(ConfirmCard(claim.sighting), DEALER)
    assert [card.code for card in played.table.open_round.hands[0].cards] == ["TC", "9D", "2C"]
    assert played.table.witness.watched[-1].verdict is Verdict.RULED
    played.seen("dc2", "TH")
    played.commit()
    assert isinstance(played.events[-1], ShoeClosed)
    assert not played.table.witness.takes_over


def test_the_reader_that_comes_back_in_such_a_round_changes_nothing_in_it() -> None:
    played = fallback()
    played.resolve(WayOut.BY_CAMERA)
    played.decide("hit")
    played.do(RecordReader("shoe-1", True, 1, played.ordinal), READER)
    before = played.table
    played.card("5C")
    assert played.table == before


@pytest.mark.parametrize(
    "played",
    [
        CameraTable(a_camera_setup(CameraMode.WITNESS)).a_round(),
        CameraTable(a_camera_setup(CameraMode.FALLBACK)).ready().round(1).dealt("TC@s1c1"),
    ],
    ids=["only a witness", "before the hole card"],
)
def test_the_camera_stands_in_only_where_it_may_and_can(played: CameraTable) -> None:
    played.do(RecordReader("shoe-1", ready=False, reason="unplugged"), READER)
    assert WayOut.BY_CAMERA not in ways_out(played.table, played.table.incidents[0], Role.SUPERVISOR)


def test_a_stale_confirmation_is_refused() -> None:
    played = fallback()
    played.resolve(WayOut.BY_CAMERA)
    played.decide("hit")
    played.seen("s1c3", "2C")
    old = played.table.witness.claims[-1].sighting
    played.seen("s1c3", "2S")
    assert played.refused(ConfirmCard(old), DEALER) == "no-camera-card"


def test_an_unread_card_may_take_the_value_that_the_camera_reads_with_the_dealers_word() -> None:
    played = CameraTable().ready().round(1)
    played.no_read()
    played.seen("s1c1", "TC")
    played.resolve(WayOut.CAMERA_VALUE, DEALER)
    assert [card.code for card in played.table.open_round.hands[0].cards] == ["TC"]
    played.dealt("9C@dc1")
    assert not played.kinds()


@pytest.mark.parametrize("wrong", [{"deadline_ms": 0}, {"coverage_percent": 101}, {"absent_in_a_row": 0}])
def test_a_camera_whose_numbers_cannot_be_meant_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="camera cam-1"):
        CameraSetup("cam-1", **wrong)  # type: ignore[arg-type]
