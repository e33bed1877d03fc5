"""Totals of hands (rules.md C1 to C5). Knows no game and no money."""

from __future__ import annotations

from collections.abc import Sequence

from studio.domain.cards import Card

ACE = 1
TEN = 10
"""The values of an ace and of any ten-valued card (C2)."""


def total(cards: Sequence[Card]) -> int:
    """Return the total; an ace counts 11 unless that busts the hand (C1)."""
    low = sum(card.value for card in cards)
    has_ace = any(card.value == ACE for card in cards)
    if has_ace and low + 10 <= 21:
        return low + 10
    return low


def is_bust(cards: Sequence[Card]) -> bool:
    """Say whether the hand is over 21 (C5)."""
    return total(cards) > 21


def is_ace_and_ten(cards: Sequence[Card]) -> bool:
    """Say whether these are an ace and a ten-valued card; a natural, if the hand was never split (C3, C4)."""
    return len(cards) == 2 and total(cards) == 21
