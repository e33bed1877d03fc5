"""The composition-dependent optimum: each hand played as well as its own cards, the upcard and the peek allow.

Hands made by splits are played by one strategy for all of them: the best for the first such hand, from the shoe
less both cards of the pair. It knows its own cards and the pair's, and nothing of the other hands.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final

import numpy as np

from studio.odds.composition import VALUES, Counts, Reals
from studio.odds.states import States, new_values


class Choice(IntEnum):
    """What a hand does, as the byte of an array."""

    STAND = 0
    HIT = 1
    DOUBLE = 2
    SPLIT = 3
    SURRENDER = 4


@dataclass(frozen=True)
class Played:
    """A strategy for every hand that is not split, and what it is worth."""

    states: States
    choices: Counts
    """``(rows, upcards)``: a :class:`Choice`; split and surrender apart."""
    values: Reals
    """``(rows + 1, upcards)``: the expectation per unit of the hand's stake; the last row is the bust hand's."""

    @cached_property
    def stakes(self) -> Reals:
        """``(rows + 1, upcards)``: the stake in the end, per unit of the hand's stake before."""
        stakes: Reals = 1.0 + (np.vstack([self.choices, np.zeros(len(VALUES))]) == Choice.DOUBLE)
        return stakes


_NO_DIFFERENCE: Final = 1e-12
"""What is nearer to the best than this is as good: so rounding decides nothing, and the first choice is taken."""


def first_best(options: Reals) -> Counts:
    """Return the first of the options along the first axis that is as good as the best."""
    good: Counts = (options >= options.max(axis=0) - _NO_DIFFERENCE).argmax(axis=0)
    return good


def best_play(states: States) -> Played:
    """Return the optimum of a game's situations, splits and surrender apart."""
    choices = np.zeros(states.stand.shape, dtype=np.int64)
    values = new_values(states)
    for rows in states.by_kind:
        hit = states.after_card(rows, values)
        options = np.stack(
            [states.stand[rows], hit, np.where(states.may_double[rows, None], states.double[rows], -np.inf)]
        )
        options[Choice.HIT][states.closed[rows]] = -np.inf
        choices[rows] = first_best(options)
        choices[rows] = choices[states.model[rows]]
        values[rows] = np.take_along_axis(options, choices[rows][None], axis=0)[0]
    return Played(states, choices, values)
