"""The studio's own wallet: balances of the SQLite ledger, less what is reserved at this moment.

Implements :class:`studio.ports.wallet.Wallet` for one currency. Reservations live in memory only: what they stood
for is either in the journal after a crash or never happened.
"""

from __future__ import annotations

from collections import defaultdict

from studio.adapters import sqlite_ledger
from studio.adapters.sqlite_ledger import StatementLine
from studio.adapters.sqlite_store import SqliteStore
from studio.domain.instants import Instant
from studio.domain.money import CASHIER, Transfer, player_account
from studio.ports.wallet import Reservation


class SqliteWallet:
    """Players' balances in one currency, in minor units, as they are on disk."""

    def __init__(self, store: SqliteStore, currency: str) -> None:
        self._store = store
        self._currency = currency
        self._reserved: defaultdict[str, int] = defaultdict(int)
        self._open: dict[int, Reservation] = {}
        self._count = 0

    def available(self, account: str) -> int:
        """Return the balance less what is reserved; 0 for an account that does not exist."""
        balance = self._store.committed.balance(account, self._currency)
        return max(balance - self._reserved.get(account, 0), 0)

    def reserve(self, account: str, amount: int) -> Reservation | None:
        """Reserve an amount, or return ``None`` when the account cannot cover it.

        Raises ``ValueError`` for an amount that is not positive.
        """
        if amount <= 0:
            message = f"{amount} minor units cannot be reserved: amounts are positive"
            raise ValueError(message)
        if amount > self.available(account):
            return None
        self._count += 1
        reservation = Reservation(self._count, account, amount)
        self._open[reservation.number] = reservation
        self._reserved[account] += amount
        return reservation

    def release(self, reservation: Reservation) -> None:
        """End a reservation, after its event is written or refused. Releasing twice does nothing."""
        if self._open.pop(reservation.number, None) is None:
            return
        self._reserved[reservation.account] -= reservation.amount
        if not self._reserved[reservation.account]:
            del self._reserved[reservation.account]

    async def deposit(self, player: str, amount: int, key: str, at: Instant) -> None:
        """Pay in from the cashier, once for each ``key``; on return it is on disk.

        Raises :class:`studio.ports.journal.JournalError` for an amount that is not positive, and when the key was
        used for another player or amount.
        """
        move = Transfer(CASHIER, player_account(player), self._currency, amount, "deposit")
        await self._store.writer.write(
            lambda connection, layer: sqlite_ledger.post_single(
                connection, layer, move, id_=f"deposit:{key}", wall_ns=at.wall_ns
            )
        )

    def statement(self, player: str) -> tuple[StatementLine, ...]:
        """Return every movement of a player's money in this currency, oldest first."""
        return sqlite_ledger.statement(self._store.reading, player, self._currency)

    def totals(self) -> dict[str, int]:
        """Return the sum of all accounts by currency, of this one and others: zero, or the ledger is wrong."""
        return sqlite_ledger.totals(self._store.reading)
