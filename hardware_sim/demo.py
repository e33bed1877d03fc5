"""``studio demo``: all four games on this machine, without hardware, and one page to see them at work.

It knows the demo's tables and its page's address; running them is :mod:`hardware_sim.demo_run`'s business.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from hardware_sim.demo_run import Running, Show, add_run_arguments, run_until_stopped
from hardware_sim.demo_tables import demo_tables

_GUIDE: Final = """
The demo runs. Open this page:

  {page}

It has a table for each of the four games, with the dealer's console, the supervisor's panel and a player's
terminal side by side. Three tables are dealt by simulated dealers from simulated shoes, the European one by the
server; automated players bet and decide, and at every table there is room for you. The simulated shoe's controls
are on the same page: each fault's button says what should happen. Where the dealer has to wait, resolve the
incident on the supervisor's panel. "Kill server" ends the server with kill -9; it is started again at once, and
each table goes on after its felt is confirmed. "Disk full" and "server clock" strike it too, and so all tables.

Data and logs, until the next demo in the same folder: {folder}
Stop with Ctrl-C.
"""


class DemoCommand:
    """The sub-command ``demo`` of ``studio`` (entry-point group ``studio.commands``)."""

    name = "demo"
    help = "run the four games with dealers, players, server and consoles on this machine"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        add_run_arguments(parser, Path("data/demo"))

    def run(self, arguments: argparse.Namespace) -> int:
        """Run the demo until it is stopped; return the exit status."""
        return run_until_stopped(self.name, arguments, Show(demo_tables(), demo_page, _GUIDE))


def demo_page(running: Running) -> str:
    """Return the demo page's address.

    Its fragment, which no browser sends to any server, has for each table its id with name, dealer's token,
    guest's token and, where there is a simulated shoe, its control's address, between commas; then ``camera``
    where a simulated camera looks at it.
    """
    keys = {"supervisor": running.folder.supervisor_token, "control_token": running.control_token}
    for files in running.folder.tables:
        parts = [files.table.name, files.dealer_token, files.guest_token]
        if files.table.id in running.controls:
            parts.append(running.controls[files.table.id])
            parts += ["camera"] if files.table.has_camera else []
        keys[files.table.id] = ",".join(parts)
    return f"{running.url}/demo#{urlencode(keys, safe=':/,')}"
