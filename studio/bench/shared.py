"""The shared hand with very many players: one round with every kind of wager, through the actor to a file.

Bets and decisions come in batches, as the API takes them; the cards come at once. Nobody watches. What is timed is
the settlement from the dealer's *Confirm* until it is on disk, and how long the event loop answered nobody.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import multiprocessing
import random
import resource
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import structlog
from prometheus_client import CollectorRegistry

from studio.adapters.clocks import SystemClock
from studio.adapters.metrics import StudioMetrics
from studio.adapters.metrics_observer import MetricsObserver
from studio.adapters.sealing import KEY_BYTES, Sealer
from studio.adapters.sqlite_journal import SqliteJournal
from studio.adapters.sqlite_store import SqliteStore
from studio.adapters.sqlite_wallet import SqliteWallet
from studio.adapters.variants import load_variant
from studio.domain.actions import Action
from studio.domain.bets import SIDE_BETS, Bet, BetKind, Placement
from studio.domain.cards import DECK, Card, parse_card
from studio.domain.commands import (
    CloseBetting,
    Command,
    CommitResult,
    OpenBetting,
    PlaceBets,
    SignOn,
)
from studio.domain.people import Actor, Role
from studio.domain.phases import Phase, legal_actions, phase
from studio.domain.profile import RulingProfile
from studio.domain.record_commands import (
    RecordReader,
    RecordSighting,
)
from studio.domain.setup import Limits, TableSetup, TimeAllowances
from studio.domain.shared_commands import (
    Choosing,
    DecideAll,
    InsureAll,
    Insuring,
)
from studio.domain.shared_hand import DRAWING, SharedHand
from studio.domain.shoe import ShoeStep
from studio.domain.shoe_commands import ConfirmShoeStep
from studio.domain.sightings import CardRead, Sighting, SightingId
from studio.domain.table import Question, Round, RoundEnd
from studio.runtime.inbox import Done, Outcome, Submission
from studio.runtime.table_actor import Ports, TableActor

_NANOSECONDS: Final = 1_000_000_000
_BATCH: Final = 1_000
"""Players whose bets or answers come in one command."""
_CURRENCY: Final = "EUR"
_OPENING_BALANCE: Final = 1_000_000
_HOUR_MS: Final = 3_600_000
_BEAT_SECONDS: Final = 0.005
_BURNED: Final = ("2C", "5D", "9H")
_DEALT: Final = ("8S", "AH", "8D", "5C", "3C", "KD", "2H")
"""Eights against an ace that is no natural: insurance, splits, doubles and more than one window."""
_KIB: Final = 1024
_DEALER: Final = Actor("dealer", "Dealer", Role.DEALER)
_READER: Final = Actor("shoe-1", "shoe-1", Role.DEVICE)
_API: Final = Actor("api", "API", Role.PLAYER)

_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class SharedFigures:
    """What one round came to: times in seconds, memory in bytes.

    ``stall_seconds`` is the longest time for which the event loop answered nobody while the round was settled,
    ``play_stall_seconds`` the same before that.
    """

    players: int
    wagers: int
    windows: int
    settlement_seconds: float
    stall_seconds: float
    play_stall_seconds: float
    peak_bytes: int


def measure_shared(folder: Path, players: int) -> SharedFigures:
    """Play the round in a process of its own, so that its peak of memory is its own; its file is in ``folder``."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context) as process:
        return process.submit(_measure, folder, players).result()


def _measure(folder: Path, players: int) -> SharedFigures:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    return asyncio.run(_play(folder / "shared.sqlite", players))


async def _play(file: Path, players: int) -> SharedFigures:
    names = tuple(f"player-{number:06}" for number in range(players))
    async with _shared_table(file, names) as table:
        await table.prepare()
        await table.place_bets()
        while table.is_played:
            await table.go_on()
        play_stall = table.heart.longest_seconds()
        began_ns = time.perf_counter_ns()
        await table.do(CommitResult(), _DEALER)
        settlement_seconds = (time.perf_counter_ns() - began_ns) / _NANOSECONDS
        await asyncio.sleep(2 * _BEAT_SECONDS)
        return SharedFigures(
            players=players,
            wagers=table.wagers,
            windows=table.windows,
            settlement_seconds=settlement_seconds,
            stall_seconds=table.heart.longest_seconds(),
            play_stall_seconds=play_stall,
            peak_bytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KIB,
        )


@asynccontextmanager
async def _shared_table(file: Path, names: Sequence[str]) -> AsyncIterator[_SharedTable]:
    clock = SystemClock()
    store = SqliteStore(file, simulated=True)
    wallet = SqliteWallet(store, _CURRENCY)
    for some in _batches(names):
        await asyncio.gather(
            *(wallet.deposit(name, _OPENING_BALANCE, f"opening:{name}", clock.now()) for name in some)
        )
    observer = MetricsObserver(StudioMetrics(CollectorRegistry()))
    actor = TableActor(_setup(), Ports(SqliteJournal(store, Sealer(bytes(KEY_BYTES))), wallet, clock, observer))
    await actor.start()
    heart = _Heart()
    beating = asyncio.create_task(heart.beat())
    try:
        yield _SharedTable(actor, clock, names, heart)
    finally:
        beating.cancel()
        with suppress(asyncio.CancelledError):
            await beating
        await actor.stop()
        store.close()


def _setup() -> TableSetup:
    return TableSetup(
        table="t1",
        name="Shared hand",
        rules=load_variant("infinite"),
        limits=Limits(_CURRENCY, minimum=100, maximum=50_000, increment=100),
        reader=_READER.id,
        simulated=True,
        cut_position=104,
        # Nobody is late, and no card too early: what is measured is work, not waiting.
        allowances=TimeAllowances(betting_ms=_HOUR_MS, insurance_ms=_HOUR_MS, decision_ms=_HOUR_MS),
        profile=RulingProfile(minimum_draw_interval_ms=0, quiet_after_burn_ms=0, rotation_minutes=1_000_000),
    )


class _Heart:
    """Notes how late the event loop runs what is due."""

    def __init__(self) -> None:
        self._longest = 0.0

    async def beat(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _BEAT_SECONDS
            await asyncio.sleep(_BEAT_SECONDS)
            self._longest = max(self._longest, loop.time() - due)

    def longest_seconds(self) -> float:
        """Return the longest delay since this was asked last."""
        longest, self._longest = self._longest, 0.0
        return longest


class _SharedTable:
    """The table with its dealer, its cards and all of its players."""

    def __init__(self, actor: TableActor, clock: SystemClock, names: Sequence[str], heart: _Heart) -> None:
        self.heart = heart
        self.windows = 0
        self._actor = actor
        self._clock = clock
        self._names = names
        self._cards = _shoe()
        self._drawn = 0

    @property
    def is_played(self) -> bool:
        """Whether the round still waits for cards or players."""
        return phase(self._actor.table) is not Phase.COMMIT

    @property
    def wagers(self) -> int:
        """How many wagers were settled."""
        results = self._actor.table.results
        if results is None or self._round().end is not RoundEnd.CLOSED:
            message = "the round was not settled"
            raise RuntimeError(message)
        return len(results)

    async def do(self, command: Command, actor: Actor) -> Outcome:
        """Have a command decided and recorded; raise ``RuntimeError`` where any of it was refused."""
        outcome = await self._actor.submit(Submission(command, actor, "bench"))
        if not isinstance(outcome, Done) or any(outcome.items):
            message = f"{type(command).__name__} was refused: {outcome}"[:500]
            raise RuntimeError(message)
        return outcome

    async def prepare(self) -> None:
        """Sign on, load and burn, and open the betting."""
        await self.do(RecordReader(_READER.id, True, 1, 0), _READER)
        await self.do(SignOn("9999-12-31", licence_valid=True), _DEALER)
        for step in ShoeStep:
            await self.do(ConfirmShoeStep(step), _DEALER)
        for _ in _BURNED:
            await self._pull()
        await self.do(OpenBetting(), _DEALER)

    async def place_bets(self) -> None:
        """Everybody bets on the hand and on each side bet; then the betting is closed."""
        kinds = (BetKind.MAIN, *SIDE_BETS)
        for some in _batches(self._names):
            bets = (Bet(name, 1, kind, 100 + 100 * (len(kind) % 3)) for name in some for kind in kinds)
            await self.do(PlaceBets(tuple(Placement((bet,)) for bet in bets)), _API)
        await self.do(CloseBetting(), _DEALER)

    async def go_on(self) -> None:
        """Do the one thing that the round waits for."""
        current = self._round()
        if current.shared is not None and current.question is not None:
            await self._decide(current, current.shared, current.question)
        elif current.insurance is not None and not current.insurance.closed:
            for some in _batches(self._names):
                answers = (Insuring(name, take=place % 3 == 0) for place, name in enumerate(some))
                await self.do(InsureAll(tuple(answers)), _API)
        else:
            await self._pull()

    async def _decide(self, current: Round, shared: SharedHand, question: Question) -> None:
        """Everybody on the line answers, a like number of them with each legal action."""
        self.windows += 1
        hand = current.hand(question.hand)
        legal = legal_actions(self._actor.setup.rules, current, hand)
        line = shared.line(hand.id.number)
        asked = [place for place, kept in enumerate(line.kept) if kept == DRAWING]
        for some in _batches(asked):
            choices = (Choosing(self._names[place], _choice(legal, place + self.windows)) for place in some)
            await self.do(DecideAll(question.number, tuple(choices)), _API)

    async def _pull(self) -> None:
        self._drawn += 1
        now_ns = self._clock.now().monotonic_ns
        sighting = Sighting(SightingId(_READER.id, 1, self._drawn), CardRead(next(self._cards)), now_ns)
        await self.do(RecordSighting(sighting), _READER)

    def _round(self) -> Round:
        current = self._actor.table.round
        if current is None:
            message = "no round was opened"
            raise RuntimeError(message)
        return current


def _choice(legal: Sequence[Action], number: int) -> Action:
    return legal[number % len(legal)]


def _shoe() -> Iterator[Card]:
    """Yield the cards of the shoe in the order in which they come."""
    first = [parse_card(code) for code in (*_BURNED, *_DEALT)]
    rest = list(DECK) * load_variant("infinite").decks
    for card in first:
        rest.remove(card)
    random.Random(1).shuffle(rest)  # noqa: S311 - the same round each time
    return itertools.chain(first, rest)


def _batches(rows: Sequence[_Row]) -> Iterator[Sequence[_Row]]:
    for start in range(0, len(rows), _BATCH):
        yield rows[start : start + _BATCH]
