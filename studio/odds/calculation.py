"""From the analysis to the figures that are shown."""

from __future__ import annotations

from typing import Final

from studio.odds.analysis import Return, analyse
from studio.odds.behind import bet_behind
from studio.odds.composition import whole_shoe
from studio.odds.figures import Figures, Rtp, StrategyFigures
from studio.odds.game import Game

DECIMALS: Final = 9
"""Of what is shown in per cent; far more than anybody needs, far fewer than rounding could change."""


def rtp(total: Return) -> Rtp:
    """Return gain and stake per unit bet as a return in per cent."""
    return Rtp(
        per_initial_bet=round(100 * (1 + total.gain), DECIMALS),
        per_total_wagered=round(100 * (1 + total.gain / total.stake), DECIMALS),
    )


def calculate(game: Game, decks: int) -> Figures:
    """Calculate the figures of a game with whole decks."""
    analysis = analyse(game, whole_shoe(decks))
    table, fixed = analysis.best_table()
    behind_best, behind_fixed = bet_behind(analysis, analysis.optimum), bet_behind(analysis, fixed)
    return Figures(
        rtp=StrategyFigures(rtp(analysis.optimum.total), rtp(fixed.total)),
        average_bet=round(analysis.optimum.total.stake, DECIMALS),
        strategy=table,
        behind=StrategyFigures(rtp(behind_best.total), rtp(behind_fixed.total)),
        follow_split=behind_fixed.follow_split,
    )
