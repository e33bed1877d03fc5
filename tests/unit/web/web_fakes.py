"""What the web tests share: a table without rules, a clock that is set, people of each role, a client's socket."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, Self

import httpx
from fastapi import FastAPI
from prometheus_client import CollectorRegistry
from starlette.types import Message

from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_evidence import SqliteEvidence
from studio.adapters.variants import load_variant
from studio.domain.answers import Rejected
from studio.domain.commands import Command, PlaceBets
from studio.domain.correction_views import DrawView, Preview, ReadingView
from studio.domain.instants import Instant
from studio.domain.people import Actor
from studio.domain.preview import preview
from studio.domain.rules import RuleSet
from studio.domain.setup import Limits, TableSetup
from studio.domain.shared_commands import (
    DecideAll,
    InsureAll,
)
from studio.domain.table import Table
from studio.ports.custody import Hold
from studio.ports.evidence import Evidence
from studio.ports.history import PlayedRound
from studio.ports.journal import JournalError
from studio.ports.look_back import LookBackQuery, TouchedRound
from studio.ports.settled import SettledRound
from studio.ports.wallet import Reservation
from studio.runtime.inbox import Done, Outcome, Refused, Repeated, Submission
from studio.settings import Account, People, Person
from studio.web.app import create_app
from studio.web.feed import Patience

SECOND_NS = 1_000_000_000
TOO_MUCH = Rejected("over-maximum", "Bet less.")
TOO_LATE = Rejected("already-answered", "Answered.")
RULES = load_variant("deluxe")
SHARED = load_variant("infinite")
TODAY = dt.date(2023, 11, 14)
"""The day on which the clock is set."""
PEOPLE_OF_ROLES = {
    "dea": ("dealer",),
    "sup": ("supervisor",),
    "man": ("manager",),
    "aud": ("auditor",),
    "tec": ("technician",),
    "pam": ("player",),
    "pat": ("player",),
    "tia": ("player",),
    "ops": ("operator",),
    "all": ("dealer", "supervisor", "technician", "player", "operator"),
}
BY_ROLE = {
    "dealer": "dea",
    "supervisor": "sup",
    "manager": "man",
    "auditor": "aud",
    "technician": "tec",
    "player": "pam",
    "operator": "ops",
}


def token_of(person: str) -> str:
    return f"token-of-{person}"


def person(name: str, *roles: str, licence_until: dt.date | None = None) -> Person:
    digest = hashlib.sha256(token_of(name).encode()).hexdigest()
    account = Account.TRIAL if name == "tia" else Account.REAL
    return Person(
        id=name,
        name=name.title(),
        roles=roles,
        token_sha256=digest,
        licence_until=licence_until,
        account=account,
    )


class SetClock:
    """Stands still until it is moved; sleepers wake when it passes them."""

    def __init__(self) -> None:
        self.instant = Instant(5 * SECOND_NS, 1_700_000_000 * SECOND_NS)
        self._sleepers: list[tuple[int, asyncio.Event]] = []

    def now(self) -> Instant:
        return self.instant

    async def sleep_until(self, monotonic_ns: int) -> None:
        woken = asyncio.Event()
        self._sleepers.append((monotonic_ns, woken))
        await woken.wait()

    def advance(self, seconds: float, *, wall_jump_seconds: float = 0) -> None:
        step = round(seconds * SECOND_NS)
        jump = round(wall_jump_seconds * SECOND_NS)
        self.instant = Instant(self.instant.monotonic_ns + step, self.instant.wall_ns + step + jump)
        for due, woken in self._sleepers:
            if due <= self.instant.monotonic_ns:
                woken.set()
        self._sleepers = [one for one in self._sleepers if not one[1].is_set()]


class SetWallet:
    """Balances that are set; the web only reads them."""

    def __init__(self) -> None:
        self.balances: dict[str, int] = {}

    def available(self, account: str) -> int:
        return self.balances.get(account, 0)

    def reserve(self, account: str, amount: int) -> Reservation | None:
        raise AssertionError((account, amount))

    def release(self, reservation: Reservation) -> None:
        raise AssertionError(reservation)


class SetLookBack:
    """A look-back whose rounds a test sets; ``asked`` are the queries that came."""

    def __init__(self) -> None:
        self.found: tuple[TouchedRound, ...] = ()
        self.asked: list[LookBackQuery] = []

    def rounds(self, query: LookBackQuery) -> Iterator[TouchedRound]:
        self.asked.append(query)
        return iter(self.found)


class SetHistory:
    """Answers with rounds that are set, and notes what it was asked."""

    def __init__(self) -> None:
        self.played: tuple[PlayedRound, ...] = ()
        self.asked: list[tuple[str, str, int | None, int]] = []

    def rounds(self, table: str, player: str, *, before: int | None, limit: int) -> tuple[PlayedRound, ...]:
        self.asked.append((table, player, before, limit))
        return self.played


class SetSettled:
    """Answers with settled rounds that are set, and notes what it was asked."""

    def __init__(self) -> None:
        self.found: tuple[SettledRound, ...] = ()
        self.asked: list[tuple[str, int]] = []

    def settled(self, table: str, *, limit: int) -> tuple[SettledRound, ...]:
        self.asked.append((table, limit))
        return self.found


class SetCustody:
    """Keeps holds in memory; round 9 is none of the table's."""

    def __init__(self) -> None:
        self.lasting: dict[tuple[str, int], Hold] = {}

    def holds(self) -> tuple[Hold, ...]:
        return tuple(self.lasting.values())

    async def hold(self, hold: Hold, at: Instant) -> None:
        assert at.wall_ns == hold.wall_ns
        if hold.round == 9:
            message = "the journal has no round 9"
            raise ValueError(message)
        self.lasting.setdefault((hold.table, hold.round), hold)

    async def release(self, hold: Hold, at: Instant) -> None:
        assert at.wall_ns == hold.wall_ns
        self.lasting.pop((hold.table, hold.round), None)


class RecordingTable:
    """Takes every command, keeps receipts as an actor does, and commits when it is told to."""

    def __init__(self, name: str = "t1", rules: RuleSet = RULES) -> None:
        limits = Limits("EUR", 500, 100_000, 100)
        self.setup = TableSetup(name, "Table 1", rules, limits, "r1", simulated=True, cut_position=104)
        self.table = Table(self.setup)
        self.sequence = 7
        self.read: tuple[ReadingView, ...] = ()
        self.settled: dict[int, tuple[DrawView, ...]] = {}
        self.submissions: list[Submission] = []
        self.refusal: Refused | None = None
        self.failure: Exception | None = None
        self.fails_after: int | None = None
        self.watchers: list[Callable[[], None]] = []
        self._receipts: dict[str, tuple[str, int, str]] = {}

    async def submit(self, submission: Submission) -> Outcome:
        await asyncio.sleep(0)
        if self.failure:
            raise self.failure
        receipt = submission.receipt
        assert receipt is not None
        if kept := self._receipts.get(receipt.key):
            fingerprint, status, body = kept
            if fingerprint == receipt.fingerprint:
                return Repeated(status, body)
            return Refused(Rejected("key-reused", "Use a new key."), self.sequence)
        if len(self.submissions) == self.fails_after:
            message = "disk full"
            raise JournalError(message)
        outcome = self._decide(submission)
        self._receipts[receipt.key] = (receipt.fingerprint, *receipt.respond(outcome))
        return outcome

    def _decide(self, submission: Submission) -> Done | Refused:
        if self.refusal:
            return self.refusal
        self.submissions.append(submission)
        self.commit()
        match submission.command:
            case PlaceBets(placements):
                items = tuple(TOO_MUCH if one.bets[0].amount > 100_000 else None for one in placements)
                return Done(self.sequence, items, placements)
            case DecideAll(_, each) | InsureAll(each):
                return Done(self.sequence, tuple(TOO_LATE if one.player == "late" else None for one in each))
            case _:
                return Done(self.sequence)

    async def preview(self, command: Command, actor: Actor) -> Preview:
        """Decide for real on the table as it is."""
        return preview(self.table, command, actor, Instant(0, 0))

    def readings(self) -> tuple[ReadingView, ...]:
        """Return what is set."""
        return self.read

    async def settled_draws(self, number: int) -> tuple[DrawView, ...] | None:
        """Return what is set for the round."""
        return self.settled.get(number)

    def watch(self, callback: Callable[[], None]) -> Callable[[], None]:
        self.watchers.append(callback)
        return lambda: self.watchers.remove(callback)

    def commit(self) -> None:
        self.sequence += 1
        for callback in tuple(self.watchers):
            callback()


class Studio:
    """A whole application around one fake table."""

    def __init__(
        self,
        *,
        simulated: bool = True,
        static: Path = Path("/nonexistent"),
        patience: Patience | None = None,
        rules: RuleSet = RULES,
        evidence: Evidence | None = None,
    ) -> None:
        self.table = RecordingTable(rules=rules)
        self.history = SetHistory()
        self.settled = SetSettled()
        self.custody = SetCustody()
        self.look_back = SetLookBack()
        self.clock = SetClock()
        self.wallet = SetWallet()
        self.registry = CollectorRegistry()
        self.health: dict[str, Any] = {"status": "ok"}
        self.painted: list[tuple[str, int]] = []
        self.people = People(
            people=tuple(
                person(name, *roles, licence_until=TODAY if "dealer" in roles else None)
                for name, roles in PEOPLE_OF_ROLES.items()
            )
        )
        self.app: FastAPI = create_app(
            tables={"t1": self.table},
            people=self.people,
            wallets={"EUR": self.wallet},
            clock=self.clock,
            history=self.history,
            settled=self.settled,
            custody=self.custody,
            look_back=self.look_back,
            evidence=evidence or SqliteEvidence(Path("/nonexistent"), Sealer(bytes(32)), ["t1"]),
            health=lambda: self.health,
            registry=self.registry,
            simulated=simulated,
            on_painted=lambda table, sequence: self.painted.append((table, sequence)),
            frames_per_second=50,
            static=static,
            patience=patience or Patience(),
        )

    def client(self, person: str | None = None) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {token_of(person)}"} if person else {}
        transport = httpx.ASGITransport(app=self.app)
        return httpx.AsyncClient(transport=transport, base_url="http://studio", headers=headers)

    async def post(self, person: str, path: str, body: object, key: str = "k1") -> httpx.Response:
        async with self.client(person) as client:
            return await client.post(f"/v1/tables/{path}", json=body, headers={"Idempotency-Key": key})

    async def get(self, person: str | None, path: str) -> httpx.Response:
        async with self.client(person) as client:
            return await client.get(path)

    @contextlib.asynccontextmanager
    async def feed(self, person: str, *topics: str) -> AsyncIterator[Socket]:
        """A signed-in client of the feed."""
        async with Socket(self.app) as socket:
            socket.say({"token": token_of(person)})
            if topics:
                socket.say({"subscribe": topics})
            yield socket


class SocketClosedError(Exception):
    """The server closed with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Socket:
    """The client's end of a WebSocket, without a network; it can stop reading."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._to_server: asyncio.Queue[Message] = asyncio.Queue()
        self._arrived: asyncio.Queue[Message] = asyncio.Queue()
        self._reads = asyncio.Event()
        self._reads.set()
        self._takes_nothing = False
        self._is_gone = False
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0"},
            "path": "/v1/feed",
            "raw_path": b"/v1/feed",
            "root_path": "",
            "query_string": b"",
            "headers": [],
            "subprotocols": [],
        }
        self._to_server.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.create_task(self._app(scope, self._to_server.get, self._send))
        accepted = await self._arrived.get()
        assert accepted["type"] == "websocket.accept"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._reads.set()
        self._to_server.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self.served_out()

    async def _send(self, message: Message) -> None:
        if self._is_gone:
            raise ConnectionResetError
        if message["type"] == "websocket.send" or (message["type"] == "websocket.close" and self._takes_nothing):
            await self._reads.wait()
        self._arrived.put_nowait(message)

    def stop_reading(self, *, even_a_close: bool = False) -> None:
        self._takes_nothing = even_a_close
        self._reads.clear()

    def vanish(self) -> None:
        """Go without a word: the server finds out when it sends."""
        self._is_gone = True

    async def served_out(self) -> None:
        """Return when the server is done with this client."""
        assert self._task is not None
        async with asyncio.timeout(5):
            await asyncio.shield(self._task)

    def read_again(self) -> None:
        self._reads.set()

    @property
    def unread_by_server(self) -> int:
        return self._to_server.qsize()

    def say(self, body: object) -> None:
        self.say_text(json.dumps(body))

    def say_text(self, text: str) -> None:
        self._to_server.put_nowait({"type": "websocket.receive", "text": text})

    def say_bytes(self, data: bytes) -> None:
        self._to_server.put_nowait({"type": "websocket.receive", "bytes": data})

    async def hear(self) -> dict[str, Any]:
        """The next message; raises :class:`SocketClosedError`."""
        async with asyncio.timeout(5):
            message = await self._arrived.get()
        if message["type"] == "websocket.close":
            raise SocketClosedError(message["code"])
        heard: dict[str, Any] = json.loads(message["text"])
        return heard

    def heard_so_far(self) -> Iterator[dict[str, Any]]:
        while not self._arrived.empty():
            message = self._arrived.get_nowait()
            yield json.loads(message["text"])


async def settle() -> None:
    """Let everything that can run now run."""
    for _ in range(50):
        await asyncio.sleep(0)
