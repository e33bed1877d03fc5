"""What the exact analyser says of a rule set, for the simulation to play and to be compared with."""

from __future__ import annotations

from dataclasses import dataclass

from studio.domain.rules import RuleSet
from studio.odds.analysis import analyse
from studio.odds.composition import whole_shoe
from studio.odds.game import game_of
from studio.odds.strategy import StrategyTable


@dataclass(frozen=True, slots=True)
class Exact:
    """The best fixed table, and in per cent what it returns per initial bet."""

    table: StrategyTable
    per_initial_bet: float


def exact(rules: RuleSet) -> Exact:
    """Compute the best fixed table of a rule set and its return, from a full shoe."""
    table, solution = analyse(game_of(rules), whole_shoe(rules.decks)).best_table()
    return Exact(table, 100 * (1 + solution.total.gain))
