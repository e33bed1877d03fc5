"""``python -m hardware_sim.shoe_process``: a simulated table in a process of its own.

It joins the device, its pseudo-terminal and the control API in one event loop; they know nothing of it. It
prints one line of JSON when it is ready, ``{"link": …, "control": …}``, and ends cleanly on SIGTERM or SIGINT.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import uvicorn

from hardware_sim.camera.camera import SimulatedCamera
from hardware_sim.camera.felt import Felt
from hardware_sim.control import build_control
from hardware_sim.pacing import Pace
from hardware_sim.protocols import DEFAULT_PROTOCOL, PROTOCOLS, ReaderOptions
from hardware_sim.pty_line import PtyLine
from hardware_sim.shoe import Shoe
from hardware_sim.table import SimulatedTable

TOKEN_VARIABLE: Final = "HARDWARE_SIM_TOKEN"  # noqa: S105 - the variable's name, not the token
_LOOPBACK: Final = "127.0.0.1"
_MAX_U32: Final = 0xFFFF_FFFF
_MAX_U16: Final = 0xFFFF


@dataclass(frozen=True, slots=True)
class ProcessSettings:
    """The command line and the token; ``control_port`` 0 takes a free one."""

    link: Path
    protocol: str
    seed: int
    decks: int
    cut_position: int | None
    is_continuous: bool
    serial: int
    first_load: int
    control_port: int
    allowed_origin: str | None
    seconds_per_card: float
    is_paused: bool
    token: str
    has_camera: bool = False


class _Server(uvicorn.Server):
    """Uvicorn without its signal handlers: this process has its own."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@dataclass(frozen=True, slots=True)
class Assembly:
    """The parts of one simulated table; the simulated dealer plays on ``table``."""

    table: SimulatedTable
    line: PtyLine
    camera: SimulatedCamera | None = None


def parse_settings(arguments: Sequence[str], token: str) -> ProcessSettings:
    """Return the settings of a command line; exit with a usage message when it is wrong."""
    parser = build_parser("hardware_sim.shoe_process")
    return settings_of(parser, parser.parse_args(arguments), token)


def build_parser(program: str) -> argparse.ArgumentParser:
    """Return the parser of the table's options; a program that adds to the table adds its own."""
    parser = argparse.ArgumentParser(prog=program, description="A simulated card shoe.")
    parser.add_argument("--link", type=Path, required=True, help="where the serial port appears (a symbolic link)")
    parser.add_argument(
        "--protocol", choices=tuple(PROTOCOLS), default=DEFAULT_PROTOCOL, help="what the shoe's reader speaks"
    )
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same cards and faults")
    parser.add_argument("--decks", type=int, default=8)
    parser.add_argument("--cut-position", type=int, help="cards behind the cut card (default: a quarter)")
    parser.add_argument(
        "--continuous", action="store_true", help="a continuous shuffler: no cut card, and it takes cards back"
    )
    parser.add_argument(
        "--serial",
        type=lambda text: int(text, 16),
        default=ReaderOptions().serial,
        help="serial number, hexadecimal, where the protocol has one",
    )
    parser.add_argument(
        "--first-load",
        type=int,
        default=1,
        help="number of the first load; raise it when an earlier run is journalled",
    )
    parser.add_argument(
        "--control-port", type=int, default=0, help="loopback port of the control API; 0: any free one"
    )
    parser.add_argument("--allow-origin", help="the one web origin that may call the control API")
    parser.add_argument("--camera", action="store_true", help="put a simulated camera over the table")
    parser.add_argument("--seconds-per-card", type=float, default=1.0)
    parser.add_argument("--paused", action="store_true", help="begin paused: cards only by hand or step")
    return parser


def settings_of(parser: argparse.ArgumentParser, given: argparse.Namespace, token: str) -> ProcessSettings:
    """Return the settings that were given; exit with the parser's usage message when they are wrong."""
    if not token:
        parser.error(f"set {TOKEN_VARIABLE}: the control API answers nobody without a token")
    for name, value, highest in (("serial", given.serial, _MAX_U32), ("first-load", given.first_load, _MAX_U16)):
        if not 0 <= value <= highest:
            parser.error(f"--{name} must be from 0 to {highest}, not {value}")
    return ProcessSettings(
        link=given.link,
        protocol=given.protocol,
        seed=given.seed,
        decks=given.decks,
        cut_position=given.cut_position,
        is_continuous=given.continuous,
        serial=given.serial,
        first_load=given.first_load,
        control_port=given.control_port,
        allowed_origin=given.allow_origin,
        seconds_per_card=given.seconds_per_card,
        is_paused=given.paused,
        token=token,
        has_camera=given.camera,
    )


def assemble(settings: ProcessSettings) -> Assembly:
    """Build the table and its port, not yet plugged in; raise ``ValueError`` for settings that cannot be."""
    options = ReaderOptions(settings.seed, settings.decks, settings.serial, settings.first_load)
    device = PROTOCOLS[settings.protocol].make(options)
    shoe = Shoe(settings.seed, settings.decks, settings.cut_position, is_continuous=settings.is_continuous)
    pace = Pace(settings.seconds_per_card, is_paused=settings.is_paused)
    line = PtyLine(settings.link)
    camera = (
        SimulatedCamera(Felt(settings.seed), settings.seed, time.monotonic_ns) if settings.has_camera else None
    )
    return Assembly(SimulatedTable(shoe, device, line, time.monotonic_ns, pace), line, camera)


Play: TypeAlias = Callable[[Assembly], Coroutine[Any, Any, None]]
"""What runs beside the table, in the same loop, until the process stops: a simulated dealer."""


async def run(settings: ProcessSettings, play: Play | None = None) -> None:
    """Run until SIGTERM or SIGINT; raise ``ValueError`` or ``OSError`` when it cannot start.

    What ``play`` raises ends the process, in a group.
    """
    assembly = assemble(settings)
    table, line = assembly.table, assembly.line
    app = build_control(
        table, line, token=settings.token, allowed_origin=settings.allowed_origin, camera=assembly.camera
    )
    server = _Server(
        uvicorn.Config(
            app, log_config=None, access_log=False, lifespan="off", ws="none", timeout_graceful_shutdown=2
        )
    )
    with socket.create_server((_LOOPBACK, settings.control_port)) as listener:
        loop = asyncio.get_running_loop()
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        line.listen(table.host_bytes)
        table.start()
        try:
            async with asyncio.TaskGroup() as tasks:
                running = [tasks.create_task(table.run())]
                if play is not None:
                    running.append(tasks.create_task(play(assembly)))
                tasks.create_task(server.serve(sockets=[listener]))
                port = listener.getsockname()[1]
                print(json.dumps({"link": str(line.link), "control": f"http://{_LOOPBACK}:{port}"}), flush=True)  # noqa: T201 - the caller reads it
                await stop.wait()
                server.should_exit = True
                for task in running:
                    task.cancel()
        finally:
            line.unplug()


def main() -> int:
    """Run the process; return its exit code."""
    settings = parse_settings(sys.argv[1:], os.environ.get(TOKEN_VARIABLE, ""))
    try:
        asyncio.run(run(settings))
    except (ValueError, OSError) as error:
        sys.stderr.write(f"hardware_sim.shoe_process: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
