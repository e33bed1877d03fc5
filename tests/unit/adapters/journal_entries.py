"""Entries to write into journals under test."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_journal import SqliteJournal
from studio.adapters.sqlite_store import SqliteStore
from studio.domain.events import Event, RoundClosed
from studio.domain.instants import Instant
from studio.domain.money import Transfer, TransferBatch
from studio.domain.people import Actor, Role
from studio.ports.journal import Entry, Recorded

KEY: Final = bytes(range(32))
ANN: Final = Actor("ann-1", "Ann", Role.DEALER)


def recorded(table: str, sequence: int, event: Event | None = None, raw: bytes = b"") -> Recorded:
    at = Instant(sequence * 10, 1_700_000_000_000_000_000 + sequence)
    return Recorded(table, sequence, at, ANN, f"command-{sequence}", event or RoundClosed(sequence), raw)


def entry(table: str, sequence: int, *moves: Transfer) -> Entry:
    return Entry((recorded(table, sequence),), (moved(*moves),))


def moved(*moves: Transfer) -> TransferBatch:
    return TransferBatch("EUR", others=moves)


def paid(source: str, target: str, amount: int) -> Transfer:
    return Transfer(source, target, "EUR", amount, "main bet")


def open_store(path: Path) -> SqliteStore:
    return SqliteStore(path, simulated=True)


def open_journal(path: Path) -> SqliteJournal:
    return SqliteJournal(open_store(path), Sealer(KEY))
