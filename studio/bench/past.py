"""Looking back: how long a past round takes to open and to be found in a journal of many.

The journal is synthetic: one shoe is really played, with a stop in it, and its events are written again and again
with later times and numbers, sealed and chained as always. What is timed is what the server does for the page.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter

from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_evidence import SqliteEvidence
from studio.adapters.sqlite_journal import SqliteJournal
from studio.adapters.sqlite_store import SqliteStore
from studio.adapters.sqlite_wallet import SqliteWallet
from studio.bench.engine import PlayedTable, Script
from studio.domain.anomalies import WayOut
from studio.domain.answers import Decided
from studio.domain.commands import ResolveIncident, Suspend
from studio.domain.decide import decide
from studio.domain.events import Event
from studio.domain.instants import Instant
from studio.domain.money import TransferBatch, transfers
from studio.domain.people import Actor, Role
from studio.domain.setup import TableSetup
from studio.domain.table import Table
from studio.evidence.replay import Replay, replay
from studio.ports.evidence import Wanted
from studio.ports.journal import Entry, Recorded

_KEY: Final = bytes(range(32))
_DAYS: Final = 90
_NANOSECONDS: Final = 1_000_000_000
_BEGAN_WALL_NS: Final = 1_700_000_000 * _NANOSECONDS
_OPENED_ROUNDS: Final = 30
_RICH: Final = 10**12
_SUPERVISOR: Final = Actor("supervisor", "Supervisor", Role.SUPERVISOR)
_REPLAY: Final[TypeAdapter[Any]] = TypeAdapter(Replay)


@dataclass(frozen=True, slots=True)
class PastFigures:
    """How long things took in a journal of so many rounds and events; times in seconds."""

    rounds: int
    events: int
    bytes: int
    opened_seconds: tuple[float, ...]
    searched_seconds: dict[str, float]


@dataclass(frozen=True, slots=True)
class _Happened:
    """One event of the shoe that was played, and the money that it moved."""

    event: Event
    actor: Actor
    at: Instant
    cause: int
    moves: TransferBatch


def measure_past(folder: Path, setup: TableSetup, rounds: int, *, seed: int = 1) -> PastFigures:
    """Write a journal of at least ``rounds`` over ninety days into a folder, and look back in it."""
    path = folder / "past.sqlite"
    shoe, per_shoe = _one_shoe(setup, seed)
    shoes = -(-rounds // per_shoe)
    asyncio.run(_write(path, setup, shoe, per_shoe, shoes))
    evidence = SqliteEvidence(path, Sealer(_KEY), [setup.table])
    choice = random.Random(seed)  # noqa: S311 - the same seed opens the same rounds
    numbers = [choice.randint(1, shoes * per_shoe) for _ in range(_OPENED_ROUNDS)]
    opened = tuple(_timed(partial(_open, evidence, setup, number)) for number in numbers)
    middle = _BEGAN_WALL_NS + _DAYS * 43_200 * _NANOSECONDS
    searches = {
        "the newest 25": Wanted(limit=25),
        "a player": Wanted(player="player-3", limit=25),
        "a player and a card": Wanted(player="player-3", card="8S", limit=25),
        "a card in a day of the middle": Wanted(
            card="8S", since_wall_ns=middle, until_wall_ns=middle + 86_400 * _NANOSECONDS, limit=25
        ),
        "any incident": Wanted(kind="any", limit=25),
        "an incident by its number": Wanted(table=setup.table, incident=max(1, shoes // 2)),
        "nobody": Wanted(player="nobody", limit=25),
    }
    searched = {name: _timed(partial(evidence.search, one)) for name, one in searches.items()}
    return PastFigures(shoes * per_shoe, len(shoe) * shoes, path.stat().st_size, opened, searched)


def _open(evidence: SqliteEvidence, setup: TableSetup, number: int) -> bytes:
    return _REPLAY.dump_json(replay(evidence, setup, number))


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _one_shoe(setup: TableSetup, seed: int) -> tuple[list[_Happened], int]:
    """Play one shoe with a stop after its first round; return what happened and how many rounds that were."""
    played = PlayedTable(setup, seed)
    table, happened, rounds = Table(setup), list[_Happened](), 0
    table = _record(table, played.prepare_shoe(), happened)
    while played.table.shoe is not None:
        table = _record(table, played.play_round(), happened)
        rounds += 1
        if rounds == 1:
            at = happened[-1].at
            table = _record(table, [(Suspend("look"), _SUPERVISOR, at)], happened)
            resolve = ResolveIncident(table.incidents[0].number, WayOut.GO_ON, "procedure", "Looked")
            table = _record(table, [(resolve, _SUPERVISOR, at)], happened)
    return happened, rounds


def _record(table: Table, script: Script, happened: list[_Happened]) -> Table:
    for command, actor, at in script:
        answer = decide(table, command, actor, at)
        if not isinstance(answer, Decided):
            message = f"{command} was refused: {answer.text}"
            raise TypeError(message)
        for step in answer.steps:
            happened.append(_Happened(step.event, actor, at, len(happened), transfers(step.before, step.event)))
            table = step.after
    return table


async def _write(path: Path, setup: TableSetup, shoe: list[_Happened], per_shoe: int, shoes: int) -> None:
    store = SqliteStore(path, simulated=True)
    try:
        wallet = SqliteWallet(store, setup.limits.currency)
        for seat in range(1, setup.rules.seats + 1):
            name = f"player-{seat}"
            await wallet.deposit(name, _RICH, f"opening:{name}", Instant(0, _BEGAN_WALL_NS))
        journal = SqliteJournal(store, Sealer(_KEY))
        apart_ns = _DAYS * 86_400 * _NANOSECONDS // shoes
        for number in range(shoes):
            await journal.append(_again(setup, shoe, number, per_shoe, apart_ns))
    finally:
        store.close()


def _again(setup: TableSetup, shoe: list[_Happened], number: int, per_shoe: int, apart_ns: int) -> Entry:
    """Return the shoe as the ``number``-th of many."""
    first, later_ns = number * len(shoe) + 1, number * apart_ns
    recorded = tuple(
        Recorded(
            table=setup.table,
            sequence=first + place,
            at=Instant(one.at.monotonic_ns + later_ns, _BEGAN_WALL_NS + one.at.wall_ns + later_ns),
            actor=one.actor,
            cause=f"{number}:{one.at.monotonic_ns}:{one.actor.id}",
            event=_numbered(one.event, rounds=number * per_shoe, incidents=number),
        )
        for place, one in enumerate(shoe)
    )
    return Entry(recorded, tuple(one.moves for one in shoe))


def _numbered(event: Event, *, rounds: int, incidents: int) -> Event:
    """Return an event with its numbers counted on."""
    changes: dict[str, Any] = {
        name: getattr(event, name) + more
        for name, more in (("round", rounds), ("last_round", rounds), ("incident", incidents))
        if hasattr(event, name)
    }
    return replace(event, **changes) if changes else event
