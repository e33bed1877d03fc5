"""The look-back on SQLite: rounds by shoe, pack, batch and time, with the money of each, from events and ledger.

Implements :class:`studio.ports.look_back.LookBack`. It reads the journal of a running studio, changes nothing and
has no key: no card is part of the answer.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from studio.adapters.codec import NAMES
from studio.adapters.sqlite_indexes import NAMES_A_ROUND, NUMBER
from studio.adapters.sqlite_store import open_read_only
from studio.domain import events
from studio.domain.money import player_account
from studio.ports.look_back import LookBackQuery, PlayerMoney, TouchedRound

_SMALL: Final = tuple(
    NAMES[kind].name
    for kind in (
        events.DealerSignedOn,
        events.DealerSignedOff,
        events.PackRegistered,
        events.PackLoaded,
        events.ShoeLoaded,
        events.ShoeClosed,
        events.ShuffleCommitted,
        events.BettingOpened,
        events.RoundClosed,
    )
)
"""Events whose fields are asked; of the others only the money is."""
_ENDS: Final = {NAMES[events.RoundSettled].name: "settled", NAMES[events.RoundVoided].name: "voided"}
_MONEY: Final = tuple(
    NAMES[kind].name
    for kind in (
        events.BetsPlaced,
        events.BetsReturned,
        events.InsuranceAnswered,
        events.SharedInsuranceAnswered,
        events.DecisionTaken,
        events.SharedDecisionsTaken,
        events.FollowAnswered,
        events.RoundSettled,
        events.RoundVoided,
    )
)
_READ: Final = (
    "SELECT sequence, wall_ns, name, CASE WHEN name IN (SELECT value FROM json_each(:small)) THEN payload END"
    " FROM events WHERE table_id = :table AND name IN (SELECT value FROM json_each(:names)) ORDER BY sequence"
)
# A round is revised long after its end; the index over such events holds few.
_REVISED: Final = (
    f"SELECT {NUMBER}, sequence FROM events WHERE table_id = ? AND {NAMES_A_ROUND}"  # noqa: S608 - constants
    f" AND name = '{NAMES[events.RoundRevised].name}' ORDER BY sequence"
)
# Between "t1:5:" and "t1:5;" are the ids of the transfers of event 5; the key's index finds them.
_MOVES: Final = "SELECT source, target, currency, amount FROM transfers WHERE id >= ? AND id < ?"
_BATCH: Final = "SELECT currency, columns FROM transfer_batches WHERE table_id = ? AND sequence = ?"
_PLAYERS: Final = player_account("")


class SqliteLookBack:
    """The rounds in the journal at ``path``."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def rounds(self, query: LookBackQuery) -> Iterator[TouchedRound]:
        """Yield the rounds that a query names, by table, oldest first; raise ``ValueError`` without a journal."""
        with closing(open_read_only(self._path)) as connection:
            connection.execute("BEGIN")  # one snapshot: the tables go on meanwhile
            tables = connection.execute("SELECT DISTINCT table_id FROM events ORDER BY table_id").fetchall()
            for (table,) in tables:
                if query.table in {"", table}:
                    yield from _Reading(connection, table, query).rounds()


@dataclass(slots=True)
class _Now:
    """What holds at the place that the reading has come to."""

    batches: dict[str, str] = field(default_factory=dict)
    loading: str = ""
    shoe: str = ""
    pack: str = ""
    dealer: str = ""


@dataclass(slots=True)
class _Round:
    """A round while it is read."""

    number: int
    opened_wall_ns: int
    now: _Now
    ended: str = "open"
    currency: str = ""
    staked: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    returned: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    def touched(self, table: str) -> TouchedRound:
        players = tuple(
            PlayerMoney(player, self.staked[player], self.returned[player])
            for player in sorted({*self.staked, *self.returned})
        )
        now = self.now
        return TouchedRound(
            table,
            self.number,
            now.shoe,
            now.pack,
            now.batches.get(now.pack, ""),
            now.dealer,
            self.opened_wall_ns,
            self.ended,
            self.currency,
            players,
        )


class _Reading:
    """One table's events, read from the first on."""

    def __init__(self, connection: sqlite3.Connection, table: str, query: LookBackQuery) -> None:
        self._connection = connection
        self._table = table
        self._query = query
        self._now = _Now()
        self._revisions: defaultdict[int, list[int]] = defaultdict(list)
        for number, sequence in connection.execute(_REVISED, (table,)):
            self._revisions[number].append(sequence)

    def rounds(self) -> Iterator[TouchedRound]:
        names = {"small": json.dumps(_SMALL), "names": json.dumps([*_SMALL, *_MONEY])}
        current: _Round | None = None
        for sequence, wall_ns, name, payload in self._connection.execute(_READ, {"table": self._table, **names}):
            fields = json.loads(payload) if payload is not None else {}
            if name == NAMES[events.BettingOpened].name:
                current = self._opened(fields["round"], wall_ns)
            elif current is not None and name == NAMES[events.RoundClosed].name:
                current.ended = "no-bets" if current.ended == "open" else current.ended
                self._revise(current)
                yield current.touched(self._table)
                current = None
            elif current is not None and name in _MONEY:
                current.ended = _ENDS.get(name, current.ended)
                self._move(current, sequence)
            else:
                self._take(name, fields)
        if current is not None:
            yield current.touched(self._table)

    def _opened(self, number: int, wall_ns: int) -> _Round | None:
        """Return the round that begins, ``None`` where nobody asked for it: then its money is not read."""
        query, now = self._query, self._now
        is_asked = (
            query.shoe in {"", now.shoe}
            and query.pack in {"", now.pack}
            and query.batch in {"", now.batches.get(now.pack, "")}
            and (query.from_wall_ns is None or wall_ns >= query.from_wall_ns)
            and (query.to_wall_ns is None or wall_ns < query.to_wall_ns)
        )
        snapshot = _Now(now.batches, now.loading, now.shoe, now.pack, now.dealer)
        return _Round(number, wall_ns, snapshot) if is_asked else None

    def _take(self, name: str, fields: dict[str, Any]) -> None:
        now = self._now
        if name == NAMES[events.PackRegistered].name:
            now.batches[fields["pack"]] = fields["batch"]
        elif name == NAMES[events.PackLoaded].name:
            now.loading = fields["pack"]
        elif name in {NAMES[events.ShoeLoaded].name, NAMES[events.ShuffleCommitted].name}:
            now.shoe, now.pack, now.loading = fields["shoe"], now.loading, ""
        elif name == NAMES[events.ShoeClosed].name:
            now.shoe = now.pack = ""
        elif name == NAMES[events.DealerSignedOn].name:
            now.dealer = fields["dealer"]
        elif name == NAMES[events.DealerSignedOff].name:
            now.dealer = ""

    def _move(self, current: _Round, sequence: int) -> None:
        for source, target, currency, amount in self._moves(sequence):
            current.currency = currency
            if source.startswith(_PLAYERS):
                current.staked[source.removeprefix(_PLAYERS)] += amount
            if target.startswith(_PLAYERS):
                current.returned[target.removeprefix(_PLAYERS)] += amount

    def _revise(self, current: _Round) -> None:
        """Add what the round's revisions gave the players and took back from them."""
        for revision in self._revisions.get(current.number, ()):
            for source, target, _, amount in self._moves(revision):
                if source.startswith(_PLAYERS):
                    current.returned[source.removeprefix(_PLAYERS)] -= amount
                if target.startswith(_PLAYERS):
                    current.returned[target.removeprefix(_PLAYERS)] += amount

    def _moves(self, sequence: int) -> Iterator[tuple[str, str, str, int]]:
        place = f"{self._table}:{sequence}"
        yield from self._connection.execute(_MOVES, (f"{place}:", f"{place};"))
        for currency, columns in self._connection.execute(_BATCH, (self._table, sequence)):
            legs, _ = json.loads(columns)
            for _, account, pays, players, amounts in legs:
                for player, amount in zip(map(player_account, players), amounts, strict=True):
                    source, target = (player, account) if pays else (account, player)
                    yield source, target, currency, amount
