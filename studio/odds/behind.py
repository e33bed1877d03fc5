"""A bet behind: its own optimum, where the seat plays by a strategy and the bet may decline to follow (B6 to B10).

A seat doubles only where that beats a hit, so a double is never worth less than nothing and is always followed.
A split is another matter: a seat splits two poor hands out of one very poor one, and whoever does not follow keeps
one poor hand at half the stake (B9). Where the first hand alone loses less, the split is declined; with several
splits allowed, all of them are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from studio.odds.analysis import Analysis, Return, Solution, total_return
from studio.odds.composition import VALUES
from studio.odds.optimum import Choice
from studio.odds.splitting import first_hand_values, split_values
from studio.odds.strategy import FIRST_HAND_ONLY, FOLLOW, PAIRS, UPCARDS, Cells


@dataclass(frozen=True, slots=True)
class BehindSolution:
    """A bet behind a seat that plays by a strategy."""

    total: Return
    follow_split: Cells
    """Pair card -> upcard -> what to do if the seat splits: ``F`` follow, ``1`` keep to the first hand only."""
    declines: Mapping[str, tuple[str, ...]]
    """Pair card -> upcards against which the seat splits by its strategy, and the bet does not follow."""


def bet_behind(analysis: Analysis, seat: Solution) -> BehindSolution:
    """Return the optimum of a bet behind a seat that plays by ``seat``."""
    states, deal = analysis.states, analysis.deal
    values, stakes = seat.values.copy(), seat.stakes.copy()
    cells = {pair: dict.fromkeys(UPCARDS, FOLLOW) for pair in PAIRS}
    if not states.splits:
        return BehindSolution(seat.total, cells, {})
    followed = split_values(states, seat.played.values)
    first, first_stakes = (first_hand_values(states, each) for each in (seat.played.values, seat.played.stakes))
    declines: dict[str, tuple[str, ...]] = {}
    for row in np.flatnonzero(deal.pair >= 0):
        pair = deal.pair[row]
        better = first[pair] > followed[pair]
        name = VALUES[pair]
        cells[name] = {upcard: FIRST_HAND_ONLY if better[VALUES.index(upcard)] else FOLLOW for upcard in UPCARDS}
        declined = better & (seat.choices[row] == Choice.SPLIT)
        if declined.any():
            declines[name] = tuple(upcard for upcard in UPCARDS if declined[VALUES.index(upcard)])
        values[row] = np.where(declined, first[pair], values[row])
        stakes[row] = np.where(declined, first_stakes[pair], stakes[row])
    return BehindSolution(total_return(states.game, deal, values, stakes), cells, declines)
