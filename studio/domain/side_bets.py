"""Side bets: which combination the cards make, and what it pays (rules.md section 6). Cards in, odds out.

A combination's name is the key of the variant's pay table; only the highest one pays, all are paid to one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from studio.domain.cards import Card, Rank, Suit
from studio.domain.hands import TWENTY_ONE, total

_RED: Final = frozenset({Suit.DIAMONDS, Suit.HEARTS})
_RANKS: Final = tuple(Rank)
_BUST_BY_CARDS: Final = ("three", "four", "five", "six", "seven", "eight-or-more")
_FEWEST_TO_BUST: Final = 3


COMBINATIONS: Final[dict[str, frozenset[str]]] = {
    "pair": frozenset({"mixed", "coloured", "perfect"}),
    "bust-bonus": frozenset(_BUST_BY_CARDS),
    "lucky-three": frozenset(
        {
            "nineteen-or-twenty",
            "twenty-one",
            "twenty-one-suited",
            "six-seven-eight",
            "six-seven-eight-suited",
            "three-sevens",
            "three-sevens-suited",
        }
    ),
    "poker-three": frozenset({"flush", "straight", "three-of-a-kind", "straight-flush", "three-of-a-kind-suited"}),
}
"""What each side bet's pay table must name, by its key in a variant's file."""


def pair(first: Card, second: Card) -> Iterator[str]:
    """Yield the combinations of a position's first two cards: same rank, by colour and suit."""
    if first.rank is not second.rank:
        return
    if first.suit is second.suit:
        yield "perfect"
    elif (first.suit in _RED) == (second.suit in _RED):
        yield "coloured"
    else:
        yield "mixed"


def bust_bonus(dealer: Sequence[Card]) -> Iterator[str]:
    """Yield the combination of the dealer's final hand: a bust, by its number of cards; P5: else lost."""
    if total(dealer).points > TWENTY_ONE:
        yield _BUST_BY_CARDS[min(len(dealer) - _FEWEST_TO_BUST, len(_BUST_BY_CARDS) - 1)]


def lucky_three(cards: Sequence[Card]) -> Iterator[str]:
    """Yield every combination of two cards and the upcard; an ace is 1 or 11 (P2), suited means all three (P1)."""
    suited = len({card.suit for card in cards}) == 1
    ranks = sorted(_RANKS.index(card.rank) for card in cards)
    if ranks == [5, 6, 7]:
        yield "six-seven-eight-suited" if suited else "six-seven-eight"
    if ranks == [6, 6, 6]:
        yield "three-sevens-suited" if suited else "three-sevens"
    low = sum(card.value for card in cards)
    totals = {low + 10 * eleven for eleven in range(1 + sum(card.rank is Rank.ACE for card in cards))}
    if TWENTY_ONE in totals:
        yield "twenty-one-suited" if suited else "twenty-one"
    if totals & {19, 20}:
        yield "nineteen-or-twenty"


def poker_three(cards: Sequence[Card]) -> Iterator[str]:
    """Yield every combination of two cards and the upcard; an ace is high or low in a straight (P3)."""
    suited = len({card.suit for card in cards}) == 1
    ranks = sorted(_RANKS.index(card.rank) for card in cards)
    straight = ranks[0] + 1 == ranks[1] == ranks[2] - 1 or ranks == [0, 11, 12]
    if ranks[0] == ranks[2]:
        yield "three-of-a-kind-suited" if suited else "three-of-a-kind"
    if straight:
        yield "straight-flush" if suited else "straight"
    if suited:
        yield "flush"
