"""A studio's journal while it runs: signed by the clock too, read again from the disk, and copied elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import structlog

from studio.adapters.journal_copy import JournalCopy
from studio.adapters.journal_patrol import JournalPatrol
from studio.adapters.sealing import Sealer
from studio.adapters.signing import Signer
from studio.adapters.sqlite_checkpoints import CheckpointWriter
from studio.adapters.sqlite_journal import SqliteJournal
from studio.adapters.sqlite_store import SqliteStore
from studio.ports.clock import Clock
from studio.ports.journal import JournalError
from studio.settings import ProofSettings

_NS_PER_SECOND = 1_000_000_000

log = structlog.get_logger(__name__)


class KeptJournal(NamedTuple):
    """An open journal; ``copy`` is ``None`` where no second copy is kept."""

    store: SqliteStore
    journal: SqliteJournal
    patrol: JournalPatrol
    copy: JournalCopy | None


@asynccontextmanager
async def kept_journal(  # noqa: PLR0913 - each part comes from elsewhere
    path: Path,
    *,
    simulated: bool,
    sealer: Sealer,
    signer: Signer,
    settings: ProofSettings,
    clock: Clock,
    on_commit: Callable[[int, int], None],
) -> AsyncIterator[KeptJournal]:
    """Open the journal at ``path`` until the block ends; then its last rows are signed and copied.

    Raises ``ValueError`` where the file or the folder for the copy cannot be used.
    """
    copies: list[JournalCopy] = []

    def committed(took_ns: int, entries: int) -> None:
        for copy in copies:
            copy.committed()
        on_commit(took_ns, entries)

    store = SqliteStore(path, simulated=simulated, on_commit=committed)
    try:
        if settings.copy_folder is not None:
            copies.append(JournalCopy(path, settings.copy_folder, lambda: clock.now().monotonic_ns))
        journal = SqliteJournal(
            store, sealer, CheckpointWriter(signer, store.journal_id, settings.checkpoint_events)
        )
        patrol = JournalPatrol(store, settings.patrol_rows)
        tasks = (
            asyncio.create_task(
                _sign_by_the_clock(journal, clock, settings.checkpoint_seconds * _NS_PER_SECOND),
                name="checkpoints",
            ),
            asyncio.create_task(_patrol(patrol, clock), name="journal patrol"),
        )
        try:
            yield KeptJournal(store, journal, patrol, copies[0] if copies else None)
        finally:
            for task in tasks:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            await _sign(journal, clock)
    finally:
        for copy in copies:
            await asyncio.to_thread(copy.close)
        store.close()


async def _sign_by_the_clock(journal: SqliteJournal, clock: Clock, every_ns: int) -> None:
    while True:
        await clock.sleep_until(clock.now().monotonic_ns + every_ns)
        await _sign(journal, clock)


async def _patrol(patrol: JournalPatrol, clock: Clock) -> None:
    while True:
        await clock.sleep_until(clock.now().monotonic_ns + _NS_PER_SECOND)
        await asyncio.to_thread(patrol.step)


async def _sign(journal: SqliteJournal, clock: Clock) -> None:
    """Sign what is unsigned; where that cannot be written, the next round signs it."""
    try:
        await journal.checkpoint(clock.now())
    except JournalError as error:
        log.warning("no checkpoint", reason=str(error))
