"""The ledger's rows: transfers and balances, written in the transaction of the event they belong to.

Double entry: what one account loses another gains, so all balances of a currency always sum to zero (rules.md M3).
It knows accounts and amounts, and nothing of what they were staked on.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat
from operator import add, neg
from typing import Final

from studio.adapters.chain import Row
from studio.adapters.codec import canonical
from studio.adapters.sqlite_records import RecordKind, record
from studio.adapters.sqlite_writer import Layer
from studio.domain.money import Transfer, TransferBatch, player_account
from studio.ports.journal import JournalError, Recorded

BATCH_FROM: Final = 1_000
"""Events with this many transfers are kept in columns: a hand of 100,000 players must settle in a second."""

_PLAYERS: Final = player_account("")
_INSERT: Final = "INSERT INTO transfers VALUES (?, ?, ?, ?, ?, ?, ?)"
_INSERT_BATCH: Final = "INSERT INTO transfer_batches VALUES (?, ?, ?, ?, ?)"
_SET_BALANCE: Final = "REPLACE INTO balances VALUES (?, ?, ?)"
# The GLOB terms repeat what the account says already: SQLite uses a partial index only when it sees its condition.
_BY_ACCOUNT: Final = (
    "SELECT id, wall_ns, source, amount, cause FROM transfers"
    " WHERE currency = :currency AND (source = :account AND source GLOB 'player:*'"
    " OR target = :account AND target GLOB 'player:*')"
)
_BATCHES: Final = (
    "SELECT table_id, sequence, wall_ns, columns FROM transfer_batches"
    " WHERE currency = :currency AND instr(columns, :quoted) > 0"
)


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One movement of a player's money: ``amount`` in minor units, negative when it left the account."""

    id: str
    wall_ns: int
    currency: str
    amount: int
    cause: str


def post(connection: sqlite3.Connection, layer: Layer, recorded: Recorded, moves: TransferBatch) -> None:
    """Write the transfers of an event; raise :class:`JournalError` where an account cannot bear them."""
    size = len(moves)
    if not size:
        return
    book(connection, layer, moves)
    in_columns = size >= BATCH_FROM
    rows = rows_of_moves(recorded, moves, in_columns=in_columns)
    connection.executemany(_INSERT_BATCH if in_columns else _INSERT, rows)
    record(connection, layer, RecordKind.MOVES, f"{recorded.table}:{recorded.sequence}", rows)


def rows_of_moves(recorded: Recorded, moves: TransferBatch, *, in_columns: bool) -> list[Row]:
    """Return the rows of an event's transfers: one each, or one for all of them in columns."""
    table, sequence, wall_ns = recorded.table, recorded.sequence, recorded.at.wall_ns
    if in_columns:
        columns = canonical([moves.legs, [_columns_of(move) for move in moves.others]])
        return [(table, sequence, wall_ns, moves.currency, columns)]
    return [(f"{table}:{sequence}:{index}", wall_ns, *_columns_of(move)) for index, move in enumerate(moves)]


def post_single(connection: sqlite3.Connection, layer: Layer, move: Transfer, *, id_: str, wall_ns: int) -> bool:
    """Write a transfer that belongs to no event, once: tell whether it was written now.

    Raises :class:`JournalError` when another transfer has the id.
    """
    written = connection.execute(
        "SELECT source, target, currency, amount, cause FROM transfers WHERE id = ?", (id_,)
    ).fetchone()
    if written is not None:
        if tuple(written) != _columns_of(move):
            message = f"{id_} was booked before with another player or amount: use a new key"
            raise JournalError(message)
        return False
    book(connection, layer, TransferBatch(move.currency, others=(move,)))
    row = (id_, wall_ns, *_columns_of(move))
    connection.execute(_INSERT, row)
    record(connection, layer, RecordKind.DEPOSIT, id_, (row,))
    return True


def book(connection: sqlite3.Connection, layer: Layer, moves: TransferBatch) -> None:
    """Change the balances by the sum of some transfers; raise :class:`JournalError` below zero."""
    currency, changes = moves.currency, _changes(moves)
    accounts = sorted(changes)  # in the order of their pages
    amounts = map(add, layer.each_balance(accounts, currency), map(changes.__getitem__, accounts))
    balances = dict(zip(accounts, amounts, strict=True))
    for account, amount in balances.items():
        if amount < 0 and account.startswith(_PLAYERS):
            message = f"{account} lacks {-amount} minor units of {currency}: nothing of the entry was written"
            raise JournalError(message)
    layer.balances[currency].update(balances)
    connection.executemany(_SET_BALANCE, zip(balances, repeat(currency), balances.values(), strict=False))


def _changes(moves: TransferBatch) -> Mapping[str, int]:
    """Return by how much each account changes; raise :class:`JournalError` for an amount that is not positive."""
    accounts: defaultdict[str, int] = defaultdict(int)
    players: defaultdict[str, int] = defaultdict(int)
    for cause, account, pays, names, amounts in moves.legs:
        if min(amounts) <= 0:
            raise _not_positive(min(amounts), cause)
        changes = tuple(map(neg, amounts)) if pays else amounts
        accounts[account] -= sum(changes)
        for player, change in zip(names, changes, strict=True):
            players[player] += change
    for move in moves.others:
        if move.amount <= 0:
            raise _not_positive(move.amount, move.cause)
        accounts[move.source] -= move.amount
        accounts[move.target] += move.amount
    for player, change in players.items():
        accounts[player_account(player)] += change
    return accounts


def _not_positive(amount: int, cause: str) -> JournalError:
    return JournalError(f"a transfer of {amount} ({cause}): amounts are positive, nothing was written")


def statement(connection: sqlite3.Connection, player: str, currency: str) -> tuple[StatementLine, ...]:
    """Return every movement of a player's account, oldest first.

    Batches have no index by player (every round of a shared hand would write a page for each of them), so those
    that mention the player are read through.
    """
    account = player_account(player)
    rows = connection.execute(_BY_ACCOUNT, {"account": account, "currency": currency})
    lines = [
        StatementLine(id_, wall_ns, currency, -amount if source == account else amount, cause)
        for id_, wall_ns, source, amount, cause in rows
    ]
    for table, sequence, wall_ns, columns in connection.execute(
        _BATCHES, {"quoted": canonical(player), "currency": currency}
    ):
        lines += (
            StatementLine(f"{table}:{sequence}:{index}", wall_ns, currency, amount, cause)
            for index, amount, cause in lines_of(columns, player)
        )
    return tuple(sorted(lines, key=lambda line: line.wall_ns))


def lines_of(columns: str, player: str) -> Iterator[tuple[int, int, str]]:
    """Yield number, amount and cause of a player's transfers in a stored batch."""
    legs, _ = json.loads(columns)
    begun = 0
    for cause, _, pays, players, amounts in legs:
        for place, name in enumerate(players):
            if name == player:
                yield begun + place, -amounts[place] if pays else amounts[place], cause
        begun += len(players)


def totals(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the sum of all accounts by currency: zero each, or the ledger is wrong."""
    return dict(
        connection.execute("SELECT currency, sum(amount) FROM balances GROUP BY currency ORDER BY currency")
    )


def _columns_of(move: Transfer) -> tuple[str, str, str, int, str]:
    return (move.source, move.target, move.currency, move.amount, move.cause)
