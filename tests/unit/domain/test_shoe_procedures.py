"""The shoe: preparation, burn, cut card, inventory (rules.md section 3)."""

from __future__ import annotations

import pytest
from support.tables import DEALER, READER, SUPERVISOR, PlayedTable, a_setup

from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.commands import (
    OpenBetting,
    ResolveIncident,
)
from studio.domain.events import CardBurned, CutCardSeen, RoundVoided, ShoeClosed, ShoeEnd
from studio.domain.incidents import ways_out
from studio.domain.people import Role
from studio.domain.phases import Phase, phase
from studio.domain.profile import CutCardTiming, InsufficientCards, RulingProfile
from studio.domain.record_commands import (
    RecordReader,
    RecordWarning,
)
from studio.domain.shoe import ShoeStep
from studio.domain.shoe_commands import ConfirmShoeStep
from studio.domain.slots import Face


def test_s1_each_step_is_confirmed_in_order_and_the_shoe_has_an_id() -> None:
    played = PlayedTable().open()
    assert played.refused(ConfirmShoeStep(ShoeStep.CUT), DEALER) == "wrong-step"
    played.load_shoe()
    shoe = played.table.shoe
    assert shoe is not None
    assert (shoe.id, shoe.decks, shoe.cut_position) == ("t1-shoe-1", 8, 104)


def test_s1_steps_wait_for_the_reader() -> None:
    played = PlayedTable().open()
    played.do(RecordReader("shoe-1", False, reason="unplugged"), READER)
    played.do(RecordReader("shoe-1", True, 1, 0), READER)
    played.resolve(WayOut.GO_ON, DEALER)
    played.load_shoe()
    assert played.table.shoe is not None


def test_s2_the_shown_card_says_how_many_more_are_burned_face_down() -> None:
    played = PlayedTable().open().load_shoe()
    played.events.clear()
    played.cards("4C 2H 9S KD AC")
    burned = [event for event in played.events if isinstance(event, CardBurned)]
    assert [event.face for event in burned] == [Face.UP] + [Face.DOWN] * 4
    shoe = played.table.shoe
    assert shoe is not None
    assert shoe.is_burnt
    assert shoe.left == 416 - 5


@pytest.mark.parametrize(("shown", "owed"), [("AS", 1), ("KD", 10), ("TD", 10), ("2H", 2)])
def test_s2_an_ace_burns_one_and_a_picture_ten(shown: str, owed: int) -> None:
    played = PlayedTable().open().load_shoe().cards(shown)
    shoe = played.table.shoe
    assert shoe is not None
    assert shoe.burn_owed == owed


def test_s2_betting_cannot_open_while_a_burn_is_owed() -> None:
    played = PlayedTable().open().load_shoe()
    assert played.refused(OpenBetting(), DEALER) == "burn-owed"
    played.cards("2C 3C")
    assert played.refused(OpenBetting(), DEALER) == "burn-owed"


def test_s4_a_cut_card_in_a_round_makes_it_the_last_and_fills_no_slot() -> None:
    played = PlayedTable().ready().round(1).cards("TC 9C CUT 9D TH").decide("stand").commit()
    assert played.net() == {"P1": 0}
    assert any(isinstance(event, CutCardSeen) for event in played.events)
    assert isinstance(played.events[-1], ShoeClosed)
    assert played.events[-1].end is ShoeEnd.LAST_ROUND
    assert played.refused(OpenBetting(), DEALER) == "no-shoe"


@pytest.mark.parametrize("betting", [False, True])
def test_s4_a_cut_card_between_rounds_makes_the_next_round_the_last(*, betting: bool) -> None:
    played = PlayedTable().ready()
    if betting:
        played.betting().bet(1).cards("CUT").close()
    else:
        played.cards("CUT").round(1)
    played.cards("TC 9C 9D TH").decide("stand").commit()
    assert played.table.shoe is None
    assert played.table.rounds == 1


def test_s4_other_setting_reshuffles_before_dealing_and_refunds_bets() -> None:
    profile = RulingProfile(cut_card_timing=CutCardTiming.RESHUFFLE_FIRST)
    played = PlayedTable(a_setup(profile=profile)).ready().betting().bet(1).cards("CUT")
    voided = [event for event in played.events if isinstance(event, RoundVoided)]
    assert [(bet.player, bet.amount) for bet in voided[0].refunds] == [("P1", 1000)]
    assert played.table.shoe is None
    played = PlayedTable(a_setup(profile=profile)).ready().cards("CUT")
    assert played.table.shoe is None


def test_s5_the_next_shoe_must_really_be_loaded() -> None:
    played = PlayedTable().ready().cards("CUT").round(1).cards("TC 9C 9D TH").decide("stand").commit()
    assert played.refused(ConfirmShoeStep(ShoeStep.LOADED), DEALER) == "shoe-not-reloaded"
    played.load_shoe().cards("AS 2C")
    shoe = played.table.shoe
    assert shoe is not None
    assert shoe.id == "t1-shoe-2"
    assert sum(shoe.seen) == 2


def test_s6_one_copy_more_than_the_shoe_holds_is_never_a_card() -> None:
    played = PlayedTable().open().load_shoe().cards("8S " + "8H " * 8)
    played.wait(10).round(1)
    played.cards("8H")
    assert played.kinds() == [AnomalyKind.IMPOSSIBLE_COPY]
    assert played.table.is_suspended
    assert played.table.round is not None
    assert not any(hand.cards for hand in played.table.round.hands)
    played.resolve(WayOut.VOID)
    ends = [event.end for event in played.events if isinstance(event, ShoeClosed)]
    assert ends == [ShoeEnd.QUARANTINED]
    assert phase(played.table) is Phase.IDLE


def test_s7_a_shoe_that_runs_empty_in_mid_round_is_an_incident_and_the_round_is_voided() -> None:
    played = PlayedTable().ready().round(1).cards("TC 9C")
    played.do(RecordWarning("shoe-1", AnomalyKind.SHOE_EMPTY, True, "empty"), READER)
    assert played.kinds() == [AnomalyKind.SHOE_EMPTY]
    played.resolve(WayOut.VOID)
    voided = [event for event in played.events if isinstance(event, RoundVoided)]
    assert [bet.amount for bet in voided[0].refunds] == [1000]
    assert played.table.shoe is None


def test_s7_where_the_profile_says_so_the_round_goes_on_with_the_shuffled_discards() -> None:
    setup = a_setup(profile=RulingProfile(insufficient_cards=InsufficientCards.LOAD_DISCARDS))
    played = PlayedTable(setup).ready().round(1).cards("TC 9C")
    played.do(RecordWarning("shoe-1", AnomalyKind.SHOE_EMPTY, True, "empty"), READER)
    incident = played.table.incidents[0]
    assert WayOut.LOAD_DISCARDS not in ways_out(played.table, incident, Role.SUPERVISOR)
    played.load, played.ordinal = played.load + 1, 0
    played.do(RecordReader("shoe-1", True, played.load, 0), READER)
    assert WayOut.LOAD_DISCARDS not in ways_out(played.table, incident, Role.DEALER)
    played.resolve(WayOut.LOAD_DISCARDS)
    segment = played.table.shoe
    assert segment is not None
    assert segment.left == 416 - 2
    played.cards("9D TH").decide("stand").commit()
    assert played.net() == {"P1": 0}
    closed = played.table
    assert closed.shoe is None
    assert closed.used_load == played.load


def test_s7_a_held_card_is_ruled_on_before_the_discards_are_loaded() -> None:
    setup = a_setup(profile=RulingProfile(insufficient_cards=InsufficientCards.LOAD_DISCARDS))
    played = PlayedTable(setup).ready().round(1).cards("TC 9C")
    played.no_read()
    played.do(RecordWarning("shoe-1", AnomalyKind.SHOE_EMPTY, True, "empty"), READER)
    unread, empty = sorted(played.table.incidents, key=lambda one: one.kind is AnomalyKind.SHOE_EMPTY)
    assert empty.kind is AnomalyKind.SHOE_EMPTY
    played.do(RecordReader("shoe-1", True, played.load + 1, 0), READER)
    assert WayOut.LOAD_DISCARDS not in ways_out(played.table, empty, Role.SUPERVISOR)
    played.do(ResolveIncident(unread.number, WayOut.DISCARD, "procedure", "as ruled"), SUPERVISOR)
    assert WayOut.LOAD_DISCARDS in ways_out(played.table, empty, Role.SUPERVISOR)


@pytest.mark.parametrize("loaded", [False, True])
def test_s7_discards_are_no_way_out_by_default_nor_before_they_are_loaded(*, loaded: bool) -> None:
    profile = RulingProfile() if loaded else RulingProfile(insufficient_cards=InsufficientCards.LOAD_DISCARDS)
    played = PlayedTable(a_setup(profile=profile)).ready().round(1).cards("TC 9C")
    played.do(RecordWarning("shoe-1", AnomalyKind.SHOE_EMPTY, True, "empty"), READER)
    if loaded:
        played.do(RecordReader("shoe-1", True, played.load + 1, 0), READER)
    assert WayOut.LOAD_DISCARDS not in ways_out(played.table, played.table.incidents[0], Role.SUPERVISOR)


def test_an_empty_shoe_that_owes_nothing_is_no_incident() -> None:
    played = PlayedTable().ready()
    played.do(RecordWarning("shoe-1", AnomalyKind.SHOE_EMPTY, True, "empty"), READER)
    assert not played.kinds()


def test_cut_card_missing_stops_the_next_round_until_the_shoe_is_changed() -> None:
    setup = a_setup(cut_position=400, profile=RulingProfile(cut_card_tolerance=0))
    played = PlayedTable(setup).ready().round(1, 2, 3, 4, 5, 6, 7)
    played.cards("TC TD TH TS 9C 9D 9H 7C 8C 8D 8H 8S 7D 7H 7S TC")
    for _ in range(7):
        played.decide("stand")
    played.commit()
    assert played.kinds() == [AnomalyKind.CUT_CARD_MISSING]
    assert played.refused(OpenBetting(), DEALER) == "table-stopped"
    played.resolve(WayOut.CHANGE_SHOE)
    assert played.table.shoe is None
    assert not played.kinds()


def test_a_shoe_reloaded_in_the_reader_between_rounds_is_no_longer_in_play() -> None:
    played = PlayedTable().ready()
    played.do(RecordReader("shoe-1", True, 2, 0), READER)
    assert played.table.shoe is None
