"""A played table that keeps who did what and when, to be written to a journal file as its actor would."""

from __future__ import annotations

from pathlib import Path

from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_evidence import SqliteEvidence
from studio.adapters.sqlite_journal import SqliteJournal
from studio.adapters.sqlite_store import SqliteStore
from studio.adapters.sqlite_wallet import SqliteWallet
from studio.domain.answers import Decided, Rejected
from studio.domain.commands import Command
from studio.domain.decide import decide
from studio.domain.money import transfers
from studio.domain.people import Actor
from studio.domain.setup import TableSetup
from studio.domain.table import Table
from studio.ports.journal import Entry, Recorded
from support.tables import START, PlayedTable, a_setup

KEY = bytes(range(32))


class RecordedTable(PlayedTable):
    """Plays in memory; ``entries`` is what the journal gets, ``states`` the table after each sequence number."""

    def __init__(self, setup: TableSetup | None = None) -> None:
        super().__init__(setup or a_setup())
        self.entries: list[Entry] = []
        self.states: list[Table] = [self.table]

    def try_do(self, command: Command, actor: Actor) -> Decided | Rejected:
        answer = decide(self.table, command, actor, self.now)
        if isinstance(answer, Rejected):
            return answer
        cause, first = f"c{len(self.entries)}", len(self.states)
        steps = answer.steps
        recorded = tuple(
            Recorded(self.setup.table, first + place, self.now, actor, cause, step.event, raw=b"\x06\x12")
            for place, step in enumerate(steps)
        )
        if steps:
            self.entries.append(Entry(recorded, tuple(transfers(step.before, step.event) for step in steps)))
            self.states.extend(step.after for step in steps)
            self.table = steps[-1].after
            self.events.extend(step.event for step in steps)
        return answer

    @property
    def sequence(self) -> int:
        """The number of the newest event."""
        return len(self.states) - 1


async def write(path: Path, *tables: RecordedTable) -> SqliteEvidence:
    """Write tables to a journal file, merged as they happened; return the evidence that reads it."""
    store = SqliteStore(path, simulated=True)
    try:
        wallet = SqliteWallet(store, tables[0].setup.limits.currency)
        for name in (f"P{seat}" for seat in range(1, 8)):
            await wallet.deposit(name, 1_000_000, f"opening:{name}", START)
        journal = SqliteJournal(store, Sealer(KEY))
        entries = [entry for table in tables for entry in table.entries]
        for entry in sorted(entries, key=lambda one: one.events[0].at.wall_ns):
            await journal.append(entry)
    finally:
        store.close()
    return SqliteEvidence(path, Sealer(KEY), [table.setup.table for table in tables])
