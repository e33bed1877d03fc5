"""``studio look-back``: the worksheet of a shoe, a batch or a time, for whoever has to decide about refunds."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from studio.look_back.report import Form, wall_ns_of, written
from studio.ports.look_back import LookBack, LookBackQuery
from studio.settings import SettingsError, load_settings


class LookBackCommand:
    """The sub-command; ``reader`` opens the look-back of a data folder."""

    name = "look-back"
    help = "list every round dealt from a shoe, a pack, a batch or in a time, with the money in each"

    def __init__(self, reader: Callable[[Path], LookBack]) -> None:
        self._reader = reader

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""
        parser.add_argument("--config", type=Path, default=Path("studio.toml"), help="the settings file")
        parser.add_argument("--table", default="", help="one table; all by default")
        parser.add_argument("--shoe", default="", help="one load of the box, such as t1-shoe-7")
        parser.add_argument("--pack", default="", help="a pack of cards, in all its shoes")
        parser.add_argument("--batch", default="", help="all packs of a batch")
        parser.add_argument("--from", dest="since", help="rounds opened at this time or later (ISO 8601, UTC)")
        parser.add_argument("--to", dest="until", help="rounds opened before this time")
        parser.add_argument("--format", type=Form, choices=tuple(Form), default=Form.TABLE)

    def run(self, arguments: argparse.Namespace) -> int:
        """Print the report; exit status 2 where it cannot be made."""
        try:
            query = LookBackQuery(
                table=arguments.table,
                shoe=arguments.shoe,
                pack=arguments.pack,
                batch=arguments.batch,
                from_wall_ns=None if arguments.since is None else wall_ns_of(arguments.since),
                to_wall_ns=None if arguments.until is None else wall_ns_of(arguments.until),
            )
            rounds = tuple(self._reader(load_settings(arguments.config).studio.data).rounds(query))
        except (SettingsError, ValueError, OSError) as error:
            sys.stderr.write(f"studio look-back: {error}\n")
            return 2
        sys.stdout.write(written(rounds, arguments.format))
        return 0
