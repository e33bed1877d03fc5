"""A whole studio of real processes: the test deals, card by card, and keeps what everybody is sent."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx

from hardware_sim.faults import Fault
from studio.domain.shoe import ShoeStep
from support.listener import Listener
from support.processes import (
    Running,
    control_client,
    start_second_reader,
    start_server,
    start_table,
    wait_until_healthy,
)
from support.studio_folder import DEALER, SUPERVISOR, TABLE, Pace, StudioFolder, make_studio_folder

PLAYERS = ("anna", "ben")
_WAIT_SECONDS = 20.0
SLOW = Pace(betting_ms=60_000, insurance_ms=60_000, decision_ms=60_000)
"""Windows that no test waits for."""


class HandDealtStudio:
    """The studio; ``heard`` is every body and feed message that anybody was sent, by who and what."""

    def __init__(
        self,
        folder: StudioFolder,
        server: Running,
        control: httpx.AsyncClient | None = None,
        second: httpx.AsyncClient | None = None,
    ) -> None:
        self.folder = folder
        self.server = server
        self._control = control
        self._second = second
        self._keys = itertools.count()
        self._answers: list[tuple[str, bytes]] = []
        self.listeners: dict[str, Listener] = {}
        self._http = httpx.AsyncClient(base_url=folder.url, trust_env=False)

    @property
    def heard(self) -> list[tuple[str, bytes]]:
        feeds = [(name, message) for name, listener in self.listeners.items() for message in listener.heard]
        return self._answers + feeds

    async def aclose(self) -> None:
        await self._http.aclose()

    async def get(self, person: str, path: str) -> Any:
        """Read ``path`` as ``person``; return the JSON, or the text where it is none."""
        response = await self._http.get(path, headers=self._headers(person))
        self._answers.append((f"{person} GET {path}", response.content))
        is_json = response.headers["content-type"].startswith("application/json")
        return response.json() if is_json else response.text

    async def post(self, person: str, what: str, body: Mapping[str, Any]) -> None:
        """Send a command; it must be accepted."""
        headers = {**self._headers(person), "Idempotency-Key": f"key-{next(self._keys)}"}
        response = await self._http.post(f"/v1/tables/{TABLE}/{what}", json=body, headers=headers)
        self._answers.append((f"{person} POST {what}", response.content))
        assert response.status_code == HTTPStatus.OK, response.text

    async def press(self, command: str, person: str = DEALER, **arguments: Any) -> None:
        """Press a button of the dealer's console or the supervisor's panel."""
        body: dict[str, Any] = {"command": command, "arguments": arguments}
        if person == SUPERVISOR:
            message = await self.get(SUPERVISOR, f"/v1/tables/{TABLE}/views/supervisor")
            body["seen_sequence"] = message["sequence"]
        await self.post(person, "commands", body)

    async def dealers_view(self, is_awaited: Callable[[Mapping[str, Any]], bool] = bool) -> Mapping[str, Any]:
        """Wait for a dealer's view of a kind, and return it."""
        async with asyncio.timeout(_WAIT_SECONDS):
            while True:
                view: Mapping[str, Any] = (await self.get(DEALER, f"/v1/tables/{TABLE}/views/dealer"))["view"]
                if is_awaited(view):
                    return view
                await asyncio.sleep(0.02)

    async def ready(self) -> None:
        """Sign on and prepare a shoe."""
        await self.dealers_view(lambda view: bool(view["reader_ready"]))
        await self.press("sign-on")
        for step in ShoeStep:
            await self.press("confirm-shoe-step", step=step.value)

    async def deal(self, *cards: str) -> None:
        """Pull cards out of the shoe, each of them stacked to be that one, and wait until each is on record.

        A second reader reads each too; ``TC/9D``: as another card, ``TC/-``: not at all, ``-/TC``: it alone.
        """
        for each in cards:
            card, _, second = each.partition("/")
            if card != "-":
                before = (await self.dealers_view())["table"]["shoe"]["dealt"]
                assert self._control is not None, "nothing is plugged in that could be pulled from"
                await _pull(self._control, card)
                await self.dealers_view(partial(_has_dealt, before + 1))
            if self._second is not None and second != "-":
                await _pull(self._second, second or card)

    async def unplug(self, *, is_on: bool = True) -> None:
        """Pull the reader's cable out, or plug it in again."""
        assert self._control is not None
        (await self._control.post(f"/faults/{Fault.UNPLUG}", json={"active": is_on})).raise_for_status()

    async def kill_and_restart(self) -> None:
        """Kill the server, and start it anew; its children end by themselves."""
        await self.server.kill()
        self.server = await start_server(self.folder, log_level="debug")
        await wait_until_healthy(self.folder, self.server)

    async def unplug_second_reader(self) -> None:
        """Pull the second reader's cable out."""
        assert self._second is not None
        (await self._second.post(f"/faults/{Fault.UNPLUG}", json={"active": True})).raise_for_status()

    def _headers(self, person: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.folder.token(person)}"}


async def _pull(control: httpx.AsyncClient, card: str) -> None:
    (await control.post("/stack", json={"card": card})).raise_for_status()
    async with asyncio.timeout(_WAIT_SECONDS):
        # The gate is closed while the reader and the studio still greet each other.
        while not (await control.post("/pull")).is_success:  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.02)


def _has_dealt(count: int, view: Mapping[str, Any]) -> bool:
    return bool(view["table"]["shoe"]["dealt"] == count)


async def _second_reader(stack: AsyncExitStack, folder: StudioFolder, path: Path) -> httpx.AsyncClient:
    reader = await start_second_reader(folder, seed=2, notes=path / "second-notes.jsonl")
    stack.push_async_callback(reader.stop)
    return await stack.enter_async_context(control_client(reader))


@asynccontextmanager
async def hand_dealt_studio(
    path: Path, *, second_reader: bool = False, camera: str = ""
) -> AsyncIterator[HandDealtStudio]:
    """Run a studio with everybody listening; its server logs all there is, and is stopped at the end."""
    made = make_studio_folder(path / "studio", *PLAYERS, pace=SLOW)
    folder = replace(made, second_reader=second_reader, camera=camera)
    folder.write()
    async with AsyncExitStack() as stack:
        table = await start_table(folder, seed=1, notes=path / "notes.jsonl", with_dealer=False)
        stack.push_async_callback(table.stop)
        server = await start_server(folder, log_level="debug")
        stack.push_async_callback(server.kill)
        await wait_until_healthy(folder, server)
        control = await stack.enter_async_context(control_client(table))
        second = await _second_reader(stack, folder, path) if second_reader else None
        studio = HandDealtStudio(folder, server, control, second)
        stack.push_async_callback(studio.aclose)
        stack.push_async_callback(lambda: studio.server.kill())  # noqa: PLW0108 - the one that runs then
        for person, audiences in (
            (DEALER, ("dealer", "public")),
            (SUPERVISOR, ("supervisor", "dealer", "public")),
            *((player, ("player", "public")) for player in PLAYERS),
        ):
            topics = [f"tables/{TABLE}/{audience}" for audience in audiences]
            studio.listeners[f"{person}'s feed"] = Listener(folder.url, folder.token(person), topics)
        async with asyncio.TaskGroup() as listening:
            for listener in studio.listeners.values():
                listening.create_task(listener.run())
            for listener in studio.listeners.values():
                await listener.is_served.wait()
            yield studio
            assert await studio.server.stop() == 0
