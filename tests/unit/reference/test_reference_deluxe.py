"""Hand-made rounds of ``deluxe``: what the vectors leave out, bets behind above all."""

from __future__ import annotations

from typing import Any

import pytest
from reference.naive_round import play
from reference.naive_script import ScriptError
from small_rounds import act, bets, cards, later_places, played, refused, script, seat


def _behind(player: str, bet: int = 400, **more: Any) -> dict[str, Any]:
    return {"player": player, "bet": bet, **more}


def test_follow_double_without_balance_is_a_hit_for_the_bet_behind() -> None:
    behind = [_behind("B1", balance=399, follow_double=True), _behind("B2", 600, follow_double=True)]
    result = played("deluxe", "6S 6H 5D TC 9H 3C", [seat(2, "P", behind=behind)], [act(2, "double")])
    assert bets(result) == {
        ("P", "main", 2): (2000, 2000),
        ("B1", "behind", 2): (400, 400),
        ("B2", "behind", 2): (1200, 1200),
    }


def test_follow_double_is_no_by_default() -> None:
    result = played("deluxe", "6S 6H 5D TC 9H 3C", [seat(2, "P", behind=[_behind("B")])], [act(2, "double")])
    assert bets(result)["B", "behind", 2] == (400, 400)


def test_follow_split_no_stays_with_the_first_split_hand() -> None:
    behind = [
        _behind("no", follow_split=False, follow_double=True),
        _behind("yes", follow_split=True, follow_double=True),
        _behind("short", balance=399, follow_split=True),
    ]
    actions = [act(1, "split"), act(1, "stand", 1), act(1, "double", 2)]
    result = played("deluxe", "8S 6H 8D TC TC 3H TD 2C", [seat(1, "P", behind=behind)], actions)
    assert cards(result) == ["8S TC", "8D 3H TD"]
    assert bets(result) == {
        ("P", "main", 1): (1000, 0),
        ("P", "split2", 1): (2000, 2000),
        ("no", "behind", 1): (400, 0),
        ("yes", "behind", 1): (400, 0),
        ("yes", "behind_split2", 1): (800, 800),
        ("short", "behind", 1): (400, 0),
    }


def test_follow_double_after_follow_split_needs_the_balance_that_is_left() -> None:
    behind = [_behind("B", balance=799, follow_split=True, follow_double=True)]
    actions = [act(1, "split"), act(1, "double", 1), act(1, "stand", 2)]
    result = played("deluxe", "8S 6H 8D TC 3C TH TD 2C", [seat(1, "P", behind=behind)], actions)
    assert bets(result)["B", "behind", 1] == (400, 400)
    assert bets(result)["B", "behind_split2", 1] == (400, 0)


def test_a_surrender_surrenders_the_bets_behind() -> None:
    result = played("deluxe", "TS 9H 6D 5C", [seat(1, "P", behind=[_behind("B")])], [act(1, "surrender")])
    assert bets(result) == {("P", "main", 1): (1000, -500), ("B", "behind", 1): (400, -200)}
    assert result["dealer"]["outcome"] == "not_played_out"


@pytest.mark.parametrize("upcard", ["AH", "TH", "KH"])
def test_no_surrender_against_an_ace_or_a_ten(upcard: str) -> None:
    actions = [refused(1, "surrender"), act(1, "stand")]
    played("deluxe", f"TS {upcard} 6D 8C", [seat(1, "P")], actions)


def test_surrender_is_before_any_action_and_never_on_a_split_hand() -> None:
    actions = [act(1, "hit"), refused(1, "surrender"), act(1, "stand")]
    played("deluxe", "TS 9H 2D 8C 6S", [seat(1, "P")], actions)
    split = [act(1, "split"), refused(1, "surrender", 1), act(1, "stand", 1), act(1, "stand", 2)]
    played("deluxe", "8S 9H 8D 8C 6S 7S", [seat(1, "P")], split)


def test_a_bet_behind_has_its_own_insurance() -> None:
    seats = [seat(3, "P", behind=[_behind("yes"), _behind("no"), _behind("short", balance=199)])]
    actions = [
        act(3, "insurance", by="yes"),
        act(3, "no_insurance"),
        refused(3, "insurance", by="short"),
        act(3, "stand"),
    ]
    lost = played("deluxe", "TS AH 9D 9C", seats, actions)
    assert bets(lost) == {
        ("P", "main", 3): (1000, -1000),
        ("yes", "behind", 3): (400, -400),
        ("no", "behind", 3): (400, -400),
        ("short", "behind", 3): (400, -400),
        ("yes", "behind_insurance", 3): (200, -200),
    }
    won = played("deluxe", "TS AH 9D KC", seats, [*actions[:3], refused(3, "stand")])
    assert won["early_end"]
    assert bets(won)["yes", "behind_insurance", 3] == (200, 400)
    assert won["net_by_player"] == {"P": -1000, "yes": 0, "no": -400, "short": -400}


def test_insurance_is_offered_under_an_ace_only_and_answered_once() -> None:
    played("deluxe", "TS KH 9D 9C", [seat(1, "P")], [refused(1, "insurance"), act(1, "stand")])
    actions = [act(1, "no_insurance"), refused(1, "insurance"), act(1, "stand")]
    result = played("deluxe", "TS AH 9D 9C", [seat(1, "P")], actions)
    assert result["net_by_player"] == {"P": -1000}


def test_all_naturals_end_the_round_with_bets_behind_and_a_lost_insurance() -> None:
    seats = [seat(1, "P1", behind=[_behind("B")]), seat(4, "P4")]
    actions = [act(1, "insurance", by="B"), refused(1, "stand")]
    result = played("deluxe", "AS TC AH KD AC 9H", seats, actions)
    assert result["early_end"]
    assert later_places(result, 6) == ["dealer_reveal_hole"]
    assert bets(result) == {
        ("P1", "main", 1): (1000, 1500),
        ("P4", "main", 4): (1000, 1500),
        ("B", "behind", 1): (400, 600),
        ("B", "behind_insurance", 1): (200, -200),
    }


def test_all_naturals_do_not_end_the_round_before_the_dealers_natural_pushes() -> None:
    result = played("deluxe", "AS AH KD KC", [seat(1, "P", behind=[_behind("B")])], [])
    assert result["early_end"]
    assert result["net_by_player"] == {"P": 0, "B": 0}


def test_one_seat_without_a_natural_keeps_the_round_going() -> None:
    result = played("deluxe", "AS TC 6H KD 9C TH 5S", [seat(1, "P1"), seat(4, "P4")], [act(4, "stand")])
    assert not result["early_end"]
    assert bets(result) == {("P1", "main", 1): (1000, 1500), ("P4", "main", 4): (1000, -1000)}


def test_a_hand_bust_before_the_dealer_busts_has_lost() -> None:
    seats = [seat(1, "P1"), seat(2, "P2")]
    result = played("deluxe", "TS TC 6H 6D 8C TH KS 9S", seats, [act(1, "hit"), act(2, "stand")])
    assert bets(result) == {("P1", "main", 1): (1000, -1000), ("P2", "main", 2): (1000, 1000)}


def test_the_dealer_does_not_draw_when_all_are_bust() -> None:
    result = played("deluxe", "TS 6H 6D TH KS", [seat(1, "P")], [act(1, "hit")])
    assert result["dealer"]["outcome"] == "not_played_out"


def test_the_dealer_stands_on_a_soft_seventeen() -> None:
    result = played("deluxe", "TS 6H 8D AH", [seat(1, "P")], [act(1, "stand")])
    assert (result["dealer"]["score"], result["net_by_player"]) == (17, {"P": 1000})


def test_a_hand_closes_by_itself_at_21_and_after_one_split() -> None:
    actions = [
        act(1, "split"),
        refused(1, "split", 1),
        act(1, "hit", 1),
        refused(1, "hit", 1),
        act(1, "stand", 2),
        refused(1, "hit", 2),
    ]
    result = played("deluxe", "8S 7H 8D TC 8C TH 5S", [seat(1, "P")], actions)
    assert cards(result) == ["8S 8C 5S", "8D TH"]
    assert later_places(result, 4) == ["seat1.hand1", "seat1.hand2", "seat1.hand1", "dealer_reveal_hole"]


def test_tens_of_other_ranks_may_be_split_and_make_21_but_no_natural() -> None:
    actions = [act(1, "split"), act(1, "stand", 2)]
    result = played("deluxe", "KS 7H TD TC AC 9H", [seat(1, "P")], actions)
    assert bets(result) == {("P", "main", 1): (1000, 1000), ("P", "split2", 1): (1000, 1000)}
    assert later_places(result, 4) == ["seat1.hand1", "seat1.hand2", "dealer_reveal_hole"]


def test_a_split_without_balance_hits_up_to_11_and_stands_above() -> None:
    low = [act(1, "split"), act(1, "stand")]
    result = played("deluxe", "5S 7H 5D TC 8C", [seat(1, "P", balance=999)], low)
    assert (cards(result), result["net_by_player"]) == (["5S 5D 8C"], {"P": 1000})
    result = played("deluxe", "AS 7H AD TC", [seat(1, "P", balance=999)], [act(1, "split")])
    assert (cards(result), result["net_by_player"]) == (["AS AD"], {"P": -1000})


def test_two_seats_of_one_player_share_one_balance() -> None:
    seats = [seat(2, "P", balance=1500), seat(5, "P", balance=1500)]
    actions = [act(2, "double"), act(5, "double"), act(5, "stand")]
    result = played("deluxe", "6S 6D 6H 5S 5D TH TS 2S 3H", seats, actions)
    assert cards(result, 5) == ["6D 5D 2S"]
    assert bets(result) == {("P", "main", 2): (2000, 2000), ("P", "main", 5): (1000, -1000)}
    seats[1]["balance"] = 0
    with pytest.raises(ScriptError, match="two balances"):
        play(script("deluxe", "6S", seats, []))


def test_an_insurance_leaves_less_for_a_double() -> None:
    actions = [act(1, "insurance"), act(1, "double")]
    result = played("deluxe", "6S AH 5D 8C TS", [seat(1, "P", balance=1499)], actions)
    assert bets(result) == {("P", "main", 1): (1000, 1000), ("P", "insurance", 1): (500, -500)}


def test_a_hand_without_an_action_draws_to_12_and_the_next_hand_is_played() -> None:
    actions = [act(1, "split"), act(1, "hit", 2), act(1, "timeout", 2), act(4, "disconnect"), refused(4, "hit")]
    seats = [seat(1, "P1"), seat(4, "P4")]
    result = played("deluxe", "4S TS 7H 4D 6S TC 5S 2S 8S 3H 6D", seats, actions)
    assert cards(result, 1) == ["4S 5S 8S", "4D 2S 3H 6D"]
    assert cards(result, 4) == ["TS 6S"]


def test_pair_bets_of_anyone_are_settled_on_the_first_two_cards() -> None:
    seats = [
        seat(1, "P1", side={"pair": 100}),
        seat(2, "P2", behind=[_behind("B", side={"pair": 100})]),
    ]
    result = played(
        "deluxe",
        "8S KS KD 8C QS AH",
        seats,
        [],
        side_only=[{"player": "S", "seat": 1, "side": {"pair": 300}}],
    )
    assert result["early_end"]
    assert bets(result)["P1", "pair", 1] == (100, 1000)
    assert bets(result)["B", "pair", 2] == (100, -100)
    assert bets(result)["S", "pair", 1] == (300, 3000)


@pytest.mark.parametrize(
    ("seats", "more", "reason"),
    [
        ([seat(8, "P")], {}, "seat 8 does not exist"),
        ([seat(1, "P"), seat(1, "Q")], {}, "given twice"),
        ([seat(1, "P"), seat(2, "P"), seat(3, "P")], {}, "more than 2 positions"),
        ([seat(1, "P", behind=[_behind("P")])], {}, "may not bet behind"),
        ([seat(1, "P", side={"bust": 100})], {}, "no side bet 'bust'"),
        ([seat(1, "P")], {"side_only": [{"player": "S", "seat": 2, "side": {"pair": 100}}]}, "not occupied"),
        ([], {}, "nobody has bet"),
    ],
)
def test_a_script_that_cannot_be_is_refused(
    seats: list[dict[str, Any]], more: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ScriptError, match=reason):
        play(script("deluxe", "", seats, [], **more))


def test_an_action_wrongly_marked_as_rejected_is_an_error() -> None:
    with pytest.raises(ScriptError, match="it is legal"):
        play(script("deluxe", "TS 7H 9D TC", [seat(1, "P")], [refused(1, "stand")]))
