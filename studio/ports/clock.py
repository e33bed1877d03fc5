"""The port of time: stamped at the edges, passed in everywhere else."""

from __future__ import annotations

from typing import Protocol

from studio.domain.instants import Instant


class Clock(Protocol):
    """Tells the present moment and wakes at a later one."""

    def now(self) -> Instant:
        """Return this moment on both clocks."""
        ...

    async def sleep_until(self, monotonic_ns: int) -> None:
        """Return when the monotonic clock has reached ``monotonic_ns``."""
        ...
