"""The figures of a game that are shown: its return and its strategy, ready or calculated when they are asked for.

Those of the package's variants come with it in ``figures.json``, by the parameters that decide them, so that
showing them costs nothing. Those of any other game are calculated, which takes a second or two, and a few more for
the very first calculation on a machine; after that the process keeps them. A studio does it before tables open.
``studio odds --figures`` writes the file anew; a test calculates it again and compares.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Self

from studio.domain.rules import RuleSet
from studio.odds.game import Game, game_of
from studio.odds.strategy import Cells, StrategyTable

_FILE: Final = files("studio") / "odds" / "figures.json"


@dataclass(frozen=True, slots=True)
class Rtp:
    """A return to player in per cent: of the first bets, and of all that is wagered."""

    per_initial_bet: float
    per_total_wagered: float


@dataclass(frozen=True, slots=True)
class StrategyFigures:
    """What is known of a bet under two ways to play."""

    composition_dependent: Rtp
    total_dependent: Rtp


@dataclass(frozen=True, slots=True)
class Figures:
    """A game's figures with whole decks."""

    rtp: StrategyFigures
    average_bet: float
    """Of the composition-dependent optimum, per unit bet."""
    strategy: StrategyTable
    behind: StrategyFigures
    """A bet behind a seat that plays each way."""
    follow_split: Cells
    """Pair card -> upcard -> what a bet behind does when the seat splits: ``F`` follow, ``1`` first hand only."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the figures of an entry of the file."""
        rtp, behind = (
            StrategyFigures(*(Rtp(**data[name][way]) for way in ("composition_dependent", "total_dependent")))
            for name in ("rtp", "behind")
        )
        strategy = StrategyTable.from_json(data["strategy"])
        return cls(rtp, data["average_bet"], strategy, behind, data["follow_split"])


def figures_of(rules: RuleSet) -> Figures:
    """Return the figures of a rule set with all its decks."""
    return _figures(game_of(rules), rules.decks)


def figures_file(rule_sets: Iterable[RuleSet]) -> str:
    """Calculate the text of the file for several rule sets; games that are played alike are in it once."""
    games = dict.fromkeys((game_of(rules), rules.decks) for rules in rule_sets)
    entries = [
        {"game": _key(*game), "figures": _as_json(_calculated(*game))}
        for game in sorted(games, key=lambda one: json.dumps(_key(*one)))
    ]
    return json.dumps(entries, indent=1) + "\n"


@cache
def _figures(game: Game, decks: int) -> Figures:
    for entry in json.loads(_FILE.read_text(encoding="utf-8")):
        if entry["game"] == _key(game, decks):
            return Figures.from_json(entry["figures"])
    return _calculated(game, decks)


def _calculated(game: Game, decks: int) -> Figures:
    # Imported when it is needed: whoever only shows what is in the file waits for no compiler.
    from studio.odds.calculation import calculate  # noqa: PLC0415

    return calculate(game, decks)


def _key(game: Game, decks: int) -> dict[str, Any]:
    return {"decks": decks, **asdict(game)}


def _as_json(figures: Figures) -> dict[str, Any]:
    return {**asdict(figures), "strategy": figures.strategy.as_json()}
