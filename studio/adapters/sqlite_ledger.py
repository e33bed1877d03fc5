"""The ledger's rows: transfers and balances, written in the transaction of the event they belong to.

Double entry: what one account loses another gains, so all balances of a currency always sum to zero (rules.md M3).
It knows accounts and amounts, and nothing of what they were staked on.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from studio.adapters.codec import canonical
from studio.adapters.sqlite_writer import Layer
from studio.domain.money import Transfer, player_account
from studio.ports.journal import JournalError, Recorded

BATCH_FROM: Final = 1_000
"""Events with this many transfers are kept in columns: a hand of 100,000 players must settle in a second."""

_PLAYERS: Final = player_account("")
_INSERT: Final = "INSERT INTO transfers VALUES (?, ?, ?, ?, ?, ?, ?)"
_INSERT_BATCH: Final = "INSERT INTO transfer_batches VALUES (?, ?, ?, ?)"
# The new amount, not a difference: SQLite checks the row to be inserted before it finds that there is one.
_SET_BALANCE: Final = (
    "INSERT INTO balances VALUES (?, ?, ?) ON CONFLICT (account, currency) DO UPDATE SET amount = excluded.amount"
)
# The GLOB terms repeat what the account says already: SQLite uses a partial index only when it sees its condition.
_BY_ACCOUNT: Final = (
    "SELECT id, wall_ns, source, currency, amount, cause FROM transfers"
    " WHERE currency = :currency AND (source = :account AND source GLOB 'player:*'"
    " OR target = :account AND target GLOB 'player:*')"
)
_BATCHES: Final = (
    "SELECT table_id, sequence, wall_ns, columns FROM transfer_batches WHERE instr(columns, :quoted) > 0"
)


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One movement of a player's money: ``amount`` in minor units, negative when it left the account."""

    id: str
    wall_ns: int
    currency: str
    amount: int
    cause: str


def post(
    connection: sqlite3.Connection,
    layer: Layer,
    recorded: Recorded,
    moves: Sequence[Transfer],
) -> None:
    """Write the transfers of an event; raise :class:`JournalError` where an account cannot bear them."""
    book(connection, layer, moves)
    table, sequence, wall_ns = recorded.table, recorded.sequence, recorded.at.wall_ns
    if len(moves) < BATCH_FROM:
        connection.executemany(
            _INSERT,
            ((f"{table}:{sequence}:{index}", wall_ns, *_columns_of(move)) for index, move in enumerate(moves)),
        )
        return
    columns = [  # by column, for a tuple of each row would take five times as long
        [move.source for move in moves],
        [move.target for move in moves],
        [move.currency for move in moves],
        [move.amount for move in moves],
        [move.cause for move in moves],
    ]
    connection.execute(_INSERT_BATCH, (table, sequence, wall_ns, canonical(columns)))


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
    book(connection, layer, (move,))
    connection.execute(_INSERT, (id_, wall_ns, *_columns_of(move)))
    return True


def book(connection: sqlite3.Connection, layer: Layer, moves: Sequence[Transfer]) -> None:
    """Change the balances by the sum of some transfers; raise :class:`JournalError` below zero."""
    changes: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for move in moves:
        amount = move.amount
        if amount <= 0:
            message = f"a transfer of {amount} from {move.source}: amounts are positive, nothing was written"
            raise JournalError(message)
        of_currency = changes[move.currency]
        of_currency[move.source] -= amount
        of_currency[move.target] += amount
    amounts: list[tuple[str, str, int]] = []
    for currency, of_currency in changes.items():
        for account in sorted(of_currency):  # in the order of the balances' pages
            amount = layer.balance((account, currency)) + of_currency[account]
            if amount < 0 and account.startswith(_PLAYERS):
                message = f"{account} lacks {-amount} minor units of {currency}: nothing of the entry was written"
                raise JournalError(message)
            layer.balances[account, currency] = amount
            amounts.append((account, currency, amount))
    connection.executemany(_SET_BALANCE, amounts)


def statement(connection: sqlite3.Connection, account: str, currency: str) -> tuple[StatementLine, ...]:
    """Return every movement of a player's account, oldest first.

    Batches have no index by player (every round of a shared hand would write a page for each of them), so those
    that mention the account are read through.
    """
    rows = connection.execute(_BY_ACCOUNT, {"account": account, "currency": currency})
    lines = [
        StatementLine(id_, wall_ns, unit, -amount if source == account else amount, cause)
        for id_, wall_ns, source, unit, amount, cause in rows
    ]
    for table, sequence, wall_ns, columns in connection.execute(_BATCHES, {"quoted": canonical(account)}):
        lines += (
            StatementLine(
                f"{table}:{sequence}:{index}", wall_ns, unit, -amount if source == account else amount, cause
            )
            for index, (source, target, unit, amount, cause) in enumerate(_rows_of(columns))
            if account in {source, target} and unit == currency
        )
    return tuple(sorted(lines, key=lambda line: line.wall_ns))


def totals(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the sum of all accounts by currency: zero each, or the ledger is wrong."""
    return dict(
        connection.execute("SELECT currency, sum(amount) FROM balances GROUP BY currency ORDER BY currency")
    )


def _columns_of(move: Transfer) -> tuple[str, str, str, int, str]:
    return (move.source, move.target, move.currency, move.amount, move.cause)


def _rows_of(columns: str) -> Iterator[tuple[str, str, str, int, str]]:
    return zip(*json.loads(columns), strict=True)
