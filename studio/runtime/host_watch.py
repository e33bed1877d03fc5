"""The watch over the server's machine: conditions that no table sees by itself enter each table as commands.

Level-triggered: a condition is told when it begins, when it grows and when it is over, and again until it is on
disk. What is watched is said by probes; the failed appends of each table are asked of its actor.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import structlog

from studio.domain.anomalies import AnomalyKind
from studio.domain.people import SYSTEM
from studio.domain.record_commands import RecordWarning
from studio.ports.clock import Clock
from studio.ports.conditions import Condition, Probe
from studio.ports.journal import JournalError
from studio.runtime.inbox import Submission
from studio.runtime.table_actor import TableActor

_EVERY_NS: Final = 1_000_000_000
_MACHINE: Final = "server"

log = structlog.get_logger(__name__)


class HostWatch:
    """Asks the probes once a second and tells the tables; run it as a task."""

    def __init__(self, tables: Mapping[str, TableActor], probes: Sequence[Probe], clock: Clock) -> None:
        self._tables = tables
        self._probes = tuple(probes)
        self._clock = clock
        self._told: dict[tuple[str, AnomalyKind], Condition] = {}
        self._failures: dict[str, int] = {}
        self.conditions: dict[AnomalyKind, str] = {}
        """What is wrong at the moment, for the health report."""

    async def run(self) -> None:
        """Watch until cancelled."""
        while True:
            await self.check()
            await self._clock.sleep_until(self._clock.now().monotonic_ns + _EVERY_NS)

    async def check(self) -> None:
        """Ask every probe once, and tell each table what has changed for it."""
        at = self._clock.now()
        found = [await asyncio.to_thread(probe, at) for probe in self._probes]
        self.conditions = {one.kind: one.text for one in found if one.text}
        for name, actor in self._tables.items():
            for condition in (*found, *self._appends(name, actor)):
                await self._tell(name, actor, condition)

    def _appends(self, name: str, actor: TableActor) -> Iterator[Condition]:
        """Yield whether an append of the table failed since the last time that could be told."""
        failed = actor.failed_appends
        text = actor.last_failure if actor.not_recorded or failed > self._failures.get(name, 0) else ""
        self._failures[name] = failed
        yield Condition(AnomalyKind.COMMIT_FAILED, text)

    async def _tell(self, name: str, actor: TableActor, condition: Condition) -> None:
        key = (name, condition.kind)
        told = self._told.get(key)
        is_same = told is not None and (bool(told.text), told.blocks) == (bool(condition.text), condition.blocks)
        if is_same:
            return
        text = condition.text or "It is well again"
        command = RecordWarning(_MACHINE, condition.kind, bool(condition.text), text, condition.blocks)
        try:
            await actor.submit(Submission(command, SYSTEM, f"watch: {condition.kind.value}"))
        except JournalError as error:
            log.warning(
                "a condition could not be recorded", table=name, kind=condition.kind.value, reason=str(error)
            )
            return
        self._told[key] = condition
