"""The course of a deluxe round, clause by clause (rules.md sections 2 and 4)."""

from __future__ import annotations

import pytest
from support.tables import DEALER, PlayedTable, RefusedError, a_setup, player

from studio.domain.actions import Action
from studio.domain.answers import Decided
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.commands import AnswerInsurance, CloseBetting, CommitResult, Decide, OpenBetting, PlaceBets
from studio.domain.events import CardDealt, Cause, DecisionAsked, DecisionTaken, HoleRevealed, PeekDone
from studio.domain.phases import Phase, legal_actions, phase
from studio.domain.slots import Face, HandId


def a_table() -> PlayedTable:
    return PlayedTable().ready()


def asked(played: PlayedTable) -> HandId | None:
    question = played.table.round.question if played.table.round else None
    return question.hand if question else None


def legal(played: PlayedTable) -> set[str]:
    current = played.table.round
    assert current is not None
    assert current.question is not None
    return set(legal_actions(played.setup.rules, current, current.hand(current.question.hand)))


def slots(played: PlayedTable) -> list[str]:
    return [str(event.slot) for event in played.events if isinstance(event, CardDealt)]


# R1 Betting


def test_r1_betting_closes_by_its_deadline_and_later_bets_are_refused() -> None:
    played = a_table().betting().bet(2)
    played.wait(15)
    late = PlaceBets((Placement((Bet("P3", 3, BetKind.MAIN, 1000),), True),))
    assert played.refused(late, player("P3")) == "betting-closed"
    played.time_out()
    assert phase(played.table) is Phase.DEALING


def test_r1_betting_closes_by_the_dealer() -> None:
    played = a_table().round(1)
    assert phase(played.table) is Phase.DEALING


def test_r1_without_a_bet_the_round_closes_without_a_card() -> None:
    played = a_table().betting().time_out()
    assert phase(played.table) is Phase.IDLE
    assert played.table.round is not None
    assert not played.table.round.dealer


@pytest.mark.parametrize(
    ("seat", "amount", "code"),
    [
        (8, 1000, "no-such-seat"),
        (0, 1000, "no-such-seat"),
        (1, 98, "under-minimum"),
        (1, 1001, "not-an-increment"),
        (1, 0, "not-an-increment"),
        (1, -1000, "not-an-increment"),
        (1, 1_000_002, "over-maximum"),
    ],
)
def test_m1_m7_a_bet_outside_the_limits_is_refused_with_its_reason(seat: int, amount: int, code: str) -> None:
    played = a_table().betting()
    with pytest.raises(RefusedError) as refused:
        played.bet(seat, amount)
    assert refused.value.rejected.code == code
    assert not played.table.round or not played.table.round.bets


def test_bets_on_one_seat_add_up_to_its_maximum() -> None:
    played = a_table().betting().bet(1, 600_000).bet(1, 400_000)
    with pytest.raises(RefusedError, match="over-maximum"):
        played.bet(1, 100)


def test_a_taken_seat_and_an_uncovered_bet_are_refused_and_the_rest_of_the_batch_stands() -> None:
    played = a_table().betting().bet(1, 1000, "anna")
    bets = (
        Bet("ben", 1, BetKind.MAIN, 1000),
        Bet("ben", 2, BetKind.MAIN, 1000),
        Bet("ben", 3, BetKind.MAIN, 1000),
    )
    answer = played.try_do(
        PlaceBets(tuple(map(Placement, ((bet,) for bet in bets), (True, True, False)))), player("ben")
    )
    assert isinstance(answer, Decided)
    codes = [item and item.code for item in answer.items]
    assert codes == ["seat-taken", None, "insufficient-balance"]
    assert played.table.round is not None
    assert set(played.table.round.main_bets()) == {1, 2}


# R2 First deal


def test_r2_deal_order_is_seats_dealer_seats_dealer_face_down() -> None:
    played = a_table().round(5, 2)
    played.events.clear()
    played.cards("2C 3C 4C 5C 6C 7C")
    assert slots(played) == ["seat2.hand1", "seat5.hand1", "dealer"] * 2
    faces = [event.slot.face for event in played.events if isinstance(event, CardDealt)]
    assert faces == [Face.UP] * 5 + [Face.DOWN]


# R3 Insurance


def test_r3_insurance_is_offered_under_an_ace_before_the_peek_naturals_included() -> None:
    played = a_table().round(1, 2).cards("AS 9C AC KD 9H KS")
    assert phase(played.table) is Phase.INSURANCE
    played.insure(1)
    played.insure(2, take=False)
    assert any(isinstance(event, PeekDone) and event.natural for event in played.events)
    played.commit()
    # Even money by hand: the natural pushes, its insurance of half pays 2:1.
    assert played.net() == {"P1": 1000, "P2": -1000}


def test_r3_no_answer_means_no() -> None:
    played = a_table().round(1).cards("9C AC 9H 5S").time_out()
    assert played.table.round is not None
    assert played.table.round.insurance is not None
    assert played.table.round.insurance.answers == ()
    assert asked(played) == HandId(1, 1)


def test_r3_insurance_is_lost_without_a_natural_whatever_else_happens() -> None:
    played = a_table().round(1).cards("TC AC 9H 5S")
    played.insure(1).decide("stand").cards("TD KH").commit()
    assert played.net() == {"P1": 1000 - 500}


def test_r3_insurance_only_on_ones_own_seat_once_and_covered() -> None:
    played = a_table().round(1, 2).cards("9C 9D AC 9H 8H 5S")
    assert played.refused(AnswerInsurance("P2", 1, True, True), player("P2")) == "not-your-seat"
    assert played.refused(AnswerInsurance("P1", 1, True, False), player("P1")) == "insufficient-balance"
    played.insure(1)
    assert played.refused(AnswerInsurance("P1", 1, True, True), player("P1")) == "already-answered"
    played.wait(8)
    assert played.refused(AnswerInsurance("P2", 2, True, True), player("P2")) == "decision-late"


# R4, R5 Peek and early ends


def test_r4_a_dealer_natural_under_a_ten_ends_the_round_at_once() -> None:
    played = a_table().round(1, 2).cards("AS 9C KC KD 9H AH")
    assert any(isinstance(event, HoleRevealed) for event in played.events)
    assert phase(played.table) is Phase.COMMIT
    played.commit()
    assert played.net() == {"P1": 0, "P2": -1000}


def test_r4_without_a_natural_the_hole_card_stays_secret_and_play_goes_on() -> None:
    played = a_table().round(1).cards("9C KC 9H 7S")
    assert not any(isinstance(event, HoleRevealed) for event in played.events)
    assert asked(played) == HandId(1, 1)


def test_r5_all_naturals_end_the_round_without_a_further_card_and_the_hole_card_is_shown() -> None:
    played = a_table().round(1).cards("AS 6C KD TH")
    assert phase(played.table) is Phase.COMMIT
    assert any(isinstance(event, HoleRevealed) for event in played.events)
    played.commit()
    assert played.net() == {"P1": 1500}


# R6, R7 Decisions


def test_r6_hands_decide_lowest_seat_first_and_a_natural_is_not_asked() -> None:
    played = a_table().round(1, 2, 3).cards("9C AS 9D 6C 8C KS 8D TH")
    assert asked(played) == HandId(1, 1)
    played.decide("stand")
    assert asked(played) == HandId(3, 1)


def test_r6_both_split_hands_get_their_second_card_at_once_and_are_played_in_order() -> None:
    played = a_table().round(1).cards("8C 6C 8D TH").decide("split")
    played.events.clear()
    played.cards("3C 2D")
    assert slots(played) == ["seat1.hand1", "seat1.hand2"]
    assert asked(played) == HandId(1, 1)
    played.decide("double").cards("TD")
    assert asked(played) == HandId(1, 2)
    played.decide("stand").cards("TS").commit()
    assert played.net() == {"P1": 2000 + 1000}


def test_r7_a_hand_closes_by_itself_at_21() -> None:
    played = a_table().round(1, 2).cards("5C 9C 6C 6D 9D TH").decide("hit").cards("TS")
    assert asked(played) == HandId(2, 1)


def test_c5_a_bust_hand_loses_even_if_the_dealer_busts_later() -> None:
    played = a_table().round(1, 2).cards("TC 9C 6C 6D 9D TH").decide("hit").cards("TS").decide("stand")
    played.cards("TD").commit()
    assert played.net() == {"P1": -1000, "P2": 1000}


def test_r7_split_aces_get_one_card_each_and_are_closed() -> None:
    played = a_table().round(1).cards("AC 6C AD TH").decide("split").cards("KC 5D")
    assert asked(played) is None
    # C4: a 21 after a split pays 1:1.
    played.cards("TS").commit()
    assert played.net() == {"P1": 1000 + 1000}


def test_c2_any_two_ten_valued_cards_may_be_split_but_only_once() -> None:
    played = a_table().round(1).cards("KC 6C TD TH")
    assert "split" in legal(played)
    played.decide("split").cards("KH QD")
    assert "split" not in legal(played)


def test_double_after_a_split_but_not_on_three_cards() -> None:
    played = a_table().round(1).cards("2C 6C 3D TH").decide("hit").cards("2D")
    assert legal(played) == {"hit", "stand"}


# R9 No answer


def test_r9_a_silent_hand_draws_to_11_and_stands_after_that_without_being_asked_again() -> None:
    played = a_table().round(1).cards("2C 6C 3D TH").time_out().cards("4S")
    questions = sum(isinstance(event, DecisionAsked) for event in played.events)
    assert questions == 1
    played.cards("7S")
    taken = [event for event in played.events if isinstance(event, DecisionTaken)]
    assert [event.action for event in taken] == [Action.HIT, Action.HIT, Action.STAND]
    assert {event.cause for event in taken} == {Cause.NO_ANSWER}


def test_r9_an_ace_counts_11_unless_that_busts() -> None:
    played = a_table().round(1).cards("AC 6C 2D TH").time_out()
    taken = [event for event in played.events if isinstance(event, DecisionTaken)]
    assert [event.action for event in taken] == [Action.STAND]


# R10 Balance


def test_r10_deluxe_double_without_balance_is_a_hit_and_the_hand_may_act_again() -> None:
    played = a_table().round(1).cards("AS 6H 7D TC").decide("double", funded=False).cards("2S")
    assert asked(played) == HandId(1, 1)
    played.decide("stand").cards("4C").commit()
    assert played.net() == {"P1": 0}


@pytest.mark.parametrize(("pair", "action"), [("5C 5D", Action.HIT), ("8C 8D", Action.STAND)])
def test_r10_split_without_balance_hits_up_to_11_else_stands(pair: str, action: Action) -> None:
    first, second = pair.split()
    played = a_table().round(1).cards(f"{first} 6C {second} TH").decide("split", funded=False)
    taken = [event for event in played.events if isinstance(event, DecisionTaken)]
    assert [(event.asked, event.action, event.cause) for event in taken] == [
        (Action.SPLIT, action, Cause.NO_FUNDS),
    ]


# R11 Surrender


def test_r11_surrender_returns_half_and_only_before_any_action() -> None:
    played = a_table().round(1).cards("TC 6C 6D TH")
    assert "surrender" in legal(played)
    played.decide("surrender").commit()
    assert played.net() == {"P1": -500}
    played = a_table().round(1).cards("2C 6C 3D TH").decide("hit").cards("2H")
    assert "surrender" not in legal(played)


@pytest.mark.parametrize("upcard", ["KC", "TC"])
def test_r11_no_surrender_under_a_ten_valued_card(upcard: str) -> None:
    played = a_table().round(1).cards(f"TD {upcard} 6D 7H")
    assert "surrender" not in legal(played)


def test_r11_no_surrender_under_an_ace() -> None:
    played = a_table().round(1).cards("TD AC 6D 7H").time_out()
    assert "surrender" not in legal(played)


# R12 Dealer


def test_r12_the_dealer_stands_on_soft_17() -> None:
    played = a_table().round(1).cards("TC AC 8D 6H").time_out().decide("stand")
    assert phase(played.table) is Phase.COMMIT
    played.commit()
    assert played.net() == {"P1": 1000}


def test_r12_the_dealer_does_not_draw_when_nothing_can_change() -> None:
    played = a_table().round(1).cards("TC 6C 6D TH").decide("hit").cards("KD")
    assert phase(played.table) is Phase.COMMIT
    assert played.table.round is not None
    assert len(played.table.round.dealer) == 2


# R14 Settlement


@pytest.mark.parametrize(
    ("cards", "net"),
    [
        ("TC 9C 9D TH", 0),
        ("TC 9C 8D TH", -1000),
        ("TC 8C 9D TH", 1000),
        ("AC 9C KD TH", 1500),
    ],
)
def test_r14_each_hand_is_compared_on_its_own(cards: str, net: int) -> None:
    played = a_table().round(1).cards(cards)
    if asked(played):
        played.decide("stand")
    played.commit()
    assert played.net() == {"P1": net}


def test_nothing_is_settled_before_the_dealer_commits() -> None:
    played = a_table().round(1).cards("TC 9C 9D TH")
    assert played.refused(CommitResult(), DEALER) == "no-result"
    played.decide("stand")
    assert played.table.results is None
    played.commit()
    assert phase(played.table) is Phase.IDLE


def test_a_table_may_commit_by_itself() -> None:
    played = PlayedTable(a_setup(commits_itself=True)).ready().round(1).cards("TC 9C 9D TH").decide("stand")
    assert played.net() == {"P1": 0}


# Refusals


def test_decisions_are_refused_with_a_reason_when_late_illegal_or_somebody_elses() -> None:
    played = a_table().round(1, 2).cards("9C 9D 6C 5H 8H TH")
    assert played.refused(Decide("P1", 7, Action.HIT, True), player("P1")) == "not-asked"
    assert played.refused(Decide("P2", 1, Action.HIT, True), player("P2")) == "not-your-hand"
    assert played.refused(Decide("P1", 1, Action.SPLIT, True), player("P1")) == "illegal-action"
    played.decide("stand")
    assert played.refused(Decide("P1", 1, Action.HIT, True), player("P1")) == "decision-late"
    played.wait(12)
    assert played.refused(Decide("P2", 2, Action.HIT, True), player("P2")) == "decision-late"


def test_a_round_cannot_open_on_a_round_and_betting_closes_once() -> None:
    played = a_table().round(1)
    assert played.refused(OpenBetting(), DEALER) == "round-open"
    assert played.refused(CloseBetting(), DEALER) == "betting-closed"
