"""One studio with two tables whose readers' cables can be exchanged: real processes, dealt by the test.

Each table's port is a cable (a symbolic link) to one of two simulated readers, so that a reader comes up at
whichever table its cable leads to.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx

from hardware_sim.faults import Fault
from studio.domain.shoe import ShoeStep
from support.processes import control_client, start_second_reader, start_server, start_table, wait_until_healthy
from support.studio_folder import (
    DEALER,
    SECOND_SERIAL,
    SHOE_SERIAL,
    SUPERVISOR,
    StudioFolder,
    make_studio_folder,
)

TABLES = ("t1", "t2")
DEALERS = {"t1": DEALER, "t2": "dan"}
SERIALS = {"t1": SHOE_SERIAL, "t2": SECOND_SERIAL}
_WAIT_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class TwoTableFolder(StudioFolder):
    """A studio's files with a second table like the first."""

    def cable(self, table: str) -> Path:
        """Return the port that a table's settings name."""
        return self.path / f"cable-{table}"

    def write(self) -> None:
        """Write the files; the second table has a dealer of its own."""
        StudioFolder.write(self)
        with (self.path / "people.toml").open("a", encoding="utf-8") as people:
            people.write("\n" + self._person(DEALERS["t2"], "dealer", "licence_until = 2099-12-31"))

    def _settings(self) -> str:
        first = StudioFolder._settings(self)
        head, table, rest = first.partition("[[tables]]")
        first_table = (table + rest).replace(json.dumps(str(self.shoe_port)), json.dumps(str(self.cable("t1"))))
        changes = {
            'id = "t1"': 'id = "t2"',
            "shoe-1": "shoe-2",
            SHOE_SERIAL: SECOND_SERIAL,
            "cable-t1": "cable-t2",
        }
        second_table = first_table
        for one, other in changes.items():
            assert one in first_table
            second_table = second_table.replace(one, other)
        return head + first_table + "\n" + second_table


class TwoTables:
    """The studio, and the two readers' controls by the table that each belongs to."""

    def __init__(self, folder: TwoTableFolder, controls: Mapping[str, httpx.AsyncClient]) -> None:
        self._folder = folder
        self._controls = controls
        self._keys = itertools.count()
        self._http = httpx.AsyncClient(base_url=folder.url, trust_env=False)

    async def aclose(self) -> None:
        await self._http.aclose()

    # The cables

    async def exchange(self, *, is_crossed: bool) -> None:
        """Pull both cables out, and plug them in straight or crosswise."""
        for table in TABLES:
            await self.fault(table, Fault.UNPLUG)
        for table in TABLES:
            await self.device(table, lambda device: device["link"] == "absent")
        lay_cables(self._folder, is_crossed=is_crossed)
        for table in TABLES:
            await self.fault(table, Fault.UNPLUG, is_on=False)

    async def fault(self, table: str, fault: Fault, *, is_on: bool = True) -> None:
        """Switch a fault of the reader that belongs to a table."""
        (await self._controls[table].post(f"/faults/{fault}", json={"active": is_on})).raise_for_status()

    async def pull(self, table: str, card: str) -> None:
        """Pull a card out of the shoe that belongs to a table, stacked to be that one, once its gate is open."""
        (await self._controls[table].post("/stack", json={"card": card})).raise_for_status()
        async with asyncio.timeout(_WAIT_SECONDS):
            while not (await self._controls[table].post("/pull")).is_success:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.02)

    async def load_anew(self, table: str) -> None:
        """Put a fresh pack into the shoe that belongs to a table."""
        async with asyncio.timeout(_WAIT_SECONDS):
            while not (await self._controls[table].post("/new-shoe")).is_success:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.02)

    # What is shown

    async def device(self, table: str, holds: Callable[[Mapping[str, Any]], bool]) -> Mapping[str, Any]:
        """Wait until ``/health`` says so of a table's reader."""
        found: Mapping[str, Any] = {}
        try:
            async with asyncio.timeout(_WAIT_SECONDS):
                while True:
                    found = (await self.health(table))["devices"]["reader"]
                    if holds(found):
                        return found
                    await asyncio.sleep(0.02)
        except TimeoutError:
            message = f"the reader of {table} is {found}"
            raise AssertionError(message) from None

    async def health(self, table: str) -> Mapping[str, Any]:
        """Return what ``/health`` says of a table."""
        found: Mapping[str, Any] = (await self._http.get("/health")).json()["tables"][table]
        return found

    async def view(self, table: str, holds: Callable[[Mapping[str, Any]], bool] = bool) -> Mapping[str, Any]:
        """Wait for a dealer's view of a kind, and return it."""
        async with asyncio.timeout(_WAIT_SECONDS):
            while True:
                answer = await self._http.get(f"/v1/tables/{table}/views/dealer", headers=self._sign_in(table))
                view: Mapping[str, Any] = answer.json()["view"]
                if holds(view):
                    return view
                await asyncio.sleep(0.02)

    async def dealt(self, table: str) -> int:
        """Return how many cards of its shoe a table has accepted."""
        shoe = (await self.view(table))["table"]["shoe"]
        return 0 if shoe is None else int(shoe["dealt"])

    # The dealer

    async def press(self, table: str, command: str, **arguments: Any) -> None:
        """Press a button of the dealer's console."""
        answer = await self._http.post(
            f"/v1/tables/{table}/commands",
            json={"command": command, "arguments": arguments},
            headers={**self._sign_in(table), "Idempotency-Key": f"key-{next(self._keys)}"},
        )
        assert answer.status_code == HTTPStatus.OK, answer.text

    def _sign_in(self, table: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._folder.token(DEALERS[table])}"}

    async def rule(self, table: str, way_out: str) -> str:
        """Have the supervisor close the incident that the table comes to have; return its kind."""
        (incident,) = (await self.view(table, lambda view: bool(view["incidents"])))["incidents"]
        sign_in = {"Authorization": f"Bearer {self._folder.token(SUPERVISOR)}"}
        seen = (await self._http.get(f"/v1/tables/{table}/views/supervisor", headers=sign_in)).json()
        arguments = {"incident": incident["number"], "way_out": way_out, "reason": "procedure", "text": "As ruled"}
        answer = await self._http.post(
            f"/v1/tables/{table}/commands",
            json={"command": "resolve-incident", "arguments": arguments, "seen_sequence": seen["sequence"]},
            headers={**sign_in, "Idempotency-Key": f"key-{next(self._keys)}"},
        )
        assert answer.status_code == HTTPStatus.OK, answer.text
        return str(incident["kind"])

    async def prepare(self, table: str) -> None:
        """Sign on and prepare a shoe."""
        await self.view(table, lambda view: bool(view["reader_ready"]))
        await self.press(table, "sign-on")
        for step in ShoeStep:
            await self.press(table, "confirm-shoe-step", step=step.value)

    async def deal(self, table: str, card: str) -> None:
        """Pull a card out of a table's own shoe, and wait until the table has accepted it."""
        before = await self.dealt(table)
        await self.pull(table, card)
        await self.view(table, lambda view: view["table"]["shoe"]["dealt"] == before + 1)


def lay_cables(folder: TwoTableFolder, *, is_crossed: bool) -> None:
    """Lead each table's port to its own reader, or to the other's."""
    readers = [folder.shoe_port, folder.second_port]
    for table, reader in zip(TABLES, reversed(readers) if is_crossed else readers, strict=True):
        folder.cable(table).unlink(missing_ok=True)
        folder.cable(table).symlink_to(reader)


@asynccontextmanager
async def two_tables(path: Path, *, is_crossed: bool) -> AsyncIterator[TwoTables]:
    """Run the studio with its cables laid; it must end in good order."""
    one = make_studio_folder(path / "studio")
    folder = TwoTableFolder(one.path, one.port, one.players, one.cut_position, one.pace)
    folder.write()
    lay_cables(folder, is_crossed=is_crossed)
    async with AsyncExitStack() as stack:
        first = await start_table(folder, seed=1, notes=path / "notes-1.jsonl", with_dealer=False)
        stack.push_async_callback(first.stop)
        second = await start_second_reader(folder, seed=2, notes=path / "notes-2.jsonl")
        stack.push_async_callback(second.stop)
        server = await start_server(folder)
        stack.push_async_callback(server.kill)
        await wait_until_healthy(folder, server)
        controls = {
            table: await stack.enter_async_context(control_client(reader))
            for table, reader in zip(TABLES, (first, second), strict=True)
        }
        studio = TwoTables(folder, controls)
        stack.push_async_callback(studio.aclose)
        yield studio
        assert await server.stop() == 0
