"""A table in lock-step: actor, journal on a file and wallet on the manual clock; seeded cards, dealer and players.

Nothing here takes real time or chance: the same seed plays the same game. It knows no wire and no HTTP.
"""

from __future__ import annotations

import random
from dataclasses import asdict
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry

from hardware_sim.dealer_acts import Act, Press, Pull, Rescan, next_act
from hardware_sim.shoe import Marker, Shoe
from studio.adapters.clocks import ManualClock
from studio.adapters.metrics import StudioMetrics
from studio.adapters.metrics_observer import MetricsObserver
from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_journal import SqliteJournal
from studio.adapters.sqlite_store import SqliteStore
from studio.adapters.sqlite_wallet import SqliteWallet
from studio.domain.actions import Action
from studio.domain.anomalies import WayOut
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.cards import Card
from studio.domain.commands import (
    AnswerInsurance,
    Command,
    CommitResult,
    ConfirmShoeStep,
    Decide,
    OpenBetting,
    PlaceBets,
    RecordReader,
    RecordSighting,
    ResolveIncident,
    SignOn,
)
from studio.domain.events import Event
from studio.domain.evolve import evolve
from studio.domain.people import Actor
from studio.domain.phases import Phase, legal_actions, phase
from studio.domain.projections import dealer_view
from studio.domain.setup import TableSetup
from studio.domain.shoe import ShoeStep
from studio.domain.sightings import CardRead, CutCardRead, Reading, Sighting, SightingId, Unreadable
from studio.domain.table import Table
from studio.runtime.inbox import Done, Submission
from studio.runtime.table_actor import Ports, TableActor
from support.tables import DEALER, PLAYERS, READER, SECOND, START, a_setup, player

CUT_POSITION = 300
_OPENING_BALANCE = 10_000_000
_KEY = bytes(32)
_UNREAD_SHARE = 0.02
_UNANSWERED_SHARE = 0.1


class LockStepTable:
    """One table on a file; :meth:`play` rounds, :meth:`restart` in between, :meth:`close` at the end."""

    def __init__(self, path: Path, seed: int) -> None:
        self.setup: TableSetup = a_setup(cut_position=CUT_POSITION)
        self._path = path
        self._clock = ManualClock(START)
        self._chance = random.Random(f"{seed}/lock-step")  # noqa: S311 - reproducible
        self._shoe = Shoe(seed, self.setup.rules.decks, CUT_POSITION)
        self._load = 1
        self._ordinal = 0
        self._unread: Card | None = None
        self.actor: TableActor
        self._store: SqliteStore
        self._journal: SqliteJournal

    async def open(self) -> None:
        """Open the file, or open it again, and let the reader come."""
        self._store = SqliteStore(self._path, simulated=True)
        wallet = SqliteWallet(self._store, self.setup.limits.currency)
        for each in PLAYERS:
            await wallet.deposit(each, _OPENING_BALANCE, f"opening:{each}", self._clock.now())
        self._journal = SqliteJournal(self._store, Sealer(_KEY))
        observer = MetricsObserver(StudioMetrics(CollectorRegistry()))
        self.actor = TableActor(self.setup, Ports(self._journal, wallet, self._clock, observer))
        await self.actor.start()

    async def close(self) -> None:
        """Stop the actor and close the file."""
        await self.actor.stop()
        self._store.close()

    async def restart(self) -> tuple[Table, Table]:
        """Stop, and start a new actor on the same file.

        Return the live table with the restart's own events upon it, and the table as it was replayed.
        """
        live, sequence = self.actor.table, self.actor.sequence
        await self.close()
        await self.open()
        return folded(live, self.events()[sequence:]), self.actor.table

    def events(self) -> list[Event]:
        """Return the journal's events."""
        return [recorded.event for recorded in self._journal.replay(self.setup.table)]

    async def play(self, rounds: int) -> None:
        """Play until so many rounds more were closed."""
        wanted = self.actor.table.rounds + rounds
        while self.actor.table.rounds < wanted or phase(self.actor.table) is not Phase.IDLE:
            await self.step()

    async def step(self) -> None:
        """Let some time pass, and do the one thing that is due."""
        await self._pass_time(self._chance.randint(SECOND // 2, 4 * SECOND))
        view = dealer_view(self.actor.table, self._clock.now(), "2024-01-01")
        await self._act(next_act(asdict(view)))

    async def _act(self, act: Act) -> None:
        match act:
            case Press(command, arguments):
                if act.needs_new_cards:
                    await self._load_shoe()
                await self._do(_command(command, arguments), DEALER)
            case Pull():
                await self._pull()
            case Rescan():
                assert self._unread is not None
                card, self._unread = self._unread, None
                await self._see(CardRead(card))
            case _:
                await self._let_others_act()

    async def _let_others_act(self) -> None:
        table = self.actor.table
        current = table.round
        if not table.reader.ready:
            await self._reader_is_ready()
        elif phase(table) is Phase.BETTING:
            await self._bet()
        elif current is None or self._chance.random() < _UNANSWERED_SHARE:
            return
        elif current.question is not None:
            hand = current.hand(current.question.hand)
            action: Action = self._chance.choice(legal_actions(self.setup.rules, current, hand))
            owner = table.owner_of(hand.id.seat)
            await self._do(Decide(owner, current.question.number, action, funded=False), player(owner))
        elif current.insurance is not None and not current.insurance.closed:
            answered = {seat for seat, _, _ in current.insurance.answers}
            seat = next(seat for seat in current.main_bets() if seat not in answered)
            owner = table.owner_of(seat)
            take = self._chance.random() < 1 / 2
            await self._do(AnswerInsurance(owner, seat, take, funded=False), player(owner))

    async def _bet(self) -> None:
        seat = self._chance.randint(1, self.setup.rules.seats)
        owner = PLAYERS[seat % len(PLAYERS)]
        bet = Bet(owner, seat, BetKind.MAIN, self._chance.randint(1, 50) * 100)
        await self._do(PlaceBets((Placement((bet,)),)), player(owner))

    async def _load_shoe(self) -> None:
        if self.actor.table.used_load is not None:
            self._load += 1
            self._shoe.reshuffle()
        self._ordinal = 0
        await self._reader_is_ready()

    async def _pull(self) -> None:
        drawn = self._shoe.pull()
        if drawn is Marker.CUT_CARD:
            await self._see(CutCardRead())
            drawn = self._shoe.pull()
        assert isinstance(drawn, Card)
        self._ordinal += 1
        if self._chance.random() < _UNREAD_SHARE:
            self._unread = drawn
            await self._see(Unreadable())
        else:
            await self._see(CardRead(drawn))

    async def _see(self, reading: Reading) -> None:
        identity = SightingId(READER.id, self._load, self._ordinal)
        await self._do(RecordSighting(Sighting(identity, reading, self._clock.now().monotonic_ns)), READER)

    async def _reader_is_ready(self) -> None:
        await self._do(RecordReader(READER.id, True, self._load, self._ordinal), READER)

    async def _do(self, command: Command, actor: Actor) -> None:
        outcome = await self.actor.submit(Submission(command, actor, "script"))
        assert isinstance(outcome, Done), f"{command} by {actor.id}: {outcome}"

    async def _pass_time(self, by_ns: int) -> None:
        """Move the clock, never past a sleeper: what it does is on disk before the clock moves on."""
        until_ns = self._clock.now().monotonic_ns + by_ns
        while (now_ns := self._clock.now().monotonic_ns) < until_ns:
            wake_ns = self._clock.next_wake_ns
            await self._clock.advance((until_ns if wake_ns is None else min(until_ns, wake_ns)) - now_ns)
            # Commands are done in turn: when one that records nothing is answered, all before it are on disk.
            reader = self.actor.table.reader
            if reader.ready:
                await self._reader_is_ready()


def folded(table: Table, events: list[Event]) -> Table:
    """Return a table with events upon it."""
    for event in events:
        table = evolve(table, event)
    return table


def _command(name: str, arguments: Any) -> Command:
    match name:
        case "sign-on":
            return SignOn("2099-12-31", licence_valid=True)
        case "confirm-shoe-step":
            return ConfirmShoeStep(ShoeStep(arguments["step"]))
        case "open-betting":
            return OpenBetting()
        case "commit-result":
            return CommitResult()
        case "resolve-incident":
            return ResolveIncident(arguments["incident"], WayOut(arguments["way_out"]), arguments["reason"])
        case _:
            message = f"the script has no {name}"
            raise ValueError(message)
