"""The search of past rounds in a journal: newest first, a bounded number of them at a time, by the indexes.

Each table is gone through backwards by itself, and what they give is merged by time. It has no key: what is sealed
is not searched, so a card counts only where it was shown.
"""

from __future__ import annotations

import heapq
import json
import sqlite3
from collections.abc import Iterator
from typing import Final, NamedTuple

from studio.adapters.codec import NAMES, canonical
from studio.adapters.sqlite_indexes import (
    BY_ROUND,
    CALLS_FOR_A_RECORD,
    NAMES_A_ROUND,
    NAMES_A_SUBJECT,
    NUMBER,
    OPENED,
    STANDS,
    SUBJECT,
    listed,
)
from studio.domain import events
from studio.domain.events import Event
from studio.domain.money import player_account
from studio.ports.evidence import Found, FoundRound, Noticed, Span, Wanted
from studio.ports.history import Ended

NO_END: Final = 2**62
_LOOKS: Final = 5_000
"""Rounds, or columns of a shared hand's bets, that one search looks at before it answers with what it has."""


def _name(kind: type[Event]) -> str:
    return NAMES[kind].name


_SHOWN: Final = f"name IN ({listed([events.CardDealt, events.CardBurned, events.HoleRevealed])})"
_FATES: Final = f"name IN ({listed([events.RoundSettled, events.RoundVoided, events.RoundClosed])})"
ANY_INCIDENT: Final = "any"
DISPUTE: Final = "dispute"
WIDEST_ACT: Final = 64
"""Events on either side of one that may belong to the same command."""
_WITHIN: Final = "table_id = ? AND sequence >= ? AND sequence < ?"
_ROUNDS: Final = f"FROM events INDEXED BY rounds_by_sequence WHERE table_id = ? AND {OPENED} AND sequence"
_ROUND: Final = f"SELECT sequence, wall_ns, {NUMBER}"
_BACKWARDS: Final = f"{_ROUND} {_ROUNDS} < ? AND sequence >= ? ORDER BY sequence DESC"
_AT: Final = f"{_ROUND} {_ROUNDS} <= ? ORDER BY sequence DESC LIMIT 1"
_NEXT: Final = f"SELECT min(sequence) {_ROUNDS} > ?"
_BY_NUMBER: Final = (
    f"{_ROUND} FROM events INDEXED BY rounds_by_number WHERE table_id = ? AND {OPENED}"
    f" AND {NUMBER} = ? ORDER BY sequence DESC LIMIT 1"
)
_IN_TIME: Final = (
    "SELECT min(sequence), max(sequence) FROM events INDEXED BY rounds_by_time"  # noqa: S608 - constants
    f" WHERE table_id = ? AND {OPENED} AND wall_ns >= ? AND wall_ns < ?"
)
_STAKES: Final = (
    "SELECT id FROM transfers WHERE source = :account AND source GLOB 'player:*' AND wall_ns >= :since"
    " AND +id >= :from AND +id < :to"  # the player's index leaves fewer than the ids' would
)
_BATCHES: Final = (
    "SELECT sequence, CASE WHEN instr(columns, ?) > 0 THEN NULL ELSE wall_ns END FROM transfer_batches"
    " WHERE table_id = ? AND sequence < ? ORDER BY sequence DESC"
)
_STARTS: Final = f"FROM events INDEXED BY record_starts WHERE {_WITHIN} AND {CALLS_FOR_A_RECORD}"
_BEGUN: Final = f"SELECT sequence, name, payload {_STARTS} ORDER BY sequence"
_OF_KIND: Final = (
    f"SELECT sequence {_STARTS} AND (name = ? OR json_extract(payload, '$.kind') = ?) ORDER BY sequence DESC"
)
_OF_INCIDENT: Final = (
    f"SELECT 1 FROM events WHERE table_id = ?1 AND sequence > ?2 AND sequence < ?2 + {WIDEST_ACT}"  # noqa: S608
    f" AND name IN ({listed([events.AnomalyDetected, events.IncidentResolved])})"
    " AND (cause, monotonic_ns, wall_ns) ="
    " (SELECT cause, monotonic_ns, wall_ns FROM events WHERE table_id = ?1 AND sequence = ?2) LIMIT 1"
)
_INCIDENT: Final = (
    "SELECT min(sequence) FROM events INDEXED BY events_by_subject"  # noqa: S608 - constants
    f" WHERE table_id = ? AND {NAMES_A_SUBJECT} AND {SUBJECT} = ? AND name = '{_name(events.AnomalyDetected)}'"
)
_HAS_CARD: Final = (
    f"SELECT 1 FROM events WHERE {_WITHIN} AND {_SHOWN}"  # noqa: S608 - constants
    " AND json_extract(payload, '$.card') = ? LIMIT 1"
)
_HAS_PLAYER: Final = (
    f"SELECT 1 FROM events WHERE {_WITHIN} AND name = '{_name(events.BetsPlaced)}'"  # noqa: S608 - constants
    " AND instr(payload, ?) > 0 LIMIT 1"
)
_FATE: Final = f"SELECT name FROM events WHERE {_WITHIN} AND {_FATES}"  # noqa: S608 - constants
_DEALER: Final = (
    "SELECT json_extract(payload, '$.name') FROM events INDEXED BY standing_events"  # noqa: S608 - constants
    f" WHERE table_id = ? AND {STANDS} AND name = '{_name(events.DealerSignedOn)}' AND sequence < ?"
    " ORDER BY sequence DESC LIMIT 1"
)
_NAMED_ROUND: Final = f"FROM events INDEXED BY records_by_round WHERE table_id = ? AND {NAMES_A_ROUND}"
_ABOUT_ROUND: Final = f"SELECT sequence, name, json_extract(payload, '$.dispute') {_NAMED_ROUND} AND {NUMBER} = ?"
_ROUNDS_NAMED: Final = f"SELECT DISTINCT {NUMBER} {_NAMED_ROUND} AND name = ?"
_DISPUTED: Final = _name(events.DisputeOpened)
_LATER_KINDS: Final = {DISPUTE if kind is events.DisputeOpened else _name(kind): _name(kind) for kind in BY_ROUND}


class _Hit(NamedTuple):
    """An event of a round that may be wanted; or, with a time, one that was looked at in vain."""

    sequence: int
    in_vain_at: int | None = None


class _Look(NamedTuple):
    """One thing that was looked at: where it lies in time, and the round if it may be wanted."""

    wall_ns: int
    table: str
    sequence: int
    span: Span | None


def span_of(connection: sqlite3.Connection, table: str, number: int) -> Span | None:
    """Return where a round lies; round 0 is what came before the first."""
    if number == 0:
        return span_at(connection, table, 0)
    row = connection.execute(_BY_NUMBER, (table, number)).fetchone()
    return None if row is None else _span(connection, table, row)


def span_at(connection: sqlite3.Connection, table: str, sequence: int) -> Span | None:
    """Return the round that an event belongs to; ``None`` for a table without any event."""
    row = connection.execute(_AT, (table, sequence)).fetchone()
    if row is not None:
        return _span(connection, table, row)
    first = connection.execute(
        "SELECT wall_ns FROM events WHERE table_id = ? AND sequence = 1", (table,)
    ).fetchone()
    return None if first is None else _span(connection, table, (1, first[0], 0))


def _span(connection: sqlite3.Connection, table: str, row: tuple[int, int, int]) -> Span:
    first, wall_ns, number = row
    (following,) = connection.execute(_NEXT, (table, first)).fetchone()
    return Span(table, number, first, following or _end(connection, table), wall_ns)


def _end(connection: sqlite3.Connection, table: str) -> int:
    (last,) = connection.execute("SELECT max(sequence) FROM events WHERE table_id = ?", (table,)).fetchone()
    return int(last) + 1


def search(connection: sqlite3.Connection, tables: tuple[str, ...], wanted: Wanted, looks: int = _LOOKS) -> Found:
    """Return the newest rounds of some tables that are wanted; what is older is asked for with ``after``."""
    asked = [table for table in tables if wanted.table in {None, table} and wanted.after.get(table, 1)]
    streams = [_looks(connection, table, wanted) for table in asked]
    reached = {table: wanted.after.get(table, NO_END) for table in asked}
    found: list[FoundRound] = []
    for number, look in enumerate(heapq.merge(*streams, key=_newest, reverse=True)):
        if number >= looks or len(found) >= wanted.limit:
            return Found(tuple(found), reached)
        reached[look.table] = min(reached[look.table], look.sequence)
        if look.span is not None and _is_wanted(connection, look.span, wanted):
            found.append(_found(connection, look.span))
    return Found(tuple(found), None)


def _newest(look: _Look) -> tuple[int, str, int]:
    return look.wall_ns, look.table, look.sequence


def _looks(connection: sqlite3.Connection, table: str, wanted: Wanted) -> Iterator[_Look]:
    """Yield what of a table has to be looked at, newest first, each round once."""
    low, high = _bounds(connection, table, wanted)
    high = min(high, wanted.after.get(table, NO_END))
    last = NO_END
    for sequence, in_vain_at in _hits(connection, table, wanted, low, high):
        if in_vain_at is not None:
            yield _Look(in_vain_at, table, sequence, None)
            continue
        span = span_at(connection, table, sequence)
        if span is not None and low <= span.first < min(last, high):
            last = span.first
            yield _Look(span.at_wall_ns, table, span.first, span)


def _bounds(connection: sqlite3.Connection, table: str, wanted: Wanted) -> tuple[int, int]:
    """Return from where, and to before where, rounds of the wanted time begin."""
    if wanted.since_wall_ns is None and wanted.until_wall_ns is None:
        return 0, NO_END
    since = 0 if wanted.since_wall_ns is None else wanted.since_wall_ns
    until = NO_END if wanted.until_wall_ns is None else wanted.until_wall_ns
    first, last = connection.execute(_IN_TIME, (table, since, until)).fetchone()
    return (NO_END, 0) if first is None else (first, last + 1)


def _hits(connection: sqlite3.Connection, table: str, wanted: Wanted, low: int, high: int) -> Iterator[_Hit]:
    """Yield events of the rounds that may be wanted, newest first, by the condition that leaves the fewest."""
    end = _next_round(connection, table, high)
    if wanted.incident is not None:
        (sequence,) = connection.execute(_INCIDENT, (table, wanted.incident)).fetchone()
        if sequence is not None:
            yield _Hit(sequence)
    elif wanted.kind in _LATER_KINDS:
        named = connection.execute(_ROUNDS_NAMED, (table, _LATER_KINDS[wanted.kind]))
        spans = [span_of(connection, table, number) for (number,) in named.fetchall()]
        yield from sorted((_Hit(span.first) for span in spans if span), reverse=True)
    elif wanted.kind is not None:
        name = _name(events.AnomalyDetected) if wanted.kind == ANY_INCIDENT else wanted.kind
        for row in connection.execute(_OF_KIND, (table, low, end, name, wanted.kind)):
            yield _Hit(*row)
    elif wanted.player is not None:
        batches = connection.execute(_BATCHES, (canonical(wanted.player), table, end))
        stakes = _stakes(connection, table, wanted.player, wanted.since_wall_ns or 0)
        yield from heapq.merge(stakes, (_Hit(*row) for row in batches), key=_sequence, reverse=True)
    else:
        for sequence, _, _ in connection.execute(_BACKWARDS, (table, high, low)):
            yield _Hit(sequence)


def _sequence(hit: _Hit) -> int:
    return hit.sequence


def _next_round(connection: sqlite3.Connection, table: str, high: int) -> int:
    """Return where the last round that begins before ``high`` ends."""
    if high >= NO_END:
        return NO_END
    (following,) = connection.execute(_NEXT, (table, high - 1)).fetchone()
    return NO_END if following is None else int(following)


def _stakes(connection: sqlite3.Connection, table: str, player: str, since_wall_ns: int) -> list[_Hit]:
    """Return the events by which a player staked something; a table's transfers are from ``t1:`` to ``t1;``."""
    asked = {"account": player_account(player), "since": since_wall_ns, "from": f"{table}:", "to": f"{table};"}
    sequences = {int(id_.split(":")[-2]) for (id_,) in connection.execute(_STAKES, asked)}
    return [_Hit(sequence) for sequence in sorted(sequences, reverse=True)]


def _is_wanted(connection: sqlite3.Connection, span: Span, wanted: Wanted) -> bool:
    """Tell whether a round fulfils the conditions that did not lead to it."""
    since, until = wanted.since_wall_ns, wanted.until_wall_ns
    if (since is not None and span.at_wall_ns < since) or (until is not None and span.at_wall_ns >= until):
        return False
    where = (span.table, span.first, span.end)
    if wanted.card is not None and connection.execute(_HAS_CARD, (*where, wanted.card)).fetchone() is None:
        return False
    if wanted.player is None or (wanted.kind is None and wanted.incident is None):
        return True
    return connection.execute(_HAS_PLAYER, (*where, canonical(wanted.player))).fetchone() is not None


def _found(connection: sqlite3.Connection, span: Span) -> FoundRound:
    dealer = connection.execute(_DEALER, (span.table, span.first)).fetchone()
    return FoundRound(span, ended(connection, span), dealer[0] if dealer else "", noticed(connection, span))


def ended(connection: sqlite3.Connection, span: Span) -> Ended:
    """Return how a round ended."""
    fates = {name for (name,) in connection.execute(_FATE, (span.table, span.first, span.end))}
    if _name(events.RoundSettled) in fates:
        return Ended.SETTLED
    return Ended.VOIDED if fates else Ended.OPEN


def _is_of_an_incident(connection: sqlite3.Connection, table: str, sequence: int) -> bool:
    """Tell whether an act was a way out or led to an incident: it is in that record and has none of its own."""
    row = connection.execute(_OF_INCIDENT, (table, sequence)).fetchone()
    return row is not None


def noticed(connection: sqlite3.Connection, span: Span) -> tuple[Noticed, ...]:
    """Return what a round has records of: its incidents, what was done without one, and what came of it later."""
    begun: list[Noticed] = []
    for sequence, name, payload in connection.execute(_BEGUN, (span.table, span.first, span.end)):
        if name in _LATER_KINDS.values():
            continue
        fields = json.loads(payload)
        if name == _name(events.AnomalyDetected):
            begun.append(Noticed(sequence, fields["kind"], fields["incident"]))
        elif not _is_of_an_incident(connection, span.table, sequence):
            begun.append(Noticed(sequence, name, 0))
    for sequence, name, number in connection.execute(_ABOUT_ROUND, (span.table, span.round)):
        begun.append(Noticed(sequence, DISPUTE if name == _DISPUTED else name, number or 0))
    return tuple(begun)
