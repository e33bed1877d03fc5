"""Odds as exact fractions: the dealer's hand by outcome and number of cards, and insurance (R3, R12).

Nothing here depends on how players play: whatever they draw, the dealer's cards come from the same shoe, and no
order of its cards is more probable than another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import perm, prod
from typing import Final, NamedTuple

from studio.odds.composition import ACE, TEN
from studio.odds.dealer import BUST, OUTCOMES, plan_of

_INSURANCE_PAYS: Final = 2
"""To one (R14)."""


class DealerHand(NamedTuple):
    """How a dealer's hand can end."""

    outcome: str
    """One of :data:`studio.odds.dealer.OUTCOMES`."""
    cards: int
    """The upcard included."""


def dealer_hands(shoe: Sequence[int], upcard: int, *, hits_soft_17: bool) -> Mapping[DealerHand, Fraction]:
    """Return the probability of each ending of the dealer's hand with an upcard's value index out of ``shoe``.

    ``shoe`` are ten counts, the upcard among them. Raises ``ValueError`` where the shoe can run out of cards.
    """
    left = [int(count) - (value == upcard) for value, count in enumerate(shoe)]
    plan = plan_of(upcard, hits_soft_17)
    ways: Counter[DealerHand] = Counter()
    for number, orders in enumerate(plan.orders):
        drawn = plan.drawn[plan.first_drawn[number] : plan.first_drawn[number + 1]].tolist()
        reached = int(orders) * prod(perm(max(left[value], 0), count) for value, count in drawn)
        cards = int(plan.cards[number]) + 2
        for value, taken, outcome in plan.ends[plan.first_end[number] : plan.first_end[number + 1]].tolist():
            ways[DealerHand(OUTCOMES[outcome], cards)] += reached * max(left[value] - taken, 0)
        lowest, gone = plan.busts[number].tolist()
        ways[DealerHand(OUTCOMES[BUST], cards)] += reached * (sum(left[lowest:]) - gone)
    every = sum(left)
    found = {hand: Fraction(count, perm(every, hand.cards - 1)) for hand, count in sorted(ways.items()) if count}
    if sum(found.values()) != 1:
        message = "the shoe is too small: the dealer can run out of cards"
        raise ValueError(message)
    return found


def any_dealer_hand(shoe: Sequence[int], *, hits_soft_17: bool) -> Mapping[DealerHand, Fraction]:
    """Return the same over every upcard of ``shoe``."""
    every = sum(int(count) for count in shoe)
    found: dict[DealerHand, Fraction] = {}
    for upcard, count in enumerate(shoe):
        if count:
            for hand, probability in dealer_hands(shoe, upcard, hits_soft_17=hits_soft_17).items():
                found[hand] = found.get(hand, Fraction(0)) + Fraction(int(count), every) * probability
    return found


class Insurance(NamedTuple):
    """Insurance against an ace, from a shoe of which only the ace is known."""

    wins: Fraction
    expectation: Fraction
    """Per unit of the insurance, which is half the bet."""


def insurance(shoe: Sequence[int]) -> Insurance:
    """Return the odds of insurance; raise ``ValueError`` for a shoe without an ace and another card."""
    others = sum(int(count) for count in shoe) - 1
    if shoe[ACE] < 1 or others < 1:
        message = "there is no insurance without an ace and a card beside it in the shoe"
        raise ValueError(message)
    wins = Fraction(int(shoe[TEN]), others)
    return Insurance(wins, (_INSURANCE_PAYS + 1) * wins - 1)
