"""Exact probabilities of what a table's cards should do, from a full shoe of its rules.

In plain Python: a table's server asks for them, and loads no compiler. :mod:`studio.odds.exact` has the dealer's
hands as fractions; a test compares.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from studio.domain.cards import DECK

_CARDS_OF_A_RANK: Final = 4
_TENS_OF_A_DECK: Final = 16
_SUITS_OF_THE_OTHER_COLOUR: Final = 2
_STANDS_ON: Final = 17
_TWENTY_ONE: Final = 21
_SOFT: Final = 10
_TEN: Final = 10
BUST: Final = 22
"""The dealer's final total where it is a bust."""

DealerHand = tuple[int, int]
"""(final total or :data:`BUST`, number of cards)."""


def natural(decks: int) -> float:
    """Return the probability that two cards are a natural (C3)."""
    cards = decks * len(DECK)
    return 2 * (_CARDS_OF_A_RANK * decks) * (_TENS_OF_A_DECK * decks) / (cards * (cards - 1))


def pairs(decks: int) -> Mapping[str, float]:
    """Return the probabilities of a position's first two cards being each pair of the side bet (section 6)."""
    others = decks * len(DECK) - 1
    return MappingProxyType(
        {
            "mixed": _SUITS_OF_THE_OTHER_COLOUR * decks / others,
            "coloured": decks / others,
            "perfect": (decks - 1) / others,
        }
    )


def upcard(decks: int, value: int) -> float:
    """Return the probability of an upcard of a value, 1 for an ace."""
    return _count(decks, value) / (decks * len(DECK))


@cache
def dealer_hands(decks: int, value: int, *, hits_soft_17: bool) -> Mapping[DealerHand, float]:
    """Return the probabilities of the dealer's hands, played out from an upcard and an otherwise full shoe."""
    ended: defaultdict[DealerHand, float] = defaultdict(float)
    going_on: dict[tuple[int, ...], float] = {tuple(int(one == value) for one in range(_TEN + 1)): 1.0}
    left_of = decks * len(DECK) - 1
    while going_on:
        longer: dict[tuple[int, ...], float] = {}
        for held, probability in going_on.items():
            for card in range(1, _TEN + 1):
                left = _count(decks, card) - held[card]
                if left:
                    more = (*held[:card], held[card] + 1, *held[card + 1 :])
                    reached = probability * left / (left_of - sum(held) + 1)
                    total = _final(more, hits_soft_17=hits_soft_17)
                    if total:
                        ended[total, sum(more)] += reached
                    else:
                        longer[more] = longer.get(more, 0.0) + reached
        going_on = longer
    return MappingProxyType(dict(ended))


def _final(held: tuple[int, ...], *, hits_soft_17: bool) -> int:
    """Return the final total of a dealer's hand by its counts of values, 0 while the dealer draws (R12)."""
    hard = sum(value * count for value, count in enumerate(held))
    soft = bool(held[1]) and hard + _SOFT <= _TWENTY_ONE
    total = hard + _SOFT * soft
    if total > _TWENTY_ONE:
        return BUST
    if total < _STANDS_ON or (total == _STANDS_ON and soft and hits_soft_17):
        return 0
    return total


def _count(decks: int, value: int) -> int:
    return decks * (_TENS_OF_A_DECK if value == _TEN else _CARDS_OF_A_RANK)
