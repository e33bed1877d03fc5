"""Figures that others published, reproduced: the player's expectation in per cent of the first bet.

Source: wizardofodds.com, blackjack appendix 9 and house edge calculator; all double after split.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from studio.adapters.variants import load_variant
from studio.odds.analysis import analyse
from studio.odds.composition import whole_shoe
from studio.odds.exact import insurance
from studio.odds.game import Game, SurrenderTo
from studio.odds.shoe_file import full_shoe
from studio.odds.side_bets import side_bet_odds

WITHIN = 0.0015
"""Percentage points."""

OPTIMA = [
    pytest.param(1, Game(split_hands=4), 0.1839, id="1 deck, S17, four hands"),
    pytest.param(2, Game(hits_soft_17=True, split_hands=4), -0.3797, id="2 decks, H17"),
    pytest.param(5, Game(split_hands=4), -0.3804, id="5 decks, S17"),
    pytest.param(
        6, Game(hits_soft_17=True, natural_first=False, split_hands=4), -0.72705, id="6 decks, H17, no peek"
    ),
    pytest.param(
        8, Game(hits_soft_17=True, natural_first=False, split_hands=4), -0.7562, id="8 decks, H17, no peek"
    ),
    pytest.param(
        8, Game(split_hands=4, surrender=SurrenderTo.ANYTHING), -0.355, id="8 decks, S17, four hands, surrender"
    ),
]


@pytest.mark.parametrize(("decks", "game", "published"), OPTIMA)
def test_the_optimum_gives_the_published_expectation(decks: int, game: Game, published: float) -> None:
    gain = analyse(game, whole_shoe(decks)).optimum.total.gain
    assert 100 * gain == pytest.approx(published, abs=WITHIN)


def test_the_fixed_table_gives_the_published_expectation() -> None:
    _, solution = analyse(Game(), whole_shoe(6)).best_table()
    assert 100 * solution.total.gain == pytest.approx(-0.460, abs=WITHIN)


def test_pair_with_eight_decks() -> None:
    odds = side_bet_odds(load_variant("deluxe"), full_shoe(8))["pair"]
    assert 100 * float(odds.total_returned - 1) == pytest.approx(-3.3735, abs=WITHIN)


def test_insurance_with_eight_decks() -> None:
    odds = insurance(whole_shoe(8).tolist())
    assert odds.wins == Fraction(128, 415)
    assert 100 * float(odds.expectation) == pytest.approx(-7.4699, abs=WITHIN)


def test_losing_original_bets_only_without_a_peek_is_worth_the_same_as_a_peek() -> None:
    """Whoever loses no more than the first bet to a natural may play as though there were none."""
    whole_stakes = analyse(Game(natural_first=False), whole_shoe(8)).optimum.total.gain
    assert whole_stakes < analyse(Game(natural_first=True), whole_shoe(8)).optimum.total.gain
