"""Cards: 52 of them, known by a two-letter code, rank then suit (rules.md C1, C2).

The vocabulary that every part shares. It knows nothing of hands, shoes or rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Suit(StrEnum):
    """A suit; it decides side bets only (C2)."""

    DIAMONDS = "D"
    CLUBS = "C"
    SPADES = "S"
    HEARTS = "H"


class Rank(StrEnum):
    """A rank; ten-valued ranks are equal for totals and splits, not for side bets (C2)."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"


_RANKS: Final = tuple(Rank)
_SUITS: Final = tuple(Suit)


@dataclass(frozen=True, slots=True)
class Card:
    """One playing card.

    ``value`` is the ace as 1, the face of 2 to 10, and 10 for J Q K (C1); ``index`` is 0 to 51 and unique.
    Take cards from :data:`DECK` or :func:`parse_card` instead of building them.
    """

    rank: Rank
    suit: Suit
    value: int
    index: int

    @property
    def code(self) -> str:
        """The two-letter code, such as ``8S`` or ``TD``."""
        return self.rank + self.suit

    def __str__(self) -> str:
        return self.code


DECK: Final[tuple[Card, ...]] = tuple(
    Card(rank, suit, min(number, 10), (number - 1) + 13 * _SUITS.index(suit))
    for suit in _SUITS
    for number, rank in enumerate(_RANKS, start=1)
)
"""The 52 cards of a deck without jokers, in the order of their ``index``."""

_BY_CODE: Final = {card.code: card for card in DECK}


def parse_card(code: str) -> Card:
    """Return the card of a two-letter code such as ``AH``; raise ``ValueError`` for anything else."""
    card = _BY_CODE.get(code)
    if card is None:
        message = f"{code!r} is no card: write rank then suit, ranks A 2-9 T J Q K, suits D C S H"
        raise ValueError(message)
    return card
