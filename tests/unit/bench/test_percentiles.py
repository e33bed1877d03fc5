from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.bench.percentiles import spread


def test_percentiles_of_a_hundred_and_one_whole_numbers_are_those_numbers() -> None:
    found = spread(list(range(100, -1, -1)))
    assert (found.count, found.p50, found.p99) == (101, 50, 99)


def test_between_two_samples_a_percentile_is_interpolated() -> None:
    found = spread([0.0, 100.0])
    assert found.p50 == pytest.approx(50.0)
    assert found.p99 == pytest.approx(99.0)


def test_one_slow_sample_in_two_hundred_is_above_the_p99() -> None:
    found = spread([1.0] * 199 + [1000.0])
    assert (found.p50, found.p99) == (1.0, 1.0)


@pytest.mark.parametrize("samples", [[], [1.0]])
def test_too_few_samples_are_refused(samples: list[float]) -> None:
    with pytest.raises(ValueError, match="2 samples or more"):
        spread(samples)


@given(st.lists(st.integers(0, 1_000_000), min_size=2, max_size=300))
def test_the_median_is_under_the_p99_and_both_are_within_the_samples(samples: list[int]) -> None:
    found = spread(samples)
    assert min(samples) <= found.p50 <= found.p99 <= max(samples)
