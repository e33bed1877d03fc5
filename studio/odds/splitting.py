"""What splitting is worth under one strategy for the hands that are made, and where it leads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from studio.odds.composition import VALUES, Counts, Reals
from studio.odds.splits import Term, first_hand_terms, split_terms
from studio.odds.states import Split, States

TermsOf = Callable[[int], Mapping[Term, int]]


class SecondCards(NamedTuple):
    """The hands of two cards that one card of a pair becomes, and what each counts in the expectation."""

    pair: int
    rows: Counts
    """``(10)``: by the second card's value."""
    weights: Reals
    """``(10, upcards)``: signed, since cards that were not drawn are taken out again."""


def split_values(states: States, values: Reals) -> Reals:
    """Return what all hands of a pair come to, ``(pairs, upcards)``; ``values`` by row, of the hands' strategy."""
    return _by_pair(states, values, split_terms)


def first_hand_values(states: States, values: Reals) -> Reals:
    """Return the same for a bet that stays on the first hand and never follows a split (B9)."""
    return _by_pair(states, values, first_hand_terms)


def second_cards(states: States, terms_of: TermsOf = split_terms) -> Iterator[SecondCards]:
    """Yield the hands that every pair becomes when it is split, for one pair split once against each upcard."""
    for pair in range(len(VALUES)) if states.splits else ():
        splits = [split for split in states.splits if split.pair == pair]
        for term, times in terms_of(states.game.most_hands(pair)).items():
            split = splits[term.gone]
            weights = states.draw[split.root].T * (times * _drawn_first(states, splits[: term.gone]))
            if not term.any_card:
                weights[pair] = 0.0
            yield SecondCards(pair, states.next[split.root], weights)


def _drawn_first(states: States, splits: Sequence[Split]) -> Reals:
    """Return the probability that a further card of the pair is drawn from each of these, one after the other."""
    probability = np.ones(len(VALUES))
    for split in splits:
        probability *= states.draw[split.root, :, split.pair]
    return probability


def _by_pair(states: States, values: Reals, terms_of: TermsOf) -> Reals:
    found = np.zeros((len(VALUES), len(VALUES)))
    for pair, rows, weights in second_cards(states, terms_of):
        found[pair] += (weights * values[rows]).sum(axis=0)
    return found
