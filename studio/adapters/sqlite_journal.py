"""The journal on SQLite: events, the money they move and the answers given, in one transaction.

Implements :class:`studio.ports.journal.Journal`. What a row looks like is in ``sqlite_rows`` and
``sqlite_ledger``, how it reaches the disk in ``sqlite_writer``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_checkpoints import CheckpointWriter
from studio.adapters.sqlite_custody import ActKind, enact, keep_setup
from studio.adapters.sqlite_ledger import post
from studio.adapters.sqlite_records import RecordKind, record
from studio.adapters.sqlite_rows import INSERT, chain_of, replay_rows, round_rows, to_row
from studio.adapters.sqlite_store import SqliteStore, open_read_only
from studio.adapters.sqlite_writer import Head, Layer
from studio.domain.instants import Instant
from studio.domain.money import TransferBatch
from studio.domain.people import SYSTEM, Actor, Role
from studio.domain.setup import TableSetup
from studio.ports.journal import Entry, JournalError, Receipt, Recorded, Refusal


class SqliteJournal:
    """The journal of all tables in one file. :meth:`close` drains it and closes the store."""

    def __init__(self, store: SqliteStore, sealer: Sealer, checkpoints: CheckpointWriter | None = None) -> None:
        self._store = store
        self._sealer = sealer
        self._checkpoints = checkpoints

    async def append(self, entry: Entry) -> None:
        """Write ``entry``; on return it is on disk. Raises :class:`JournalError` when nothing of it is."""
        await self._store.writer.write(lambda connection, layer: self._write(entry, connection, layer))

    def replay(self, table: str) -> Iterator[Recorded]:
        """Yield the table's events from the first to the last, opened where they were sealed.

        Raises ``ValueError`` at the first row whose chain hash, seal or sequence is wrong.
        """
        with closing(open_read_only(self._store.path)) as connection:
            yield from replay_rows(connection, table, self._sealer)

    def round(self, table: str, number: int) -> tuple[Recorded, ...]:
        """Return a round's events, from its betting to before the next, and the revisions of it; none for none.

        Raises ``ValueError`` where a row cannot be read; the chain is :meth:`replay`'s to check.
        """
        with closing(open_read_only(self._store.path)) as connection:
            return tuple(round_rows(connection, table, number, self._sealer))

    def tables(self) -> tuple[str, ...]:
        """Return the ids of all tables that have events."""
        return tuple(sorted(name for name in self._store.committed.heads if not name.startswith(":")))

    async def checkpoint(self, at: Instant) -> None:
        """Sign every table that has unsigned rows. Raises :class:`JournalError` when that is not on disk."""
        if (checkpoints := self._checkpoints) is not None:
            tables = self.tables()
            await self._store.writer.write(
                lambda connection, layer: checkpoints.sign_open(tables, at.wall_ns, connection, layer)
            )

    async def keep_setup(self, setup: TableSetup, at: Instant) -> None:
        """Keep what a table's events are to be read with, where it has changed."""
        await self._store.writer.write(
            lambda connection, layer: keep_setup(connection, layer, setup, SYSTEM.id, at.wall_ns)
        )

    async def enact(self, kind: ActKind, person: str, at: Instant, fields: dict[str, Any]) -> None:
        """Record an act of custody. Raises :class:`JournalError` when it is not on disk."""
        await self._store.writer.write(
            lambda connection, layer: enact(connection, layer, kind, person, at.wall_ns, fields)
        )

    def receipt(self, key: str) -> Receipt | None:
        """Return the answer kept under an idempotency key."""
        row = self._store.reading.execute(
            "SELECT key, fingerprint, status, body FROM receipts WHERE key = ?", (key,)
        ).fetchone()
        return None if row is None else Receipt(*row)

    def refusals(self, table: str) -> tuple[Refusal, ...]:
        """Return the audit lines of refused commands of a table, oldest first."""
        rows = self._store.reading.execute(
            "SELECT table_id, monotonic_ns, wall_ns, actor_id, actor_name, actor_role, command, code, text"
            " FROM refusals WHERE table_id = ? ORDER BY number",
            (table,),
        )
        return tuple(
            Refusal(table_id, Instant(*instant), Actor(actor_id, name, Role(role)), command, code, text)
            for table_id, *instant, actor_id, name, role, command, code, text in rows
        )

    def close(self) -> None:
        """Write what is queued, then close the file."""
        self._store.close()

    def _write(self, entry: Entry, connection: sqlite3.Connection, layer: Layer) -> None:
        for recorded, moves in zip(entry.events, _transfers_of(entry), strict=True):
            self._write_event(recorded, connection, layer)
            if moves is not None:
                post(connection, layer, recorded, moves)
        if (receipt := entry.receipt) is not None:
            row = (receipt.key, receipt.fingerprint, receipt.status, receipt.body)
            connection.execute("INSERT INTO receipts VALUES (?, ?, ?, ?)", row)
            record(connection, layer, RecordKind.RECEIPT, receipt.key, (row,))
        if entry.refusal is not None:
            _write_refusal(entry.refusal, connection, layer)
        if self._checkpoints is not None and entry.events:
            self._checkpoints.after(entry.events, connection, layer)

    def _write_event(self, recorded: Recorded, connection: sqlite3.Connection, layer: Layer) -> None:
        head = layer.head(recorded.table)
        if recorded.sequence != head.sequence + 1:
            message = (
                f"table {recorded.table!r} is at sequence {head.sequence}, so {recorded.sequence} is not next: "
                "somebody else wrote; replay the table before going on"
            )
            raise JournalError(message)
        row = to_row(recorded, self._sealer)
        chain = chain_of(head.chain, row)
        connection.execute(INSERT, (*row, chain))
        layer.heads[recorded.table] = Head(recorded.sequence, chain)


def _write_refusal(refusal: Refusal, connection: sqlite3.Connection, layer: Layer) -> None:
    at, actor = refusal.at, refusal.actor
    columns = (
        *(refusal.table, at.wall_ns, at.monotonic_ns),
        *(actor.id, actor.name, actor.role.value),
        *(refusal.command, refusal.code, refusal.text),
    )
    insert = "INSERT INTO refusals VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    number = connection.execute(insert, columns).lastrowid
    record(connection, layer, RecordKind.REFUSAL, str(number), ((number, *columns),))


def _transfers_of(entry: Entry) -> tuple[TransferBatch | None, ...]:
    """Return the transfers of each event; an entry without any may leave them out."""
    if not entry.transfers:
        return (None,) * len(entry.events)
    if len(entry.transfers) != len(entry.events):
        message = f"an entry of {len(entry.events)} events has {len(entry.transfers)} batches of transfers"
        raise JournalError(message)
    return entry.transfers
