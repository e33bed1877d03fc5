"""The rows of the event table: sealed where secret, chained by hash, and read back with every check.

``chain`` is SHA-256 over the chain of the row before and the row as stored, so it says nothing about a sealed card
(system.md principles 7 and 8). What an event means is the codec's, where it goes is the store's.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from typing import Final

from studio.adapters.codec import NAMES, SECRET_RECORDS, Fields, canonical, decode, encode, hidden_fields, name_of
from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_writer import NO_ROWS
from studio.domain.events import BettingOpened, RoundRevised, hides_card
from studio.domain.instants import Instant
from studio.domain.people import Actor, Role
from studio.ports.journal import Recorded

Column = str | int | bytes
Row = tuple[Column, ...]
"""The columns of the event table in order, without or with the chain at the end."""

_COLUMNS: Final = (
    "table_id, sequence, wall_ns, monotonic_ns, actor_id, actor_name, actor_role, cause,"
    " name, version, payload, raw"
)
INSERT: Final = f"INSERT INTO events ({_COLUMNS}, chain) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - constants
_SELECT: Final = f"SELECT {_COLUMNS}, chain FROM events WHERE table_id = ? ORDER BY sequence"  # noqa: S608 - constants
_SEALED: Final = "sealed"
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


def chain_of(previous: bytes, row: Row) -> bytes:
    """Return the chain hash of a row: 32 bytes.

    The canonical row gives each column a type letter, its length and its bytes, so no two rows look the same.
    """
    digest = hashlib.sha256(previous)
    for column in row:
        match column:
            case str():
                letter, data = "t", column.encode()
            case int():
                letter, data = "i", str(column).encode()
            case _:
                letter, data = "b", bytes(column)
        digest.update(f"{letter}{len(data)}:".encode())
        digest.update(data)
    return digest.digest()


def to_row(recorded: Recorded, sealer: Sealer) -> Row:
    """Return the row of an event, its secrets sealed, without the chain."""
    event = recorded.event
    name, version = name_of(event)
    fields = encode(event)
    for field in hidden_fields(event):
        sealed = sealer.seal(_clear(fields[field]), _place(recorded.table, recorded.sequence, field))
        # Lower-case hex: no card code, whose suit is a capital, appears in it by chance.
        fields[field] = {_SEALED: sealed.hex()}
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
        for *columns, chain in connection.execute(_SELECT, (table,)):
            row = tuple(columns)
            _check(row, chain, previous, wanted)
            yield _from_row(row, sealer)
            previous, wanted = chain, wanted + 1
    except (ValueError, TypeError, sqlite3.DatabaseError) as error:
        message = f"journal of table {table!r}, sequence {wanted}: {error}"
        raise ValueError(message) from error


def round_rows(connection: sqlite3.Connection, table: str, number: int, sealer: Sealer) -> Iterator[Recorded]:
    """Yield the events of a round and its revisions, opened where they were sealed."""
    asked = {"table": table, "round": number, "opened": _OPENED, "revised": _REVISED}
    for row in connection.execute(_ROUND, asked):
        yield _from_row(tuple(row), sealer)


def _check(row: Row, chain: bytes, previous: bytes, wanted: int) -> None:
    if row[1] != wanted:
        message = f"a row is missing: the next one is {row[1]!r}"
        raise ValueError(message)
    if chain_of(previous, row) != chain:
        message = "the chain hash is wrong: this row or the one before it was changed"
        raise ValueError(message)


def _from_row(row: Row, sealer: Sealer) -> Recorded:
    table, sequence, wall_ns, monotonic_ns, actor_id, actor_name, role, cause, name, version, payload, raw = row
    fields: Fields = json.loads(_text(payload))
    for field, value in fields.items():
        if isinstance(value, dict) and value.keys() == {_SEALED}:
            place = _place(_text(table), _number(sequence), field)
            text = sealer.open(bytes.fromhex(value[_SEALED]), place).decode()
            fields[field] = json.loads(text) if field in SECRET_RECORDS else text
    event = decode(_text(name), _number(version), fields)
    clear = raw if isinstance(raw, bytes) else b""
    if hides_card(event):
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


def _number(column: Column) -> int:
    if not isinstance(column, int):
        message = f"{column!r} is no number"
        raise TypeError(message)
    return column
