"""The rows of the event table: sealed where secret, chained by hash, and read back with every check.

``chain`` is SHA-256 over the chain of the row before and the row as stored, so it says nothing about a sealed card
(system.md principles 7 and 8). What an event means is the codec's, where it goes is the store's.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from typing import Final, NamedTuple

from studio.adapters.chain import Column, Row, chained, feed
from studio.adapters.codec import NAMES, SECRET_RECORDS, Fields, canonical, decode, encode, hidden_fields, name_of
from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_writer import NO_ROWS
from studio.domain.events import BettingOpened, RoundRevised, hides_card
from studio.domain.instants import Instant
from studio.domain.people import Actor, Role
from studio.ports.evidence import SEALED
from studio.ports.journal import Recorded

_COLUMNS: Final = (
    "table_id, sequence, wall_ns, monotonic_ns, actor_id, actor_name, actor_role, cause,"
    " name, version, payload, raw"
)
INSERT: Final = f"INSERT INTO events ({_COLUMNS}, chain) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - constants
SELECT: Final = f"SELECT {_COLUMNS}, chain FROM events"  # noqa: S608 - constants
_OF_TABLE: Final = f"{SELECT} WHERE table_id = ? ORDER BY sequence"
_RANGE: Final = f"{SELECT} WHERE table_id = ? AND sequence >= ? AND sequence < ? ORDER BY sequence"
_OPENED: Final = NAMES[BettingOpened].name
_REVISED: Final = NAMES[RoundRevised].name
_FIRST: Final = (
    "SELECT min(sequence) FROM events WHERE table_id = :table AND name = :opened"
    " AND json_extract(payload, '$.round')"
)
_ROUND: Final = (
    f"SELECT {_COLUMNS} FROM events WHERE table_id = :table AND sequence >= ({_FIRST} = :round)"  # noqa: S608
    f" AND (sequence < coalesce(({_FIRST} > :round), 1 << 62)"
    "  OR name = :revised AND json_extract(payload, '$.round') = :round)"
    " ORDER BY sequence"
)


class StoredRow(NamedTuple):
    """A row as it is stored: the event table's columns in order without the chain, then the chain."""

    columns: Row
    chain: bytes


def chain_of(previous: bytes, row: Row) -> bytes:
    """Return the chain hash of a row: 32 bytes.

    The raw bytes enter by their own hash, so that they can be taken out when their years are over: the row then
    keeps the hash, as text in hex, and stands in the chain as before.
    """
    *columns, raw = row
    digest = hashlib.sha256(previous)
    feed(digest, columns)
    digest.update(b"d32:")
    digest.update(_kept_digest(raw) if isinstance(raw, str) else hashlib.sha256(_bytes(raw)).digest())
    return digest.digest()


def is_chained(previous: bytes, row: Row, chain: object) -> bool:
    """Tell whether a row stands behind ``previous``; before schema 2 the raw bytes entered as they are."""
    return chain == chain_of(previous, row) or chain == chained(previous, row)


def _kept_digest(text: str) -> bytes:
    digest = bytes.fromhex(text)
    if len(digest) != hashlib.sha256().digest_size or digest.hex() != text:
        message = f"{text!r} is no digest of raw bytes"
        raise ValueError(message)
    return digest


def thinned(raw: bytes) -> str:
    """Return what stays of raw bytes that are taken out."""
    return hashlib.sha256(raw).hexdigest()


def to_row(recorded: Recorded, sealer: Sealer) -> Row:
    """Return the row of an event, its secrets sealed, without the chain."""
    event = recorded.event
    name, version = name_of(event)
    fields = encode(event)
    for field in hidden_fields(event):
        sealed = sealer.seal(_clear(fields[field]), _place(recorded.table, recorded.sequence, field))
        # Lower-case hex: no card code, whose suit is a capital, appears in it by chance.
        fields[field] = {SEALED: sealed.hex()}
    raw = recorded.raw
    if hides_card(event):
        raw = sealer.seal(raw, _place(recorded.table, recorded.sequence, "raw"))
    return (
        recorded.table,
        recorded.sequence,
        recorded.at.wall_ns,
        recorded.at.monotonic_ns,
        recorded.actor.id,
        recorded.actor.name,
        recorded.actor.role.value,
        recorded.cause,
        name,
        version,
        canonical(fields),
        raw,
    )


def replay_rows(connection: sqlite3.Connection, table: str, sealer: Sealer) -> Iterator[Recorded]:
    """Yield a table's events from the first to the last, opened where they were sealed.

    Raises ``ValueError`` that names the first row whose sequence, chain, seal or content is wrong.
    """
    previous, wanted = NO_ROWS.chain, 1
    try:
        for *columns, chain in connection.execute(_OF_TABLE, (table,)):
            row = tuple(columns)
            check_row(row, chain, previous, wanted)
            yield from_row(row, sealer)
            previous, wanted = chain, wanted + 1
    except (ValueError, TypeError, sqlite3.DatabaseError) as error:
        message = f"journal of table {table!r}, sequence {wanted}: {error}"
        raise ValueError(message) from error


def rows_between(connection: sqlite3.Connection, table: str, first: int, end: int) -> Iterator[StoredRow]:
    """Yield a table's rows from ``first`` up to before ``end``.

    Raises ``ValueError`` that names the first row whose sequence or chain is wrong; the row before is believed.
    """
    wanted = max(first, 1)
    previous = NO_ROWS.chain
    for row in connection.execute(
        "SELECT chain FROM events WHERE table_id = ? AND sequence = ?", (table, wanted - 1)
    ):
        (previous,) = row
    for *columns, chain in connection.execute(_RANGE, (table, wanted, end)):
        stored = StoredRow(tuple(columns), chain)
        try:
            check_row(stored.columns, chain, previous, wanted)
        except ValueError as error:
            message = f"journal of table {table!r}, sequence {wanted}: {error}"
            raise ValueError(message) from error
        yield stored
        previous, wanted = chain, wanted + 1


def rows_of(connection: sqlite3.Connection, where: str, values: tuple[object, ...]) -> Iterator[StoredRow]:
    """Yield single rows in order; ``where`` is a constant clause, and no chain is checked between them."""
    query = f"SELECT {_COLUMNS}, chain FROM events {where} ORDER BY sequence"  # noqa: S608 - constants
    for *columns, chain in connection.execute(query, values):
        yield StoredRow(tuple(columns), chain)


def round_rows(connection: sqlite3.Connection, table: str, number: int, sealer: Sealer) -> Iterator[Recorded]:
    """Yield the events of a round and its revisions, opened where they were sealed."""
    asked = {"table": table, "round": number, "opened": _OPENED, "revised": _REVISED}
    for row in connection.execute(_ROUND, asked):
        yield from_row(tuple(row), sealer)


def check_row(row: Row, chain: object, previous: bytes, wanted: int) -> None:
    """Raise ``ValueError`` where a row is not the next one of its table, or not as it was written."""
    if row[1] != wanted:
        message = f"a row is missing: the next one is {row[1]!r}"
        raise ValueError(message)
    if not is_chained(previous, row, chain):
        message = "the chain hash is wrong: this row or the one before it was changed"
        raise ValueError(message)


def from_row(row: Row, sealer: Sealer) -> Recorded:
    """Return the event of a row, opened where it was sealed.

    Raises ``ValueError`` or ``TypeError`` where that cannot be.
    """
    table, sequence, wall_ns, monotonic_ns, actor_id, actor_name, role, cause, name, version, payload, raw = row
    fields: Fields = json.loads(_text(payload))
    for field, value in fields.items():
        if isinstance(value, dict) and value.keys() == {SEALED}:
            place = _place(_text(table), _number(sequence), field)
            text = sealer.open(bytes.fromhex(value[SEALED]), place).decode()
            fields[field] = json.loads(text) if field in SECRET_RECORDS else text
    event = decode(_text(name), _number(version), fields)
    is_thinned = isinstance(raw, str)
    clear = b"" if is_thinned else _bytes(raw)
    if hides_card(event) and not is_thinned:
        clear = sealer.open(clear, _place(_text(table), _number(sequence), "raw"))
    return Recorded(
        table=_text(table),
        sequence=_number(sequence),
        at=Instant(_number(monotonic_ns), _number(wall_ns)),
        actor=Actor(_text(actor_id), _text(actor_name), Role(_text(role))),
        cause=_text(cause),
        event=event,
        raw=clear,
    )


def _clear(value: object) -> bytes:
    """Return what is sealed of a field: its text, of a record its JSON."""
    return (value if isinstance(value, str) else canonical(value)).encode()


def _place(table: str, sequence: int, field: str) -> str:
    """Say where a sealed value belongs, unambiguously whatever the table is called."""
    return canonical([table, sequence, field])


def _text(column: Column) -> str:
    if not isinstance(column, str):
        message = f"{column!r} is no text"
        raise TypeError(message)
    return column


def _bytes(column: Column) -> bytes:
    if not isinstance(column, bytes):
        message = f"{column!r} is not bytes"
        raise TypeError(message)
    return column


def _number(column: Column) -> int:
    if not isinstance(column, int):
        message = f"{column!r} is no number"
        raise TypeError(message)
    return column
