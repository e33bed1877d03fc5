"""The SQLite file of a studio: how it is opened, locked and laid out.

One file, one writing process, WAL and synchronous FULL, both read back and refused otherwise (system.md
principle 5). It knows the tables and none of the values in them.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from studio.adapters.sqlite_checkpoints import load_heads
from studio.adapters.sqlite_indexes import ensure_indexes
from studio.adapters.sqlite_records import RECORDS, load_head
from studio.adapters.sqlite_schema import SCHEMA_VERSION, is_before_proof, lay_out, upgrade
from studio.adapters.sqlite_writer import GroupWriter, Head, Layer

_WORLD: Final = {True: "simulated", False: "live"}


class _Pragma(NamedTuple):
    """A setting of a connection, and what must be read back after it was set."""

    name: str
    value: str
    read_back: object


_WRITER_PRAGMAS: Final = (
    _Pragma("journal_mode", "WAL", "wal"),
    _Pragma("synchronous", "FULL", 2),
    _Pragma("foreign_keys", "ON", 1),
    _Pragma("busy_timeout", "5000", 5000),
    _Pragma("temp_store", "MEMORY", 2),
)


class SqliteStore:
    """An open database with its single writer; everything in it is read and written through this object.

    ``committed`` holds the tables' heads and all balances as they are on disk. ``on_commit`` is called in the
    writer's thread after each commit with its duration in nanoseconds and the number of entries that shared it.

    Raises ``ValueError`` with a sentence where the file is of another world (live or simulated), of another
    schema, no journal at all, already open for writing, or on a file system without WAL.
    """

    def __init__(
        self,
        path: Path,
        *,
        simulated: bool,
        on_commit: Callable[[int, int], None] = lambda _took_ns, _entries: None,
    ) -> None:
        self.path = path
        self._closed = False
        self._lock = _lock(path)
        try:
            writing = _connect_writer(path, simulated=simulated)
            self.journal_id = read_meta(writing)["journal"]
            self.committed = _load_committed(writing, self.journal_id)
            self.reading = open_read_only(path)
        except BaseException:
            os.close(self._lock)
            raise
        self.writer = GroupWriter(writing, self.committed, on_commit)

    def close(self) -> None:
        """Write what is queued, then close the file. Calling it twice is allowed."""
        if self._closed:
            return
        self._closed = True
        # The writer closes last: SQLite then puts the whole WAL into the file, which is all there is to copy.
        self.reading.close()
        self.writer.close()
        os.close(self._lock)


def open_read_only(path: Path) -> sqlite3.Connection:
    """Return a connection that can read a journal, also while a studio writes it, and change nothing.

    Raises ``ValueError`` where there is no such file.
    """
    try:
        return sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
        )
    except sqlite3.OperationalError as error:
        message = f"the journal {path} cannot be opened: {error}"
        raise ValueError(message) from error


def configure(connection: sqlite3.Connection) -> None:
    """Make a connection durable; raise ``ValueError`` where the database does not keep a setting."""
    for pragma in _WRITER_PRAGMAS:
        connection.execute(f"PRAGMA {pragma.name} = {pragma.value}").fetchall()
        (found,) = connection.execute(f"PRAGMA {pragma.name}").fetchone()
        if found != pragma.read_back:
            message = (
                f"the journal needs {pragma.name} {pragma.value} and the database says {found!r}: "
                "put the file on a local disk"
            )
            raise ValueError(message)


def _lock(path: Path) -> int:
    """Take the writer's lock, which ends with the process that holds it, however it ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path.with_name(f"{path.name}-lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        message = f"the journal {path} is open for writing elsewhere: stop the other studio first"
        raise ValueError(message) from error
    return descriptor


def _connect_writer(path: Path, *, simulated: bool) -> sqlite3.Connection:
    # Created with these permissions before SQLite does, which gives its WAL the same ones.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        configure(connection)
        _prepare(connection, path, simulated=simulated)
        ensure_indexes(connection)
    except sqlite3.DatabaseError as error:
        connection.close()
        message = f"the journal {path} cannot be opened: {error}"
        raise ValueError(message) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path, *, simulated: bool) -> None:
    """Lay the tables out in an empty file, or check that the file is the one that is meant."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if not tables:
        lay_out(connection, _WORLD[simulated])
        return
    if "meta" not in tables:
        message = f"{path} is a database, but no studio's journal: give another path"
        raise ValueError(message)
    meta = read_meta(connection)
    if meta.get("schema") not in {"1", str(SCHEMA_VERSION)}:
        message = (
            f"the journal {path} has schema {meta.get('schema')}, this studio writes schema {SCHEMA_VERSION}: "
            "open it with the newer studio that wrote it"
        )
        raise ValueError(message)
    if meta.get("world") != _WORLD[simulated]:
        message = (
            f"the journal {path} holds {meta.get('world')} data and this studio is {_WORLD[simulated]}: "
            "the two never share a database, give another path"
        )
        raise ValueError(message)
    if meta["schema"] == str(SCHEMA_VERSION):
        return
    if not is_before_proof(connection):
        message = (
            f"the journal {path} says schema {meta['schema']} and has the tables of schema {SCHEMA_VERSION}: "
            "it was changed. Run `studio verify` on it, and restore the last backup"
        )
        raise ValueError(message)
    upgrade(connection)


def read_meta(connection: sqlite3.Connection) -> dict[str, str]:
    """Return what a journal says of itself: its name, its world and its schema."""
    return dict(connection.execute("SELECT key, value FROM meta"))


def _load_committed(connection: sqlite3.Connection, journal: str) -> Layer:
    committed = Layer()
    heads = connection.execute(
        "SELECT table_id, sequence, chain FROM events"
        " JOIN (SELECT table_id AS id, max(sequence) AS last FROM events GROUP BY table_id)"
        " ON table_id = id AND sequence = last"
    )
    committed.heads.update({table: Head(sequence, chain) for table, sequence, chain in heads})
    committed.heads |= {RECORDS: load_head(connection), **load_heads(connection, journal)}
    balances = connection.execute("SELECT account, currency, amount FROM balances")
    for account, currency, amount in balances:
        committed.balances[currency][account] = amount
    return committed
