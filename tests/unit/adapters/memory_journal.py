"""A journal in memory, as plain as the port allows: what the SQLite one must agree with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from studio.domain.events import BettingOpened, RoundRevised
from studio.ports.journal import Entry, JournalError, Receipt, Recorded


class MemoryJournal:
    def __init__(self) -> None:
        self.balances: defaultdict[tuple[str, str], int] = defaultdict(int)
        self._streams: defaultdict[str, list[Recorded]] = defaultdict(list)
        self._receipts: dict[str, Receipt] = {}

    async def append(self, entry: Entry) -> None:
        lengths = {table: len(stream) for table, stream in self._streams.items()}
        for recorded in entry.events:
            if recorded.sequence != lengths.get(recorded.table, 0) + 1:
                raise JournalError
            lengths[recorded.table] = recorded.sequence
        balances = self.balances.copy()
        for move in (move for moves in entry.transfers for move in moves):
            balances[move.source, move.currency] -= move.amount
            balances[move.target, move.currency] += move.amount
        if any(amount < 0 for (account, _), amount in balances.items() if account.startswith("player:")):
            raise JournalError
        if entry.receipt is not None and entry.receipt.key in self._receipts:
            raise JournalError
        self.balances = balances
        for recorded in entry.events:
            self._streams[recorded.table].append(recorded)
        if entry.receipt is not None:
            self._receipts[entry.receipt.key] = entry.receipt

    def replay(self, table: str) -> Iterator[Recorded]:
        return iter(tuple(self._streams[table]))

    def round(self, table: str, number: int) -> tuple[Recorded, ...]:
        found: list[Recorded] = []
        now = 0
        for one in self._streams[table]:
            if isinstance(one.event, BettingOpened):
                now = one.event.round
            is_revision = isinstance(one.event, RoundRevised) and one.event.round == number
            if now == number or is_revision:
                found.append(one)
        return tuple(found)

    def receipt(self, key: str) -> Receipt | None:
        return self._receipts.get(key)
