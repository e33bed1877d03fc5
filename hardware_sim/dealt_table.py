"""``python -m hardware_sim.dealt_table``: a simulated table with a simulated dealer at it, in one process.

It joins :mod:`hardware_sim.shoe_process` and :mod:`hardware_sim.dealer`, and gives the
table the studio's server to harm; it knows nobody's business.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from hardware_sim.camera.hands import FeltHands
from hardware_sim.dealer import PULL_GAP_SECONDS, SimulatedDealer
from hardware_sim.dealer_console import ConsoleRefusedError, DealerConsole
from hardware_sim.floor_person import SimulatedFloorPerson
from hardware_sim.server_process import ServerProcess
from hardware_sim.shoe_process import TOKEN_VARIABLE, Assembly, build_parser, run, settings_of


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the table and its dealer until SIGTERM or SIGINT; return the exit code."""
    parser = build_parser("hardware_sim.dealt_table")
    parser.add_argument("--studio", required=True, help="the studio's address, such as http://127.0.0.1:8700")
    parser.add_argument("--table", required=True, help="the table's id in the studio, such as t1")
    parser.add_argument("--dealer-token-file", type=Path, required=True, help="file with the dealer's token alone")
    parser.add_argument("--relief-token-file", type=Path, help="file with the token of the dealer who relieves")
    parser.add_argument("--floor-token-file", type=Path, help="file with a supervisor's token: signs counts")
    parser.add_argument("--floor-name", default="Floor 1", help="that supervisor's name in the studio")
    parser.add_argument("--server-pid-file", type=Path, help="file with the process id of the server to harm")
    parser.add_argument("--server-clock-file", type=Path, help="file that says how far the server's clock is off")
    parser.add_argument(
        "--pull-gap-seconds", type=float, default=PULL_GAP_SECONDS, help="least time between two cards"
    )
    given = parser.parse_args(arguments)
    settings = settings_of(parser, given, os.environ.get(TOKEN_VARIABLE, ""))

    def console_of(its_token: str, audience: str) -> contextlib.aclosing[DealerConsole]:
        return contextlib.aclosing(DealerConsole(given.studio, given.table, its_token, audience=audience))

    async def deal(assembly: Assembly) -> None:
        table, camera = assembly.table, assembly.camera
        if given.server_pid_file is not None:
            table.server = ServerProcess(given.server_pid_file, given.server_clock_file)
        async with contextlib.AsyncExitStack() as stack:
            console = await stack.enter_async_context(console_of(token, "dealer"))
            relief = await stack.enter_async_context(console_of(relief_token, "dealer")) if relief_token else None
            floor = await stack.enter_async_context(console_of(floor_token, "supervisor")) if floor_token else None
            async with asyncio.TaskGroup() as tasks:
                hands = FeltHands(camera, time.monotonic_ns) if camera is not None else None
                gap = given.pull_gap_seconds
                dealer = SimulatedDealer(console, table, relief=relief, pull_gap_seconds=gap, hands=hands)
                tasks.create_task(dealer.run())
                if floor is not None:
                    tasks.create_task(SimulatedFloorPerson(floor, given.floor_name).run())

    try:
        token = _token(given.dealer_token_file)
        relief_token, floor_token = _token(given.relief_token_file), _token(given.floor_token_file)
        asyncio.run(run(settings, deal))
    except (ValueError, OSError, BaseExceptionGroup) as error:
        cause = _innermost(error)
        if not isinstance(cause, (ValueError, OSError, ConsoleRefusedError)):
            raise
        sys.stderr.write(f"hardware_sim.dealt_table: {cause}\n")
        return 2
    return 0


def _token(file: Path | None) -> str:
    return "" if file is None else file.read_text(encoding="ascii").strip()


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


if __name__ == "__main__":
    sys.exit(main())
