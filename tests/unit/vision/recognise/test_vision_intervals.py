"""The interval of a rate, against tables of Clopper and Pearson."""

from __future__ import annotations

import pytest

from vision.recognise.intervals import interval


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(0, 10, 0.0, 0.30850), (1, 10, 0.00253, 0.44502), (5, 10, 0.18709, 0.81291), (10, 10, 0.69150, 1.0)],
)
def test_it_is_the_exact_one(count: int, of: int, low: float, high: float) -> None:
    assert interval(count, of) == pytest.approx((low, high), abs=1e-4)


def test_none_of_thirty_thousand_is_below_about_one_in_ten_thousand() -> None:
    assert interval(0, 30_000)[1] == pytest.approx(1.2296e-4, rel=1e-3)


@pytest.mark.parametrize(("count", "of"), [(0, 0), (3, 2), (-1, 2)])
def test_what_is_no_rate_is_refused(count: int, of: int) -> None:
    with pytest.raises(ValueError, match="no rate"):
        interval(count, of)
