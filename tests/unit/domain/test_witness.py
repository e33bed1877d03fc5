"""The second witness: what the camera's claims lead to (anomalies.md; vision.md)."""

from __future__ import annotations

from typing import Any

import pytest
from support.camera_tables import CAMERA, CameraTable, a_camera_setup
from support.tables import DEALER, PlayedTable, a_setup

from studio.domain.anomalies import AnomalyKind, Level, WayOut
from studio.domain.commands import (
    OpenBetting,
    PassDeadline,
    ReportBoxedCard,
)
from studio.domain.decide import next_alarm_ns
from studio.domain.events import CardBurned, CardDealt, RoundSettled, SingleSourceAccepted, SingleSourceEnded
from studio.domain.incidents import ways_out
from studio.domain.people import SYSTEM, Role
from studio.domain.phases import Phase, phase
from studio.domain.projections import supervisor_view
from studio.domain.record_commands import RecordReader
from studio.domain.table import RoundEnd
from studio.domain.witness import NO_WITNESS, Verdict


def verdicts(played: CameraTable) -> list[Verdict | None]:
    return [one.verdict for one in played.table.witness.watched]


def levels(played: CameraTable) -> list[tuple[AnomalyKind, Level]]:
    return [(one.kind, one.level) for one in played.table.incidents]


def test_a_table_without_a_camera_keeps_nothing_and_wakes_for_nothing() -> None:
    played = PlayedTable(a_setup()).ready().round(1).cards("TC 9C 9D TH").decide("stand")
    assert played.table.witness == NO_WITNESS
    assert next_alarm_ns(played.table) is None
    played.commit()
    assert played.table.results is not None


def test_cards_that_the_camera_sees_alike_are_confirmed_the_hole_card_by_lying_there() -> None:
    played = CameraTable().a_round()
    assert not played.kinds()
    assert verdicts(played) == [Verdict.AGREED] * 4
    assert played.table.witness.covered == 4


def test_the_reader_never_waits_for_the_camera() -> None:
    played = CameraTable().ready().round(1).dealt("TC", "9C", "9D")
    assert sum(isinstance(event, CardDealt) for event in played.events) == 3
    assert not played.table.is_stopped


# Absent is not different


def test_absent_is_not_different_a_covered_card_without_a_value_is_a_warning_and_counts_as_not_covered() -> None:
    played = CameraTable().ready().round(1).dealt("TC")
    played.seen("s1c1", "occluded")
    played.let_time_pass(2)
    assert levels(played) == [(AnomalyKind.CAMERA_ABSENT, Level.WARN)]
    assert verdicts(played) == [Verdict.ABSENT]
    assert "covers" in played.table.incidents[0].detail
    played.dealt("9C@dc1")
    assert (played.table.witness.covered, played.table.witness.judged) == (1, 2)


def test_a_camera_that_is_gone_leaves_cards_uncovered_and_stops_nothing() -> None:
    played = CameraTable().ready().round(1)
    played.do(RecordReader("cam-1", ready=False, reason="unplugged"), CAMERA)
    assert played.table.reader.ready
    played.dealt("TC", "9C").let_time_pass(3)
    assert levels(played) == [(AnomalyKind.CAMERA_ABSENT, Level.WARN)]
    assert verdicts(played) == [Verdict.ABSENT] * 2


@pytest.mark.parametrize("wrong", ["TS", "9C"])
def test_another_card_than_the_reader_read_holds_the_table(wrong: str) -> None:
    played = CameraTable().ready().round(1).dealt("TC")
    played.seen("s1c1", wrong)
    assert levels(played) == [(AnomalyKind.SOURCE_DISAGREEMENT, Level.HOLD)]
    incident = played.table.incidents[0]
    assert ways_out(played.table, incident, Role.DEALER) == ()
    assert {WayOut.KEEP_SCAN, WayOut.CORRECT, WayOut.VOID} == {*ways_out(played.table, incident, Role.SUPERVISOR)}
    assert wrong not in incident.detail
    played.resolve(WayOut.KEEP_SCAN)
    assert not played.kinds()
    assert verdicts(played) == [Verdict.RULED]


# Coverage


def test_three_cards_in_a_row_without_a_value_degrade_the_camera_and_no_further_round_opens() -> None:
    played = CameraTable().ready().round(1)
    for code, where in (("TC", "s1c1"), ("9C", "dc1"), ("9D", "s1c2")):
        played.dealt(code).seen(where, "occluded")
        played.let_time_pass(2)
    assert AnomalyKind.CAMERA_DEGRADED in played.kinds()
    assert not played.table.is_stopped
    played.dealt("TH@dc2").decide("stand")
    played.seen("dc2", "TH")
    played.commit()
    assert phase(played.table) is Phase.IDLE
    degraded = played.table.find_incident(AnomalyKind.CAMERA_DEGRADED)
    assert degraded is not None
    assert degraded.level is Level.HOLD
    assert played.refused(OpenBetting(), DEALER) == "table-stopped"
    played.table = played.table._replace(incidents=(degraded, *played.table.incidents[:1]))
    accepted = played.resolve(WayOut.ACCEPT)
    assert any(isinstance(event, SingleSourceAccepted) for event in accepted)
    played.betting()


def test_while_one_source_is_accepted_silence_is_counted_and_nothing_more() -> None:
    played = CameraTable(a_camera_setup(absent_in_a_row=1)).ready().round(1).dealt("TC")
    played.seen("s1c1", "occluded")
    played.let_time_pass(2)
    degraded = played.table.find_incident(AnomalyKind.CAMERA_DEGRADED)
    assert degraded is not None
    played.table = played.table._replace(incidents=(degraded,))
    played.resolve(WayOut.ACCEPT)
    played.dealt("9C").let_time_pass(5)
    assert not played.kinds()
    assert verdicts(played)[-1] is Verdict.ABSENT


def accepted(**changes: Any) -> CameraTable:
    """Return a table in mid-deal, seat 1's first card unseen, whose supervisor accepted one source."""
    played = CameraTable(a_camera_setup(absent_in_a_row=1, **changes)).ready().round(1, 2).dealt("TC")
    played.seen("s1c1", "occluded")
    played.let_time_pass(2)
    degraded = played.table.find_incident(AnomalyKind.CAMERA_DEGRADED)
    assert degraded is not None
    played.table = played.table._replace(incidents=(degraded,))
    played.resolve(WayOut.ACCEPT)
    assert played.table.witness.single_source_until_ns is not None
    return played


@pytest.mark.parametrize(
    ("where", "what", "kind"),
    [
        ("s2c1", "TS", AnomalyKind.SOURCE_DISAGREEMENT),
        ("s1c2", "9C", AnomalyKind.WRONG_POSITION),
        ("dc1", "9C", AnomalyKind.SKIPPED_DRAW),
        ("s2c1", "two", AnomalyKind.TWO_CARDS),
        ("s1c2", "occupied", AnomalyKind.NO_READ),
        ("s1c2", "5D", AnomalyKind.NO_READ),
        ("", "boxed", AnomalyKind.BOXED_CARD),
    ],
)
def test_while_one_source_is_accepted_whatever_the_camera_does_claim_is_still_compared(
    where: str, what: str, kind: AnomalyKind
) -> None:
    played = accepted().dealt("9C")
    played.seen(where, what)
    played.let_time_pass(1.6)
    assert kind in played.kinds()
    assert played.table.is_stopped


def test_while_one_source_is_accepted_a_card_that_the_camera_saw_leave_is_still_told() -> None:
    played = accepted().dealt("9C")
    played.seen("s2c1", "occupied")
    played.seen("s2c1", "cleared")
    played.let_time_pass(4)
    assert played.kinds() == [AnomalyKind.EARLY_COLLECT]


def test_a_camera_that_agreed_for_long_enough_counts_again_and_an_empty_place_is_told_as_before() -> None:
    played = accepted(agreed_in_a_row=3)
    played.dealt("9C@s2c1", "5D@dc1")
    assert not any(isinstance(event, SingleSourceEnded) for event in played.events)
    played.dealt("2C@s1c2")
    assert [event for event in played.events if isinstance(event, SingleSourceEnded)] == [SingleSourceEnded(3)]
    assert played.table.witness.single_source_until_ns is None
    played.dealt("3C").let_time_pass(3.1)
    assert played.kinds() == [AnomalyKind.READ_NOT_DEALT]


def test_a_single_source_is_a_mode_that_dealer_and_supervisor_see_until_it_ends() -> None:
    """system.md principle 12: a mode is shown, recorded and limited."""
    played = accepted(agreed_in_a_row=1)
    shown = supervisor_view(played.table, played.now, "2026-11-29").dealer.single_source_until_wall_ns
    assert shown == played.now.wall_ns + 30 * 60 * 10**9
    played.dealt("9C@s2c1")
    assert supervisor_view(played.table, played.now, "2026-11-29").dealer.single_source_until_wall_ns is None


def test_a_card_without_a_value_begins_the_row_of_agreeing_ones_anew() -> None:
    played = accepted(agreed_in_a_row=2)
    played.dealt("9C@s2c1", "5D").let_time_pass(4)
    played.dealt("2C@s1c2")
    assert not any(isinstance(event, SingleSourceEnded) for event in played.events)
    played.dealt("3C@s2c2")
    assert played.events[-1] == SingleSourceEnded(2)


def test_the_time_of_one_source_is_up_by_the_clock_too_and_that_is_an_event() -> None:
    played = accepted(single_source_minutes=1)
    played.seen("s1c1", "TC")
    played.let_time_pass(61)
    assert SingleSourceEnded(0) in played.events
    assert played.table.witness.single_source_until_ns is None
    played.dealt("9C").let_time_pass(3.1)
    assert AnomalyKind.READ_NOT_DEALT in played.kinds()


def test_a_covered_place_stands_for_those_after_it_in_its_hand_until_it_is_seen() -> None:
    played = CameraTable().ready().round(1).dealt("TC@s1c1", "9C@dc1", "2D@s1c2", "TH@dc2")
    played.decide("hit")
    played.seen("s1c3", "occluded")
    played.dealt("2C").decide("hit")
    played.dealt("3C").let_time_pass(3.1)
    assert AnomalyKind.READ_NOT_DEALT not in played.kinds()
    assert AnomalyKind.CAMERA_ABSENT in played.kinds()
    played.seen("s1c3", "2C")
    played.seen("s1c4", "3C")
    played.decide("hit")
    played.dealt("2H").let_time_pass(3.1)
    assert AnomalyKind.READ_NOT_DEALT in played.kinds()


def test_a_coverage_under_the_limit_of_the_last_cards_degrades_the_camera() -> None:
    setup = a_camera_setup(coverage_cards=4, coverage_percent=60, absent_in_a_row=9)
    played = CameraTable(setup).ready().round(1).dealt("TC@s1c1", "9C@dc1")
    played.dealt("9D").seen("s1c2", "occluded")
    played.let_time_pass(2)
    assert AnomalyKind.CAMERA_DEGRADED not in played.kinds()
    played.dealt("TH").seen("dc2", "occluded")
    played.let_time_pass(2)
    assert AnomalyKind.CAMERA_DEGRADED in played.kinds()


# Cards that lie elsewhere, or nowhere


def test_a_card_that_was_read_and_reached_no_place_holds_the_table_after_three_seconds() -> None:
    played = CameraTable().ready().round(1).dealt("TC")
    played.let_time_pass(2.9)
    assert not played.kinds()
    played.let_time_pass(0.2)
    assert levels(played) == [(AnomalyKind.READ_NOT_DEALT, Level.HOLD)]
    assert ways_out(played.table, played.table.incidents[0], Role.DEALER) == (WayOut.LAID,)
    played.seen("s1c1", "TC")
    played.resolve(WayOut.LAID, DEALER)
    assert not played.kinds()
    played.dealt("9C@dc1")


def test_a_card_that_was_held_back_is_looked_for_from_when_it_is_dealt() -> None:
    """read-not-dealt: the time that it lay aside is no time in which the dealer could lay it."""
    played = CameraTable().ready().betting()
    played.bet(1).card("TC")
    assert played.kinds() == [AnomalyKind.CARD_BEFORE_TIME]
    played.let_time_pass(5)
    played.resolve(WayOut.USE_NEXT)
    played.close()
    assert [str(card) for card in played.table.open_round.hands[0].cards] == ["TC"]
    assert not played.kinds()
    played.let_time_pass(2.9)
    assert not played.kinds()
    played.let_time_pass(0.2)
    assert played.kinds() == [AnomalyKind.READ_NOT_DEALT]


def test_a_card_at_another_seat_is_in_the_wrong_position() -> None:
    played = CameraTable().ready().round(1, 2, 3).dealt("TC")
    played.seen("s3c1", "TC")
    assert levels(played) == [(AnomalyKind.WRONG_POSITION, Level.HOLD)]
    assert played.table.incidents[0].draw == played.ordinal
    assert WayOut.LAID in ways_out(played.table, played.table.incidents[0], Role.SUPERVISOR)
    played.seen("s3c1", "cleared")
    played.seen("s1c1", "TC")
    played.resolve(WayOut.LAID)
    assert not played.kinds()
    played.dealt("9C@s2c1")


def test_c01_a_card_at_the_place_after_the_one_that_was_due_means_somebody_was_left_out() -> None:
    played = CameraTable().ready().round(1, 2).dealt("TC@s1c1", "9C@s2c1", "5D")
    played.seen("s1c2", "5D")
    assert levels(played) == [(AnomalyKind.SKIPPED_DRAW, Level.HOLD)]
    ways = ways_out(played.table, played.table.incidents[0], Role.SUPERVISOR)
    assert {WayOut.MOVE, WayOut.VOID} <= {*ways}
    assert WayOut.LAID not in ways


def test_a_card_that_the_reader_never_told_holds_the_table_after_a_second_and_a_half_and_the_next_read_is_it() -> (
    None
):
    played = CameraTable().ready().round(1)
    played.seen("s1c1", "occupied")
    played.let_time_pass(1.4)
    assert not played.kinds()
    played.let_time_pass(0.2)
    assert levels(played) == [(AnomalyKind.NO_READ, Level.HOLD)]
    played.card("TC")
    assert not played.kinds()
    played.seen("s1c1", "TC")
    assert verdicts(played) == [Verdict.AGREED]


def test_c07_a_missed_card_with_others_after_it_suspends_and_only_a_rebuild_or_a_void_is_offered() -> None:
    played = CameraTable().ready().round(1, 2).dealt("TC@s1c1")
    played.seen("s2c2", "5H")
    played.dealt("9C@s2c1").let_time_pass(1.6)
    assert levels(played) == [(AnomalyKind.MISSCAN_LATE, Level.SUSPEND)]
    assert {WayOut.VOID} <= {*ways_out(played.table, played.table.incidents[0], Role.SUPERVISOR)}
    assert WayOut.RESCAN not in ways_out(played.table, played.table.incidents[0], Role.SUPERVISOR)


@pytest.mark.parametrize("told", ["as such", "by its place"])
def test_two_cards_in_one_reading_hold_the_table_and_the_second_goes_in_order(told: str) -> None:
    played = CameraTable().ready().round(1, 2).dealt("TC")
    if told == "as such":
        played.seen("s1c1", "two")
    else:
        played.seen("s1c1", "TC")
        played.seen("s1c2", "occupied")
        played.let_time_pass(1.6)
    assert levels(played) == [(AnomalyKind.TWO_CARDS, Level.HOLD)]
    played.card("9C")
    assert not played.kinds()
    assert [str(event.slot) for event in played.events if isinstance(event, CardDealt)] == [
        "seat1.hand1",
        "seat2.hand1",
    ]


@pytest.mark.parametrize("by", ["camera", "dealer"])
def test_c09_a_boxed_card_is_drawn_put_away_and_counted_and_the_place_waits_for_the_next(by: str) -> None:
    played = CameraTable().ready().round(1)
    before = played.table.shoe
    if by == "camera":
        played.seen("", "boxed")
    else:
        played.do(ReportBoxedCard(), DEALER)
    assert levels(played) == [(AnomalyKind.BOXED_CARD, Level.HOLD)]
    played.card("4S")
    assert not played.kinds()
    assert before is not None
    assert played.table.shoe is not None
    assert played.table.shoe.left == before.left - 1
    assert isinstance(played.events[-2], CardBurned)
    played.dealt("TC@s1c1")
    assert [event.card.code for event in played.events if isinstance(event, CardDealt)] == ["TC"]
    played.let_time_pass(4)
    assert not played.kinds()


def test_c35_a_hole_card_that_the_camera_can_read_suspends_the_round_and_its_face_is_told_nowhere() -> None:
    played = CameraTable().a_round()
    played.seen("dc2", "TH")
    assert levels(played) == [(AnomalyKind.HOLE_EXPOSED, Level.SUSPEND)]
    assert "TH" not in played.table.incidents[0].detail
    assert ways_out(played.table, played.table.incidents[0], Role.SUPERVISOR) == (WayOut.GO_ON,)
    played.resolve(WayOut.GO_ON)
    assert not played.kinds()
    played.decide("stand")


# Collecting and the result


def test_cards_that_leave_the_felt_before_the_result_block_the_settlement_until_they_lie_there_again() -> None:
    played = CameraTable().a_round()
    played.seen("s1c2", "cleared")
    assert levels(played) == [(AnomalyKind.EARLY_COLLECT, Level.HOLD)]
    played.seen("s1c2", "9D")
    played.resolve(WayOut.LAID, DEALER)
    assert not played.kinds()


def test_a_bust_hand_may_be_cleared_away_at_once() -> None:
    played = CameraTable().ready().round(1, 2)
    played.dealt("TC@s1c1", "9H@s2c1", "9C@dc1", "9D@s1c2", "9S@s2c2", "TH@dc2")
    played.decide("hit").dealt("5S@s1c3")
    for where in ("s1c1", "s1c2", "s1c3"):
        played.seen(where, "cleared")
    assert not played.kinds()


def test_the_settlement_waits_for_the_hole_cards_value_up_to_the_deadline() -> None:
    played = CameraTable().a_round().decide("stand")
    played.commit()
    assert played.table.open_round.end is RoundEnd.COMMITTED
    played.seen("dc2", "TH")
    assert any(isinstance(event, RoundSettled) for event in played.events)


def test_a_silent_camera_keeps_the_money_no_longer_than_the_turning_and_its_deadline() -> None:
    played = CameraTable().a_round().decide("stand")
    played.commit()
    played.let_time_pass(4.9)
    assert not any(isinstance(event, RoundSettled) for event in played.events)
    played.let_time_pass(0.2)
    assert any(isinstance(event, RoundSettled) for event in played.events)
    assert played.kinds() == [AnomalyKind.CAMERA_ABSENT]


def test_a_dealer_who_turns_the_hole_card_slowly_is_no_absent_camera() -> None:
    played = CameraTable().a_round().decide("stand")
    played.let_time_pass(4)
    played.seen("dc2", "TH")
    played.commit()
    assert any(isinstance(event, RoundSettled) for event in played.events)
    assert not played.kinds()


def test_a_hole_card_that_the_camera_reads_differently_blocks_the_settlement() -> None:
    played = CameraTable().a_round().decide("stand")
    played.commit()
    played.seen("dc2", "TD")
    assert levels(played) == [(AnomalyKind.RESULT_MISMATCH, Level.SUSPEND)]
    played.wait(60).do(PassDeadline(), SYSTEM)
    assert played.table.results is None
    played.resolve(WayOut.GO_ON)
    assert played.table.results is not None


def test_a_split_moves_the_second_card_and_what_was_seen_of_it() -> None:
    played = CameraTable().ready().round(1).dealt("8C@s1c1", "9C@dc1", "8D@s1c2", "TH@dc2")
    played.decide("split")
    played.seen("s1c2", "cleared")
    played.seen("s1h2c1", "8D")
    assert not played.kinds()
    played.dealt("3C@s1c2", "4C@s1h2c2")
    assert not played.kinds()
    assert {*verdicts(played)} == {Verdict.AGREED}


def test_the_next_round_begins_with_nothing_claimed() -> None:
    played = CameraTable().a_round().decide("stand")
    played.seen("dc2", "TH")
    played.commit()
    assert played.table.witness.claims == ()
    played.round(1).dealt("2C@s1c1")
    assert not played.kinds()
