"""A bet behind: its own optimum, where the seat plays by a strategy and the bet may decline to follow (B6 to B10).

A seat doubles only where that beats a hit, so a double is never worth less than nothing and is always followed.
A split is another matter: a seat splits two poor hands out of one very poor one, and whoever does not follow keeps
one poor hand at half the stake (B9). Where the first hand alone loses less, the split is declined; with several
splits allowed, all of them are.
"""

from __future__ import annotations

from dataclasses import dataclass

from studio.odds.analysis import Analysis, Return, Solution, total_return
from studio.odds.composition import VALUES
from studio.odds.optimum import Choice
from studio.odds.splitting import first_hand_values, split_values
from studio.odds.strategy import PAIRS, UPCARDS, Cells


@dataclass(frozen=True, slots=True)
class BehindSolution:
    """A bet behind a seat that plays by a strategy."""

    total: Return
    follow_split: Cells
    """Pair card -> upcard -> ``F`` follow, ``1`` the first hand only, ``-`` the seat does not split."""


def bet_behind(analysis: Analysis, seat: Solution) -> BehindSolution:
    """Return the optimum of a bet behind a seat that plays by ``seat``."""
    states, deal = analysis.states, analysis.deal
    values, stakes = seat.values.copy(), seat.stakes.copy()
    cells = {pair: dict.fromkeys(UPCARDS, "-") for pair in PAIRS}
    if not states.splits:
        return BehindSolution(seat.total, cells)
    followed = split_values(states, seat.played.values)
    first, first_stakes = (first_hand_values(states, each) for each in (seat.played.values, seat.played.stakes))
    for row, pair in enumerate(deal.pair):
        for upcard in range(len(VALUES)) if pair >= 0 else ():
            if seat.choices[row, upcard] != Choice.SPLIT:
                continue
            declines = first[pair, upcard] > followed[pair, upcard]
            cells[VALUES[pair]][VALUES[upcard]] = "1" if declines else "F"
            if declines:
                values[row, upcard] = first[pair, upcard]
                stakes[row, upcard] = first_stakes[pair, upcard]
    return BehindSolution(total_return(states.game, deal, values, stakes), cells)
