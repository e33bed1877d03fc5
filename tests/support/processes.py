"""The processes of a whole studio under test: its server, and a simulated table. Start, kill, stop.

It knows processes and their logs, and nothing of what runs in them.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import httpx

from support.studio_folder import DEALER, SECOND_SERIAL, SHOE_SERIAL, TABLE, StudioFolder

CONTROL_TOKEN = "a-control-token-of-a-test"  # noqa: S105 - of a simulator that lives as long as a test
_SOURCES = os.pathsep.join(str(folder) for folder in Path(__file__).parents[1:3])
"""The tests and the tree that they belong to."""
_STOP_SECONDS = 15.0
_START_SECONDS = 30.0


class Running:
    """One process with its log; ``announced`` is its first line of output, where it was asked for."""

    def __init__(self, process: asyncio.subprocess.Process, log: Path) -> None:
        self._process = process
        self.log = log
        self.announced: dict[str, Any] = {}

    @property
    def pid(self) -> int:
        return self._process.pid

    async def wait(self) -> int:
        """Wait for its end; return the exit code."""
        return await self._process.wait()

    @property
    def has_ended(self) -> bool:
        return self._process.returncode is not None

    async def kill(self) -> int:
        """Send SIGKILL; return the exit code."""
        return await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """Send SIGTERM; return the exit code. A process that does not end is killed, which its code shows."""
        return await self._end(signal.SIGTERM)

    async def _end(self, number: signal.Signals) -> int:
        if not self.has_ended:
            self._process.send_signal(number)
        try:
            async with asyncio.timeout(_STOP_SECONDS):
                return await self._process.wait()
        except TimeoutError:
            self._process.kill()
            return await self._process.wait()

    async def read_announcement(self) -> None:
        """Read the line of JSON that a simulated table prints when it is ready."""
        assert self._process.stdout is not None
        async with asyncio.timeout(_START_SECONDS):
            line = await self._process.stdout.readline()
        assert line, f"it did not start:\n{self.log.read_text(encoding='utf-8')}"
        self.announced = json.loads(line)


async def start_server(folder: StudioFolder, *, log_level: str = "info", module: str = "studio") -> Running:
    """Start ``studio serve``; it may not listen yet. ``module`` may be ``support.slow_disk``."""
    arguments = ("-m", module, "--log-level", log_level, "serve", "--config", str(folder.settings))
    return await _start(folder.path / "server.log", arguments)


async def start_table(
    folder: StudioFolder, *, seed: int, notes: Path, seconds_per_card: float = 0.0, with_dealer: bool = True
) -> Running:
    """Start a simulated table, with a simulated dealer where wanted, and wait until its port is there."""
    arguments = (
        *("-m", "support.noting_table", "--link", str(folder.shoe_port), "--seed", str(seed)),
        *("--cut-position", str(folder.cut_position), "--serial", SHOE_SERIAL, "--notes", str(notes)),
        *("--table", TABLE, "--dealer-token", folder.token(DEALER), "--seconds-per-card", str(seconds_per_card)),
        *(("--studio", folder.url) if with_dealer else ()),
    )
    table = await _start(folder.path / "table.log", arguments, announces=True)
    await table.read_announcement()
    return table


async def start_second_reader(folder: StudioFolder, *, seed: int, notes: Path) -> Running:
    """Start a second simulated reader of the same cards, and wait until its port is there."""
    arguments = (
        *("-m", "support.noting_table", "--link", str(folder.second_port), "--seed", str(seed)),
        *("--cut-position", str(folder.cut_position), "--serial", SECOND_SERIAL, "--notes", str(notes)),
        *("--table", TABLE, "--dealer-token", folder.token(DEALER)),
    )
    reader = await _start(folder.path / "second-reader.log", arguments, announces=True)
    await reader.read_announcement()
    return reader


async def wait_until_healthy(folder: StudioFolder, server: Running) -> None:
    """Wait until the server answers."""
    async with asyncio.timeout(_START_SECONDS), httpx.AsyncClient(trust_env=False) as client:
        while True:
            assert not server.has_ended, server.log.read_text(encoding="utf-8")[-2000:]
            try:
                await client.get(f"{folder.url}/health")
            except httpx.TransportError:
                await asyncio.sleep(0.05)
            else:
                return


def control_client(table: Running) -> httpx.AsyncClient:
    """Return a client of a simulated table's control API."""
    return httpx.AsyncClient(
        base_url=table.announced["control"],
        headers={"Authorization": f"Bearer {CONTROL_TOKEN}"},
        trust_env=False,
    )


async def _start(log: Path, arguments: tuple[str, ...], *, announces: bool = False) -> Running:
    with log.open("ab") as errors:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE if announces else errors,
            stderr=errors,
            env={**os.environ, "PYTHONPATH": _SOURCES, "HARDWARE_SIM_TOKEN": CONTROL_TOKEN},
            start_new_session=True,
        )
    return Running(process, log)
