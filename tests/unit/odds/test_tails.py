"""Tails are exact: against fractions, and against every outcome written out."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.odds.tails import binomial, sum_of


def exact_at_most(trials: int, chance: Fraction, value: int) -> Fraction:
    return sum(
        (math.comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(value + 1)), Fraction(0)
    )


@given(trials=st.integers(1, 400), number=st.integers(1, 99), share=st.floats(0, 1))
def test_a_binomial_tail_is_that_of_fractions(trials: int, number: int, share: float) -> None:
    chance, value = Fraction(number, 100), int(share * trials)
    low, found = exact_at_most(trials, chance, value), binomial(trials, float(chance))
    assert found.at_most(value) == pytest.approx(float(low), rel=1e-10, abs=1e-22)
    assert found.at_least(value + 1) == pytest.approx(float(1 - low), rel=1e-10, abs=1e-22)


def test_a_tail_far_out_keeps_its_digits() -> None:
    """60 naturals in 500 hands: one in 10**10, where a normal distribution says one in 10**14."""
    chance = Fraction(2 * 32 * 128, 416 * 415)
    exact = float(1 - exact_at_most(500, chance, 59))
    assert exact < 1e-9
    assert binomial(500, float(chance)).at_least(60) == pytest.approx(exact, rel=1e-9)


@given(
    st.lists(
        st.tuples(st.lists(st.integers(1, 9), min_size=2, max_size=4), st.integers(0, 3)), min_size=1, max_size=3
    )
)
def test_a_sum_is_that_of_every_outcome_written_out(weights: list[tuple[list[int], int]]) -> None:
    draws = [([one / sum(ways) for one in ways], count) for ways, count in weights]
    each = [draw for draw, count in draws for _ in range(count)]
    chances: dict[int, float] = {}
    for outcome in itertools.product(*(range(len(draw)) for draw in each)):
        chance = math.prod(draw[value] for draw, value in zip(each, outcome, strict=True))
        chances[sum(outcome)] = chances.get(sum(outcome), 0.0) + chance
    found = sum_of(draws)
    assert found.mean == pytest.approx(sum(value * chance for value, chance in chances.items()))
    for value in range(max(chances) + 2):
        low = sum(chance for other, chance in chances.items() if other <= value)
        high = sum(chance for other, chance in chances.items() if other >= value)
        assert found.at_most(value) == pytest.approx(low, abs=1e-12)
        assert found.at_least(value) == pytest.approx(high, abs=1e-12)
        assert found.two_sided(value) == pytest.approx(min(1.0, 2 * min(low, high)), abs=1e-12)


def test_many_trials_keep_their_mean_and_sum() -> None:
    found = binomial(1_000_000, 0.0474)
    assert found.mean == pytest.approx(47_400, rel=1e-9)
    assert float(np.sum(found.weights)) == pytest.approx(1, abs=1e-12)
    assert found.at_most(47_400) + found.at_least(47_401) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("chance", "certain"), [(0.0, 0), (1.0, 7)])
def test_what_is_certain_has_no_spread(chance: float, certain: int) -> None:
    found = binomial(7, chance)
    assert (found.at_most(certain), found.at_least(certain)) == (1.0, 1.0)
    assert found.at_least(certain + 1) == 0.0
    assert found.at_most(certain - 1) == 0.0


@pytest.mark.parametrize("chance", [-0.1, 1.1, math.nan])
def test_what_is_no_probability_is_refused(chance: float) -> None:
    with pytest.raises(ValueError, match="is no probability"):
        binomial(10, chance)
