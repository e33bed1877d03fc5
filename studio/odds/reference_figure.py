"""What the exact analyser says of a rule set, for the simulation to play and to be compared with."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from studio.domain.rules import RuleSet
from studio.odds.strategy import StrategyTable


def exact_table(rules: RuleSet) -> StrategyTable:
    """Return the best fixed table; raise ``ValueError`` where there is no analyser to ask."""
    analysis = _analysis(rules)
    if analysis is None:
        message = "there is no analyser to ask for the best table; name one with --strategy"
        raise ValueError(message)
    table: StrategyTable = analysis.table
    return table


def exact_return(rules: RuleSet) -> float | None:
    """Return what the best fixed table returns per initial bet, in per cent; ``None`` without an analyser."""
    analysis = _analysis(rules)
    return None if analysis is None else float(analysis.total_dependent.per_initial_bet)


def _analysis(rules: RuleSet) -> Any:  # noqa: ANN401 - the analyser's own
    try:
        module = import_module("studio.odds.analysis")
    except ModuleNotFoundError:
        return None
    return module.analyse(rules)
