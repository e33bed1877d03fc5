"""``python -m hardware_sim.dealt_table``: a simulated table with a simulated dealer at it, in one process.

It joins :mod:`hardware_sim.shoe_process` and :mod:`hardware_sim.dealer`, and gives the fault ``kill_server`` its
effect; it knows neither's business.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from hardware_sim.dealer import PULL_GAP_SECONDS, SimulatedDealer
from hardware_sim.dealer_console import ConsoleRefusedError, DealerConsole
from hardware_sim.shoe_process import TOKEN_VARIABLE, build_parser, run, settings_of
from hardware_sim.table import SimulatedTable


def kill_by_pid_file(pid_file: Path) -> None:
    """Kill (SIGKILL) the process whose id is in ``pid_file``; nothing happens when there is none."""
    with contextlib.suppress(OSError, ValueError):
        os.kill(int(pid_file.read_text(encoding="ascii")), signal.SIGKILL)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the table and its dealer until SIGTERM or SIGINT; return the exit code."""
    parser = build_parser("hardware_sim.dealt_table")
    parser.add_argument("--studio", required=True, help="the studio's address, such as http://127.0.0.1:8700")
    parser.add_argument("--table", required=True, help="the table's id in the studio, such as t1")
    parser.add_argument("--dealer-token-file", type=Path, required=True, help="file with the dealer's token alone")
    parser.add_argument("--server-pid-file", type=Path, help="file with the process id for the fault kill_server")
    parser.add_argument(
        "--pull-gap-seconds", type=float, default=PULL_GAP_SECONDS, help="least time between two cards"
    )
    given = parser.parse_args(arguments)
    settings = settings_of(parser, given, os.environ.get(TOKEN_VARIABLE, ""))

    async def deal(table: SimulatedTable) -> None:
        if given.server_pid_file is not None:
            table.kill_server = lambda: kill_by_pid_file(given.server_pid_file)
        async with contextlib.aclosing(DealerConsole(given.studio, given.table, token)) as console:
            await SimulatedDealer(console, table, pull_gap_seconds=given.pull_gap_seconds).run()

    try:
        token = given.dealer_token_file.read_text(encoding="ascii").strip()
        asyncio.run(run(settings, deal))
    except (ValueError, OSError, BaseExceptionGroup) as error:
        cause = _innermost(error)
        if not isinstance(cause, (ValueError, OSError, ConsoleRefusedError)):
            raise
        sys.stderr.write(f"hardware_sim.dealt_table: {cause}\n")
        return 2
    return 0


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


if __name__ == "__main__":
    sys.exit(main())
