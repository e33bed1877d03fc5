"""A table in lock-step: actor, journal on a file, wallet, manual clock; seeded cards, dealer and players.

Nothing here takes real time or chance: the same seed plays the same game. It knows no wire and no HTTP. Where
cards come from is :mod:`support.lockstep_cards`, what players want :mod:`support.seeded_players`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from prometheus_client import CollectorRegistry

from hardware_sim.dealer_acts import Act, Press, Pull, Rescan, next_act
from studio.adapters.clocks import ManualClock
from studio.adapters.metrics import StudioMetrics
from studio.adapters.metrics_observer import MetricsObserver
from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_journal import SqliteJournal
from studio.adapters.sqlite_store import SqliteStore
from studio.adapters.sqlite_wallet import SqliteWallet
from studio.domain.anomalies import WayOut
from studio.domain.commands import (
    Command,
    CommitResult,
    OpenBetting,
    OpenTable,
    ResolveIncident,
    SignOn,
)
from studio.domain.events import Event
from studio.domain.evolve import evolve
from studio.domain.people import SYSTEM, Actor
from studio.domain.phases import Phase, phase
from studio.domain.projections import dealer_view
from studio.domain.setup import TableSetup
from studio.domain.shoe import ShoeStep
from studio.domain.shoe_commands import (
    ConfirmShoeStep,
    ReturnCards,
)
from studio.domain.table import Table
from studio.ports.observer import Observer
from studio.runtime.inbox import Done, Outcome, Refused, Submission
from studio.runtime.table_actor import Ports, TableActor
from support.seeded_players import SeededPlayers
from support.tables import DEALER, PLAYERS, SECOND, START, a_setup, player

CUT_POSITION = 300
OPENING_BALANCE = 10_000_000
_KEY = bytes(32)


class Cards(Protocol):
    """Where a lock-step table's cards come from; each call returns when its facts are on disk."""

    @property
    def next_due_ns(self) -> int | None:
        """When :meth:`settle` has something to do, if nothing else happens."""
        ...

    async def come(self) -> None:
        """Let the reader come, or come back."""
        ...

    async def settle(self) -> None:
        """Do what is due at this moment."""
        ...

    async def load(self) -> None:
        """Put fresh cards into the shoe."""
        ...

    async def return_cards(self) -> None:
        """Put the cards on the felt back into the shuffler."""
        ...

    async def pull(self) -> None:
        """Draw one card."""
        ...

    async def rescan(self) -> None:
        """Pass the unread card over the reader again."""
        ...

    async def close(self) -> None:
        """End whatever runs."""
        ...


class LockStepTable:
    """One table on a file; :meth:`play` rounds, :meth:`restart` in between, :meth:`close` at the end."""

    def __init__(  # noqa: PLR0913 - the composition of one table
        self,
        path: Path,
        seed: int,
        cards: Callable[[LockStepTable, int], Cards],
        *,
        setup: TableSetup | None = None,
        balances: Mapping[str, int] | None = None,
        observer: Observer | None = None,
    ) -> None:
        self.setup: TableSetup = setup or a_setup(cut_position=CUT_POSITION)
        self.path = path
        self.clock = ManualClock(START)
        self.observer = observer or MetricsObserver(StudioMetrics(CollectorRegistry()))
        self._chance = random.Random(f"{seed}/lock-step")  # noqa: S311 - reproducible
        self._opening = dict(balances or dict.fromkeys(PLAYERS, OPENING_BALANCE))
        self.players = SeededPlayers(seed, tuple(self._opening))
        self.cards = cards(self, seed)
        self.actor: TableActor
        self.wallet: SqliteWallet
        self._store: SqliteStore
        self._journal: SqliteJournal

    async def open(self) -> None:
        """Open the file, or open it again."""
        self._store = SqliteStore(self.path, simulated=True)
        self.wallet = SqliteWallet(self._store, self.setup.limits.currency)
        for each, amount in self._opening.items():
            await self.wallet.deposit(each, amount, f"opening:{each}", self.clock.now())
        self._journal = SqliteJournal(self._store, Sealer(_KEY))
        self.actor = TableActor(self.setup, Ports(self._journal, self.wallet, self.clock, self.observer))
        await self.actor.start()

    async def close(self) -> None:
        """Stop the actor and close the file."""
        await self.cards.close()
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
        await self.wait()
        await self.act()

    async def wait(self) -> None:
        """Let some time pass, less than a round takes; the server's own shoe may end a round by that alone."""
        await self._pass_time(self._chance.randint(SECOND // 2, 4 * SECOND))

    async def act(self) -> None:
        """Do the one thing that is due: the dealer's, or else the players'."""
        view = dealer_view(self.actor.table, self.clock.now(), "2024-01-01")
        await self._act(next_act(asdict(view)))
        await self._settle()

    async def do(self, command: Command, actor: Actor, cause: str = "script", raw: bytes = b"") -> None:
        """Submit what must be accepted."""
        outcome = await self._submit(Submission(command, actor, cause, raw=raw))
        assert isinstance(outcome, Done), f"{command} by {actor.id}: {outcome}"

    async def _act(self, act: Act) -> None:
        match act:
            case Press(command, arguments):
                if act.needs_new_cards:
                    await self.cards.load()
                if act.says_cards_are_back:
                    await self.cards.return_cards()
                await self.do(_command(command, arguments), DEALER)
            case Pull():
                await self.cards.pull()
            case Rescan():
                await self.cards.rescan()
            case _ if not self.actor.table.reader.ready:
                await self.cards.come()
            case _:
                await self._let_players_act()

    async def _let_players_act(self) -> None:
        """Let players do what they want; that they want too much is the table's to say."""
        for name, command in self.players.wishes(self.actor.table):
            outcome = await self._submit(Submission(command, player(name), "script"))
            self.players.learn(command, outcome)
            assert not isinstance(outcome, Refused) or outcome.rejected.code != "internal-fault", command

    async def _submit(self, submission: Submission) -> Outcome:
        return await self.actor.submit(submission)

    async def _pass_time(self, by_ns: int) -> None:
        """Move the clock, never past a sleeper: what it does is on disk before the clock moves on."""
        until_ns = self.clock.now().monotonic_ns + by_ns
        while (now_ns := self.clock.now().monotonic_ns) < until_ns:
            wakes = (until_ns, self.clock.next_wake_ns, self.cards.next_due_ns)
            wake_ns = min(wake for wake in wakes if wake is not None)
            await self.clock.advance(max(0, wake_ns - now_ns))
            await self._settle()

    async def _settle(self) -> None:
        """Return when nothing is left to do at this moment, and all that was done is on disk."""
        before = -1
        while before != self.actor.sequence:
            before = self.actor.sequence
            await self.cards.settle()
            # Commands are done in turn: when one that records nothing is answered, all before it are on disk.
            await self.do(OpenTable(), SYSTEM)


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
        case "return-cards":
            return ReturnCards()
        case "resolve-incident":
            return ResolveIncident(arguments["incident"], WayOut(arguments["way_out"]), arguments["reason"])
        case _:
            message = f"the script has no {name}"
            raise ValueError(message)
