"""``studio demo``: a whole studio on this machine, without hardware: shoe, dealer, server and players.

It writes a data folder, starts the parts as processes of their own, says which page to open, and stops all of
them together. It knows how the parts are started, and nothing of what they say to each other.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime as dt
import json
import secrets
import signal
import socket
import sys
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import httpx

from hardware_sim.demo_files import (
    CUT_POSITION,
    SHOE_SERIAL,
    TABLE,
    DemoFolder,
    DemoFolderError,
    make_demo_folder,
    taken,
)
from hardware_sim.demo_processes import ChildError, Children, Program
from hardware_sim.shoe_process import TOKEN_VARIABLE

_LOOPBACK: Final = "127.0.0.1"
_HEALTH_SECONDS: Final = 30.0
_HEALTH_PERIOD_SECONDS: Final = 0.1
_FASTEST: Final = 100.0
_SERVER: Final = "server"

_GUIDE: Final = """
The demo runs. Open this page:

  {page}

Left the dealer's console, right the supervisor's panel: the simulated dealer loads and burns the shoe, opens
betting and deals; seven automated players bet and decide. The simulated shoe's controls are on the same page: each
fault's button says what should happen. Where the dealer has to wait, resolve the incident on the supervisor's
panel. "Kill server" ends the server with kill -9; it is started again at once, and the table goes on after the
felt is confirmed.

Data and logs, until the next demo in the same folder: {folder}
Stop with Ctrl-C.
"""


@dataclass(frozen=True, slots=True)
class _Options:
    port: int
    seed: int
    pace: float
    open_browser: bool

    @property
    def url(self) -> str:
        return f"http://{_LOOPBACK}:{self.port}"


class DemoCommand:
    """The sub-command ``demo`` of ``studio`` (entry-point group ``studio.commands``)."""

    name = "demo"
    help = "run a simulated table with dealer, players, server and consoles on this machine"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        parser.add_argument(
            "--data", type=Path, default=Path("data/demo"), help="the demo's folder, fresh each time"
        )
        parser.add_argument("--port", type=int, default=8700, help="the server's port; 0 takes a free one")
        parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same cards and bets")
        parser.add_argument("--pace", type=float, default=1.0, help="2 deals and thinks twice as quickly")
        parser.add_argument(
            "--browser", action=argparse.BooleanOptionalAction, default=False, help="open the page by itself"
        )

    def run(self, arguments: argparse.Namespace) -> int:
        """Run the demo until it is stopped; return the exit status."""
        try:
            options = _Options(
                _free_port(arguments.port), arguments.seed, _pace(arguments.pace), arguments.browser
            )
            today = dt.datetime.now(dt.UTC).date()
            with taken(arguments.data):
                folder = make_demo_folder(arguments.data, port=options.port, today=today)
                asyncio.run(_run(folder, options))
        except (DemoFolderError, ChildError, ValueError, OSError) as error:
            sys.stderr.write(f"studio demo: {error}\n")
            return 1
        return 0


async def _run(folder: DemoFolder, options: _Options) -> None:
    # A second signal must not disturb the stopping: it only says again what is being done.
    asked_to_stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, asked_to_stop.set)
    children = Children(folder.path)
    running = asyncio.create_task(_start_and_watch(folder, options, children))
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


async def _start_and_watch(folder: DemoFolder, options: _Options, children: Children) -> None:
    control_token = secrets.token_urlsafe(24)
    table = _table_program(folder, options, control_token, children.pid_file(_SERVER))
    control = json.loads(await children.start(table))["control"]
    await children.start(
        Program(_SERVER, ("-m", "studio", "serve", "--config", str(folder.settings)), is_revived=True)
    )
    await _wait_for_health(options.url, children)
    await children.start(_players_program(folder, options))
    page = _page(folder, options, control, control_token)
    _say(_GUIDE.format(page=page, folder=folder.path))
    if options.open_browser:
        webbrowser.open(page)
    await children.watch(lambda name: _say(f"The {name} was killed and is started again."))


def _table_program(folder: DemoFolder, options: _Options, control_token: str, server_pid: Path) -> Program:
    return Program(
        "table",
        (
            *("-m", "hardware_sim.dealt_table"),
            *("--studio", options.url, "--table", TABLE, "--dealer-token-file", str(folder.dealer)),
            *("--server-pid-file", str(server_pid)),
            *("--link", str(folder.shoe_port), "--seed", str(options.seed)),
            *("--cut-position", str(CUT_POSITION)),
            *("--serial", SHOE_SERIAL),
            *("--allow-origin", options.url, "--seconds-per-card", str(1 / options.pace)),
        ),
        {TOKEN_VARIABLE: control_token},
        announces=True,
    )


def _players_program(folder: DemoFolder, options: _Options) -> Program:
    return Program(
        "players",
        (
            *("-m", "studio.players", "--url", options.url, "--table", TABLE),
            *("--people", str(folder.players), "--seed", str(options.seed), "--pace", str(options.pace)),
        ),
    )


def _page(folder: DemoFolder, options: _Options, control: str, control_token: str) -> str:
    # In the fragment, which no browser sends to any server.
    fragment = urlencode(
        {
            "table": TABLE,
            "dealer": folder.dealer_token,
            "supervisor": folder.supervisor_token,
            "control": control,
            "control_token": control_token,
        },
        safe=":/",
    )
    return f"{options.url}/demo#{fragment}"


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
