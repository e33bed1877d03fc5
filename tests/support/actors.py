"""A table's actor on a real journal file, with a clock turned by hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import pytest

from studio.adapters.clocks import ManualClock
from studio.adapters.sealing import Sealer
from studio.adapters.signing import Signer
from studio.adapters.sqlite_checkpoints import CheckpointWriter
from studio.adapters.sqlite_journal import SqliteJournal
from studio.adapters.sqlite_store import SqliteStore
from studio.adapters.sqlite_wallet import SqliteWallet
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.cards import parse_card
from studio.domain.commands import (
    Command,
    OpenTable,
    PlaceBets,
    SignOn,
)
from studio.domain.events import Event
from studio.domain.instants import Instant
from studio.domain.people import Actor
from studio.domain.record_commands import (
    RecordReader,
    RecordSighting,
)
from studio.domain.setup import TableSetup
from studio.domain.shoe import ShoeStep
from studio.domain.shoe_commands import ConfirmShoeStep
from studio.domain.sightings import CardRead, Sighting, SightingId
from studio.domain.table import Table
from studio.ports.clock import Clock
from studio.runtime.inbox import Outcome, Submission
from studio.runtime.table_actor import Ports, TableActor
from support.tables import DEALER, READER, SECOND, START, a_setup

KEY = bytes(range(32))


class TurnedClock(Clock, Protocol):
    """A clock that a test can put forward."""

    async def advance(self, by_ns: int) -> None:
        """Move it on."""
        ...


@dataclass
class NotingObserver:
    """Keeps what it is told."""

    events: list[Event] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    commits: list[float] = field(default_factory=list)
    paints: list[float] = field(default_factory=list)

    def happened(self, before: Table, event: Event, after: Table, at: Instant) -> None:  # noqa: ARG002
        self.events.append(event)

    def refused(self, table: str, code: str) -> None:  # noqa: ARG002
        self.refusals.append(code)

    def committed(self, table: str, since_byte_seconds: float) -> None:  # noqa: ARG002
        self.commits.append(since_byte_seconds)

    def painted(self, table: str, since_byte_seconds: float) -> None:  # noqa: ARG002
        self.paints.append(since_byte_seconds)


async def until(holds: Callable[[], bool]) -> None:
    """Let others run until something holds."""
    for _ in range(5000):
        if holds():
            return
        await asyncio.sleep(0.001)
    pytest.fail("it never happened")


class LiveActor:
    """An actor with its file, its wallet and its clock."""

    def __init__(self, actor: TableActor, store: SqliteStore, wallet: SqliteWallet, clock: TurnedClock) -> None:
        self.actor = actor
        self.store = store
        self.wallet = wallet
        self.clock = clock
        self.observer = NotingObserver()
        self.ordinal = 0

    async def do(self, command: Command, actor: Actor, *, cause: str = "test", raw: bytes = b"") -> Outcome:
        return await self.actor.submit(Submission(command, actor, cause, raw=raw))

    async def wait(self, seconds: float) -> None:
        await self.clock.advance(int(seconds * SECOND))

    async def card(self, code: str, raw: bytes = b"") -> Outcome:
        self.ordinal += 1
        sighting = Sighting(
            SightingId("shoe-1", 1, self.ordinal), CardRead(parse_card(code)), self.clock.now().monotonic_ns
        )
        return await self.do(RecordSighting(sighting), READER, raw=raw)

    async def cards(self, codes: str) -> None:
        for code in codes.split():
            await self.wait(1)
            await self.card(code)

    async def ready(self) -> None:
        """Sign on, prepare the shoe, burn, and wait until the burn is well over."""
        await self.do(RecordReader("shoe-1", True, 1, 0), READER)
        await self.do(SignOn("2099-12-31", licence_valid=True), DEALER)
        for step in ShoeStep:
            await self.do(ConfirmShoeStep(step), DEALER)
        await self.cards("AS 2C")
        await self.wait(10)

    async def ready_shuffler(self) -> None:
        """Sign on and fill a continuous shuffler."""
        await self.do(RecordReader("shoe-1", True, 1, 0), READER)
        await self.do(SignOn("2099-12-31", licence_valid=True), DEALER)
        await self.do(ConfirmShoeStep(ShoeStep.LOADED), DEALER)

    async def bet(self, who: Actor, seat: int, amount: int) -> Outcome:
        return await self.do(PlaceBets((Placement((Bet(who.id, seat, BetKind.MAIN, amount),)),)), who)


@asynccontextmanager
async def live_actor(  # noqa: PLR0913 - what a table is run with, each by name
    path: Path,
    *,
    setup: TableSetup | None = None,
    balances: dict[str, int] | None = None,
    clock: TurnedClock | None = None,
    opening: OpenTable | None = None,
    signer: Signer | None = None,
    **more: Any,
) -> AsyncIterator[LiveActor]:
    """Run an actor on the journal at ``path``; players get their opening ``balances`` once.

    With a ``signer`` its checkpoints are signed, and the set-up is kept. ``more`` are further ports.
    """
    store = SqliteStore(path, simulated=True)
    clock = clock or ManualClock(START)
    wallet = SqliteWallet(store, "EUR")
    for name, amount in (balances or {}).items():
        await wallet.deposit(name, amount, f"opening:{name}", clock.now())
    observer = NotingObserver()
    checkpoints = CheckpointWriter(signer, store.journal_id, 500) if signer else None
    journal = SqliteJournal(store, Sealer(KEY), checkpoints)
    ports = Ports(journal, wallet, clock, observer, **more)
    actor = TableActor(setup or a_setup(), ports, opening)
    if signer:
        await journal.keep_setup(actor.setup, clock.now())
    live = LiveActor(actor, store, wallet, clock)
    live.observer = observer
    try:
        await actor.start()
        yield live
    finally:
        await actor.stop()
        store.close()
