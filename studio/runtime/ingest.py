"""Ingest: one device's events into its table's inbox, acknowledged only once they are on disk."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import structlog

from studio.domain.commands import Command
from studio.domain.loads import Position
from studio.domain.people import Actor, Role
from studio.ports.clock import Clock
from studio.ports.devices import CardSource, DeviceEvent, EventKind
from studio.ports.journal import JournalError
from studio.runtime.inbox import Outcome, Refused, Submission
from studio.runtime.translation import Translation

_RETRY_NS = 250_000_000
_LONGEST_WAIT_NS = 30_000_000_000
_QUIET = frozenset({EventKind.HEARTBEAT})

log = structlog.get_logger(__name__)


class Ingest:
    """Carries events from ``source`` to ``submit`` in order; run it as a task.

    ``position`` is asked for the place of each reading of a source that counts nothing.
    """

    def __init__(
        self,
        source: CardSource,
        submit: Callable[[Submission], Awaitable[Outcome]],
        clock: Clock,
        position: Callable[[], Position] | None = None,
    ) -> None:
        self._source = source
        self._submit = submit
        self._clock = clock
        self._actor = Actor(source.device, source.device, Role.DEVICE)
        self._translation = Translation(position=position)

    async def run(self) -> None:
        """Carry events until the source is closed."""
        async for event in self._source.events():
            if event.kind not in _QUIET:
                log.debug("device", device=event.device, kind=event.kind.value)
            for command in self._translation.commands(event):
                await self._record(command, event)
            await self._source.acknowledge(event)

    async def _record(self, command: Command, event: DeviceEvent) -> None:
        """Record a fact, however often that must be tried; until then nothing is acknowledged."""
        cause = f"{event.device}:{event.load}:{event.ordinal}:{event.kind.value}"
        submission = Submission(command, self._actor, cause, raw=event.raw)
        waits_ns = _RETRY_NS
        while True:
            try:
                outcome = await self._submit(submission)
            except JournalError:
                await self._wait(_RETRY_NS)
                continue
            if not isinstance(outcome, Refused):
                return
            log.error("a fact was refused", device=event.device, code=outcome.rejected.code)
            await self._wait(waits_ns)
            waits_ns = min(2 * waits_ns, _LONGEST_WAIT_NS)

    async def _wait(self, waits_ns: int) -> None:
        await self._clock.sleep_until(self._clock.now().monotonic_ns + waits_ns)
