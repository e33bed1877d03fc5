"""Which parameters of a rule set decide the odds, and the compiled loop's cache."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numba
import pytest

from studio.adapters.variants import load_variant
from studio.domain.rules import Money, Odds, RuleSet, Shuffling, Surrender
from studio.odds.compiled import compiled
from studio.odds.composition import composition_of
from studio.odds.game import Game, SurrenderTo, game_of
from studio.odds.strategy import StrategyTable

DELUXE, INFINITE, EUROPEAN = map(load_variant, ("deluxe", "infinite", "european"))


def test_the_games_of_the_package() -> None:
    assert game_of(DELUXE) == game_of(INFINITE) == Game(surrender=SurrenderTo.TWO_TO_NINE)
    assert game_of(EUROPEAN) == Game(natural_first=False, split_hands=4)
    assert game_of(load_variant("continuous")) == Game()


@pytest.mark.parametrize(
    ("rules", "same"),
    [
        (replace(DELUXE, shuffling=Shuffling.CONTINUOUS, money=Money.VIRTUAL, closes_at_21=False), True),
        (replace(DELUXE, natural_pays=Odds(6, 5)), False),
        (replace(DELUXE, dealer_hits_soft_17=True), False),
        (replace(DELUXE, double_after_split=False), False),
        (replace(DELUXE, surrender=Surrender.NONE), False),
        (replace(DELUXE, split_hands=3), False),
        (replace(DELUXE, split_aces_again=True), False),
    ],
)
def test_what_no_odds_depend_on_makes_no_other_game(rules: RuleSet, *, same: bool) -> None:
    assert (game_of(rules) == game_of(DELUXE)) is same


def test_i3_a_shared_hand_is_split_once_whatever_the_limit() -> None:
    assert game_of(replace(INFINITE, split_hands=4)).split_hands == 2
    assert game_of(replace(INFINITE, split_hands=1)).split_hands == 1


def test_r11_which_upcards_a_hand_may_be_given_up_against() -> None:
    allowed = [upcard for upcard in range(10) if game_of(DELUXE).may_surrender(upcard)]
    assert allowed == list(range(1, 9))
    assert all(Game(surrender=SurrenderTo.ANYTHING).may_surrender(upcard) for upcard in range(10))
    assert not any(Game().may_surrender(upcard) for upcard in range(10))


@pytest.mark.parametrize("counts", [{"K": 4}, {"A": -1}])
def test_a_composition_names_values_and_counts_from_0(counts: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="a count from 0 for values of A, 2"):
        composition_of(counts)


def test_a_strategy_table_survives_json() -> None:
    table = StrategyTable.from_json(
        {
            "hard": {str(total): dict.fromkeys("23456789TA", "H") for total in range(4, 22)},
            "soft": {str(total): dict.fromkeys("23456789TA", "d") for total in range(12, 22)},
            "pairs": {card: dict.fromkeys("23456789TA", "Rp") for card in "23456789TA"},
        }
    )
    assert StrategyTable.from_json(table.as_json()) == table


def test_where_nothing_can_be_kept_the_loop_is_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def twice(number: int) -> int:
        return 2 * number

    njit: Callable[..., Any] = numba.njit

    def without_room(*arguments: Any, **options: Any) -> Any:
        if options.get("cache"):
            message = "cannot cache function: no locator available"
            raise RuntimeError(message)
        return njit(*arguments, **options)

    monkeypatch.setattr(numba, "njit", without_room)
    assert compiled(twice)(21) == 42
