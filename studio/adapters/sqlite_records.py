"""The chain of records: what a journal holds besides events, each piece by its digest.

A record says what it is about (``kind`` and ``id``) and the digest of those rows; records are chained by hash in
the order in which they were written. So the rows themselves may be taken out when their years are over, and
everything that stays is still proved. The event table has a chain of its own for each table.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from studio.adapters.chain import START, Row, chained, digest_of
from studio.adapters.sqlite_writer import Head, Layer

RECORDS: Final = ":records"
"""The stream of records among the heads; no table's id may begin with a colon."""

_INSERT: Final = "INSERT INTO records VALUES (?, ?, ?, ?, ?)"


class RecordKind(StrEnum):
    """What a record is about; its ``id`` names the row."""

    META = "meta"
    MOVES = "moves"
    """All transfers of one event, by ``table:sequence``."""
    DEPOSIT = "deposit"
    RECEIPT = "receipt"
    REFUSAL = "refusal"
    CUSTODY = "custody"


_SELECT: Final = {
    RecordKind.META: "SELECT * FROM meta WHERE key = ?",
    RecordKind.DEPOSIT: "SELECT * FROM transfers WHERE id = ?",
    RecordKind.RECEIPT: "SELECT * FROM receipts WHERE key = ?",
    RecordKind.REFUSAL: "SELECT * FROM refusals WHERE number = CAST(? AS INTEGER)",
    RecordKind.CUSTODY: "SELECT * FROM custody WHERE number = CAST(? AS INTEGER)",
}
# Between "t1:5:" and "t1:5;" are the ids of the transfers of event 5; the key's index finds them.
_MOVES: Final = "SELECT * FROM transfers WHERE id >= ? AND id < ?"
_BATCH: Final = "SELECT * FROM transfer_batches WHERE table_id = ? AND sequence = CAST(? AS INTEGER)"
_ALL: Final = -(2**63)
_RECORDS: Final = "SELECT number, kind, id, digest, chain FROM records WHERE number > ? ORDER BY number"


class Record(NamedTuple):
    """One record as it is stored."""

    number: int
    kind: str
    id: str
    digest: bytes
    chain: bytes


def record(connection: sqlite3.Connection, layer: Layer, kind: RecordKind, id_: str, rows: Iterable[Row]) -> None:
    """Chain some rows that were just written."""
    head = layer.head(RECORDS)
    number, digest = head.sequence + 1, digest_of(rows)
    chain = chained(head.chain, (number, kind.value, id_, digest))
    connection.execute(_INSERT, (number, kind.value, id_, digest, chain))
    layer.heads[RECORDS] = Head(number, chain)


def rows_of(connection: sqlite3.Connection, kind: RecordKind, id_: str) -> tuple[Row, ...]:
    """Return the rows that a record is about, in the order in which they were hashed."""
    if kind is not RecordKind.MOVES:
        return tuple(connection.execute(_SELECT[kind], (id_,)))
    table, _, sequence = id_.rpartition(":")
    moves = connection.execute(_MOVES, (f"{id_}:", f"{id_};")).fetchall()
    # The ids are text; their numbers say the order.
    moves.sort(key=lambda row: (len(row[0]), row[0]) if isinstance(row[0], str) else (0, ""))
    return (*moves, *connection.execute(_BATCH, (table, sequence)))


def read_records(connection: sqlite3.Connection, after: int = _ALL) -> Iterator[Record]:
    """Yield the records in their order, unchecked."""
    yield from map(Record._make, connection.execute(_RECORDS, (after,)))


def check_record(found: Record, previous: bytes, wanted: int) -> None:
    """Raise ``ValueError`` where a record is not the next one, or not as it was written."""
    if found.number != wanted:
        message = f"a record is missing: the next one is {found.number!r}"
        raise ValueError(message)
    if chained(previous, found[:-1]) != found.chain:
        message = "the chain hash is wrong: this record or the one before it was changed"
        raise ValueError(message)


def load_head(connection: sqlite3.Connection) -> Head:
    """Return the newest record."""
    row = connection.execute("SELECT number, chain FROM records ORDER BY number DESC LIMIT 1").fetchone()
    return Head(0, START) if row is None else Head(*row)
