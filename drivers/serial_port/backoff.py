"""How long the transport waits before it tries again. Pure numbers; it never sleeps itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Timing:
    """The transport's spans, in seconds; the defaults are those of hardware.md, tests shorten them.

    ``look_every`` is how often an absent path is looked for, and the pause after a loss. ``backoff_first`` to
    ``backoff_most`` is the wait after a failed opening. ``write_timeout`` is how long a device may refuse to
    take a byte before it counts as lost.
    """

    look_every: float = 0.25
    backoff_first: float = 0.2
    backoff_most: float = 5.0
    write_timeout: float = 1.0


@dataclass(slots=True)
class Backoff:
    """Waits that double from ``first`` to ``most`` seconds, spread by ±20 % so that ports do not march in step."""

    first: float
    most: float
    jitter: Callable[[], float] = random.random
    _next: float = field(init=False)

    def __post_init__(self) -> None:
        self._next = self.first

    def next_seconds(self) -> float:
        """Return the next wait, between ``first`` and ``most`` seconds."""
        wait = self._next * (0.8 + 0.4 * self.jitter())
        self._next = min(self._next * 2, self.most)
        return min(max(wait, self.first), self.most)

    def reset(self) -> None:
        """Start again at ``first``: the port was opened, or its path went away."""
        self._next = self.first
