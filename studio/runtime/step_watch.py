"""The limit on how long one of the dealer's steps may take: first a cue, then the supervisor is called."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from studio.domain.people import SYSTEM
from studio.domain.record_commands import RecordOverrun
from studio.domain.steps import dealer_step
from studio.domain.table import Table
from studio.ports.clock import Clock
from studio.runtime.inbox import Submission

_SECOND_NS = 1_000_000_000


class StepWatch:
    """Looks at the table after each commit; a step that stays too long is told to ``post``, twice at most."""

    def __init__(self, clock: Clock, post: Callable[[Submission], object]) -> None:
        self._clock = clock
        self._post = post
        self._step: str | None = None
        self._task: asyncio.Task[None] | None = None

    def look(self, table: Table) -> None:
        """Take note of the step that the table is at now."""
        step = dealer_step(table)
        if step == self._step:
            return
        self._step = step
        self.stop()
        if step is not None:
            limit_ns = table.setup.profile.phase_limit_seconds * _SECOND_NS
            self._task = asyncio.create_task(self._wait(step, limit_ns), name=f"step {table.setup.table}")

    def stop(self) -> None:
        """Wait for nothing any more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _wait(self, step: str, limit_ns: int) -> None:
        started_ns = self._clock.now().monotonic_ns
        for stage in (1, 2):
            await self._clock.sleep_until(started_ns + stage * limit_ns)
            self._post(Submission(RecordOverrun(step, stage), SYSTEM, f"overrun: {step}"))
