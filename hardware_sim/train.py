"""``studio train``: one person practises at a simulated table, beside automated players (rules.md A4).

The session lasts until the player ends it; its units have no value and go with it. It knows the training table and
the player terminal's address; running them is :mod:`hardware_sim.demo_run`'s business.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from hardware_sim.demo_run import Running, Show, add_run_arguments, run_until_stopped
from hardware_sim.demo_tables import LEVELS, NORMAL, demo_tables, training_table

_GUIDE: Final = """
Your training table is ready. Open this page to play:

  {page}

What you win and lose there has no value, and it is forgotten with the session.
Data and logs, until the next session in the same folder: {folder}
End the session with Ctrl-C.
"""


class TrainCommand:
    """The sub-command ``train`` of ``studio`` (entry-point group ``studio.commands``)."""

    name = "train"
    help = "practise at a simulated table beside automated players, for nothing"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        parser.add_argument(
            "--variant",
            choices=[table.variant for table in demo_tables()],
            default="european",
            help="the game; european needs no dealer, the others have a simulated one",
        )
        parser.add_argument("--level", choices=LEVELS, default=NORMAL, help="how well the automated players play")
        add_run_arguments(parser, Path("data/training"))

    def run(self, arguments: argparse.Namespace) -> int:
        """Run the session until it is ended; return the exit status."""
        table = training_table(arguments.variant, arguments.level)
        return run_until_stopped(self.name, arguments, Show((table,), player_page, _GUIDE))


def player_page(running: Running) -> str:
    """Return the player terminal's address; the token is in the fragment, which is sent to no server."""
    (files,) = running.folder.tables
    return f"{running.url}/player#{urlencode({'table': files.table.id, 'token': files.guest_token})}"
