"""The first deal: every hand of two cards against every upcard, how probable it is, and with which natural.

Arrays have a row for each of the 55 hands, in the order of :attr:`studio.odds.states.States.initial`, and a column
for each upcard.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from studio.odds.composition import ACE, TEN, VALUES, Counts, Flags, Reals
from studio.odds.hands import INITIAL_CARDS, all_hands
from studio.odds.states import HIDDEN


@dataclass(frozen=True, slots=True)
class Deal:
    """The first deal from one shoe."""

    counts: Counts
    """``(55, 10)``: the cards of each hand."""
    probability: Reals
    dealer_natural: Reals
    """The probability that the dealer has a natural, given the hand and the upcard."""
    is_natural: Flags
    """Which hand is a natural."""
    pair: Counts
    """The value index of a pair, -1 for other hands."""


def first_deal(shoe: Counts) -> Deal:
    """Return the first deal from a composition of four cards and more."""
    every = int(shoe.sum())
    hands = all_hands()
    counts = hands.counts[hands.cards == INITIAL_CARDS]
    pair = np.where(counts.max(axis=1) == INITIAL_CARDS, counts.argmax(axis=1), -1)
    ways = np.empty(len(counts))
    for row, hand in enumerate(counts):
        first, second = np.repeat(np.arange(len(VALUES)), hand)
        ways[row] = shoe[first] * (shoe[second] - 1 if first == second else 2 * shoe[second])
    unseen = np.maximum(shoe - counts, 0)
    probability = ways[:, None] * unseen / (every * (every - 1) * (every - 2))
    natural = np.zeros(probability.shape)
    for upcard, hole in HIDDEN.items():
        natural[:, upcard] = unseen[:, hole] / (every - INITIAL_CARDS - 1)
    is_natural = (counts[:, ACE] == 1) & (counts[:, TEN] == 1)
    return Deal(counts, probability, natural, is_natural, pair)
