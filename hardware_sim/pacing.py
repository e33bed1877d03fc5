"""The simulated dealer's pace: seconds per card, pause, and single steps.

It knows nothing of cards. It waits on the running event loop and nowhere else.
"""

from __future__ import annotations

import asyncio
import math
from typing import Final

MAX_SECONDS_PER_CARD: Final = 60.0


class Pace:
    """How fast the dealer's hands move; changes apply to a wait that has already begun."""

    def __init__(self, seconds_per_card: float = 1.0, *, is_paused: bool = False) -> None:
        self.seconds_per_card = 0.0
        self.is_paused = is_paused
        self._steps = 0
        self._last_turn: float | None = None
        self._changed = asyncio.Event()
        self.set(seconds_per_card)

    def set(self, seconds_per_card: float) -> None:
        """Set the time between cards; raise ``ValueError`` outside 0 (as fast as accepted) to 60 s."""
        if not math.isfinite(seconds_per_card) or not 0 <= seconds_per_card <= MAX_SECONDS_PER_CARD:
            message = f"seconds per card must be from 0 to {MAX_SECONDS_PER_CARD:g}, not {seconds_per_card:g}"
            raise ValueError(message)
        self.seconds_per_card = seconds_per_card
        self._notify()

    def pause(self) -> None:
        """Let no further turn begin, except by :meth:`step`."""
        self.is_paused = True
        self._notify()

    def resume(self) -> None:
        """Go on at the set pace; steps not yet taken are forgotten."""
        self.is_paused = False
        self._steps = 0
        self._notify()

    def step(self) -> None:
        """Pause, and grant one turn, at once."""
        self.is_paused = True
        self._steps += 1
        self._notify()

    async def wait_turn(self) -> None:
        """Wait until the dealer may move next: one pace after the last turn and not paused, or a step."""
        loop = asyncio.get_running_loop()
        while not self._may_move(loop.time()):
            await self._wait_change(loop.time())
        self._steps = max(0, self._steps - 1)
        self._last_turn = loop.time()

    def _may_move(self, now: float) -> bool:
        return self._steps > 0 if self.is_paused else self._rest(now) <= 0

    def _rest(self, now: float) -> float:
        return 0.0 if self._last_turn is None else self._last_turn + self.seconds_per_card - now

    async def _wait_change(self, now: float) -> None:
        rest = None if self.is_paused else self._rest(now)
        try:
            async with asyncio.timeout(rest):
                await self._changed.wait()
        except TimeoutError:
            pass

    def _notify(self) -> None:
        # Wakes those who wait now; clearing at once leaves the event ready for the next change.
        self._changed.set()
        self._changed.clear()
