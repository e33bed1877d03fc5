"""Side bets and the dealer's hand against counting every deal of a small shoe (rules.md section 6, R12)."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from naive_game import dealer

from studio.adapters.variants import load_variant
from studio.domain.cards import parse_card
from studio.odds.composition import VALUES, whole_shoe
from studio.odds.dealer import OUTCOMES, outcome_probabilities
from studio.odds.exact import any_dealer_hand, dealer_hands, insurance
from studio.odds.shoe_file import Shoe, full_shoe, read_shoe
from studio.odds.side_bets import side_bet_odds

INFINITE = load_variant("infinite")
CARDS = "6S 6S 7S 8S 7H 7D 8C AS KS QS JH AD 9S TC 4H 5H KD"
RANKS = "A23456789TJQK"


def small(tmp_path: Path) -> Shoe:
    file = tmp_path / "shoe.json"
    file.write_text(json.dumps(CARDS.split()), encoding="utf-8")
    return read_shoe(file)


def lucky(cards: tuple[str, ...]) -> str | None:
    """Section 6, P1, P2, written once more."""
    suited = len({card[1] for card in cards}) == 1
    ranks = "".join(sorted(card[0] for card in cards))
    if ranks == "777":
        return "three-sevens-suited" if suited else "three-sevens"
    if ranks == "678":
        return "six-seven-eight-suited" if suited else "six-seven-eight"
    low = sum(min(RANKS.index(rank) + 1, 10) for rank in ranks)
    totals = {low + 10 * n for n in range(ranks.count("A") + 1)}
    if 21 in totals:
        return "twenty-one-suited" if suited else "twenty-one"
    return "nineteen-or-twenty" if totals & {19, 20} else None


def poker(cards: tuple[str, ...]) -> str | None:
    """Section 6, P1, P3, written once more."""
    suited = len({card[1] for card in cards}) == 1
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    three = len(set(ranks)) == 1
    straight = ranks == [0, 11, 12] or (ranks[1] - ranks[0], ranks[2] - ranks[1]) == (1, 1)
    if three:
        return "three-of-a-kind-suited" if suited else "three-of-a-kind"
    if straight:
        return "straight-flush" if suited else "straight"
    return "flush" if suited else None


def matched(cards: tuple[str, ...]) -> str | None:
    (first, second) = cards
    if first[0] != second[0]:
        return None
    if first[1] == second[1]:
        return "perfect"
    return "coloured" if ({first[1], second[1]} in ({"H", "D"}, {"S", "C"})) else "mixed"


@pytest.mark.parametrize(
    ("name", "size", "combination"),
    [("pair", 2, matched), ("lucky-three", 3, lucky), ("poker-three", 3, poker)],
)
def test_each_combination_comes_as_often_as_counting_every_deal_says(
    name: str, size: int, combination: object, tmp_path: Path
) -> None:
    assert callable(combination)
    deals = list(permutations(CARDS.split(), size))
    counted = Counter(combination(deal) for deal in deals)
    odds = side_bet_odds(INFINITE, small(tmp_path))[name]
    assert dict(odds.hits) == {each: Fraction(counted[each], len(deals)) for each in odds.pays}
    paid = sum(Fraction(odds.pays[each] + 1) * count for each, count in counted.items() if each is not None) / len(
        deals
    )
    assert odds.total_returned == paid


def test_the_bust_bonus_is_every_bust_by_its_cards() -> None:
    odds = side_bet_odds(INFINITE, full_shoe(8))["bust-bonus"]
    hands = any_dealer_hand(whole_shoe(8).tolist(), hits_soft_17=False)
    assert odds.hit == sum(each for hand, each in hands.items() if hand.outcome == "bust")
    assert odds.hits["three"] == Fraction(193217, 1116765)
    assert float(odds.total_returned) == pytest.approx(0.938157295, abs=1e-9)


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize("upcard", range(10))
def test_the_dealers_hand_comes_as_often_as_playing_every_order_says(upcard: int, *, hits_soft_17: bool) -> None:
    shoe = (4, 2, 1, 2, 2, 3, 1, 2, 1, 4)
    expected: Counter[str] = Counter()
    left = tuple(count - (value == upcard) for value, count in enumerate(shoe))
    for hole, count in enumerate(left):
        rest = tuple(one - (value == hole) for value, one in enumerate(left))
        if count:
            for points, chance in dealer(upcard + 1, hole + 1, rest, hits_soft_17).items():
                name = "natural" if points == 0 else "bust" if points > 21 else str(points)
                expected[name] += count / sum(left) * chance  # type: ignore[assignment]
    exact: Counter[str] = Counter()
    for hand, probability in dealer_hands(shoe, upcard, hits_soft_17=hits_soft_17).items():
        exact[hand.outcome] += probability  # type: ignore[assignment]
    fast = outcome_probabilities(np.array([left]), upcard, hits_soft_17=hits_soft_17)[0]
    for number, outcome in enumerate(OUTCOMES):
        assert float(exact[outcome]) == pytest.approx(expected[outcome], abs=1e-13)
        assert fast[number] == pytest.approx(expected[outcome], abs=1e-13)


def test_a_shoe_that_the_dealer_can_empty_is_refused() -> None:
    with pytest.raises(ValueError, match="too small"):
        dealer_hands((1, 2, 0, 0, 0, 0, 0, 0, 0, 0), 1, hits_soft_17=False)


def test_insurance_without_an_ace_is_refused() -> None:
    with pytest.raises(ValueError, match="without an ace"):
        insurance((0, 4, 4, 4, 4, 4, 4, 4, 4, 16))


def test_values_alone_cannot_tell_suits(tmp_path: Path) -> None:
    file = tmp_path / "shoe.json"
    file.write_text(json.dumps({**dict.fromkeys(VALUES, 8), "10": 32}), encoding="utf-8")
    shoe = read_shoe(file)
    assert shoe.values.tolist() == [8] * 9 + [32]
    with pytest.raises(ValueError, match="pair asks for suits"):
        side_bet_odds(INFINITE, shoe)


def test_cards_are_counted_by_value(tmp_path: Path) -> None:
    shoe = small(tmp_path)
    assert shoe.cards is not None
    assert shoe.cards[parse_card("6S")] == 2
    assert shoe.values.tolist() == [2, 0, 0, 1, 1, 2, 3, 2, 1, 5]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "Expecting"),
        ("7", "no whole numbers"),
        ('{"A": -1}', "no whole numbers"),
        ('{"A": 1.5}', "no whole numbers"),
        ('{"A": true}', "no whole numbers"),
        ('["AS", "1S"]', "'1S' is no card"),
        ('["AS", 7]', "no whole numbers"),
    ],
)
def test_a_shoe_file_that_is_none_says_why_and_what_is_wanted(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "shoe.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=says) as refused:
        read_shoe(file)
    assert "it holds JSON" in str(refused.value)


def test_a_shoe_file_that_there_is_not_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        read_shoe(tmp_path / "none.json")
