"""What ``studio odds`` prints, as JSON: percentages, and exact fractions where there are some."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any, Final

import numpy as np

from studio.domain.rules import RuleSet
from studio.odds.analysis import Analysis, Solution
from studio.odds.behind import bet_behind
from studio.odds.calculation import DECIMALS, rtp
from studio.odds.composition import UPCARDS, VALUES, Counts, Reals
from studio.odds.dealer import OUTCOMES
from studio.odds.exact import DealerHand, any_dealer_hand, dealer_hands, insurance
from studio.odds.figures import StrategyFigures
from studio.odds.optimum import Choice
from studio.odds.shoe_file import Shoe
from studio.odds.side_bets import side_bet_odds

Json = dict[str, Any]
_EXPECTATION_DECIMALS: Final = 12


def main_report(analysis: Analysis, fixed: Solution) -> Json:
    """Return the return of the main bet both ways, and the average bet of the composition-dependent optimum."""
    total = analysis.optimum.total
    return {
        "rtp": asdict(StrategyFigures(rtp(total), rtp(fixed.total))),
        "average_bet": round(total.stake, DECIMALS),
    }


def behind_report(analysis: Analysis, fixed: Solution) -> Json:
    """Return the return of a bet behind, and against what it declines to follow a split, both ways."""
    found = {
        "composition_dependent": bet_behind(analysis, analysis.optimum),
        "total_dependent": bet_behind(analysis, fixed),
    }
    return {
        way: {
            **asdict(rtp(one.total)),
            "declines_split": {pair: list(upcards) for pair, upcards in one.declines.items()},
            "follow_split": {pair: dict(cells) for pair, cells in one.follow_split.items()},
        }
        for way, one in found.items()
    }


def cells_report(analysis: Analysis) -> Json:
    """Return, for each first hand and upcard, what each choice is worth per unit bet, and the best one.

    With a peek these are expectations where the dealer has no natural; first hands that the shoe cannot deal are
    left out. The natural is asked nothing: it stands.
    """
    values = analysis.optimum.options.values
    found: Json = {}
    for row, counts in enumerate(analysis.deal.counts):
        cells = {}
        for name in UPCARDS:
            upcard = VALUES.index(name)
            if analysis.deal.probability[row, upcard] > 0:
                cells[name] = _options(values[:, row, upcard], int(analysis.optimum.choices[row, upcard]))
        found[_hand_name(counts)] = cells
    return {hand: cells for hand, cells in found.items() if cells}


def _options(values: Reals, best: int) -> Json:
    options = {
        choice.name.lower(): round(float(values[choice]), _EXPECTATION_DECIMALS)
        for choice in Choice
        if np.isfinite(values[choice])
    }
    return {**options, "best": Choice(best).name.lower()}


def _hand_name(counts: Counts) -> str:
    """Name two cards, the higher value first and the ace before all: ``A8``, ``T6``, ``88``."""
    low, high = (VALUES[value] for value in np.repeat(np.arange(len(VALUES)), counts))
    return low + high if low == "A" else high + low


def side_bets_report(rules: RuleSet, shoe: Shoe) -> Json:
    """Return every side bet's hits and returns: per combination, and altogether."""
    return {
        name: {
            "combinations": {
                combination: {
                    "pays": odds.pays[combination],
                    "hit": _exact(hit),
                    "return": _exact(odds.returned(combination)),
                }
                for combination, hit in odds.hits.items()
            },
            "hit": _exact(odds.hit),
            "return": _exact(odds.total_returned),
            "expectation": _exact(odds.total_returned - 1),
        }
        for name, odds in side_bet_odds(rules, shoe).items()
    }


def dealer_report(rules: RuleSet, shoe: Shoe) -> Json:
    """Return the dealer's outcomes by upcard and over all of them, ``any``, in per cent; busts by cards.

    The shoe is whole but for the upcard, and naturals are among the outcomes.
    """
    counts = shoe.values.tolist()
    by_upcard = {
        name: dealer_hands(counts, VALUES.index(name), hits_soft_17=rules.dealer_hits_soft_17)
        for name in UPCARDS
        if counts[VALUES.index(name)]
    }
    every = {"any": any_dealer_hand(counts, hits_soft_17=rules.dealer_hits_soft_17)}
    return {name: _dealer(hands) for name, hands in (by_upcard | every).items()}


def _dealer(hands: Mapping[DealerHand, Fraction]) -> Json:
    def share(outcome: str, cards: int | None = None) -> float:
        found = (odds for hand, odds in hands.items() if hand.outcome == outcome and cards in {None, hand.cards})
        return _percent(sum(found, start=Fraction(0)))

    busts = sorted({hand.cards for hand in hands if hand.outcome == "bust"})
    return {
        **{outcome: share(outcome) for outcome in OUTCOMES},
        "bust_by_cards": {str(cards): share("bust", cards) for cards in busts},
    }


def insurance_report(shoe: Shoe) -> Json:
    """Return how often insurance wins and what it gives, from a shoe of which only the ace is known."""
    odds = insurance(shoe.values.tolist())
    return {"wins": _exact(odds.wins), "expectation": _exact(odds.expectation)}


def _exact(fraction: Fraction) -> Json:
    return {"fraction": str(fraction), "percent": _percent(fraction)}


def _percent(fraction: Fraction) -> float:
    return float(100 * fraction)
