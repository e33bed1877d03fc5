"""Hand-made rounds of ``european`` and ``continuous``."""

from __future__ import annotations

import pytest
from reference.naive_round import play
from reference.naive_script import ScriptError
from small_rounds import act, bets, cards, later_places, played, refused, script, seat


def test_a_pair_is_split_up_to_four_hands_each_after_the_one_it_came_from() -> None:
    actions = [
        act(1, "split", 1),
        act(1, "split", 1),
        act(1, "stand", 1),
        act(1, "split", 3),
        refused(1, "split", 3),
        act(1, "stand", 3),
        act(1, "stand", 4),
        act(1, "hit", 2),
        act(1, "stand", 2),
    ]
    result = played("european", "8S 7H 8D TC 8C 2D TD 8H 8S 9H 3C", [seat(1, "P")], actions)
    # 1: 8S 8C, 2: 8D 2D; then 1: 8S TD, 3: 8C 8H; then 3: 8C 8S, 4: 8H 9H; hand 2 is played last.
    assert cards(result) == ["8S TD", "8D 2D 3C", "8C 8S", "8H 9H"]
    places = [1, 2, 1, 3, 3, 4, 2]
    assert later_places(result, 4) == [*(f"seat1.hand{number}" for number in places), "dealer_reveal_hole"]
    assert bets(result) == {
        ("P", "main", 1): (1000, 1000),
        ("P", "split2", 1): (1000, -1000),
        ("P", "split3", 1): (1000, -1000),
        ("P", "split4", 1): (1000, 0),
    }


def test_the_dealers_natural_takes_a_21_of_three_cards_and_doubles_and_splits() -> None:
    seats = [seat(1, "P1"), seat(2, "P2"), seat(3, "P3"), seat(4, "P4")]
    actions = [
        act(1, "hit"),
        act(1, "stand"),
        act(2, "double"),
        act(3, "split"),
        act(3, "stand", 1),
        act(3, "stand", 2),
    ]
    result = played("european", "5S 5D TS AS KH 6S 6D JD KD AC TD TC AD 9D", seats, actions)
    assert not result["early_end"]
    assert result["dealer"]["outcome"] == "blackjack"
    assert bets(result) == {
        ("P1", "main", 1): (1000, -1000),
        ("P2", "main", 2): (2000, -2000),
        ("P3", "main", 3): (1000, -1000),
        ("P3", "split2", 3): (1000, -1000),
        ("P4", "main", 4): (1000, 0),
    }


def test_the_dealer_draws_even_when_all_are_bust() -> None:
    result = played("european", "TS 6H 6D TH KS 2C", [seat(1, "P")], [act(1, "hit")])
    assert (result["dealer"]["score"], result["net_by_player"]) == (18, {"P": -1000})


def test_there_is_no_insurance_and_no_surrender() -> None:
    actions = [refused(1, "insurance"), refused(1, "surrender"), act(1, "stand")]
    played("european", "TS AH 9D 8C", [seat(1, "P")], actions)
    played("european", "TS 7H 9D TC", [seat(1, "P")], [refused(1, "surrender"), act(1, "stand")])


def test_a_double_is_of_two_cards_and_of_split_hands_too() -> None:
    actions = [
        act(1, "split", 1),
        act(1, "double", 1),
        act(1, "hit", 2),
        refused(1, "double", 2),
        act(1, "stand", 2),
    ]
    result = played("european", "8S 7H 8D TC 3C 2H TD 5S", [seat(1, "P")], actions)
    assert bets(result) == {("P", "main", 1): (2000, 2000), ("P", "split2", 1): (1000, -1000)}


@pytest.mark.parametrize("variant", ["european", "continuous"])
def test_drawing_on_21_is_legal_and_silence_on_21_stands(variant: str) -> None:
    result = played(variant, "TS 7H 5D TC 6C KD", [seat(1, "P")], [act(1, "hit"), act(1, "hit")])
    assert (cards(result), result["net_by_player"]) == (["TS 5D 6C KD"], {"P": -1000})
    result = played(variant, "TS 7H 5D TC 6C", [seat(1, "P")], [act(1, "hit")])
    assert result["net_by_player"] == {"P": 1000}


@pytest.mark.parametrize("variant", ["european", "continuous"])
def test_without_balance_a_double_and_a_split_are_refused_and_the_hand_is_asked_again(variant: str) -> None:
    actions = [refused(1, "double"), refused(1, "split"), act(1, "hit"), act(1, "stand")]
    result = played(variant, "5S 7H 5D TC 9C", [seat(1, "P", balance=999)], actions)
    assert bets(result) == {("P", "main", 1): (1000, 1000)}


def test_a_refused_action_without_another_is_a_timeout() -> None:
    result = played("european", "5S 7H 5D TC 9C", [seat(1, "P", balance=0)], [refused(1, "double")])
    assert cards(result) == ["5S 5D 9C"]


def test_split_aces_take_one_card_each_and_are_closed() -> None:
    actions = [act(1, "split"), refused(1, "hit", 1), refused(1, "double", 2)]
    result = played("european", "AS 9H AD TC AC TD", [seat(1, "P")], actions)
    assert cards(result) == ["AS AC", "AD TD"]
    assert bets(result) == {("P", "main", 1): (1000, -1000), ("P", "split2", 1): (1000, 1000)}


def test_continuous_peeks_under_a_ten_and_takes_only_the_original_bet() -> None:
    result = played("continuous", "8S KH 8D AC", [seat(1, "P")], [refused(1, "split")])
    assert result["early_end"]
    assert result["net_by_player"] == {"P": -1000}


def test_continuous_goes_on_after_pass_and_after_a_lost_insurance() -> None:
    passed = [act(1, "no_insurance"), act(1, "hit"), act(1, "stand")]
    assert played("continuous", "8S AH 8D 8C 2S", [seat(1, "P")], passed)["net_by_player"] == {"P": -1000}
    insured = [act(1, "insurance"), act(1, "hit"), act(1, "stand")]
    assert played("continuous", "8S AH 8D 8C 5S", [seat(1, "P")], insured)["net_by_player"] == {"P": 500}


def test_continuous_refuses_insurance_without_balance_and_a_late_one() -> None:
    actions = [refused(1, "insurance"), act(1, "stand")]
    result = played("continuous", "TS AH 9D 8C", [seat(1, "P", balance=499)], actions)
    assert result["net_by_player"] == {"P": 0}


def test_continuous_has_neither_burn_nor_cut_card() -> None:
    for more in ({"burn": True}, {}):
        with pytest.raises(ScriptError, match="S8"):
            play(script("continuous", "CUT AS 6H KD TC", [seat(1, "P")], [], **more))
