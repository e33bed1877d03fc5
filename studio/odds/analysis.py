"""The whole calculation for one game and shoe: the optimum of every first hand, and the return of the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from studio.odds.composition import Counts, Reals
from studio.odds.deal import Deal, first_deal
from studio.odds.fixed import best_table
from studio.odds.game import Game
from studio.odds.optimum import Choice, Played, best_play, first_best
from studio.odds.splitting import split_values
from studio.odds.states import LOST_BY_SURRENDER, States, states_of
from studio.odds.strategy import StrategyTable

_MOST_IN_A_HAND: Final = 30
"""Points, aces as 1, of a hand that was hit at 20."""
_MOST_OF_THE_DEALER: Final = 26


@dataclass(frozen=True, slots=True)
class Options:
    """What each first hand may do against each upcard, and what that is worth per unit bet.

    ``values`` are ``(choices, 55, 10)`` in the order of :class:`studio.odds.optimum.Choice`, minus infinity where
    the game does not offer it. Where a natural is known not to be there, they are conditional on that.
    """

    values: Reals
    stakes: Reals
    """The stake in the end, expected, per unit bet."""


def first_options(states: States, deal: Deal, played: Played) -> Options:
    """Return the options of each first hand that goes on as ``played``."""
    rows = states.initial
    game = states.game
    hit = states.after_card(rows, played.values)
    values = np.full((len(Choice), *hit.shape), -np.inf)
    values[Choice.STAND] = states.stand[rows]
    values[Choice.HIT] = hit
    values[Choice.DOUBLE] = states.double[rows]
    values[Choice.SURRENDER] = np.where(states.may_surrender[rows], LOST_BY_SURRENDER, -np.inf)
    stakes = np.ones(values.shape)
    stakes[Choice.DOUBLE] = 2.0
    if states.splits:
        pairs = deal.pair >= 0
        values[Choice.SPLIT][pairs] = split_values(states, played.values)[deal.pair[pairs]]
        stakes[Choice.SPLIT][pairs] = split_values(states, played.stakes)[deal.pair[pairs]]
    # A natural is closed: nothing is asked (R6), it is paid unless the dealer has one too (C3).
    chance = 1.0 if game.natural_first else 1.0 - deal.dealer_natural[deal.is_natural]
    values[:, deal.is_natural] = -np.inf
    values[Choice.STAND, deal.is_natural] = game.natural_pays * chance
    return Options(values, stakes)


@dataclass(frozen=True, slots=True)
class Return:
    """What a strategy gives back in the long run, per unit bet: gain (negative: loss) and average stake."""

    gain: float
    stake: float


def total_return(game: Game, deal: Deal, values: Reals, stakes: Reals) -> Return:
    """Sum up the first hands' values and stakes, ``(55, 10)``, over the deal."""
    if game.natural_first:
        lost = np.where(deal.is_natural[:, None], 0.0, -1.0)
        values = (1 - deal.dealer_natural) * values + deal.dealer_natural * lost
        stakes = (1 - deal.dealer_natural) * stakes + deal.dealer_natural
    return Return(float((deal.probability * values).sum()), float((deal.probability * stakes).sum()))


@dataclass(frozen=True, slots=True)
class Solution:
    """One strategy for a game, with what it is worth."""

    choices: Counts
    """The :class:`Choice` of each first hand, ``(55, 10)``."""
    options: Options
    """What the first hands' options are worth where they go on by this strategy."""
    played: Played
    total: Return

    @property
    def values(self) -> Reals:
        """What each first hand is worth, ``(55, 10)``."""
        return _chosen(self.options.values, self.choices)

    @property
    def stakes(self) -> Reals:
        """What each first hand stakes in the end, expected, per unit bet."""
        return _chosen(self.options.stakes, self.choices)


@dataclass(frozen=True, slots=True)
class Analysis:
    """A game with one shoe's composition, solved."""

    game: Game
    states: States
    deal: Deal
    optimum: Solution
    """The composition-dependent optimum."""

    def best_table(self) -> tuple[StrategyTable, Solution]:
        """Return the best fixed table, and what it is worth when it is played (:mod:`studio.odds.fixed`)."""
        found = best_table(self.states, self.deal)
        return found.table, _solution(self.states, self.deal, found.played, found.first_choices)


def analyse(game: Game, shoe: Counts) -> Analysis:
    """Solve a game with a shoe's composition; raise ``ValueError`` for a shoe that can run out of cards."""
    _check_size(game, shoe)
    deal = first_deal(shoe)
    states = states_of(game, shoe)
    return Analysis(game, states, deal, _solution(states, deal, best_play(states)))


def _check_size(game: Game, shoe: Counts) -> None:
    """Refuse a shoe that a round might empty: what happens then is no matter of odds (S7)."""
    needed = _MOST_IN_A_HAND * game.split_hands + _MOST_OF_THE_DEALER
    points = int(shoe @ np.arange(1, len(shoe) + 1))
    if points < needed:
        message = (
            f"the shoe is too small: its cards, aces as 1, have {points} points, and a round can take {needed}"
        )
        raise ValueError(message)


def _solution(states: States, deal: Deal, played: Played, choices: Counts | None = None) -> Solution:
    options = first_options(states, deal, played)
    taken = first_best(options.values) if choices is None else choices
    values, stakes = (_chosen(each, taken) for each in (options.values, options.stakes))
    return Solution(taken, options, played, total_return(states.game, deal, values, stakes))


def _chosen(by_choice: Reals, choices: Counts) -> Reals:
    chosen: Reals = np.take_along_axis(by_choice, choices[None], axis=0)[0]
    return chosen
