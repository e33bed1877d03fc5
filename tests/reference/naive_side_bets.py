"""What the side bets pay, to one (rules.md section 6). Nought is a lost bet. Knows no table and no money."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from reference.naive_cards import ACE, is_bust
from studio.domain.cards import Card

_RED = "DH"
_ORDER = "A23456789TJQKA"
"""The ranks in sequence, an ace at either end (P3); a window over the edge, as K-A-2, is not in it."""


def pair_pays(first: Card, second: Card) -> int:
    """Pair: the position's first two cards; rank decides, so K-Q is none (C2)."""
    if first.rank != second.rank:
        return 0
    if first.suit == second.suit:
        return 30
    if (first.suit in _RED) == (second.suit in _RED):
        return 10
    return 5


def bust_bonus_pays(dealer: Sequence[Card]) -> int:
    """Bust Bonus: the dealer's final hand; a dealer's natural is no bust, so it loses (P5)."""
    if not is_bust(dealer):
        return 0
    return {3: 1, 4: 2, 5: 9, 6: 50, 7: 100}.get(len(dealer), 250)


def lucky_three_pays(three: Sequence[Card]) -> int:
    """Lucky Three: two cards and the upcard; each ace is 1 or 11, whichever pays more (P2)."""
    suited = len({card.suit for card in three}) == 1
    ranks = "".join(sorted(card.rank for card in three))
    if ranks == "777":
        return 200 if suited else 50
    if ranks == "678":
        return 100 if suited else 30
    counts = [(1, 11) if card.value == ACE else (card.value,) for card in three]
    totals = {sum(choice) for choice in itertools.product(*counts)}
    if 21 in totals:
        return 10 if suited else 3
    if 19 in totals or 20 in totals:
        return 2
    return 0


def poker_three_pays(three: Sequence[Card]) -> int:
    """Poker Three: two cards and the upcard; "suited" is all three of one suit (P1)."""
    suited = len({card.suit for card in three}) == 1
    ranks = sorted(card.rank for card in three)
    windows = [sorted(_ORDER[start : start + 3]) for start in range(len(_ORDER) - 2)]
    alike = len(set(ranks)) == 1
    straight = ranks in windows
    if alike:
        return 100 if suited else 30
    if straight:
        return 40 if suited else 10
    return 5 if suited else 0
