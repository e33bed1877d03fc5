"""A whole studio with the demo's fault buttons: server, simulated shoe and dealer, players, and a supervisor.

The server and the shoe run as processes, watched as the demo watches them; players and supervisor are clients in
this one. It knows how to press a button, to watch and to close an incident, not what should come of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from typing import Any

import httpx

from hardware_sim.demo_processes import Children, Program
from hardware_sim.faults import FAULTS, Fault, FaultKind
from hardware_sim.shoe_process import TOKEN_VARIABLE
from studio.players.client import ApiClient, Update
from studio.players.player import AutomatedPlayer, Place
from studio.players.strategies import STRATEGIES
from support.fault_ledger import Ledger
from support.processes import CONTROL_TOKEN
from support.studio_folder import DEALER, SHOE_SERIAL, SUPERVISOR, TABLE, StudioFolder

PLAYERS = {"anna": "normal", "ben": "easy"}
PATIENCE_SECONDS = 60.0
SERVER_CLOCK = "server-clock"
_RETRY_PAUSES_SECONDS = (0.1,) * 100
_PULL_GAP_SECONDS = 0.3
_CARDS_BETWEEN_TRIES = 20
_PLAYERS_PACE = 20.0
_SERVER = "server"
_LOOK_SECONDS = 0.1


class FaultStudio:
    """The studio while it runs; made by :func:`run_fault_studio`."""

    def __init__(self, folder: StudioFolder, supervisor: ApiClient) -> None:
        self.ledger = Ledger(folder)
        self.newest: Update | None = None
        """The supervisor's newest view."""
        self._supervisor = supervisor
        self._moved = asyncio.Condition()
        self._failure: BaseException | None = None
        self._control: httpx.AsyncClient | None = None

    # The simulated shoe's buttons

    async def press(self, fault: Fault, *, is_on: bool = True) -> None:
        """Press a fault's button, or take the fault back."""
        await self.control("POST", f"/faults/{fault}", {"active": is_on})

    async def provoke(self, fault: Fault, kinds: Collection[str]) -> str:
        """Press a fault's button until it has opened an incident of one of ``kinds``; return which.

        A mistake of the dealer can turn out right: a player may ask for just that card at just that moment.
        """
        await self.press(fault)
        while (kind := self._open_one(kinds)) is None:
            enough = self.ledger.cards(0) + _CARDS_BETWEEN_TRIES
            await self.wait(
                f"one of {', '.join(kinds)}",
                lambda: self._open_one(kinds) is not None or self.ledger.cards(0) >= enough,  # noqa: B023 - awaited
            )
            if FAULTS[fault].kind is FaultKind.DEALER:
                await self.press(fault)
        return kind

    async def is_armed(self, fault: Fault) -> bool:
        """Return whether a fault is on, or still waits for its occasion."""
        state = await self.control("GET", "/state")
        return any(each["name"] == fault and each["active"] for each in state["faults"])

    async def wait_unrecorded(self) -> None:
        """Wait until the server has failed to record something, and the shoe has given up on being heard."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not (await self.health())["not_recorded"] or not await self._is_gate_shut():  # noqa: ASYNC110 - asked over HTTP
                await asyncio.sleep(_LOOK_SECONDS)

    async def _is_gate_shut(self) -> bool:
        return (await self.control("GET", "/state"))["link"]["refusal"] is not None

    async def control(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Ask the shoe's control API."""
        assert self._control is not None
        answer = await self._control.request(method, path, json=body)
        answer.raise_for_status()
        return answer.json()

    async def hold_still(self) -> None:
        """Pause the dealer, and wait until no card and no acknowledgement is under way."""
        await self.control("POST", "/pause")
        ordinal = (await self.control("GET", "/state"))["link"]["ordinal"]
        await self.wait(f"card {ordinal}", lambda: self.ledger.last_draw() == ordinal)
        await self.errors()  # the server answers after it has acknowledged

    # The supervisor

    @property
    def now(self) -> Update:
        """The supervisor's newest view with its sequence."""
        assert self.newest is not None
        return self.newest

    @property
    def table(self) -> Mapping[str, Any]:
        """What everybody sees of the table."""
        table: Mapping[str, Any] = self.now.view["dealer"]["table"]
        return table

    def _open_one(self, kinds: Collection[str]) -> str | None:
        return next((kind for kind in kinds if self.incident(kind) is not None), None)

    def incident(self, kind: str) -> Mapping[str, Any] | None:
        """Return the open incident of a kind, as the supervisor sees it."""
        return next((each for each in self.now.view["incidents"] if each["kind"] == kind), None)

    async def wait(self, what: str, holds: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until ``holds``, looked at with each new view; raise ``AssertionError`` that says what did not."""
        try:
            async with asyncio.timeout(seconds), self._moved:
                await self._moved.wait_for(lambda: self._failure is not None or (self.newest and holds()))
        except TimeoutError as error:
            message = f"{what}: not within {seconds:g} s; {self._situation()}"
            raise AssertionError(message) from error
        if self._failure is not None:
            raise self._failure

    async def wait_incident(self, kind: str) -> Mapping[str, Any]:
        """Wait until an incident of ``kind`` is open; return it."""
        await self.wait(f"an incident {kind}", lambda: self.incident(kind) is not None)
        found = self.incident(kind)
        assert found is not None
        return found

    async def wait_closed(self) -> None:
        """Wait until no incident is open that stops the table."""
        await self.wait("no incident", lambda: all(one["level"] == "warn" for one in self.now.view["incidents"]))

    async def wait_sequence(self, sequence: int) -> None:
        """Wait until the view has come to ``sequence``."""
        await self.wait(f"sequence {sequence}", lambda: self.now.sequence >= sequence)

    async def wait_cards(self, count: int) -> None:
        """Wait until ``count`` more cards have been dealt or burned."""
        start = self.ledger.cards(0)
        await self.wait(f"{count} cards", lambda: self.ledger.cards(0) >= start + count)

    async def resolve(self, kind: str, ways_out: Sequence[str]) -> str:
        """Close the incident of ``kind`` by the first of ``ways_out`` that is offered; return that one.

        Decided on the newest view each time: one that the table has moved past is refused and looked at again.
        """
        while True:
            seen, incident = self.now, self.incident(kind)
            assert incident is not None, f"{kind} was closed by somebody else"
            way_out = next(way for way in ways_out if way in incident["ways_out"])
            arguments = {"incident": incident["number"], "way_out": way_out, "reason": "procedure", "text": "Test"}
            body = {"command": "resolve-incident", "arguments": arguments, "seen_sequence": seen.sequence}
            answer = await self._supervisor.post(f"/tables/{TABLE}/commands", body)
            if answer.is_success:
                await self.wait_sequence(answer.body["sequence"])
                return way_out
            assert answer.code == "stale-view", f"{kind} by {way_out}: {answer.body}"
            assert answer.body["changed"]
            await self.wait_sequence(answer.body["sequence"])

    async def errors(self) -> Mapping[str, int]:
        """Return how many of the reader's bytes were not taken, by cause, as ``/health`` tells."""
        errors: Mapping[str, int] = (await self.health())["devices"]["reader"]["errors"]
        return errors

    async def health(self) -> Mapping[str, Any]:
        """Return what ``/health`` tells of the table."""
        async with httpx.AsyncClient(trust_env=False) as client:
            health = (await client.get(f"{self.ledger.folder.url}/health")).json()
        table: Mapping[str, Any] = health["tables"][TABLE]
        return table

    # Inside

    def attach(self, control: httpx.AsyncClient) -> None:
        """Take the client of the shoe's control API."""
        self._control = control

    async def follow(self) -> None:
        """Keep :attr:`newest` up to date until cancelled."""
        async with aclosing(self._supervisor.updates(f"tables/{TABLE}/supervisor")) as updates:
            async for update in updates:
                async with self._moved:
                    self.newest = update
                    self._moved.notify_all()

    def fail(self, task: asyncio.Task[None]) -> None:
        """Take note that a part has ended by itself; whoever waits is told."""
        if not task.cancelled():
            self._failure = task.exception() or AssertionError(f"{task.get_name()} has ended")

    def _situation(self) -> str:
        if self.newest is None:
            return "no view came"
        dealer = self.newest.view["dealer"]
        return (
            f"round {self.table['round']}, {self.table['phase']}, the dealer reads {dealer['instruction']}; "
            f"open: {self.newest.view['incidents']}"
        )


@asynccontextmanager
async def run_fault_studio(folder: StudioFolder, seed: int) -> AsyncIterator[FaultStudio]:
    """Run a studio until the block ends: a killed server is started again, everything else must stay alive."""
    async with AsyncExitStack() as stack:
        supervisor, *players = [
            await stack.enter_async_context(
                ApiClient(folder.url, folder.token(name), repeat_pauses_seconds=_RETRY_PAUSES_SECONDS)
            )
            for name in (SUPERVISOR, *PLAYERS)
        ]
        studio = FaultStudio(folder, supervisor)
        children = Children(folder.path)
        stack.push_async_callback(children.stop)
        announced = await children.start(_shoe(folder, seed, children))
        studio.attach(await stack.enter_async_context(_control_client(announced)))
        serve = ("-m", "studio", "serve", "--config", str(folder.settings))
        await children.start(Program(_SERVER, serve, is_revived=True))
        parts = [("children", children.watch(lambda _: None)), ("supervisor's feed", studio.follow())]
        parts += [
            (name, AutomatedPlayer(api, Place(TABLE, seat, STRATEGIES[strategy], seed, _PLAYERS_PACE)).run())
            for seat, (api, (name, strategy)) in enumerate(zip(players, PLAYERS.items(), strict=True), start=1)
        ]
        for name, part in parts:
            task = asyncio.create_task(part, name=name)
            task.add_done_callback(studio.fail)
            stack.push_async_callback(_end, task)
        await studio.wait("the first betting", lambda: studio.table["phase"] == "betting")
        yield studio


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _shoe(folder: StudioFolder, seed: int, children: Children) -> Program:
    token_file = folder.path / "dealer.token"
    token_file.write_text(folder.token(DEALER), encoding="ascii")
    return Program(
        "table",
        (
            *("-m", "hardware_sim.dealt_table", "--studio", folder.url, "--table", TABLE),
            *("--dealer-token-file", str(token_file), "--server-pid-file", str(children.pid_file(_SERVER))),
            *("--server-clock-file", str(folder.path / SERVER_CLOCK)),
            *("--link", str(folder.shoe_port), "--seed", str(seed), "--serial", SHOE_SERIAL),
            *("--protocol", folder.driver),
            *("--cut-position", str(folder.cut_position), "--seconds-per-card", "0"),
            *("--pull-gap-seconds", str(_PULL_GAP_SECONDS)),
        ),
        {TOKEN_VARIABLE: CONTROL_TOKEN},
        announces=True,
    )


def _control_client(announced: str) -> httpx.AsyncClient:
    control = httpx.Response(200, text=announced).json()["control"]
    headers = {"Authorization": f"Bearer {CONTROL_TOKEN}"}
    return httpx.AsyncClient(base_url=control, headers=headers, trust_env=False)
