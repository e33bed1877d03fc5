"""The interval in which a rate lies with 95 % confidence, from a count (Clopper and Pearson, 1934: exact)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

_TAIL: Final = 0.025
_STEPS: Final = 60  # halvings: more digits than a float has


def interval(count: int, of: int) -> tuple[float, float]:
    """Return both ends of the 95 % interval of a rate, given ``count`` of ``of``; ``ValueError`` for no rate."""
    if of < 1 or not 0 <= count <= of:
        message = f"{count} of {of} is no rate"
        raise ValueError(message)
    low = 0.0 if count == 0 else _solved(lambda rate: 1 - _at_most(count - 1, of, rate) - _TAIL)
    high = 1.0 if count == of else _solved(lambda rate: _TAIL - _at_most(count, of, rate))
    return low, high


def _at_most(count: int, of: int, rate: float) -> float:
    """Return the chance of at most ``count`` of ``of`` at a rate, 0 < rate < 1."""
    logs = [
        math.lgamma(of + 1)
        - math.lgamma(k + 1)
        - math.lgamma(of - k + 1)
        + k * math.log(rate)
        + (of - k) * math.log1p(-rate)
        for k in range(count + 1)
    ]
    top = max(logs)
    return min(math.exp(top) * sum(math.exp(log - top) for log in logs), 1.0)


def _solved(rising: Callable[[float], float]) -> float:
    """Return where a rising function of a rate crosses zero."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2
