"""The anomalies: how each is detected, what it stops, and how it is put right (anomalies.md)."""

from __future__ import annotations

import pytest
from support.tables import DEALER, READER, SUPERVISOR, PlayedTable, player

from studio.domain.actions import Action
from studio.domain.anomalies import CATALOGUE, AnomalyKind, Level, WayOut
from studio.domain.commands import (
    CommitResult,
    Decide,
    Disagree,
    OpenBetting,
    PassDeadline,
    ResolveIncident,
    Suspend,
    VoidRound,
)
from studio.domain.events import CardBurned, CardDealt, CardHeld, RoundVoided
from studio.domain.incidents import ways_out
from studio.domain.instants import Instant
from studio.domain.money import transfers
from studio.domain.people import SYSTEM, Role
from studio.domain.phases import Phase, open_deadline_ns, phase
from studio.domain.record_commands import (
    RecordFault,
    RecordReader,
    RecordRestart,
    RecordWarning,
)
from studio.domain.refunds import refunds
from studio.domain.table import Table


def dealt(played: PlayedTable) -> list[str]:
    return [f"{event.card.code}>{event.slot}" for event in played.events if isinstance(event, CardDealt)]


def is_suspended(played: PlayedTable) -> bool:
    return played.table.is_suspended


def a_round(*seats: int) -> PlayedTable:
    return PlayedTable().ready().round(*(seats or (1,)))


# unknown-code, no-read


@pytest.mark.parametrize("kind", [AnomalyKind.NO_READ, AnomalyKind.UNKNOWN_CODE])
def test_an_unread_card_holds_the_table_and_a_rescan_deals_it(kind: AnomalyKind) -> None:
    played = a_round()
    _ = played.no_read() if kind is AnomalyKind.NO_READ else played.unknown()
    assert played.kinds() == [kind]
    assert not is_suspended(played)
    played.wait(5).card("TC", ordinal=played.ordinal)
    assert not played.kinds()
    assert dealt(played) == ["TC>seat1.hand1"]
    played.cards("9C 9D TH")
    assert played.table.round is not None
    assert played.table.round.question is not None


def test_two_failed_rescans_call_the_supervisor_who_may_ask_again_or_discard() -> None:
    played = a_round()
    played.no_read()
    for _ in range(2):
        played.no_read(ordinal=played.ordinal)
    assert is_suspended(played)
    assert ways_out(played.table, played.table.incidents[0], Role.DEALER) == ()
    played.resolve(WayOut.RESCAN)
    assert not is_suspended(played)
    assert played.kinds() == [AnomalyKind.NO_READ]
    played.resolve(WayOut.DISCARD)
    played.cards("TC")
    assert dealt(played) == ["TC>seat1.hand1"]


def test_a_hole_in_the_order_is_an_unread_card_and_the_next_one_waits_for_it() -> None:
    played = a_round()
    played.ordinal += 1
    played.card("9C")
    assert played.kinds() == [AnomalyKind.UNKNOWN_CODE, AnomalyKind.CARD_BEFORE_TIME]
    played.card("TC", ordinal=played.ordinal - 1)
    played.resolve(WayOut.USE_NEXT)
    assert dealt(played) == ["TC>seat1.hand1", "9C>dealer"]


def test_very_many_missed_cards_are_one_incident_that_a_shoe_change_closes() -> None:
    played = PlayedTable().ready()
    played.ordinal += 200
    played.cards("9C")
    assert played.kinds() == [AnomalyKind.UNKNOWN_CODE, AnomalyKind.CARD_BEFORE_TIME]
    played.resolve(WayOut.CHANGE_SHOE)
    assert not played.kinds()


def test_an_unread_hole_card_is_rescanned_before_the_peek() -> None:
    played = a_round().cards("TC KC 9D")
    played.no_read()
    played.wait(3).card("5H", ordinal=played.ordinal)
    assert played.table.round is not None
    assert played.table.round.peeked_natural is False


# duplicate-read


def test_the_same_code_within_the_draw_interval_is_held_and_may_be_marked_a_duplicate() -> None:
    played = a_round().cards("TC")
    played.wait(0.1).card("TC")
    assert played.kinds() == [AnomalyKind.DUPLICATE_READ]
    assert dealt(played) == ["TC>seat1.hand1"]
    shoe = played.table.shoe
    played.resolve(WayOut.MARK_DUPLICATE)
    assert shoe is not None
    assert played.table.shoe is not None
    assert played.table.shoe.left == shoe.left + 1
    assert sum(played.table.shoe.seen) == sum(shoe.seen) - 1
    played.cards("9C")
    assert dealt(played)[-1] == "9C>dealer"


def test_a_duplicate_may_be_accepted_as_the_second_copy() -> None:
    played = a_round().cards("TC")
    played.wait(0.1).card("TC")
    played.resolve(WayOut.USE_NEXT)
    assert dealt(played) == ["TC>seat1.hand1", "TC>dealer"]


def test_a_natural_repeat_after_the_interval_is_just_a_card() -> None:
    played = a_round().cards("TC")
    played.wait(0.25).card("TC")
    assert not played.kinds()


def test_a_card_from_before_the_machine_restarted_is_no_measure_for_a_duplicate() -> None:
    played = a_round().cards("TC")
    played.now = Instant(5 * 10**9, played.now.wall_ns + 10**9)
    played.card("TC")
    assert not played.kinds()


def test_a_retransmission_of_the_same_ordinal_changes_nothing() -> None:
    played = a_round().cards("TC")
    before = played.table
    assert played.card("TC", ordinal=played.ordinal) == ()
    assert played.table == before


# card-before-time


def test_a_card_before_betting_closes_is_held_with_its_face_withheld_and_may_be_the_next_card() -> None:
    played = PlayedTable().ready().betting().bet(1).cards("TC")
    assert played.kinds() == [AnomalyKind.CARD_BEFORE_TIME]
    played.resolve(WayOut.USE_NEXT)
    played.close()
    assert dealt(played) == ["TC>seat1.hand1"]


def test_a_card_before_time_may_be_burned() -> None:
    played = PlayedTable().ready().cards("TC")
    played.resolve(WayOut.BURN)
    played.round(1).cards("9C")
    assert dealt(played) == ["9C>seat1.hand1"]
    assert isinstance([event for event in played.events if isinstance(event, CardBurned)][-1], CardBurned)


def test_a_card_of_a_shoe_that_is_still_prepared_means_it_must_be_loaded_again() -> None:
    played = PlayedTable().open().cards("TC")
    assert played.kinds() == [AnomalyKind.CARD_BEFORE_TIME]
    assert ways_out(played.table, played.table.incidents[0], Role.SUPERVISOR) == (WayOut.CHANGE_SHOE,)
    played.resolve(WayOut.CHANGE_SHOE)
    played.load_shoe().cards("AS 2C")
    assert played.table.shoe is not None
    assert played.table.shoe.is_burnt


# extra-card


def test_a_card_that_no_hand_is_owed_is_held_and_goes_to_the_next_hand_in_order() -> None:
    played = a_round(1, 2).cards("TC 9C 6C 6D 9D TH").cards("3C")
    assert played.kinds() == [AnomalyKind.EXTRA_CARD]
    played.resolve(WayOut.USE_NEXT)
    played.decide("hit")
    assert dealt(played)[-1] == "3C>seat1.hand1"


def test_a_released_card_that_nobody_needs_in_the_end_is_burned() -> None:
    played = a_round().cards("TC 9C 9D TH").cards("3C")
    played.resolve(WayOut.USE_NEXT)
    played.decide("stand")
    assert phase(played.table) is Phase.COMMIT
    assert not played.table.loose


def test_a_dealer_over_draw_is_burned_and_the_result_stands() -> None:
    played = a_round().cards("TC 9C 9D TH").decide("stand").cards("3C")
    assert played.kinds() == [AnomalyKind.EXTRA_CARD]
    assert played.refused(CommitResult(), DEALER) == "table-stopped"
    played.resolve(WayOut.BURN)
    played.commit()
    assert played.net() == {"P1": 0}


# wrong-burn


def test_a_card_right_after_the_last_burned_one_is_one_burned_too_many() -> None:
    played = PlayedTable().open().load_shoe().cards("AS 2C 3C")
    assert played.kinds() == [AnomalyKind.WRONG_BURN]
    played.resolve(WayOut.BURN)
    played.round(1).cards("9C")
    assert dealt(played) == ["9C>seat1.hand1"]


# scanner-down


def test_e1_a_lost_reader_holds_the_table_and_stops_the_clock_until_it_is_back_and_the_dealer_goes_on() -> None:
    played = a_round().cards("TC 9C 6D TH")
    before_ns = open_deadline_ns(played.table.round)
    played.do(RecordReader("shoe-1", False, reason="unplugged"), READER)
    assert played.kinds() == [AnomalyKind.SCANNER_DOWN]
    played.wait(60)
    assert played.do(PassDeadline(), SYSTEM) == ()
    question = played.table.round.question if played.table.round else None
    assert question is not None
    assert played.refused(Decide("P1", question.number, Action.HIT, True), player("P1")) == "table-stopped"
    incident = played.table.incidents[0].number
    go_on = ResolveIncident(incident, WayOut.GO_ON, "reader-back")
    assert played.refused(go_on, DEALER) == "not-a-way-out"
    played.do(RecordReader("shoe-1", True, 1, played.ordinal), READER)
    assert played.kinds() == [AnomalyKind.SCANNER_DOWN]
    played.do(go_on, DEALER)
    after_ns = open_deadline_ns(played.table.round)
    assert before_ns is not None
    assert after_ns is not None
    assert after_ns == before_ns + 60 * 10**9


def test_a_reader_that_drops_again_before_anybody_closed_the_incident_is_level_triggered() -> None:
    played = a_round()
    for ready in (False, True, False):
        played.do(RecordReader("shoe-1", ready, 1, 0), READER)
    assert ways_out(played.table, played.table.incidents[0], Role.DEALER) == ()
    assert played.kinds() == [AnomalyKind.SCANNER_DOWN]


def test_the_reader_is_recorded_only_when_something_changes() -> None:
    played = a_round()
    assert played.do(RecordReader("shoe-1", True, 1, 9), READER) == ()


# crash-recovery


def test_a_restart_with_an_open_round_waits_until_the_felt_is_confirmed_and_the_reader_is_back() -> None:
    played = a_round().cards("TC 9C")
    played.do(RecordRestart(played.now.monotonic_ns), SYSTEM)
    assert played.kinds() == [AnomalyKind.CRASH_RECOVERY]
    incident = played.table.incidents[0]
    assert ways_out(played.table, incident, Role.DEALER) == ()
    played.do(RecordReader("shoe-1", True, 1, played.ordinal), READER)
    played.resolve(WayOut.GO_ON, DEALER)
    played.cards("9D TH")
    assert dealt(played) == ["TC>seat1.hand1", "9C>dealer", "9D>seat1.hand1", "TH>dealer"]


@pytest.mark.parametrize("restarted", [False, True])
def test_a_card_replayed_before_the_reader_is_back_takes_its_place(*, restarted: bool) -> None:
    played = a_round().cards("TC")
    if restarted:
        played.do(RecordRestart(played.now.monotonic_ns), SYSTEM)
    else:
        played.do(RecordReader("shoe-1", False, reason="unplugged"), READER)
    played.cards("9C")
    played.do(RecordReader("shoe-1", True, 1, played.ordinal), READER)
    played.resolve(WayOut.GO_ON, DEALER)
    assert dealt(played) == ["TC>seat1.hand1", "9C>dealer"]


def test_a_card_pulled_during_the_hold_once_the_reader_is_back_is_held() -> None:
    played = a_round().cards("TC")
    played.do(RecordReader("shoe-1", False, reason="unplugged"), READER)
    played.do(RecordReader("shoe-1", True, 1, played.ordinal), READER)
    played.cards("9C")
    assert played.kinds() == [AnomalyKind.SCANNER_DOWN, AnomalyKind.CARD_BEFORE_TIME]


def test_a_card_of_another_load_is_never_dealt_and_does_not_count_in_this_shoe() -> None:
    played = a_round().cards("TC")
    shoe = played.table.shoe
    played.load, played.ordinal = 2, 0
    played.cards("9C")
    assert played.kinds() == [AnomalyKind.CARD_BEFORE_TIME]
    assert WayOut.USE_NEXT not in ways_out(played.table, played.table.incidents[0], Role.SUPERVISOR)
    played.resolve(WayOut.BURN)
    assert played.table.shoe == shoe


def test_a_restart_between_rounds_needs_no_felt() -> None:
    played = PlayedTable().ready()
    played.do(RecordRestart(played.now.monotonic_ns), SYSTEM)
    assert not played.kinds()
    assert played.refused(OpenBetting(), DEALER) == "reader-not-ready"


def test_when_the_felt_differs_only_the_supervisor_goes_on() -> None:
    played = a_round().cards("TC")
    played.do(RecordRestart(played.now.monotonic_ns), SYSTEM)
    played.do(RecordReader("shoe-1", True, 1, played.ordinal), READER)
    played.do(Disagree(), DEALER)
    assert is_suspended(played)
    assert ways_out(played.table, played.table.incidents[0], Role.DEALER) == ()
    played.resolve(WayOut.VOID)
    assert phase(played.table) is Phase.IDLE


def test_a_deadline_stands_still_from_the_last_event_before_a_crash() -> None:
    played = PlayedTable().ready().betting().bet(1)
    deadline_ns = open_deadline_ns(played.table.round)
    stopped_ns = played.now.monotonic_ns
    played.wait(3600)
    played.do(RecordRestart(stopped_ns), SYSTEM)
    played.do(RecordReader("shoe-1", True, 1, played.ordinal), READER)
    played.resolve(WayOut.GO_ON, DEALER)
    assert deadline_ns is not None
    assert open_deadline_ns(played.table.round) == deadline_ns + 3600 * 10**9


# Conditions of the reader


def test_a_reader_fault_latches_until_it_is_over_and_somebody_acknowledges_it() -> None:
    played = a_round()
    fault = AnomalyKind.WRONG_MODE
    played.do(RecordWarning("shoe-1", fault, True, "lid"), READER)
    played.do(RecordWarning("shoe-1", fault, True, "lid"), READER)
    assert played.kinds() == [fault]
    assert ways_out(played.table, played.table.incidents[0], Role.DEALER) == ()
    played.do(RecordWarning("shoe-1", fault, False, ""), READER)
    assert played.kinds() == [fault]
    played.resolve(WayOut.GO_ON, DEALER)
    assert not played.kinds()


def test_a_card_moving_backwards_suspends_the_table() -> None:
    played = a_round().cards("TC")
    played.do(RecordWarning("shoe-1", AnomalyKind.REVERSE_MOVEMENT, True, "back"), READER)
    assert is_suspended(played)
    played.resolve(WayOut.GO_ON)
    assert not played.kinds()


# Result, stop, fault


def test_a_dealer_who_disagrees_blocks_the_settlement() -> None:
    played = a_round().cards("TC 9C 9D TH").decide("stand")
    played.do(Disagree(), DEALER)
    assert played.refused(CommitResult(), DEALER) == "table-stopped"
    assert played.table.results is None
    played.resolve(WayOut.GO_ON)
    played.commit()
    assert played.net() == {"P1": 0}


def test_a_supervisor_stops_the_table_and_a_second_press_changes_nothing() -> None:
    played = a_round()
    played.do(Suspend("Card on the floor"), SUPERVISOR)
    assert played.do(Suspend("again"), SUPERVISOR) == ()
    assert played.kinds() == [AnomalyKind.SUPERVISOR_STOP]
    assert "Sam" in played.table.incidents[0].detail
    played.cards("TC")
    assert played.kinds() == [AnomalyKind.SUPERVISOR_STOP, AnomalyKind.CARD_BEFORE_TIME]
    played.resolve(WayOut.GO_ON)
    played.resolve(WayOut.USE_NEXT)
    assert dealt(played) == ["TC>seat1.hand1"]


def test_an_unexpected_fault_suspends_the_table() -> None:
    played = a_round()
    played.do(RecordFault("broken"), SYSTEM)
    assert is_suspended(played)


# Void


def test_r15_a_void_refunds_every_stake_doubles_splits_and_insurance_included() -> None:
    played = a_round(1, 2).cards("8C 9C AC 8D 9D 5H")
    played.insure(1)
    played.insure(2, take=False)
    played.decide("split").cards("3C 2D").decide("double")
    expected = {(bet.player, bet.kind.value): bet.amount for bet in refunds(played.table)}
    assert expected == {
        ("P1", "main"): 2000,
        ("P1", "split"): 1000,
        ("P1", "insurance"): 500,
        ("P2", "main"): 1000,
    }
    table = played.table
    played.do(VoidRound("procedure", "as ruled"), SUPERVISOR)
    voided = next(event for event in played.events if isinstance(event, RoundVoided))
    assert sum(bet.amount for bet in voided.refunds) == 4500
    assert sum(move.amount for move in transfers(table, voided)) == 4500
    assert phase(played.table) is Phase.IDLE


def test_r15_the_cards_of_a_voided_round_stay_out_of_the_inventory() -> None:
    played = a_round().cards("TC 9C")
    shoe = played.table.shoe
    played.do(VoidRound("procedure", "as ruled"), SUPERVISOR)
    assert played.table.shoe == shoe


def test_after_settlement_nothing_is_voided() -> None:
    played = a_round().cards("TC 9C 9D TH").decide("stand").commit()
    assert played.refused(VoidRound("procedure", "as ruled"), SUPERVISOR) == "nothing-to-void"


def test_a_void_while_the_reader_is_down_leaves_that_incident_open() -> None:
    played = a_round().cards("TC")
    played.do(RecordReader("shoe-1", False, reason="unplugged"), READER)
    played.resolve(WayOut.VOID)
    assert phase(played.table) is Phase.IDLE
    assert played.kinds() == [AnomalyKind.SCANNER_DOWN]


# The catalogue


def test_every_kind_has_a_row_with_a_cause_a_step_and_a_way_out() -> None:
    assert set(CATALOGUE) == set(AnomalyKind)
    for rule in CATALOGUE.values():
        assert rule.cause
        assert rule.next_step
        assert rule.supervisor


def test_a_suspension_is_closed_by_a_supervisor_only() -> None:
    for rule in CATALOGUE.values():
        assert rule.level is not Level.SUSPEND or not rule.dealer


def test_a_held_card_is_no_card_of_any_hand() -> None:
    played = PlayedTable().ready().betting().bet(1).cards("TC")
    assert isinstance(played.events[-2], CardHeld)
    assert played.table.round is not None
    assert not played.table.round.hands


def test_a_shoe_change_closes_what_was_open_about_its_cards() -> None:
    played = PlayedTable().open().load_shoe().cards("8S " + "8H " * 8).wait(10)
    played.card("8H")
    played.no_read()
    assert played.kinds() == [AnomalyKind.IMPOSSIBLE_COPY, AnomalyKind.NO_READ]
    played.resolve(WayOut.CHANGE_SHOE)
    assert not played.kinds()
    assert played.table.shoe is None


def test_no_incident_is_without_a_way_out_once_its_cause_is_gone() -> None:
    for played in _incidents():
        played.do(RecordReader("shoe-1", True, 1, played.ordinal), READER)
        for kind in (kind for kind, rule in CATALOGUE.items() if rule.latches):
            played.do(RecordWarning("shoe-1", kind, False, ""), READER)
        for incident in played.table.incidents:
            assert ways_out(played.table, incident, Role.SUPERVISOR), incident


def _incidents() -> list[PlayedTable]:
    found: list[PlayedTable] = []
    for kind in AnomalyKind:
        for played in (
            PlayedTable().open(),
            PlayedTable().ready(),
            PlayedTable().ready().betting().bet(1),
            a_round(),
        ):
            if kind is AnomalyKind.CRASH_RECOVERY:
                played.do(RecordRestart(played.now.monotonic_ns), SYSTEM)
            else:
                played.do(RecordWarning("shoe-1", kind, True, "x"), READER)
            if played.kinds() == [kind] and _has_its_draw(played.table, kind):
                found.append(played)
    return found


def _has_its_draw(table: Table, kind: AnomalyKind) -> bool:
    about_a_draw = {WayOut.USE_NEXT, WayOut.RESCAN} & CATALOGUE[kind].supervisor
    about_a_shoe = kind in {AnomalyKind.CUT_CARD_MISSING, AnomalyKind.IMPOSSIBLE_COPY}
    return not about_a_draw and not (about_a_shoe and phase(table) is not Phase.IDLE)


def test_an_unread_card_is_not_laid_away_unknown() -> None:
    """no-read: were it closed by *laid*, nobody would ask for the card's value and the next one took its place."""
    played = PlayedTable().ready().round(1).cards("TC 9C")
    played.no_read()
    (incident,) = played.table.incidents
    assert WayOut.LAID not in ways_out(played.table, incident, Role.SUPERVISOR)
    assert WayOut.RESCAN in ways_out(played.table, incident, Role.SUPERVISOR)
