"""Clocks: the system's, the same with a wall clock that can be put wrong, and one that is moved by hand.

The last is for tests and for lock-step simulation (system.md principle 10).

Implement :class:`studio.ports.clock.Clock`. They know nothing of what is waited for.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from pathlib import Path
from typing import Final

from studio.domain.instants import Instant

_NS_PER_SECOND: Final = 1_000_000_000
_LOOK_NS: Final = 100_000_000
_TURNS: Final = 10
"""Turns of the event loop that a woken sleeper and whoever awaits it get before the clock moves on."""


class SystemClock:
    """The clocks of this machine."""

    def now(self) -> Instant:
        """Return this moment on both clocks."""
        return Instant(time.monotonic_ns(), time.time_ns())

    async def sleep_until(self, monotonic_ns: int) -> None:
        """Return when the monotonic clock has reached ``monotonic_ns``, never before."""
        # A loop, since asyncio may wake a little early; an Event would need somebody to set it.
        while (left_ns := monotonic_ns - time.monotonic_ns()) > 0:  # noqa: ASYNC110 - time itself is waited for
            await asyncio.sleep(left_ns / _NS_PER_SECOND)


class ShiftedClock(SystemClock):
    """A simulation's clock: the wall clock is off by the seconds in ``file``, by none where there is no number.

    It looks again after a tenth of a second. The monotonic clock is the machine's.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._shift_ns = 0
        self._look_ns = 0

    def now(self) -> Instant:
        """Return this moment on the machine's monotonic clock and on the shifted wall clock."""
        now = super().now()
        if now.monotonic_ns >= self._look_ns:
            self._look_ns = now.monotonic_ns + _LOOK_NS
            self._shift_ns = self._read_ns()
        return Instant(now.monotonic_ns, now.wall_ns + self._shift_ns)

    def _read_ns(self) -> int:
        try:
            return int(self._file.read_text(encoding="ascii")) * _NS_PER_SECOND
        except (OSError, ValueError):
            return 0


class ManualClock:
    """A clock that stands still until it is advanced; both of its clocks move together."""

    def __init__(self, start: Instant = Instant(0, 1_700_000_000 * _NS_PER_SECOND)) -> None:  # noqa: B008 - frozen
        self._now = start
        self._order = itertools.count()
        self._sleepers: list[tuple[int, int, asyncio.Future[None]]] = []

    @property
    def next_wake_ns(self) -> int | None:
        """The earliest monotonic time somebody sleeps until, or ``None`` while nobody does."""
        while self._sleepers and self._sleepers[0][2].done():
            heapq.heappop(self._sleepers)
        return self._sleepers[0][0] if self._sleepers else None

    def now(self) -> Instant:
        """Return this moment on both clocks."""
        return self._now

    async def sleep_until(self, monotonic_ns: int) -> None:
        """Return when the clock was advanced to ``monotonic_ns``."""
        if monotonic_ns <= self._now.monotonic_ns:
            await asyncio.sleep(0)
            return
        wakened = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (monotonic_ns, next(self._order), wakened))
        await wakened

    async def advance(self, by_ns: int) -> None:
        """Move the clock on and wake sleepers in the order of their times, each at its own time.

        A sleeper that sleeps again within the span is woken again. Raises ``ValueError`` for a step backwards.
        """
        if by_ns < 0:
            message = f"a clock cannot go back by {-by_ns} ns"
            raise ValueError(message)
        target_ns = self._now.monotonic_ns + by_ns
        await _let_others_run()
        while (wake_ns := self.next_wake_ns) is not None and wake_ns <= target_ns:
            self._move_to(wake_ns)
            _, _, wakened = heapq.heappop(self._sleepers)
            wakened.set_result(None)
            await _let_others_run()
        self._move_to(target_ns)

    def _move_to(self, monotonic_ns: int) -> None:
        moved_ns = monotonic_ns - self._now.monotonic_ns
        self._now = Instant(monotonic_ns, self._now.wall_ns + moved_ns)


async def _let_others_run() -> None:
    for _ in range(_TURNS):
        await asyncio.sleep(0)
