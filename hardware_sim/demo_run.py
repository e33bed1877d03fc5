"""A simulated studio on this machine: shoes, dealers, server and players, started and stopped together.

It knows how the parts are started, and nothing of what they say to each other or of the page that is shown.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime as dt
import json
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import httpx

from hardware_sim.demo_files import FLOOR_NAME, DemoFolder, DemoFolderError, TableFiles, make_demo_folder, taken
from hardware_sim.demo_processes import ChildError, Children, Program
from hardware_sim.demo_tables import DemoTable
from hardware_sim.protocols import DEFAULT_PROTOCOL, PROTOCOLS
from hardware_sim.shoe_process import TOKEN_VARIABLE

_LOOPBACK: Final = "127.0.0.1"
_HEALTH_SECONDS: Final = 30.0
_HEALTH_PERIOD_SECONDS: Final = 0.1
_FASTEST: Final = 100.0
_SERVER: Final = "server"


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a simulated studio is run."""

    port: int
    seed: int
    pace: float
    open_browser: bool

    @property
    def url(self) -> str:
        """The server's address."""
        return f"http://{_LOOPBACK}:{self.port}"


@dataclass(frozen=True, slots=True)
class Running:
    """What a page needs of the running studio; ``controls`` are the simulated shoes' addresses by table."""

    url: str
    folder: DemoFolder
    controls: dict[str, str]
    control_token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Show:
    """What is run and said: ``page`` is the address to open, ``guide`` the text around it."""

    tables: Sequence[DemoTable]
    page: Callable[[Running], str]
    guide: str
    """Formatted with ``page`` and ``folder``."""


def add_run_arguments(parser: argparse.ArgumentParser, folder: Path) -> None:
    """Declare the options of a command that runs a simulated studio, by default with its data in ``folder``."""
    parser.add_argument("--data", type=Path, default=folder, help="its folder, fresh each time")
    parser.add_argument("--port", type=int, default=8700, help="the server's port; 0 takes a free one")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same cards and bets")
    parser.add_argument(
        "--reader",
        choices=tuple(PROTOCOLS),
        default=DEFAULT_PROTOCOL,
        help="what the simulated shoes' readers speak",
    )
    parser.add_argument("--pace", type=float, default=1.0, help="2 deals and thinks twice as quickly")
    parser.add_argument(
        "--browser", action=argparse.BooleanOptionalAction, default=False, help="open the page by itself"
    )


def run_until_stopped(name: str, arguments: argparse.Namespace, show: Show) -> int:
    """Run ``show`` until SIGTERM, SIGHUP or Ctrl-C; return the exit status of command ``name``."""
    try:
        tables = [replace(table, protocol=arguments.reader) for table in show.tables]
        options = RunOptions(_free_port(arguments.port), arguments.seed, _pace(arguments.pace), arguments.browser)
        today = dt.datetime.now(dt.UTC).date()
        with taken(arguments.data):
            folder = make_demo_folder(arguments.data, tables, port=options.port, today=today, pace=options.pace)
            asyncio.run(_run(folder, options, show))
    except (DemoFolderError, ChildError, ValueError, OSError) as error:
        sys.stderr.write(f"studio {name}: {error}\n")
        return 1
    except KeyboardInterrupt:  # before anything was started
        return 0
    return 0


async def _run(folder: DemoFolder, options: RunOptions, show: Show) -> None:
    # A second signal must not disturb the stopping: it only says again what is being done.
    asked_to_stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, asked_to_stop.set)
    children = Children(folder.path)
    running = asyncio.create_task(_start_and_watch(folder, options, show, children))
    stopping = asyncio.create_task(asked_to_stop.wait())
    try:
        await asyncio.wait((running, stopping), return_when=asyncio.FIRST_COMPLETED)
    finally:
        running.cancel()
        stopping.cancel()
        (outcome, _) = await asyncio.gather(running, stopping, return_exceptions=True)
        await children.stop()
    if isinstance(outcome, Exception):
        raise outcome


async def _start_and_watch(folder: DemoFolder, options: RunOptions, show: Show, children: Children) -> None:
    control_token = folder.control_token
    controls: dict[str, str] = {}
    # Each table has a seed of its own, or all shoes would have the same cards.
    for seed, files in enumerate(folder.tables, start=options.seed):
        if files.table.is_dealt_by_hand:
            program = _table_program(files, replace(options, seed=seed), control_token, children.pid_file(_SERVER))
            controls[files.table.id] = json.loads(await children.start(program))["control"]
    for files in folder.tables:
        if files.deck is not None:
            await _enrol(files)
    await children.start(
        Program(_SERVER, ("-m", "studio", "serve", "--config", str(folder.settings)), is_revived=True)
    )
    await _wait_for_health(options.url, children)
    if any(table.players for table in show.tables):
        await children.start(_players_program(folder, options))
    page = show.page(Running(options.url, folder, controls, control_token))
    _say(show.guide.format(page=page, folder=folder.path))
    if options.open_browser:
        webbrowser.open(page)
    await children.watch(lambda name: _say(f"The {name} was killed and is started again."))


async def _enrol(files: TableFiles) -> None:
    """Enrol the simulated deck, as a studio enrols its own; without it the camera reads less and says so."""
    enrolling = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "studio", "vision", "enrol", str(files.deck), "--output", str(files.enrolment)),
        *("--table", files.table.id, "--deck", "simulated", "--camera", f"camera-{files.table.id}"),
        stdout=asyncio.subprocess.DEVNULL,
    )
    if await enrolling.wait():
        _say(f"The deck of {files.table.name} could not be enrolled: its camera will read less.")


def _table_program(files: TableFiles, options: RunOptions, control_token: str, server_pid: Path) -> Program:
    table = files.table
    cut = ("--continuous",) if table.cut_position is None else ("--cut-position", str(table.cut_position))
    return Program(
        f"{table.id}-table",
        (
            *("-m", "hardware_sim.dealt_table"),
            *("--studio", options.url, "--table", table.id, "--dealer-token-file", str(files.dealer)),
            *("--relief-token-file", str(files.relief)),
            *("--floor-token-file", str(files.floor), "--floor-name", FLOOR_NAME),
            *("--server-pid-file", str(server_pid), "--server-clock-file", str(files.clock)),
            *("--link", str(files.shoe_port), "--seed", str(options.seed), *cut),
            *("--serial", table.serial, "--protocol", table.protocol),
            *("--control-port", str(files.control_port), *(("--camera",) if table.has_camera else ())),
            *("--allow-origin", options.url, "--seconds-per-card", str(1 / options.pace)),
        ),
        {TOKEN_VARIABLE: control_token},
        announces=True,
    )


def _players_program(folder: DemoFolder, options: RunOptions) -> Program:
    return Program(
        "players",
        (
            *("-m", "studio.players", "--url", options.url),
            *("--people", str(folder.players), "--seed", str(options.seed), "--pace", str(options.pace)),
        ),
    )


async def _wait_for_health(url: str, children: Children) -> None:
    async with httpx.AsyncClient(base_url=url, timeout=2.0, trust_env=False) as client:
        try:
            async with asyncio.timeout(_HEALTH_SECONDS):
                while not await _is_healthy(client):
                    children.raise_if_ended()
                    await asyncio.sleep(_HEALTH_PERIOD_SECONDS)
        except TimeoutError as error:
            message = f"the server did not answer {url}/health within {_HEALTH_SECONDS:g} s; see its log"
            raise ChildError(message) from error


async def _is_healthy(client: httpx.AsyncClient) -> bool:
    try:
        return (await client.get("/health")).is_success
    except httpx.TransportError:
        return False


def _free_port(port: int) -> int:
    try:
        with socket.create_server((_LOOPBACK, port)) as listener:
            return int(listener.getsockname()[1])
    except OSError as error:
        message = f"port {port} cannot be used ({error.strerror}): give another one with --port"
        raise ValueError(message) from error


def _pace(pace: float) -> float:
    if not 0 < pace <= _FASTEST:
        message = f"--pace must be above 0 and at most {_FASTEST:g}, not {pace:g}"
        raise ValueError(message)
    return pace


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
