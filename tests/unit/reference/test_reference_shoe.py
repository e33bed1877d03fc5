"""The shoe of the naive engine: burn, cut card, its end (rules.md S2, S4, S6, S7)."""

from __future__ import annotations

import pytest
from reference.naive_round import play
from reference.naive_script import ScriptError
from reference.naive_table import ShoeEmptyError
from small_rounds import act, later_places, played, script, seat


@pytest.mark.parametrize(("shown", "burned"), [("AS", 1), ("4C", 4), ("TD", 10), ("KD", 10)])
def test_the_shown_card_says_how_many_are_burned(shown: str, burned: int) -> None:
    faces = " ".join("23456789T2"[number] + "H" for number in range(burned))
    result = played("deluxe", f"{shown} {faces} TS 7H 9D TC", [seat(1, "P")], [act(1, "stand")], burn=True)
    places = result["card_destinations"]
    assert places[0] == {"card": shown, "to": "burn", "face": "up"}
    assert [(place["to"], place["face"]) for place in places[1 : 1 + burned]] == [("burn", "down")] * burned
    assert places[1 + burned]["to"] == "seat1.hand1"
    assert result["cards_used"] == burned + 5
    assert not result["reshuffle_after"]


def test_the_card_after_the_cut_card_takes_the_place_it_interrupted() -> None:
    result = played("deluxe", "TS 7H 5D TC CUT 6S", [seat(1, "P")], [act(1, "hit")])
    assert result["reshuffle_after"]
    assert result["card_destinations"][4] == {"card": "CUT", "to": "cut", "face": "-"}
    assert later_places(result, 5) == ["seat1.hand1", "dealer_reveal_hole"]


def test_a_cut_card_before_the_first_card_makes_this_the_last_round() -> None:
    result = played("infinite", "CUT TS 7H 9D TC", [seat(1, "P")], [act(1, "stand")])
    assert later_places(result, 0)[:2] == ["cut", "seat1.hand1 unsplit"]
    assert result["reshuffle_after"]


def test_a_cut_card_after_the_last_card_has_not_come_out() -> None:
    result = played("infinite", "TS 7H 9D TC CUT", [seat(1, "P")], [act(1, "stand")])
    assert not result["reshuffle_after"]


def test_an_empty_shoe_is_an_error_that_names_the_place() -> None:
    with pytest.raises(ShoeEmptyError, match=r"no card for seat1\.hand1 after 4 cards"):
        play(script("deluxe", "TS 7H 5D TC", [seat(1, "P")], [act(1, "hit")]))


def test_a_card_beyond_the_copies_in_the_shoe_is_an_error() -> None:
    seats = [seat(number, f"P{number}") for number in range(1, 8)]
    with pytest.raises(ScriptError, match="9S came out more than 6 times"):
        play(script("european", " ".join(["9S"] * 7), seats, []))
