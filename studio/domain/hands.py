"""Hands: totals, naturals, busts (rules.md C1 to C5). Cards in, numbers out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from studio.domain.cards import Card, Rank

TWENTY_ONE: Final = 21
_TWO: Final = 2


class Total(NamedTuple):
    """A hand's total in points; ``soft`` when an ace counts 11."""

    points: int
    soft: bool

    @property
    def is_bust(self) -> bool:
        """Over 21 (C5)."""
        return self.points > TWENTY_ONE

    def __str__(self) -> str:
        return f"soft {self.points} ({self.points - 10}/{self.points})" if self.soft else str(self.points)


def total(cards: Sequence[Card]) -> Total:
    """Return the total: an ace counts 11 unless that busts the hand, then 1 (C1)."""
    points = 0
    has_ace = False
    for card in cards:
        points += card.value
        has_ace = has_ace or card.rank is Rank.ACE
    if has_ace and points + 10 <= TWENTY_ONE:
        return Total(points + 10, soft=True)
    return Total(points, soft=False)


def is_two_card_21(cards: Sequence[Card]) -> bool:
    """Tell whether the cards are an ace with a ten-valued card; a natural when never split (C3)."""
    return len(cards) == _TWO and total(cards).points == TWENTY_ONE
