"""From the net's scores to chances of cards: softmax over ranks and suits, views put together.

A view is one corner or the face. Chances are kept as natural logarithms.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import DECK, Card, Rank, Suit

RANKS: Final = tuple(Rank)
SUITS: Final = tuple(Suit)
SCORES: Final = len(RANKS) + 1 + len(SUITS) + 1
"""Scores of a view: ranks, no rank, suits, no suit."""

Floats = NDArray[np.float32]
_RANK_OF: Final = np.array([RANKS.index(card.rank) for card in DECK])
_SUIT_OF: Final = np.array([SUITS.index(card.suit) for card in DECK])
_NO_RANK: Final = len(RANKS)
_ALL: Final = 1 - 1e-6  # no chance is quite one


def log_softmax(scores: Floats) -> Floats:
    """Return logarithms of chances along the last axis."""
    shifted = scores - scores.max(-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(-1, keepdims=True)), np.float32)


def split(scores: Floats) -> tuple[Floats, Floats]:
    """Return the logarithms of chances of rank (..., 14) and suit (..., 5), each with "none" last."""
    return log_softmax(scores[..., : _NO_RANK + 1]), log_softmax(scores[..., _NO_RANK + 1 :])


def of_cards(scores: Floats) -> Floats:
    """Return the logarithms of the chances of the 52 cards (..., 52), by their index; they sum to at most 1."""
    ranks, suits = split(scores)
    return ranks[..., _RANK_OF] + suits[..., _SUIT_OF]


def of_nothing(scores: Floats) -> Floats:
    """Return the logarithm of the chance that there is no rank or no suit."""
    ranks, suits = split(scores)
    some = np.log1p(-np.minimum(np.exp(ranks[..., -1]), _ALL)) + np.log1p(
        -np.minimum(np.exp(suits[..., -1]), _ALL)
    )
    return np.asarray(np.log1p(-np.minimum(np.exp(some), _ALL)), np.float32)


def best(chances: Floats) -> tuple[Card, float]:
    """Return the likeliest of the 52 cards and its chance, 0 to 1."""
    index = int(np.argmax(chances))
    return DECK[index], float(np.exp(chances[index]))
