"""The patrol over a journal that is being written: its rows are read from the disk again, a few at a time.

A studio that only appends would not see that somebody changed the file under it. What the rows must come to is
known from memory: each table's newest row, and the row up to which it is signed. So rows that were chained anew
behind a change are found too. Each step opens the file anew and reads a bounded number of rows by a connection
of its own; nothing that is written waits for it.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Final

from studio.adapters.sqlite_checkpoints import signed_head
from studio.adapters.sqlite_rows import SELECT, check_row
from studio.adapters.sqlite_store import SqliteStore, open_read_only
from studio.adapters.sqlite_writer import NO_ROWS, Head

_ROWS: Final = f"{SELECT} WHERE table_id = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?"

_LOG: Final = logging.getLogger(__name__)


class JournalPatrol:
    """Reads a store's rows again. Each :meth:`step` reads at most ``rows`` of the newest and as many of all rows.

    The newest ones are those behind the last signed row, again and again; all rows are read from the first to the
    last and then from the first again. A step may run in any thread, one at a time.
    """

    def __init__(self, store: SqliteStore, rows: int) -> None:
        self._store = store
        self._rounds = (_Round(store, rows, self._signed), _Round(store, rows, lambda _table: NO_ROWS))
        self.broken = ""
        """The first row that is not as it was written; empty while there is none. It stays: a person must look."""
        self.failure = ""
        """Why the file could not be read this time; empty where it could."""

    def step(self) -> None:
        """Read on; what is wrong is in ``broken`` or ``failure``, and nothing is raised for it."""
        if self.broken:
            return
        try:
            with closing(open_read_only(self._store.path)) as connection:
                # A byte that is no UTF-8 any more must reach the hash, not stop the reading.
                connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
                for each in self._rounds:
                    each.go_on(connection)
        except BrokenRowError as error:
            self.broken = str(error)
            _LOG.error("the journal is broken: %s", error)
        except (sqlite3.OperationalError, ValueError) as error:
            self._fail(str(error))
        except sqlite3.DatabaseError as error:
            self.broken = f"the journal's file is damaged: {error}"
            _LOG.error("the journal is broken: %s", error)
        else:
            self.failure = ""

    def _fail(self, text: str) -> None:
        if text != self.failure:
            _LOG.warning("the journal's patrol does not go on: %s", text)
        self.failure = text

    def _signed(self, table: str) -> Head:
        return signed_head(self._store.committed, table)


class BrokenRowError(Exception):
    """A row is not as it was written; the text names table and row."""


class _Round:
    """One way through the rows of all tables, over and over; it goes on where it stopped."""

    def __init__(self, store: SqliteStore, rows: int, first: Callable[[str], Head]) -> None:
        self._store = store
        self._rows = rows
        self._first = first
        self._table = ""
        self._read = NO_ROWS

    def go_on(self, connection: sqlite3.Connection) -> None:
        """Read the next rows, at most as many as a step may, and each table's at most once to its end."""
        left = self._rows
        for _ in range(len(self._tables()) + 1):
            if not self._table:
                self._begin_next()
            # What is committed now is in every reading that begins now.
            end = self._store.committed.head(self._table)
            left -= self._read_rows(connection, end, left)
            if self._read.sequence < end.sequence:
                return
            self._begin_next()

    def _tables(self) -> list[str]:
        return sorted(name for name in tuple(self._store.committed.heads) if not name.startswith(":"))

    def _begin_next(self) -> None:
        names = self._tables()
        self._table = next((name for name in names if name > self._table), names[0] if names else "")
        self._read = self._first(self._table)

    def _read_rows(self, connection: sqlite3.Connection, end: Head, most: int) -> int:
        """Read a table's next rows; return how many, fewer than ``most`` only where ``end`` is reached."""
        sequence, chain = before = self._read
        signed = signed_head(self._store.committed, self._table)
        for *columns, own in connection.execute(_ROWS, (self._table, sequence, end.sequence, most)):
            try:
                check_row(tuple(columns), own, chain, sequence + 1)
            except (ValueError, TypeError) as error:
                raise self._broken(sequence + 1, str(error)) from error
            sequence, chain = sequence + 1, own
            for known in (signed, end):
                if sequence == known.sequence and chain != known.chain:
                    raise self._broken(sequence, "it is another row than the one that was written")
        if sequence < min(end.sequence, before.sequence + most):
            raise self._broken(sequence + 1, "a row is missing: it was written, and it is not there")
        self._read = Head(sequence, chain)
        return sequence - before.sequence

    def _broken(self, sequence: int, why: str) -> BrokenRowError:
        return BrokenRowError(f"table {self._table}, row {sequence}: {why}")
