"""A real table behind real pages: actor, journal, API and feed in a thread of their own, for the browser tests.

Time runs by itself and can be put forward, so that no test waits for a deadline.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import hashlib
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import uvicorn
from prometheus_client import CollectorRegistry
from support.actors import KEY, LiveActor, live_actor
from support.tables import DEALER, player

from studio.adapters.sealing import Sealer
from studio.adapters.settled_rounds import SqliteSettledRounds
from studio.adapters.sqlite_evidence import SqliteEvidence
from studio.adapters.sqlite_look_back import SqliteLookBack
from studio.domain.commands import CloseBetting, OpenBetting
from studio.domain.instants import Instant
from studio.domain.setup import TableSetup
from studio.ports.devices import Camera
from studio.proof.holds import JournalCustody
from studio.settings import People, Person
from studio.web.app import create_app

T = TypeVar("T")
_STAFF = {
    "dora": "dealer",
    "sam": "supervisor",
    "sue": "supervisor",
    "max": "manager",
    "aud": "auditor",
    "tess": "technician",
}
_BALANCES = {"anna": 500_000, "ben": 500_000, "cleo": 500_000}
_LONG = dt.date(2199, 12, 31)
Looking = Callable[[], AbstractAsyncContextManager[Camera]]
"""Opens the table's camera on the server's loop."""


class LeapingClock:
    """Runs as time does, and can be put forward."""

    def __init__(self) -> None:
        self._ahead_ns = 0
        self._leapt = asyncio.Event()

    def now(self) -> Instant:
        return Instant(time.monotonic_ns() + self._ahead_ns, time.time_ns() + self._ahead_ns)

    async def sleep_until(self, monotonic_ns: int) -> None:
        while (left_ns := monotonic_ns - self.now().monotonic_ns) > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._leapt.wait(), left_ns / 1e9)

    async def advance(self, by_ns: int) -> None:
        self._ahead_ns += by_ns
        leapt, self._leapt = self._leapt, asyncio.Event()
        leapt.set()
        await asyncio.sleep(0)


class NoHistory:
    """Nobody looks back here."""

    def rounds(self, table: str, player: str, *, before: int | None, limit: int) -> tuple[()]:  # noqa: ARG002
        return ()


class LiveStudio:
    """The studio as a test handles it: what people and devices do, and the addresses of the pages."""

    def __init__(self, loop: asyncio.AbstractEventLoop, live: LiveActor, port: int) -> None:
        self._loop = loop
        self.live = live
        self.port = port

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something on the server's loop and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    def url(self, page: str, who: str, more: str = "") -> str:
        return f"http://127.0.0.1:{self.port}/{page}#table=t1&token={_token(who)}{more}"

    def dealt(self, *, cards: str = "TC 9C 6S 9D TH 5S KD 7C", burn: bool = True) -> None:
        """Open a round with three players: 19, 19 and 11 against a ten, the hole card face down."""

        async def play() -> None:
            if burn:
                await self.live.ready()
            await self.live.do(OpenBetting(), DEALER)
            for seat, name in ((1, "anna"), (3, "ben"), (6, "cleo")):
                await self.live.bet(player(name), seat, 2_500)
            await self.live.do(CloseBetting(), DEALER)
            await self.cards(cards)

        self.run(play())

    async def cards(self, codes: str) -> None:
        """Pull cards, each with the bytes of a reader's frame behind it."""
        for code in codes.split():
            await self.live.wait(1)
            await self.live.card(code, b"\x02" + code.encode() + b"\r\n")


def _token(who: str) -> str:
    return f"token-of-{who}-0123456789"


def _person(name: str, role: str) -> Person:
    digest = hashlib.sha256(_token(name).encode()).hexdigest()
    return Person(id=name, name=name.title(), roles=(role,), token_sha256=digest, licence_until=_LONG)


@contextmanager
def live_studio(
    folder: Path, setup: TableSetup | None = None, camera: Looking | None = None
) -> Iterator[LiveStudio]:
    """Serve one table on a free port of the loopback while the context lasts; a ``camera`` looks at it."""
    listener = socket.create_server(("127.0.0.1", 0))
    found: list[LiveStudio] = []
    started = threading.Event()
    server: list[uvicorn.Server] = []

    async def main() -> None:
        people = People(
            people=tuple(_person(*one) for one in (*_STAFF.items(), *((p, "player") for p in _BALANCES)))
        )
        clock = LeapingClock()
        async with AsyncExitStack() as stack:
            actor = live_actor(folder / "journal", setup=setup, balances=_BALANCES, clock=clock)
            live = await stack.enter_async_context(actor)
            cameras = {"t1": await stack.enter_async_context(camera())} if camera else {}
            app = create_app(
                tables={"t1": live.actor},
                people=people,
                wallets={"EUR": live.wallet},
                clock=clock,
                history=NoHistory(),
                settled=SqliteSettledRounds(live.store.path, {"t1": live.actor.setup.rules}),
                custody=JournalCustody(live.store),
                look_back=SqliteLookBack(live.store.path),
                evidence=SqliteEvidence(live.store.path, Sealer(KEY), ["t1"]),
                health=lambda: {"status": "ok"},
                registry=CollectorRegistry(),
                simulated=True,
                on_painted=lambda _table, _sequence: None,
                cameras=cameras,
            )
            config = uvicorn.Config(app, log_level="error", ws="websockets-sansio", lifespan="off")
            server.append(uvicorn.Server(config))
            found.append(LiveStudio(asyncio.get_running_loop(), live, listener.getsockname()[1]))
            started.set()
            await server[0].serve([listener])
            app.state.feed.stop()

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    try:
        assert started.wait(20)
        yield found[0]
    finally:
        server[0].should_exit = True
        server[0].force_exit = True
        thread.join(20)
        listener.close()
