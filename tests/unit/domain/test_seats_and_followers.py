"""Seats and bets behind (rules.md section 5), and who may place what."""

from __future__ import annotations

import pytest
from support.tables import DEALER, PlayedTable, RefusedError, a_setup, player

from studio.adapters.variants import load_variant
from studio.domain.actions import Action
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.betting import Planner
from studio.domain.commands import (
    AnswerFollow,
    LeaveSeat,
    OpenBetting,
    PlaceBets,
    PlanAction,
    SetFollowing,
    TakeSeat,
)
from studio.domain.events import BetsReturned, CardDealt, FollowAsked, SeatEnd, SeatLeft
from studio.domain.phases import expected_slot
from studio.domain.playing import planned_action
from studio.domain.slots import HandId


def a_table() -> PlayedTable:
    return PlayedTable().ready()


def holders(played: PlayedTable) -> dict[int, str]:
    return {one.seat: one.player for one in played.table.seats}


def sit(played: PlayedTable, name: str, seat: int) -> None:
    played.do(TakeSeat(name, seat), player(name))


def follow(played: PlayedTable, name: str, hand: HandId, *, yes: bool = True, funded: bool = True) -> None:
    played.do(AnswerFollow(name, hand, yes, funded), player(name))


def a_followed_round(cards: str = "6C 6H 5D TC") -> PlayedTable:
    played = a_table().betting().bet(1, 1000, "anna").bet(1, 400, "ben", BetKind.BEHIND)
    return played.close().cards(cards)


# B0 to B5


def test_b0_a_player_takes_up_to_two_free_seats() -> None:
    played = a_table()
    sit(played, "anna", 2)
    sit(played, "anna", 5)
    assert played.refused(TakeSeat("anna", 6), player("anna")) == "too-many-seats"
    assert played.refused(TakeSeat("ben", 2), player("ben")) == "seat-taken"
    assert played.refused(TakeSeat("ben", 8), player("ben")) == "no-such-seat"
    assert holders(played) == {2: "anna", 5: "anna"}


def test_b1_a_main_bet_takes_a_free_seat() -> None:
    played = a_table().betting().bet(3, 1000, "anna")
    assert holders(played) == {3: "anna"}


def test_b1_who_sat_down_and_has_no_bet_at_the_end_leaves_and_bets_on_the_seat_go_back() -> None:
    played = a_table()
    sit(played, "anna", 2)
    played.betting().bet(2, 400, "ben", BetKind.BEHIND).bet(2, 500, "cleo", BetKind.PAIR).bet(1, 1000, "dan")
    played.close()
    returned = next(event for event in played.events if isinstance(event, BetsReturned))
    assert [(bet.player, bet.kind, bet.amount) for bet in returned.bets] == [
        ("ben", BetKind.BEHIND, 400),
        ("cleo", BetKind.PAIR, 500),
    ]
    assert holders(played) == {1: "dan"}


def test_b1_a_bet_under_the_minimum_takes_no_seat() -> None:
    played = a_table().betting()
    with pytest.raises(RefusedError, match="under-minimum"):
        played.bet(1, 50, "anna")
    assert holders(played) == {}


def test_b2_who_played_may_sit_out_one_round_and_leaves_when_betting_opens_again() -> None:
    played = a_table().round(1, 2).cards("TC 9C TD 9D 8D TH").decide("stand").decide("stand").commit()
    played.betting().bet(1).close().cards("TS 9H 9S 8H").decide("stand").commit()
    assert holders(played) == {1: "P1", 2: "P2"}
    played.betting()
    assert holders(played) == {1: "P1"}
    left = [event for event in played.events if isinstance(event, SeatLeft)]
    assert [(event.player, event.end) for event in left] == [("P2", SeatEnd.NO_BET)]


def test_b3_who_cannot_afford_the_minimum_leaves_at_the_start_of_a_round() -> None:
    played = a_table()
    sit(played, "anna", 2)
    played.do(OpenBetting(frozenset({"anna"})), DEALER)
    assert holders(played) == {}


def test_b4_two_seats_of_one_player_carry_the_same_bet() -> None:
    played = a_table()
    sit(played, "anna", 2)
    sit(played, "anna", 5)
    played.betting()
    planned = Planner(played.table).plan(Bet("anna", 2, BetKind.MAIN, 10_000), 30_000)
    assert planned == Placement(
        (Bet("anna", 2, BetKind.MAIN, 10_000), Bet("anna", 5, BetKind.MAIN, 10_000)), funded=False, note=""
    )
    short = Planner(played.table).plan(Bet("anna", 2, BetKind.MAIN, 10_000), 15_000)
    assert [bet.amount for bet in short.bets] == [7500, 7500]
    assert short.note == "shared-between-seats"


def test_b4_a_second_seat_taken_later_gets_the_bet_of_the_first() -> None:
    played = a_table().betting().bet(2, 1000, "anna")
    planned = Planner(played.table).plan(Bet("anna", 5, BetKind.MAIN, 400), 10_000)
    assert [(bet.seat, bet.amount) for bet in planned.bets] == [(5, 1000)]


def test_b4_what_lies_on_a_seat_stays_and_two_seats_never_differ() -> None:
    played = a_table().betting().bet(1, 10_000, "anna")
    planned = Planner(played.table).plan(Bet("anna", 2, BetKind.MAIN, 10_000), 5_000)
    assert sum(bet.amount for bet in planned.bets) > 5_000


def test_b4_holds_within_one_batch() -> None:
    planner = Planner(a_table().betting().table)
    first = planner.plan(Bet("anna", 1, BetKind.MAIN, 400), 10_000)
    planner.take(first._replace(funded=True))
    second = planner.plan(Bet("anna", 2, BetKind.MAIN, 200), 9_600)
    assert [(bet.seat, bet.amount) for bet in second.bets] == [(2, 400)]
    assert second.note == "mirrored"


def test_b6_bets_behind_a_seat_go_back_when_its_holder_leaves_before_betting() -> None:
    played = a_table()
    sit(played, "anna", 3)
    played.betting().bet(3, 400, "ben", BetKind.BEHIND)
    played.do(LeaveSeat(player="anna", seat=3), player("anna"))
    assert any(isinstance(event, BetsReturned) for event in played.events)
    played.bet(3, 1000, "ben").close()
    assert played.table.round is not None
    assert played.table.round.insurable() == {(3, "ben"): 1000}


def test_b5_trial_accounts_may_not_sit_but_may_bet_behind() -> None:
    played = a_table().betting().bet(1, 1000, "anna")
    assert played.refused(TakeSeat("ben", 2, is_trial=True), player("ben")) == "trial-account"
    placements = (
        Placement((Bet("ben", 2, BetKind.MAIN, 1000),), funded=True),
        Placement((Bet("ben", 1, BetKind.BEHIND, 1000),), funded=True),
    )
    events = played.do(PlaceBets(placements, frozenset({"ben"})), player("ben"))
    assert len(events) == 1
    assert holders(played) == {1: "anna"}


def test_a_seat_is_given_back_between_its_bets_only() -> None:
    played = a_table().betting().bet(1, 1000, "anna")
    assert played.refused(LeaveSeat(player="anna", seat=1), player("anna")) == "bet-in-play"
    assert played.refused(LeaveSeat(player="ben", seat=1), player("ben")) == "not-your-seat"
    played.close().cards("TC 9C 9D TH").decide("stand").commit()
    played.do(LeaveSeat(player="anna", seat=1), player("anna"))
    assert holders(played) == {}


# B6 to B10


def test_b6_anyone_bets_behind_any_seat_but_not_behind_oneself_and_pair_on_any_occupied_one() -> None:
    played = a_table().betting().bet(1, 1000, "anna").bet(2, 1000, "ben")
    played.bet(2, 400, "anna", BetKind.BEHIND).bet(1, 400, "cleo", BetKind.BEHIND).bet(
        2, 500, "cleo", BetKind.PAIR
    )
    for kind, seat, code in ((BetKind.BEHIND, 1, "own-seat"), (BetKind.PAIR, 3, "seat-not-taken")):
        with pytest.raises(RefusedError) as refused:
            played.bet(seat, 400, "anna", kind)
        assert refused.value.rejected.code == code


def test_b7_a_bet_behind_shares_cards_and_result_and_has_its_own_insurance() -> None:
    played = a_table().betting().bet(1, 1000, "anna").bet(1, 400, "ben", BetKind.BEHIND).close()
    played.cards("TC AC 9D KH").insure(1, "ben")
    played.insure(1, "anna", take=False).commit()
    assert played.net() == {"anna": -1000, "ben": -400 + 400}


def test_b8_with_follow_double_the_bet_behind_doubles_and_no_card_is_due_until_it_has_answered() -> None:
    played = a_followed_round().decide("double")
    assert any(isinstance(event, FollowAsked) for event in played.events)
    assert played.table.round is not None
    assert expected_slot(played.setup.rules, played.table.round) is None
    follow(played, "ben", HandId(1, 1))
    played.cards("9H 3C").commit()
    assert played.net() == {"anna": 2000, "ben": 800}


@pytest.mark.parametrize(("yes", "funded"), [(False, True), (True, False)])
def test_b8_without_it_or_without_balance_the_card_is_a_hit_and_the_amount_stays(
    *, yes: bool, funded: bool
) -> None:
    played = a_followed_round().decide("double")
    follow(played, "ben", HandId(1, 1), yes=yes, funded=funded)
    played.cards("9H 3C").commit()
    assert played.net() == {"anna": 2000, "ben": 400}


def test_b8_no_answer_means_no() -> None:
    played = a_followed_round().decide("double").time_out().cards("9H 3C").commit()
    assert played.net() == {"anna": 2000, "ben": 400}


def test_b9_with_follow_split_both_hands_without_it_the_first_alone() -> None:
    for yes, won in ((True, 800), (False, 400)):
        played = a_followed_round("8C 6H 8D TC").decide("split")
        follow(played, "ben", HandId(1, 1), yes=yes)
        played.cards("TS TD").decide("stand").decide("stand").cards("9S").commit()
        assert played.net() == {"anna": 2000, "ben": won}


def test_b10_surrender_by_the_seat_surrenders_the_bets_behind_it() -> None:
    played = a_followed_round("TC 6H 6D TS").decide("surrender").commit()
    assert played.net() == {"anna": -500, "ben": -200}


def test_b8_b9_standing_answers_are_kept() -> None:
    played = a_table()
    played.do(SetFollowing("ben", True, None), player("ben"))
    assert played.do(SetFollowing("ben", True, None), player("ben")) == ()
    assert [(one.double, one.split) for one in played.table.following] == [(True, None)]


# R8


def test_r8_an_action_chosen_ahead_is_there_when_the_turn_comes_and_only_while_legal() -> None:
    played = a_table().round(1, 2).cards("9C 5D 6C 5H 6D TH")
    played.do(PlanAction("P2", HandId(2, 1), Action.DOUBLE), player("P2"))
    assert planned_action(played.table) is None
    played.decide("stand")
    assert planned_action(played.table) is Action.DOUBLE
    played.do(PlanAction("P2", HandId(2, 1), None), player("P2"))
    assert planned_action(played.table) is None
    played.do(PlanAction("P2", HandId(2, 1), Action.SPLIT), player("P2"))
    assert planned_action(played.table) is None
    assert played.refused(PlanAction("P1", HandId(2, 1), Action.HIT), player("P1")) == "no-hand"


# Other games


def test_a_game_without_bets_behind_refuses_them() -> None:
    played = PlayedTable(a_setup(load_variant("continuous"))).open().load_shoe().betting().bet(1, 1000, "anna")
    assert not [event for event in played.events if isinstance(event, CardDealt)]
    assert played.refused(TakeSeat("anna", 1), player("anna")) == "no-seats"
    assert played.refused(SetFollowing("anna", True, True), player("anna")) == "kind-not-offered"
