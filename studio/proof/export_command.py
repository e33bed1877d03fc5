"""The sub-command ``export`` of ``studio``."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from studio.adapters.key_files import load_sealer, load_signer
from studio.proof.export import Choice, export
from studio.proof.places import JOURNAL_FILE
from studio.proof.report import Progress
from studio.settings import load_settings

_NS_PER_SECOND: Final = 1_000_000_000


class ExportCommand:
    """Writes what a regulator needs to recreate play."""

    name = "export"
    help = "write events, rounds, cards, bets and money as JSON lines and CSV, with a manifest of hashes"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        parser.add_argument("--config", type=Path, default=Path("studio.toml"), help="the settings file")
        parser.add_argument(
            "--to", type=Path, required=True, metavar="FOLDER", help="a folder that is not there yet"
        )
        parser.add_argument("--table", action="append", default=[], help="a table's id; may be repeated")
        parser.add_argument(
            "--from", dest="since", type=_moment, default=0, metavar="DATE", help="from this day, UTC"
        )
        parser.add_argument("--before", type=_moment, default=2**62, metavar="DATE", help="before this day, UTC")
        parser.add_argument("--journal", type=Path, help="another journal than the settings', such as a backup")

    def run(self, arguments: argparse.Namespace) -> int:
        """Return 0 with the manifest's path, or 2 with a sentence where it cannot be done."""
        try:
            server = load_settings(arguments.config).studio
            signing = server.signing_key_file
            place = export(
                arguments.journal or server.data / JOURNAL_FILE,
                arguments.to,
                load_sealer(server.key_file),
                load_signer(signing) if signing.exists() else None,
                Choice(tuple(arguments.table), arguments.since, arguments.before),
                Progress(sys.stderr),
            )
        except FileExistsError:
            sys.stderr.write(f"studio export: {arguments.to} is there already: an export overwrites nothing\n")
            return 2
        except (ValueError, OSError) as error:
            sys.stderr.write(f"studio export: {error}\n")
            return 2
        sys.stdout.write(f"{place}\n")
        return 0


def _moment(text: str) -> int:
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        message = f"{text!r} is no day: write it as 2026-01-31"
        raise argparse.ArgumentTypeError(message) from error
    return int(day.timestamp()) * _NS_PER_SECOND
