"""Retention: what is older than its years is taken out, never under a legal hold, and the proof stays whole.

Raw bytes leave their hash behind, which the chain was made of; receipts and refusals leave the digest in their
record. Events, money and custody stay: with them every round can still be replayed. The act is recorded before
anything goes, so that a check knows what may be missing.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from typing import Final, NamedTuple

from studio.adapters.chain import START
from studio.adapters.codec import NAMES
from studio.adapters.sqlite_custody import ActKind, enact, open_holds
from studio.adapters.sqlite_records import RecordKind, read_records
from studio.adapters.sqlite_rows import SELECT, chain_of, thinned
from studio.adapters.sqlite_store import SqliteStore, open_read_only
from studio.domain import events
from studio.domain.instants import Instant
from studio.ports.custody import Hold

_TOGETHER: Final = 500
_OPENED: Final = NAMES[events.BettingOpened].name
_ROUNDS: Final = (
    "SELECT table_id, sequence, payload FROM events WHERE name = ? AND (? = '' OR table_id = ?)"
    " ORDER BY table_id, sequence"
)
_END: Final = 2**62
_TIMES: Final = {
    RecordKind.DEPOSIT: "SELECT wall_ns FROM transfers WHERE id = ?",
    RecordKind.REFUSAL: "SELECT wall_ns FROM refusals WHERE number = CAST(? AS INTEGER)",
    RecordKind.CUSTODY: "SELECT wall_ns FROM custody WHERE number = CAST(? AS INTEGER)",
}
_MOVED_AT: Final = "SELECT wall_ns FROM events WHERE table_id = ? AND sequence = CAST(? AS INTEGER)"
_DELETE: Final = {
    RecordKind.RECEIPT: "DELETE FROM receipts WHERE key = ?",
    RecordKind.REFUSAL: "DELETE FROM refusals WHERE number = CAST(? AS INTEGER)",
}


class Span(NamedTuple):
    """The events of a round: from ``first`` on, before ``end``."""

    first: int
    end: int


class Removal(NamedTuple):
    """What a retention would take out, or took out."""

    raw: list[tuple[str, int]]
    """Table and sequence of each event whose raw bytes go."""
    rows: list[tuple[RecordKind, str]]
    """Kind and id of each receipt and refusal that goes."""
    records: int
    """The last record that it looked at."""
    holds: tuple[Hold, ...]


def spans(connection: sqlite3.Connection, of_table: str = "") -> dict[tuple[str, int], Span]:
    """Return the events of every round, of one table or of all, by table and number: up to the next round."""
    begins: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for table, sequence, payload in connection.execute(_ROUNDS, (_OPENED, of_table, of_table)):
        begins[table].append((int(json.loads(payload)["round"]), sequence))
    found: dict[tuple[str, int], Span] = {}
    for table, rounds in begins.items():
        ends = [sequence for _, sequence in rounds[1:]] + [_END]
        found |= {(table, number): Span(first, end) for (number, first), end in zip(rounds, ends, strict=True)}
    return found


def plan(connection: sqlite3.Connection, before_wall_ns: int) -> Removal:
    """Return what is older than a moment and under no hold; it changes nothing."""
    holds = open_holds(connection)
    rounds = spans(connection)
    held: defaultdict[str, list[Span]] = defaultdict(list)
    for place in holds:
        if place in rounds:
            held[place[0]].append(rounds[place])
    raw = list(_old_raw(connection, before_wall_ns, held))
    rows, records = _old_rows(connection, before_wall_ns, held)
    return Removal(raw, rows, records, tuple(holds.values()))


def retain(store: SqliteStore, before_wall_ns: int, person: str, at: Instant) -> Removal:
    """Take out what :func:`plan` says, with the act recorded before; what is deleted is overwritten too.

    Raises :class:`studio.ports.journal.JournalError` where it cannot be written; then it may be done again.
    """
    with closing(open_read_only(store.path)) as connection:
        removal = plan(connection, before_wall_ns)
    fields = {
        "before_wall_ns": before_wall_ns,
        "records": removal.records,
        "raw": len(removal.raw),
        "rows": len(removal.rows),
        "holds": [[hold.table, hold.round] for hold in removal.holds],
    }
    write = store.writer.write_and_wait
    write(lambda connection, layer: enact(connection, layer, ActKind.RETENTION, person, at.wall_ns, fields))
    write(lambda connection, _: connection.execute("PRAGMA secure_delete = ON").fetchall())
    raw = iter(removal.raw)
    while some := list(islice(raw, _TOGETHER)):
        write(lambda connection, _, some=some: _thin(connection, some))  # type: ignore[misc] # bound now
    rows = iter(removal.rows)
    while gone := list(islice(rows, _TOGETHER)):
        write(lambda connection, _, gone=gone: _delete(connection, gone))  # type: ignore[misc] # bound now
    return removal


def _thin(connection: sqlite3.Connection, places: list[tuple[str, int]]) -> None:
    for place in places:
        (raw,) = connection.execute("SELECT raw FROM events WHERE table_id = ? AND sequence = ?", place).fetchone()
        update = "UPDATE events SET raw = ? WHERE table_id = ? AND sequence = ?"
        connection.execute(update, (thinned(raw), *place))


def _delete(connection: sqlite3.Connection, rows: list[tuple[RecordKind, str]]) -> None:
    for kind, id_ in rows:
        connection.execute(_DELETE[kind], (id_,))


def _old_raw(
    connection: sqlite3.Connection, before_wall_ns: int, held: dict[str, list[Span]]
) -> Iterator[tuple[str, int]]:
    """Yield the events with raw bytes; those of schema 1 keep theirs, since the chain was made of them."""
    previous, of_table = START, ""
    for *columns, chain in connection.execute(f"{SELECT} ORDER BY table_id, sequence"):
        row = tuple(columns)
        table, sequence, wall_ns, raw = row[0], row[1], row[2], row[-1]
        if table != of_table:
            previous, of_table = START, table
        is_free = not any(span.first <= sequence < span.end for span in held.get(table, ()))
        is_old = wall_ns < before_wall_ns and is_free
        if is_old and isinstance(raw, bytes) and raw and chain_of(previous, row) == chain:
            yield table, sequence
        previous = chain


def _old_rows(
    connection: sqlite3.Connection, before_wall_ns: int, held: dict[str, list[Span]]
) -> tuple[list[tuple[RecordKind, str]], int]:
    """Return receipts and refusals up to the first record that is younger, and the last record before that.

    A receipt has no time: it stands between records that have one. Around a held round everything stays between
    the money before it and the money after it.
    """
    found: list[tuple[int, RecordKind, str]] = []
    kept: set[int] = set()
    begun: dict[str, int] = {}
    inside: set[str] = set()
    last = 0
    for one in read_records(connection):
        kind = RecordKind(one.kind)
        wall_ns = _time_of(connection, kind, one.id)
        if wall_ns is not None and wall_ns >= before_wall_ns:
            break
        last = one.number
        if kind in _DELETE:
            found.append((one.number, kind, one.id))
        if kind is RecordKind.MOVES:
            table, _, sequence = one.id.rpartition(":")
            is_held = any(span.first <= int(sequence) < span.end for span in held.get(table, ()))
            if is_held or table in inside:
                kept.update(range(begun.get(table, 0), one.number + 1))
            inside = inside | {table} if is_held else inside - {table}
            begun[table] = one.number
    for table in inside:
        kept.update(range(begun[table], last + 1))
    free = ((kind, id_) for number, kind, id_ in found if number not in kept)
    return [one for one in free if _is_there(connection, *one)], last


def _time_of(connection: sqlite3.Connection, kind: RecordKind, id_: str) -> int | None:
    if kind is RecordKind.MOVES:
        table, _, sequence = id_.rpartition(":")
        row = connection.execute(_MOVED_AT, (table, sequence)).fetchone()
    elif kind in _TIMES:
        row = connection.execute(_TIMES[kind], (id_,)).fetchone()
    else:
        return None
    return None if row is None else int(row[0])


def _is_there(connection: sqlite3.Connection, kind: RecordKind, id_: str) -> bool:
    query = "SELECT 1 FROM receipts WHERE key = ?"
    if kind is RecordKind.REFUSAL:
        query = "SELECT 1 FROM refusals WHERE number = CAST(? AS INTEGER)"
    return connection.execute(query, (id_,)).fetchone() is not None
