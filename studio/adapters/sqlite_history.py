"""The history on SQLite: reads a player's rounds back from the journal's events and the ledger, and only reads.

Implements :class:`studio.ports.history.History`. It has no key: what is sealed stays sealed, so a card that nobody
was shown cannot leave this way. It reads the newest rounds first and stops when it has enough of them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from studio.adapters.codec import NAMES, canonical, decode
from studio.adapters.played_rounds import played_round
from studio.adapters.sqlite_ledger import lines_of
from studio.adapters.sqlite_store import open_read_only
from studio.domain import events
from studio.domain.events import Event
from studio.domain.money import player_account
from studio.domain.rules import Layout
from studio.domain.setup import TableSetup
from studio.ports.history import LedgerLine, PlayedRound

_OPENED: Final = NAMES[events.BettingOpened].name
_PLACED: Final = NAMES[events.BetsPlaced].name
_REVISED: Final = NAMES[events.RoundRevised].name
_DEALT: Final = NAMES[events.CardDealt].name
_TURNED: Final = NAMES[events.HoleRevealed].name
_UNKNOWN: Final = "2C"
"""Stands for a hole card that was never turned, so that the fold has its place; it leaves this module no more."""
_OF_A_ROUND: Final = tuple(
    NAMES[kind].name
    for kind in (
        events.BettingOpened,
        events.BetsPlaced,
        events.BetsReturned,
        events.BettingClosed,
        events.CardDealt,
        events.InsuranceOffered,
        events.InsuranceAnswered,
        events.SharedInsuranceAnswered,
        events.InsuranceClosed,
        events.DecisionAsked,
        events.DecisionTaken,
        events.SharedDecisionsTaken,
        events.SharedWindowClosed,
        events.FollowAsked,
        events.FollowAnswered,
        events.FollowClosed,
        events.HoleRevealed,
        events.RoundCorrected,
        events.HandsDied,
        events.RoundSettled,
        events.RoundVoided,
        events.RoundClosed,
    )
)
"""What a player's round is made of; incidents, the shoe and the reader are not."""

_FIND: Final = (
    "SELECT sequence, name, CASE WHEN name != :placed THEN json_extract(payload, '$.round') END FROM events"
    " WHERE table_id = :table"
    " AND (name IN (:opened, :revised) OR name = :placed AND instr(payload, :player) > 0)"
    " ORDER BY sequence DESC"
)
_READ: Final = (
    "SELECT sequence, wall_ns, name, version FROM events"
    " WHERE table_id = :table AND sequence >= :first AND sequence < :end"
    " AND name IN (SELECT value FROM json_each(:names)) ORDER BY sequence"
)
# Between "t1:5:" and "t1:5;" are the ids of the transfers of event 5; the key's index finds them.
_MOVES: Final = (
    "SELECT id, source, amount, cause FROM transfers WHERE id >= :first AND id < :end"
    " AND (source = :account OR target = :account)"
)
_BATCH: Final = (
    "SELECT columns FROM transfer_batches WHERE table_id = :table AND sequence = :sequence"
    " AND instr(columns, :quoted) > 0"
)
_ROWS_IN: Final = {
    NAMES[kind].name: path
    for kind, path in {
        events.BetsPlaced: "$.bets",
        events.BetsReturned: "$.bets",
        events.RoundVoided: "$.refunds",
        events.SharedInsuranceAnswered: "$",
        events.SharedDecisionsTaken: "$",
    }.items()
}
"""Where the events with a row a player have their columns; results are kept in groups."""

_EVENT: Final = "table_id = :table AND sequence = :sequence"
_AT: Final = "table_id = ? AND sequence = ?"
_PLACES: Final = (
    "SELECT one.key FROM events, json_each(payload, :path || '.players') AS one"  # noqa: S608 - constants
    f" WHERE {_EVENT} AND one.value = :player"
)
_COLUMNS: Final = (
    f"SELECT one.key FROM events, json_each(payload, :path) AS one WHERE {_EVENT} AND one.type = 'array'"  # noqa: S608
)
_RESULTS: Final = (
    "SELECT some.key, one.key FROM events, json_each(payload, '$.results.groups') AS some,"  # noqa: S608 - constants
    f" json_each(some.value, '$.players') AS one WHERE {_EVENT} AND one.value = :player"
)
_SCALARS: Final = (
    "SELECT one.key, one.value FROM events, json_each(payload) AS one"  # noqa: S608 - constants
    f" WHERE {_EVENT} AND one.type NOT IN ('array', 'object')"
)
_NO_END: Final = 2**62


class _Span(NamedTuple):
    """The events of one round and of what came before the next: ``first`` up to before ``end``."""

    first: int
    end: int
    revisions: tuple[int, ...] = ()
    """The sequences of the round's revisions, which come later."""


class SqliteHistory:
    """The rounds of the tables whose ``setups`` it is given, by table, from a journal's file."""

    def __init__(self, path: Path, setups: Mapping[str, TableSetup]) -> None:
        self._path = path
        self._setups = setups

    def rounds(self, table: str, player: str, *, before: int | None, limit: int) -> tuple[PlayedRound, ...]:
        """Return the newest ``limit`` rounds that a player had a bet in, newest first, from before a round.

        Raises ``KeyError`` for a table that it was given no setup of, ``ValueError`` where an event is wrong.
        """
        setup = self._setups[table]
        with closing(open_read_only(self._path)) as connection:
            connection.execute("BEGIN")  # one snapshot: the table goes on meanwhile
            spans = _spans(connection, table, player, before)
            found = (_read(connection, setup, player, span) for span in spans)
            return tuple(islice((one for one in found if one is not None), limit))


def _spans(connection: sqlite3.Connection, table: str, player: str, before: int | None) -> Iterator[_Span]:
    """Yield where the rounds lie that may have a bet of the player, newest first."""
    asked = {
        "table": table,
        "opened": _OPENED,
        "placed": _PLACED,
        "revised": _REVISED,
        "player": canonical(player),
    }
    end, has_bet = _NO_END, False
    revisions: dict[int, list[int]] = {}
    for sequence, name, number in connection.execute(_FIND, asked):
        if name == _REVISED:
            revisions.setdefault(number, []).insert(0, sequence)
            continue
        if name == _PLACED:
            has_bet = True
            continue
        if has_bet and (before is None or number < before):
            yield _Span(sequence, end, tuple(revisions.get(number, ())))
        end, has_bet = sequence, False


def _read(connection: sqlite3.Connection, setup: TableSetup, player: str, span: _Span) -> PlayedRound | None:
    rows = connection.execute(
        _READ, {"table": setup.table, "first": span.first, "end": span.end, "names": json.dumps(_OF_A_ROUND)}
    ).fetchall()
    played: list[Event] = []
    entries: list[LedgerLine] = []
    is_shared = setup.rules.layout is Layout.SHARED_HAND
    rows += [(sequence, 0, _REVISED, NAMES[events.RoundRevised].version) for sequence in span.revisions]
    hole = _UNKNOWN
    for sequence, _, name, _ in rows:
        if name == _TURNED:
            hole = json.loads(_payload(connection, setup.table, sequence))["card"]
    for sequence, _, name, version in rows:
        if is_shared and (name, version) == NAMES[events.RoundSettled]:
            fields = _own_results(connection, setup.table, sequence, player)
        elif is_shared and name in _ROWS_IN:
            fields = _own_rows(connection, setup.table, sequence, _ROWS_IN[name], player)
        else:
            fields = json.loads(_payload(connection, setup.table, sequence))
        if name == _DEALT and _is_sealed(fields):
            fields["card"] = hole
        if _is_sealed(fields):
            continue
        played.append(decode(name, version, fields))
        entries += _entries(connection, setup.table, sequence, player)
    return played_round(setup, played, player, rows[0][1], tuple(entries))


def _payload(connection: sqlite3.Connection, table: str, sequence: int) -> str:
    event = {"table": table, "sequence": sequence}
    (payload,) = connection.execute(f"SELECT payload FROM events WHERE {_EVENT}", event).fetchone()  # noqa: S608
    return str(payload)


def _is_sealed(fields: Mapping[str, Any]) -> bool:
    return any(isinstance(value, dict) and "sealed" in value for value in fields.values())


def _own_rows(connection: sqlite3.Connection, table: str, sequence: int, path: str, player: str) -> dict[str, Any]:
    """Return an event's fields with the player's rows alone: a shared hand's others have no say in theirs.

    SQLite picks them, which lets the table go on meanwhile: a hundred thousand rows read here would stop it.
    """
    event = {"table": table, "sequence": sequence, "path": path, "player": player}
    places = [place for (place,) in connection.execute(_PLACES, event)]
    names = [name for (name,) in connection.execute(_COLUMNS, event)]
    rows = [_cells(connection, table, sequence, [f"{path}.{name}[{place}]" for name in names]) for place in places]
    columns = {name: [row[number] for row in rows] for number, name in enumerate(names)}
    fields = dict(connection.execute(_SCALARS, event).fetchall())
    _, _, inner = path.partition(".")
    return fields | ({inner: columns} if inner else columns)


def _own_results(connection: sqlite3.Connection, table: str, sequence: int, player: str) -> dict[str, Any]:
    """Return the fields of a settlement with the player's results alone, each a group of one."""
    found = connection.execute(_RESULTS, {"table": table, "sequence": sequence, "player": player}).fetchall()
    groups = []
    for group, place in found:
        path = f"$.results.groups[{group}]"
        paths = [f"{path}.{name}" for name in ("seat", "hand", "kind", f"stakes[{place}]", f"returned[{place}]")]
        seat, hand, kind, stake, returned = _cells(connection, table, sequence, paths)
        columns = {"players": [player], "stakes": [stake], "returned": [returned]}
        groups.append({"seat": seat, "hand": hand, "kind": kind, **columns})
    return {"results": {"groups": groups}}


def _cells(connection: sqlite3.Connection, table: str, sequence: int, paths: Sequence[str]) -> list[Any]:
    """Return what lies at some paths of an event, two or more: for one alone the answer would be no array."""
    pick = f"SELECT json_extract(payload, {', '.join('?' * len(paths))}) FROM events WHERE {_AT}"  # noqa: S608 - marks
    (picked,) = connection.execute(pick, (*paths, table, sequence)).fetchone()
    cells: list[Any] = json.loads(picked)
    return cells


def _entries(connection: sqlite3.Connection, table: str, sequence: int, player: str) -> Iterator[LedgerLine]:
    """Yield what an event moved from or to a player's account."""
    account, place = player_account(player), f"{table}:{sequence}"
    moves = connection.execute(_MOVES, {"first": f"{place}:", "end": f"{place};", "account": account})
    lines = [(id_, source, amount, cause) for id_, source, amount, cause in moves]
    # The ids are text; their numbers say the order.
    for id_, source, amount, cause in sorted(lines, key=lambda line: int(line[0].rpartition(":")[2])):
        yield LedgerLine(id_, -amount if source == account else amount, cause)
    asked = {"table": table, "sequence": sequence, "quoted": canonical(player)}
    for (columns,) in connection.execute(_BATCH, asked):
        for index, amount, cause in lines_of(columns, player):
            yield LedgerLine(f"{place}:{index}", amount, cause)
