"""The evidence on SQLite: past rounds, incidents and money, read back from a journal's file.

Implements :class:`studio.ports.evidence.Evidence` on read-only connections, also while a studio writes. It opens
what is sealed, since a table cannot be folded without: what may be shown of it is decided by who uses it.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from studio.adapters.codec import NAMES, encode
from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_indexes import CALLS_FOR_A_RECORD, NAMES_A_SUBJECT, SUBJECT
from studio.adapters.sqlite_rows import StoredRow, from_row, rows_between, rows_of
from studio.adapters.sqlite_search import (
    ANY_INCIDENT,
    DISPUTE,
    WIDEST_ACT,
    ended,
    noticed,
    search,
    span_at,
    span_of,
)
from studio.adapters.sqlite_standing import shoe_began, standing
from studio.adapters.sqlite_store import open_read_only
from studio.domain import events
from studio.domain.anomalies import AnomalyKind
from studio.domain.events import Event
from studio.domain.money import player_account
from studio.domain.record_events import CALL_FOR_A_RECORD, Subject
from studio.ports.evidence import Fact, Found, Move, Noticed, Span, Wanted
from studio.ports.history import Ended

_BESIDE_ACTS: Final = frozenset({events.AnomalyDetected, events.DisputeOpened})
_MANY: Final = 20
"""With more players than this an event's moves are summed up."""
_PLAYERS: Final = player_account("")
_ABOUT: Final = f"INDEXED BY events_by_subject WHERE table_id = ? AND {NAMES_A_SUBJECT} AND {SUBJECT} = ?"
_ACT: Final = (
    "WHERE table_id = ?1 AND sequence > ?2 - ?3 AND sequence < ?2 + ?3 AND (cause, monotonic_ns, wall_ns) ="
    " (SELECT cause, monotonic_ns, wall_ns FROM events WHERE table_id = ?1 AND sequence = ?2)"
)
_STARTS: Final = (
    f"INDEXED BY record_starts WHERE table_id = ? AND sequence >= ? AND sequence < ? AND {CALLS_FOR_A_RECORD}"
)
_NOTE: Final = NAMES[events.NoteAdded].name
_OF_SUBJECT: Final = {Subject.INCIDENT: "incident", Subject.DISPUTE: "dispute", Subject.ROUND: ""}
_MOVES: Final = "SELECT source, target, amount, currency, cause FROM transfers WHERE id >= ? AND id < ?"
_BATCH: Final = "SELECT currency, columns FROM transfer_batches WHERE table_id = ? AND sequence = ?"


class SqliteEvidence:
    """What a journal's file holds of its ``tables``."""

    def __init__(self, path: Path, sealer: Sealer, tables: Iterable[str]) -> None:
        self._path = path
        self._sealer = sealer
        self._tables = tuple(tables)

    def kinds(self) -> tuple[str, ...]:
        """Return every kind that may be looked for: any incident, each anomaly, acts by their name, disputes."""
        acts = (NAMES[kind].name for kind in CALL_FOR_A_RECORD if kind not in _BESIDE_ACTS)
        return (ANY_INCIDENT, *AnomalyKind, *acts, DISPUTE)

    def search(self, wanted: Wanted) -> Found:
        """Return the newest rounds that are wanted."""
        with self._reading() as connection:
            return search(connection, self._tables, wanted)

    def span(self, table: str, number: int) -> Span | None:
        """Return where a round lies; ``None`` where the table played none of that number."""
        with self._reading() as connection:
            return span_of(connection, table, number)

    def span_at(self, table: str, sequence: int) -> Span | None:
        """Return the round that an event belongs to; ``None`` for a table without events."""
        with self._reading() as connection:
            return span_at(connection, table, sequence)

    def ended(self, span: Span) -> Ended:
        """Return how a round ended."""
        with self._reading() as connection:
            return ended(connection, span)

    def noticed(self, span: Span) -> tuple[Noticed, ...]:
        """Return what a round has records of."""
        with self._reading() as connection:
            return noticed(connection, span)

    def facts(self, table: str, first: int, end: int) -> tuple[Fact, ...]:
        """Return the rows from ``first`` up to before ``end``; raise ``ValueError`` where their chain is wrong."""
        with self._reading() as connection:
            return tuple(self._fact(row) for row in rows_between(connection, table, first, end))

    def before(self, table: str, first: int) -> tuple[Event, ...]:
        """Return events that, folded, give the table that was before ``first``, as far as any view shows it."""
        with self._reading() as connection:
            # What players were told of the round before is shown in this one too.
            previous = span_at(connection, table, first - 1)
            began = shoe_began(connection, table, min(first, previous.first if previous else first))
            kept = standing(connection, table, began + 1)
            stood = [_without_window(from_row(row.columns, self._sealer).event) for row in kept]
            since = (
                from_row(row.columns, self._sealer).event
                for row in rows_between(connection, table, began + 1, first)
            )
            return (*stood, *since)

    def about(self, table: str, subject: Subject, number: int) -> tuple[Fact, ...]:
        """Return every event that names an incident or a dispute, or the notes on either or on a round."""
        with self._reading() as connection:
            found = [self._fact(row) for row in rows_of(connection, _ABOUT, (table, number))]
        return tuple(fact for fact in found if _is_about(fact, subject))

    def proposal(self, table: str, number: int) -> tuple[Fact, ...]:
        """Return every event of a proposal that two people decide on."""
        with self._reading() as connection:
            found = [self._fact(row) for row in rows_of(connection, _ABOUT, (table, number))]
        return tuple(fact for fact in found if "proposal" in fact.fields)

    def act(self, table: str, sequence: int) -> tuple[Fact, ...]:
        """Return the rows that were written by the same command as the one at ``sequence``, itself among them."""
        with self._reading() as connection:
            return tuple(map(self._fact, rows_of(connection, _ACT, (table, sequence, WIDEST_ACT))))

    def starts(self, table: str, first: int, end: int) -> tuple[Fact, ...]:
        """Return the events from ``first`` up to before ``end`` that call for a record."""
        with self._reading() as connection:
            return tuple(map(self._fact, rows_of(connection, _STARTS, (table, first, end))))

    def moves(self, table: str, sequences: Iterable[int]) -> tuple[Move, ...]:
        """Return what the ledger says that some events moved."""
        with self._reading() as connection:
            return tuple(move for sequence in sequences for move in _moves(connection, table, sequence))

    def is_shoe_closed(self, table: str, sequence: int) -> bool:
        """Tell whether the shoe in play at ``sequence`` was closed since, so that its cards are no secret."""
        with self._reading() as connection:
            return shoe_began(connection, table, 2**62) > sequence

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with closing(open_read_only(self._path)) as connection:
            try:
                connection.execute("BEGIN")  # one snapshot: the table goes on meanwhile
                yield connection
            except sqlite3.DatabaseError as error:
                advice = "; a studio that opens it makes its indexes" if "no such index" in str(error) else ""
                message = f"the journal {self._path} cannot be read: {error}{advice}"
                raise ValueError(message) from error

    def _fact(self, row: StoredRow) -> Fact:
        *_, name, version, payload, _ = row.columns
        recorded = from_row(row.columns, self._sealer)
        clear = encode(recorded.event)
        return Fact(recorded, str(name), int(str(version)), json.loads(str(payload)), clear, row.chain.hex())


def _without_window(event: Event) -> Event:
    """Leave out the deadline of a round that was over long before."""
    return replace(event, deadline_ns=None) if isinstance(event, events.IncidentResolved) else event


def _is_about(fact: Fact, subject: Subject) -> bool:
    if fact.name == _NOTE:
        return bool(fact.fields["subject"] == subject)
    return _OF_SUBJECT[subject] in fact.fields


def _moves(connection: sqlite3.Connection, table: str, sequence: int) -> Iterator[Move]:
    """Yield what one event moved, account by account."""
    place = f"{table}:{sequence}"
    sums: Counter[tuple[str, str, str]] = Counter()
    for source, target, amount, currency, cause in connection.execute(_MOVES, (f"{place}:", f"{place};")):
        sums[source, currency, cause] -= amount
        sums[target, currency, cause] += amount
    players = {account for account, _, _ in sums if account.startswith(_PLAYERS)}
    if len(players) <= _MANY:
        for (account, currency, cause), amount in sums.items():
            yield Move(sequence, account, amount, currency, cause)
    else:
        yield from _summed(sequence, sums)
    for currency, columns in connection.execute(_BATCH, (table, sequence)):
        legs, others = json.loads(columns)
        for cause, account, pays, names, amounts in legs:
            total = -sum(amounts) if pays else sum(amounts)
            yield Move(sequence, "players", total, currency, cause, len(names))
            yield Move(sequence, account, -total, currency, cause)
        for source, target, _, amount, cause in others:
            yield Move(sequence, source, -amount, currency, cause)
            yield Move(sequence, target, amount, currency, cause)


def _summed(sequence: int, sums: Counter[tuple[str, str, str]]) -> Iterator[Move]:
    together: Counter[tuple[str, str, str]] = Counter()
    counts: Counter[tuple[str, str, str]] = Counter()
    for (account, currency, cause), amount in sums.items():
        key = ("players" if account.startswith(_PLAYERS) else account, currency, cause)
        together[key] += amount
        counts[key] += 1
    for (account, currency, cause), amount in together.items():
        yield Move(sequence, account, amount, currency, cause, counts[account, currency, cause])
