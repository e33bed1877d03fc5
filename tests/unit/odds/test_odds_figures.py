"""The figures that come with the package are what calculating them says; other games are calculated when asked."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, replace
from typing import Any

import pytest

from studio.adapters.variants import load_variant, variant_names
from studio.domain.rules import Odds, RuleSet, Shuffling
from studio.odds import figures
from studio.odds.calculation import calculate
from studio.odds.figures import figures_file, figures_of
from studio.odds.game import game_of

VARIANTS = [load_variant(name) for name in variant_names()]


def test_the_file_is_what_is_calculated() -> None:
    shipped = json.loads((figures._FILE).read_text(encoding="utf-8"))
    assert shipped == json.loads(figures_file(VARIANTS))


@pytest.mark.parametrize("rules", VARIANTS, ids=[rules.variant for rules in VARIANTS])
def test_showing_a_variant_of_the_package_calculates_nothing(
    rules: RuleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def calculated(*_: object) -> Any:
        raise AssertionError

    monkeypatch.setattr(figures, "_calculated", calculated)
    figures._figures.cache_clear()
    with_a_real_shoe = replace(rules, shuffling=Shuffling.SHOE, version="2.0.0")
    assert figures_of(rules) == figures_of(with_a_real_shoe)


@pytest.mark.parametrize(
    ("modules", "unwanted"),
    [
        # The server and every command: the statistics of a table need the arrays, nobody there the compiler.
        pytest.param("studio.__main__, studio.app", {"numba"}, id="commands and server"),
        pytest.param("studio.players.__main__, studio.rule_sheet.command", {"numba", "numpy"}, id="players"),
    ],
)
def test_whoever_only_shows_figures_waits_for_no_compiler(modules: str, unwanted: set[str]) -> None:
    program = (
        f"import sys, {modules};"
        "from studio.adapters.variants import load_variant;"
        "from studio.odds.figures import figures_of;"
        "figures_of(load_variant('deluxe'));"
        f"sys.exit(bool({unwanted} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0  # noqa: S603 - this text


def test_another_game_is_calculated_once() -> None:
    rules = replace(load_variant("continuous"), natural_pays=Odds(6, 5))
    found = figures_of(rules)
    assert asdict(found) == asdict(calculate(game_of(rules), rules.decks))
    assert figures_of(rules) is found
    assert found.rtp.composition_dependent.per_initial_bet < 99.0
