"""The second copy of a journal: a thread that adds each committed row to files in another folder.

The folder is to lie under another administrator, for example on a mounted share. What is copied is checked on the
way: a row whose chain is wrong is said. The journal never waits for the copy; how far it lags is watched.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Final

from studio.adapters.chain import START, Row
from studio.adapters.copy_files import CHECKPOINTS_FILE, RECORDS_FILE, AppendFile, events_file, to_line
from studio.adapters.sqlite_checkpoints import read_checkpoints
from studio.adapters.sqlite_records import RecordKind, read_records, rows_of
from studio.adapters.sqlite_rows import SELECT, check_row
from studio.adapters.sqlite_store import open_read_only

_NS_PER_SECOND: Final = 1_000_000_000
_TOGETHER: Final = 500
"""Rows that are added in one write."""
_PAUSE_SECONDS: Final = 0.1
_RETRY_SECONDS: Final = 1.0
_CLOSE_SECONDS: Final = 5.0
_NEXT_TABLE: Final = "SELECT min(table_id) FROM events WHERE table_id > ?"
_EVENTS: Final = f"{SELECT} WHERE table_id = ? AND sequence > ? ORDER BY sequence"
_CHAIN_AT: Final = "SELECT chain FROM events WHERE table_id = ? AND sequence = ?"

_LOG: Final = logging.getLogger(__name__)


class JournalCopy:
    """Copies the journal at ``journal`` into ``folder``, which must exist: a mount that is not there has none.

    ``now_ns`` is the monotonic clock. Raises ``ValueError`` where there is no such folder.
    """

    def __init__(self, journal: Path, folder: Path, now_ns: Callable[[], int]) -> None:
        if not folder.is_dir():
            message = f"the folder for the second copy {folder} is not there: mount it, or make it once by hand"
            raise ValueError(message)
        self._journal = journal
        self._folder = folder
        self._now_ns = now_ns
        self._lock = threading.Lock()
        self._behind_since_ns: int | None = now_ns()
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._files: dict[str, AppendFile] = {}
        self._ends: dict[str, tuple[int, bytes]] = {}
        self.failure = ""
        """Why the copy does not go on; empty while it does."""
        self.broken = ""
        """A row that is not as the chain says, or not as it was copied before; empty while there is none."""
        self._wake.set()
        self._thread = threading.Thread(target=self._run, name="journal-copy", daemon=True)
        self._thread.start()

    def committed(self) -> None:
        """Take note that the journal has new rows; may be called in any thread."""
        with self._lock:
            self._behind_since_ns = self._behind_since_ns or self._now_ns()
        self._wake.set()

    @property
    def lag_seconds(self) -> float:
        """For how long the oldest row that is not copied has been committed; 0 where all are copied."""
        with self._lock:
            since_ns = self._behind_since_ns
        return 0.0 if since_ns is None else (self._now_ns() - since_ns) / _NS_PER_SECOND

    def close(self) -> None:
        """Copy what is committed, unless the folder does not answer; then it is copied at the next start."""
        self._stop.set()
        self._wake.set()
        self._thread.join(_CLOSE_SECONDS)

    def _run(self) -> None:
        is_last = False
        while not is_last:
            self._wake.wait()
            is_last = self._stop.is_set()
            self._wake.clear()
            self._pass()
            self._stop.wait(_RETRY_SECONDS if self.failure else _PAUSE_SECONDS)
            if self.failure and not is_last:
                self._wake.set()
        for file in self._files.values():
            with suppress(OSError):
                file.close()

    def _pass(self) -> None:
        with self._lock:
            since_ns, self._behind_since_ns = self._behind_since_ns, None
        try:
            with closing(open_read_only(self._journal)) as connection:
                for table in _tables(connection):
                    self._copy_events(connection, table)
                self._copy(RECORDS_FILE, lambda after: _record_lines(connection, after))
                self._copy(CHECKPOINTS_FILE, lambda after: _checkpoint_lines(connection, after))
        except (OSError, ValueError, TypeError, sqlite3.Error) as error:
            if str(error) != self.failure:
                _LOG.warning("the second copy in %s does not go on: %s", self._folder, error)
            self.failure = str(error)
            self._forget()
            with self._lock:
                self._behind_since_ns = since_ns or self._behind_since_ns or self._now_ns()
        else:
            self.failure = ""

    def _forget(self) -> None:
        """Open the files anew at the next pass: the folder may be another one by then."""
        for file in self._files.values():
            with suppress(OSError):
                file.close()
        self._files.clear()
        self._ends.clear()

    def _file(self, name: str) -> AppendFile:
        if name not in self._files:
            if not self._folder.is_dir():
                message = f"the folder {self._folder} is not there"
                raise OSError(message)
            self._files[name] = AppendFile(self._folder / name)
        return self._files[name]

    def _copy_events(self, connection: sqlite3.Connection, table: str) -> None:
        name = events_file(table)
        if name not in self._ends:
            self._ends[name] = self._resume(connection, table)
        sequence, chain = self._ends[name]
        rows = connection.execute(_EVENTS, (table, sequence))
        while group := list(islice(rows, _TOGETHER)):
            for *columns, own in group:
                self._check(table, tuple(columns), own, chain, sequence + 1)
                sequence, chain = sequence + 1, own
            self._file(name).add("".join(map(to_line, group)))
            self._ends[name] = sequence, chain

    def _resume(self, connection: sqlite3.Connection, table: str) -> tuple[int, bytes]:
        """Return the newest row of the copy; it must be in the journal as it was copied."""
        last = self._file(events_file(table)).last()
        if last is None:
            return 0, START
        sequence, chain = last[0][1], last[0][-1]
        found = connection.execute(_CHAIN_AT, (table, sequence)).fetchone()
        if found is None or found[0] != chain:
            text = f"table {table}, row {sequence!r}: the journal does not hold the row that was copied"
            self._say_broken(text)
            raise ValueError(text)  # whatever is added now would not belong to what is there
        return int(str(sequence)), found[0]

    def _check(self, table: str, row: Row, own: object, previous: bytes, wanted: int) -> None:
        try:
            check_row(row, own, previous, wanted)
        except (ValueError, TypeError) as error:
            self._say_broken(f"table {table}, row {wanted}: {error}")

    def _say_broken(self, text: str) -> None:
        if not self.broken:
            self.broken = text
            _LOG.error("the journal is broken: %s", text)

    def _copy(self, name: str, lines: Callable[[int], Iterator[tuple[int, str]]]) -> None:
        if name not in self._ends:
            last = self._file(name).last()
            self._ends[name] = (0 if last is None else int(str(last[0][0])), b"")
        rows = lines(self._ends[name][0])
        while group := list(islice(rows, _TOGETHER)):
            self._file(name).add("".join(text for _, text in group))
            self._ends[name] = group[-1][0], b""


def _tables(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield the tables by one look into the key each: a list of all rows would be read through."""
    table = ""
    while (found := connection.execute(_NEXT_TABLE, (table,)).fetchone()[0]) is not None:
        table = found
        yield table


def _record_lines(connection: sqlite3.Connection, after: int) -> Iterator[tuple[int, str]]:
    for found in read_records(connection, after):
        yield found.number, to_line(found, *rows_of(connection, RecordKind(found.kind), found.id))


def _checkpoint_lines(connection: sqlite3.Connection, after: int) -> Iterator[tuple[int, str]]:
    for found in read_checkpoints(connection, after):
        yield found.number, to_line(found)
