"""Hand-made rounds of ``infinite``: several players on one shared hand (rules.md I1 to I5)."""

from __future__ import annotations

from typing import Any

import pytest
from reference.naive_round import play
from reference.naive_script import ScriptError
from small_rounds import act, bets, cards, later_places, played, refused, script, seat


def _players(*names: str, **more: Any) -> list[dict[str, Any]]:
    return [seat(1, name, **more) for name in names]


def test_who_asks_gets_the_next_card_of_the_line_and_who_stands_keeps_his() -> None:
    actions = [
        act(1, "stand"),
        act(1, "hit", by="B"),
        act(1, "double", by="C"),
        act(1, "surrender", by="D"),
        act(1, "hit", by="B"),
        act(1, "stand", by="B"),
    ]
    result = played("infinite", "5S 7H 4D TC 2H 8D", _players("A", "B", "C", "D"), actions)
    assert cards(result) == ["5S 4D", "5S 4D 2H 8D", "5S 4D 2H", "5S 4D"]
    assert [hand["player"] for hand in result["hands"]["seat1"]] == ["A", "B", "C", "D"]
    assert later_places(result, 4) == ["seat1.hand1 unsplit", "seat1.hand1 unsplit", "dealer_reveal_hole"]
    assert bets(result) == {
        ("A", "main", 1): (1000, -1000),
        ("B", "main", 1): (1000, 1000),
        ("C", "main", 1): (2000, -2000),
        ("D", "main", 1): (1000, -500),
    }


def test_split_lines_get_their_second_cards_first_then_the_unsplit_line_is_played_out() -> None:
    actions = [
        act(1, "split", 1),
        act(1, "hit", 1, by="B"),
        act(1, "split", 1, by="C"),
        act(1, "stand", 1, by="D"),
        act(1, "stand", 1, by="B"),
        act(1, "hit", 1),
        act(1, "stand", 1, by="C"),
        act(1, "stand", 1),
        act(1, "stand", 2),
        act(1, "double", 2, by="C"),
    ]
    shoe = "8S 6H 8D TC 3C 2H 4S 9S TD KS"
    result = played("infinite", shoe, _players("A", "B", "C", "D"), actions)
    assert cards(result) == ["8S 3C 9S", "8D 2H", "8S 8D 4S", "8S 3C", "8D 2H TD", "8S 8D"]
    assert later_places(result, 4) == [
        "seat1.hand1 split1",
        "seat1.hand2 split2",
        "seat1.hand1 unsplit",
        "seat1.hand1 split1",
        "seat1.hand2 split2",
        "dealer_reveal_hole",
        "dealer",
    ]
    assert bets(result)["C", "split2", 1] == (2000, 2000)


def test_no_card_is_drawn_for_a_line_that_nobody_needs() -> None:
    actions = [act(1, "split"), act(1, "stand", by="B"), act(1, "stand", 1), act(1, "stand", 2)]
    result = played("infinite", "9S 6H 9D TC TD 9H 5S", _players("A", "B"), actions)
    assert later_places(result, 4) == [
        "seat1.hand1 split1",
        "seat1.hand2 split2",
        "dealer_reveal_hole",
        "dealer",
    ]


def test_split_aces_of_the_shared_hand_are_closed_and_the_other_line_goes_on() -> None:
    actions = [act(1, "split"), refused(1, "hit", 1), act(1, "hit", by="B"), act(1, "stand", by="B")]
    result = played("infinite", "AS 7H AD TC KH 5S 8S", _players("A", "B"), actions)
    assert cards(result) == ["AS KH", "AD 5S", "AS AD 8S"]
    assert result["net_by_player"] == {"A": 0, "B": 1000}


def test_a_split_is_only_for_the_first_decision_and_once() -> None:
    actions = [
        act(1, "split"),
        act(1, "hit", by="B"),
        refused(1, "split", by="B"),
        act(1, "stand", by="B"),
        refused(1, "split", 1),
        act(1, "stand", 1),
        act(1, "stand", 2),
    ]
    played("infinite", "8S 7H 8D TC 8C 9C 2D", _players("A", "B"), actions)


def test_silent_players_draw_to_12_each_in_the_same_line() -> None:
    actions = [
        act(1, "disconnect"),
        refused(1, "hit"),
        act(1, "hit", by="B"),
        act(1, "stand", by="B"),
        act(1, "timeout", by="C"),
    ]
    result = played("infinite", "2S 7H 3D TC 4H AS", _players("A", "B", "C", "D"), actions)
    assert cards(result) == ["2S 3D 4H AS", "2S 3D 4H", "2S 3D 4H AS", "2S 3D 4H AS"]


def test_without_balance_a_double_hits_up_to_11_and_may_act_again_or_stands() -> None:
    short = _players("A", balance=999)
    low = [act(1, "double"), act(1, "hit"), act(1, "stand")]
    result = played("infinite", "2S 7H 3D TC 4H 9S", short, low)
    assert (cards(result), bets(result)) == (["2S 3D 4H 9S"], {("A", "main", 1): (1000, 1000)})
    result = played("infinite", "AS 6H 7D TC 2S", short, [act(1, "double"), refused(1, "stand")])
    assert (cards(result), result["net_by_player"]) == (["AS 7D"], {"A": 0})


def test_without_balance_a_split_stands_above_11_on_the_unsplit_line() -> None:
    result = played("infinite", "AS 7H AD TC", _players("A", balance=999), [act(1, "split")])
    assert (cards(result), result["net_by_player"]) == (["AS AD"], {"A": -1000})


def test_a_line_closes_for_all_at_21() -> None:
    actions = [act(1, "hit"), act(1, "hit", by="B"), refused(1, "hit"), refused(1, "stand", by="B")]
    result = played("infinite", "TS 7H 5D TC 6S", _players("A", "B"), actions)
    assert result["net_by_player"] == {"A": 1000, "B": 1000}


def test_a_shared_natural_closes_every_hand_and_does_not_end_the_round_early() -> None:
    result = played("infinite", "AS AH KD 7C", _players("A", "B"), [act(1, "insurance", by="B")])
    assert not result["early_end"]
    assert result["net_by_player"] == {"A": 1500, "B": 1000}


def test_only_players_with_a_main_bet_insure_or_decide() -> None:
    side_only = [{"player": "S", "seat": 1, "side": {"pair": 100}}]
    actions = [
        refused(1, "insurance", by="S"),
        act(1, "insurance", by="B"),
        act(1, "stand"),
        refused(1, "hit", by="S"),
        act(1, "stand", by="B"),
    ]
    result = played("infinite", "TS AH 8D 7C", _players("A", "B"), actions, side_only=side_only)
    assert bets(result)["B", "insurance", 1] == (500, -500)


def test_with_side_bets_only_the_hand_keeps_two_cards_and_nobody_is_asked() -> None:
    side_only = [{"player": "S", "seat": 1, "side": {"pair": 100, "lucky3": 100}}]
    result = played("infinite", "5S 6H 5D TC", [], [refused(1, "hit")], side_only=side_only)
    assert result["hands"] == {"seat1": [{"hand": 1, "cards": ["5S", "5D"], "score": 10}]}
    assert result["dealer"]["outcome"] == "not_played_out"
    assert bets(result) == {("S", "pair", 1): (100, 500), ("S", "lucky3", 1): (100, -100)}


def test_an_open_bust_bonus_makes_the_dealer_draw_and_pays_250_for_eight_cards() -> None:
    side_only = [{"player": "S", "seat": 1, "side": {"bust": 100}}]
    result = played("infinite", "5S 2H 5D 2C 2D 2S 2H 2C 2D TC", [], [], side_only=side_only)
    assert (result["dealer"]["ncards"], result["dealer"]["outcome"]) == (8, "bust")
    assert bets(result) == {("S", "bust", 1): (100, 25_000)}


def test_a_bust_bonus_is_drawn_for_when_all_hands_are_bust() -> None:
    seats = _players("A", side={"bust": 100})
    result = played("infinite", "TS 6H 6D TH KS 9C", seats, [act(1, "hit")])
    assert bets(result) == {("A", "main", 1): (1000, -1000), ("A", "bust", 1): (100, 100)}


def test_the_dealers_natural_loses_the_bust_bonus_and_settles_the_others_by_the_cards_on_the_table() -> None:
    seats = _players("A", side={"bust": 100, "lucky3": 100, "poker3": 100})
    side_only = [{"player": "S", "seat": 1, "side": {"bust": 200, "pair": 200}}]
    result = played("infinite", "QS KH JD AC", seats, [refused(1, "stand")], side_only=side_only)
    assert result["early_end"]
    assert bets(result) == {
        ("A", "main", 1): (1000, -1000),
        ("A", "bust", 1): (100, -100),
        ("A", "lucky3", 1): (100, -100),
        ("A", "poker3", 1): (100, 1000),
        ("S", "bust", 1): (200, -200),
        ("S", "pair", 1): (200, -200),
    }


def test_a_player_has_one_main_bet() -> None:
    with pytest.raises(ScriptError, match="more than 1 position"):
        play(script("infinite", "", _players("A", "A"), []))
