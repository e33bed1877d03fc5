"""The measurement of the simulation plays what it says."""

from __future__ import annotations

import pytest

from studio.adapters.variants import load_variant
from studio.bench.kernel import measure_kernel


def test_all_rounds_are_played_and_timed() -> None:
    figures = measure_kernel(load_variant("continuous"), 300_000)
    assert (figures.variant, figures.rounds) == ("continuous", 300_000)
    assert figures.seconds > 0
    assert figures.rounds_per_second == pytest.approx(300_000 / figures.seconds)
