"""The one writer of a database: a thread that commits what many tables queued meanwhile in one transaction.

Each piece of work has a savepoint of its own, so one that fails takes no other with it. What the works have
changed in memory lies in layers that are folded down only when the disk has it. The writer knows no table and no
column.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import repeat
from typing import Final, NamedTuple

from studio.ports.journal import JournalError

_LOG: Final = logging.getLogger(__name__)
_MOST_PER_COMMIT: Final = 256
"""More than this share no commit: the first of them would wait for all of the others."""


class Head(NamedTuple):
    """The last row of a table's stream."""

    sequence: int
    chain: bytes


NO_ROWS: Final = Head(0, bytes(32))
"""The head of a table that has no row yet."""


class Layer:
    """Heads by table and balances by currency and account, laid over what was there before."""

    __slots__ = ("_below", "balances", "heads")

    def __init__(self, below: Layer | None = None) -> None:
        self._below = below
        self.heads: dict[str, Head] = {}
        self.balances: defaultdict[str, dict[str, int]] = defaultdict(dict)

    def head(self, table: str) -> Head:
        """Return the head of a table."""
        if table in self.heads:
            return self.heads[table]
        return self._below.head(table) if self._below else NO_ROWS

    def balance(self, account: str, currency: str) -> int:
        """Return the balance of an account in one currency, in minor units; 0 where there is none."""
        return next(self.each_balance((account,), currency))

    def each_balance(self, accounts: Collection[str], currency: str) -> Iterator[int]:
        """Yield the balance of each account in one currency, in their order; 0 where there is none."""
        below = self._below.each_balance(accounts, currency) if self._below else repeat(0, len(accounts))
        own = self.balances.get(currency)
        return map(own.get, accounts, below) if own else below

    def fold(self) -> None:
        """Put the changes into the layer below."""
        if self._below is not None:
            self._below.heads.update(self.heads)
            for currency, balances in self.balances.items():
                self._below.balances[currency].update(balances)


Work = Callable[[sqlite3.Connection, Layer], object]
"""Writes inside an open transaction, notes in the layer what it changed; raises where it must not be written."""


@dataclass(slots=True)
class _Job:
    """A piece of work and who waits for it."""

    work: Work
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]
    error: JournalError | None = None


class GroupWriter:
    """Owns the writing connection; ``committed`` is the lowest layer, and what it holds is on disk."""

    def __init__(
        self, connection: sqlite3.Connection, committed: Layer, on_commit: Callable[[int, int], None]
    ) -> None:
        self._connection = connection
        self._committed = committed
        self._on_commit = on_commit
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="journal-writer", daemon=True)
        self._thread.start()

    async def write(self, work: Work) -> None:
        """Do ``work`` in the next commit; on return it is on disk.

        Raises :class:`JournalError` when it is not. Cancelling the caller does not take the work back.
        """
        if self._closed:
            message = "the journal is closed: nothing was written"
            raise JournalError(message)
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._queue.put(_Job(work, loop, done))
        await done

    def write_and_wait(self, work: Work) -> None:
        """Do ``work`` like :meth:`write`, where no event loop runs: in a command line."""
        asyncio.run(self.write(work))

    def close(self) -> bool:
        """Write what is queued and close the connection; tell whether this call did it."""
        if self._closed:
            return False
        self._closed = True
        self._queue.put(None)
        self._thread.join()
        return True

    def _run(self) -> None:
        is_open = True
        while is_open:
            jobs = [self._queue.get()]
            while jobs[-1] is not None and len(jobs) < _MOST_PER_COMMIT:
                try:
                    jobs.append(self._queue.get_nowait())
                except queue.Empty:
                    break
            is_open = jobs[-1] is not None
            if works := [job for job in jobs if job is not None]:
                self._commit(works)
        self._connection.close()

    def _commit(self, jobs: list[_Job]) -> None:
        """Write a group and answer everybody in it, whatever happens."""
        began_ns = time.perf_counter_ns()
        try:
            self._write_group(jobs)
        except Exception as error:  # noqa: BLE001 - a writer that died would leave every table waiting for ever
            _fail(jobs, error)
            with suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
        took_ns = time.perf_counter_ns() - began_ns
        for job in jobs:
            with suppress(RuntimeError):  # its loop is closed: nobody waits any more
                job.loop.call_soon_threadsafe(_answer, job)
        try:
            self._on_commit(took_ns, len(jobs))
        except Exception:  # noqa: BLE001 - as above; it is logged with its traceback
            _LOG.exception("what listens to the journal's commits has failed; the journal goes on")

    def _write_group(self, jobs: list[_Job]) -> None:
        group = Layer(self._committed)
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        for job in jobs:
            entry = Layer(group)
            execute("SAVEPOINT entry")
            try:
                job.work(self._connection, entry)
            except Exception as error:  # whatever is wrong with one entry is that entry's alone
                if not self._connection.in_transaction:  # SQLite has rolled back everything by itself
                    raise
                job.error = _why(error)
                execute("ROLLBACK TO entry")
            else:
                entry.fold()
            execute("RELEASE entry")
        execute("COMMIT")
        group.fold()


def _answer(job: _Job) -> None:
    """Wake the waiting caller, in its own loop."""
    if job.done.done():
        return
    if job.error is None:
        job.done.set_result(None)
    else:
        job.done.set_exception(job.error)


def _fail(jobs: Iterable[_Job], error: Exception) -> None:
    for job in jobs:
        job.error = job.error or _why(error)


def _why(error: Exception) -> JournalError:
    """Say why an entry was not written and what to do."""
    if isinstance(error, JournalError):
        return error
    advice = "nothing of the entry was written; see the cause before the table goes on"
    if isinstance(error, sqlite3.IntegrityError):
        advice = "the entry contradicts what is stored, and nothing of it was written"
    elif getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        advice = "nothing of the entry was written; free space on the journal's disk, then resume"
    refused = JournalError(f"{type(error).__name__}: {error}: {advice}")
    refused.__cause__ = error
    return refused
