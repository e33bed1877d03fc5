"""Exact tails: how probable it is that a sum of independent draws comes out so low or so high.

A draw is a small distribution over whole numbers; the distribution of the sum is computed term by term, not
approximated by a normal one. What is cut off is below 1e-25 of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Reals: TypeAlias = npt.NDArray[np.float64]
Draw: TypeAlias = Sequence[float]
"""The probabilities of 0, 1, 2 and so on."""

_NEGLIGIBLE = 1e-25


@dataclass(frozen=True, slots=True)
class Distribution:
    """Probabilities of ``lowest``, ``lowest + 1`` and so on; any other value is all but impossible."""

    lowest: int
    weights: Reals

    @property
    def mean(self) -> float:
        """The expected value."""
        return float(self.lowest + self.weights @ np.arange(len(self.weights)))

    def at_most(self, value: int) -> float:
        """Return the probability of ``value`` or less."""
        return _capped(self.weights[: max(value - self.lowest + 1, 0)])

    def at_least(self, value: int) -> float:
        """Return the probability of ``value`` or more."""
        return _capped(self.weights[max(value - self.lowest, 0) :])

    def two_sided(self, value: int) -> float:
        """Return twice the smaller tail, 1 at most: how probable it is to be so far off either way."""
        return min(1.0, 2 * min(self.at_most(value), self.at_least(value)))


_NOTHING = Distribution(0, np.ones(1))


def binomial(trials: int, probability: float) -> Distribution:
    """Return how often something of this ``probability`` happens in independent ``trials``.

    From the most probable value outwards by the ratio of neighbours, so that no large factorial is needed. Raises
    ``ValueError`` for a probability that is none.
    """
    if not 0 <= probability <= 1:
        message = f"{probability} is no probability"
        raise ValueError(message)
    if trials == 0 or probability == 0:
        return _NOTHING
    if probability == 1:
        return Distribution(trials, np.ones(1))
    middle = min(int((trials + 1) * probability), trials)
    odds = probability / (1 - probability)
    up = np.arange(middle, trials, dtype=np.float64)
    down = np.arange(middle, 0, -1, dtype=np.float64)
    above = np.cumprod((trials - up) / (up + 1) * odds)
    below = np.cumprod(down / (trials - down + 1) / odds)
    weights = np.concatenate([below[::-1], [1.0], above])
    return _trimmed(0, weights / weights.sum())


def sum_of(draws: Iterable[tuple[Draw, int]]) -> Distribution:
    """Return the distribution of a sum: each (draw, how many alike); all of them are independent."""
    total = _NOTHING
    for draw, count in draws:
        alike = binomial(count, draw[1]) if len(draw) == 2 else _power(draw, count)  # noqa: PLR2004 - yes or no
        total = _added(total, alike)
    return total


def _power(draw: Draw, count: int) -> Distribution:
    """Return the sum of ``count`` draws alike, by doubling."""
    total, doubled = _NOTHING, Distribution(0, np.array(draw, np.float64))
    while count:
        if count & 1:
            total = _added(total, doubled)
        count >>= 1
        if count:
            doubled = _added(doubled, doubled)
    return total


def _added(one: Distribution, other: Distribution) -> Distribution:
    return _trimmed(one.lowest + other.lowest, np.convolve(one.weights, other.weights))


def _trimmed(lowest: int, weights: Reals) -> Distribution:
    kept = np.flatnonzero(weights > _NEGLIGIBLE)
    first, last = int(kept[0]), int(kept[-1])
    return Distribution(lowest + first, weights[first : last + 1])


def _capped(weights: Reals) -> float:
    """Sum up, smallest first where that matters; rounding may pass 1 by a hair."""
    return min(1.0, float(np.sort(weights).sum()))
