"""Percentiles of exact samples. It knows nothing of what was measured."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Spread:
    """The median and the 99th percentile of ``count`` samples, in the samples' unit."""

    count: int
    p50: float
    p99: float


def spread(samples: Sequence[float]) -> Spread:
    """Return the spread of samples; under 100 of them the p99 lies between the two largest.

    Raises ``ValueError`` for fewer than two.
    """
    if len(samples) < _FEWEST:
        message = f"percentiles need {_FEWEST} samples or more, not {len(samples)}: measure longer"
        raise ValueError(message)
    cuts = statistics.quantiles(samples, n=100, method="inclusive")
    return Spread(len(samples), cuts[49], cuts[98])
