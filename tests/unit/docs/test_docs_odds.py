"""The figures on the page of the odds are calculated again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from doc_pages import CODE, page

from studio.adapters.variants import load_variant, variant_names
from studio.domain.rules import RuleSet
from studio.odds.calculation import calculate
from studio.odds.figures import figures_of
from studio.odds.game import Game, SurrenderTo, game_of

PAGE = page("explanation/odds.md")
DELUXE = load_variant("deluxe")
GAME = game_of(DELUXE)
CHANGED: dict[str, tuple[Game, int]] = {
    "nothing": (GAME, 8),
    "no surrender": (replace(GAME, surrender=SurrenderTo.NOBODY), 8),
    "surrender against every upcard": (replace(GAME, surrender=SurrenderTo.ANYTHING), 8),
    "no double after a split": (replace(GAME, double_after_split=False), 8),
    "up to four hands": (replace(GAME, split_hands=4), 8),
    "six decks": (GAME, 6),
    "seven decks": (GAME, 7),
    "no peek, whole stakes lost": (replace(GAME, natural_first=False), 8),
    "dealer draws on soft 17": (replace(GAME, hits_soft_17=True), 8),
}


def rows_of(first_head: str) -> dict[str, list[str]]:
    lines = PAGE.text.split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| {first_head} |"))
    rows = {}
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        name, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows[name] = cells
    return rows


@pytest.mark.parametrize("rules", [load_variant(name) for name in variant_names()], ids=variant_names())
def test_each_game_has_its_calculated_and_published_figures(rules: RuleSet) -> None:
    (row,) = [cells for name, cells in rows_of("game").items() if CODE.findall(name) == [rules.variant]]
    rtp = figures_of(rules).rtp
    calculated = (
        rtp.composition_dependent.per_initial_bet,
        rtp.total_dependent.per_initial_bet,
        rtp.total_dependent.per_total_wagered,
    )
    assert row == [*(f"{rate:.4f}" for rate in calculated), rules.published_rtp or "–"]  # noqa: RUF001 - as on the page


def test_what_changed_rules_would_give_is_calculated_too() -> None:
    rows = {name: cells[0] for name, cells in rows_of("changed in `deluxe`").items()}
    of_all_wagered = figures_of(DELUXE).rtp.composition_dependent.per_total_wagered
    assert rows.pop("returned of all wagered") == f"{of_all_wagered:.4f}"
    assert rows == {
        name: f"{calculate(game, decks).rtp.composition_dependent.per_initial_bet:.4f}"
        for name, (game, decks) in CHANGED.items()
    }


def test_the_best_bet_behind_is_calculated_too() -> None:
    best = figures_of(DELUXE).behind.composition_dependent.per_initial_bet
    assert f"A bet behind gets {best:.4f} % at best" in PAGE.text.replace("\n", " ")


def test_no_published_figure_is_the_calculated_one_rounded() -> None:
    for variant in ("deluxe", "infinite"):
        rules = load_variant(variant)
        assert f"{figures_of(rules).rtp.composition_dependent.per_initial_bet:.2f}" != rules.published_rtp
