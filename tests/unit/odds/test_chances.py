"""Chances from a full shoe: against every order of cards written out, and against what is published."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import permutations

import pytest

from studio.domain.cards import DECK
from studio.domain.hands import is_two_card_21, total
from studio.domain.side_bets import pair
from studio.odds import chances
from studio.odds.chances import BUST, dealer_hands
from studio.odds.composition import whole_shoe
from studio.odds.exact import dealer_hands as exact_dealer_hands


def every_order(decks: int, upcard: int, *, hits_soft_17: bool) -> dict[tuple[int, int], Fraction]:
    """Draw value by value, as a dealer does, with the rules of R12 written out once more."""
    ended: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    left = {value: decks * (16 if value == 10 else 4) for value in range(1, 11)}
    left[upcard] -= 1

    def draw(cards: list[int], chance: Fraction) -> None:
        hard = sum(cards)
        points = hard + 10 if 1 in cards and hard <= 11 else hard
        draws = points < 17 or (points == 17 != hard and hits_soft_17)
        if len(cards) > 1 and not draws:
            ended[min(points, BUST), len(cards)] += chance
            return
        whole = sum(left.values())
        for value in range(1, 11):
            if left[value]:
                here = chance * Fraction(left[value], whole)
                left[value] -= 1
                draw([*cards, value], here)
                left[value] += 1

    draw([upcard], Fraction(1))
    return ended


@pytest.mark.parametrize(
    ("decks", "upcard", "hits_soft_17"), [(1, 6, False), (1, 1, True), (2, 10, False), (8, 9, True)]
)
def test_the_dealers_hands_are_those_of_every_order(decks: int, upcard: int, hits_soft_17: bool) -> None:  # noqa: FBT001 - a column
    found = dealer_hands(decks, upcard, hits_soft_17=hits_soft_17)
    exact = every_order(decks, upcard, hits_soft_17=hits_soft_17)
    assert set(found) == set(exact)
    assert all(found[hand] == pytest.approx(float(chance), abs=1e-14) for hand, chance in exact.items())
    assert sum(found.values()) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize("upcard", range(1, 11))
def test_the_dealers_hands_are_those_of_the_analyser(upcard: int, hits_soft_17: bool) -> None:  # noqa: FBT001 - a column
    totals = {**{str(total): total for total in range(17, 22)}, "natural": 21, "bust": BUST}
    exact = exact_dealer_hands(whole_shoe(8).tolist(), upcard - 1, hits_soft_17=hits_soft_17)
    found = dealer_hands(8, upcard, hits_soft_17=hits_soft_17)
    assert found == pytest.approx(
        {(totals[outcome], cards): float(chance) for (outcome, cards), chance in exact.items()}, abs=1e-14
    )


def test_the_chances_of_two_cards_are_those_of_every_two_cards() -> None:
    """C3 and section 6, one deck: 52 times 51 orders of two cards; no pair of one deck is of one suit."""
    orders = list(permutations(DECK, 2))
    assert chances.natural(1) == pytest.approx(sum(map(is_two_card_21, orders)) / len(orders), abs=1e-15)
    kinds = [kind for two in orders for kind in pair(*two)]
    assert chances.pairs(1) == pytest.approx({key: kinds.count(key) / len(orders) for key in chances.pairs(1)})


def test_published_chances_of_eight_decks() -> None:
    """Naturals: 4.7451 %; of the Pair bet the perfect pair is 7 in 415, all pairs 31 in 415."""
    assert chances.natural(8) == pytest.approx(0.047451, abs=5e-7)
    assert chances.pairs(8) == pytest.approx({"mixed": 16 / 415, "coloured": 8 / 415, "perfect": 7 / 415})
    assert sum(chances.upcard(8, value) for value in range(1, 11)) == pytest.approx(1)


def test_a_dealer_stands_on_soft_17_or_draws() -> None:
    """R12: ace and six from an ace."""
    stands = dealer_hands(8, 1, hits_soft_17=False)
    draws = dealer_hands(8, 1, hits_soft_17=True)
    assert stands[17, 2] == pytest.approx(32 / 415)
    assert (17, 2) not in draws
    assert total(DECK[:1]).points == 11
