"""Side bets: how often each combination comes, and what the bet gives back, as exact fractions (section 6).

Every set of cards is looked at once with the same functions that settle the bets, so that a reading of a clause
cannot differ. Hidden from the bets is only what nobody knows: the shoe is whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, perm, prod
from typing import Final

from studio.domain.cards import Card
from studio.domain.rules import RuleSet
from studio.domain.side_bets import lucky_three, pair, poker_three
from studio.odds.exact import any_dealer_hand
from studio.odds.shoe_file import Shoe

_BUST_BY_CARDS: Final = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}
_BUST_OF_MORE: Final = "eight-or-more"


@dataclass(frozen=True, slots=True)
class SideBetOdds:
    """A side bet: the probability that each combination is the one that is paid, and what it pays to one."""

    hits: Mapping[str, Fraction]
    pays: Mapping[str, int]

    @property
    def hit(self) -> Fraction:
        """How often the bet wins."""
        return sum(self.hits.values(), start=Fraction(0))

    def returned(self, combination: str) -> Fraction:
        """Return what a combination gives back per unit bet, the stake included."""
        return self.hits[combination] * (self.pays[combination] + 1)

    @property
    def total_returned(self) -> Fraction:
        """What the bet gives back per unit bet, the stake included."""
        return sum(map(self.returned, self.hits), start=Fraction(0))


def side_bet_odds(rules: RuleSet, shoe: Shoe) -> dict[str, SideBetOdds]:
    """Return the odds of every side bet of a rule set.

    Raises ``ValueError`` where a bet needs the suits and the shoe's composition gives values only.
    """
    return {
        name: SideBetOdds(_hits(name, bet.pays, rules, shoe), bet.pays) for name, bet in rules.side_bets.items()
    }


def _hits(name: str, pays: Mapping[str, int], rules: RuleSet, shoe: Shoe) -> dict[str, Fraction]:
    match name:
        case "bust-bonus":
            found = _busts(rules, shoe)
        case "pair":
            found = _of_cards(name, 2, lambda cards: pair(*cards), pays, shoe)
        case "lucky-three":
            found = _of_cards(name, 3, lucky_three, pays, shoe)
        case "poker-three":
            found = _of_cards(name, 3, poker_three, pays, shoe)
        case _:
            message = f"the odds of the side bet {name!r} are not known"
            raise ValueError(message)
    return {combination: found.get(combination, Fraction(0)) for combination in pays}


def _busts(rules: RuleSet, shoe: Shoe) -> dict[str, Fraction]:
    """Return the dealer's busts by number of cards; a natural ends the round and is none (P5)."""
    found: dict[str, Fraction] = {}
    hands = any_dealer_hand(shoe.values.tolist(), hits_soft_17=rules.dealer_hits_soft_17)
    for hand, probability in hands.items():
        if hand.outcome == "bust":
            combination = _BUST_BY_CARDS.get(hand.cards, _BUST_OF_MORE)
            found[combination] = found.get(combination, Fraction(0)) + probability
    return found


def _of_cards(
    name: str,
    size: int,
    combinations: Callable[[Sequence[Card]], Iterable[str]],
    pays: Mapping[str, int],
    shoe: Shoe,
) -> dict[str, Fraction]:
    """Return how often each combination of ``size`` cards is the highest that they make."""
    if shoe.cards is None:
        message = f"the side bet {name} asks for suits: give the shoe's composition by cards, not by values"
        raise ValueError(message)
    ways: Counter[str] = Counter()
    for cards, orders in _sets(shoe.cards, size):
        highest = max(combinations(cards), key=lambda combination: pays[combination], default=None)
        if highest is not None:
            ways[highest] += orders
    every = perm(sum(shoe.cards.values()), size)
    return {combination: Fraction(count, every) for combination, count in ways.items()}


def _sets(shoe: Mapping[Card, int], size: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Yield every set of ``size`` cards, and in how many ways it can be dealt."""
    for cards in combinations_with_replacement(shoe, size):
        kinds = Counter(cards)
        orders = factorial(size) // prod(map(factorial, kinds.values()))
        yield cards, orders * prod(perm(shoe[card], count) for card, count in kinds.items())
