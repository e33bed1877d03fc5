"""The sub-command ``verify`` of ``studio``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from studio.proof.copy_check import check_copy
from studio.proof.manifest import check_manifest
from studio.proof.places import add_place_arguments, find_places
from studio.proof.report import Progress, Report
from studio.proof.verify import verify

_SHOWN: Final = 20
"""Broken rows that are printed; the first is what matters."""


class VerifyCommand:
    """Checks a journal and names the first broken row."""

    name = "verify"
    help = "check a journal: chains, signatures, replay and money; name the first broken row"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        add_place_arguments(parser)
        parser.add_argument("--copy", type=Path, metavar="FOLDER", help="a second copy to compare with")
        parser.add_argument(
            "--older", action="store_true", help="the journal is a backup: the copy may go on beyond its end"
        )
        parser.add_argument(
            "--without-keys", action="store_true", help="check chains and sums only: no signature, no replay"
        )

    def run(self, arguments: argparse.Namespace) -> int:
        """Return 0 for a whole journal, 1 for a broken one, 2 where it could not be checked."""
        try:
            places = find_places(arguments)
            keys = places.keys(without=arguments.without_keys)
            progress = Progress(sys.stderr)
            report = verify(places.journal, keys, progress)
            report.broken += check_manifest(places.journal, keys.verifier, report)
            if arguments.copy is not None:
                compared = check_copy(places.journal, arguments.copy, progress, report, older=arguments.older)
                report.broken += compared
        except (ValueError, OSError) as error:
            sys.stderr.write(f"studio verify: {error}\n")
            return 2
        sys.stdout.write("".join(f"{line}\n" for line in lines_of(report, str(places.journal))))
        return 1 if report.broken else 0


def lines_of(report: Report, journal: str) -> list[str]:
    """Return what is printed."""
    counted = ", ".join(f"{count} {what}" for what, count in report.checked.items())
    lines = [f"{journal}: {counted or 'nothing'} checked", *(f"note: {note}" for note in report.notes)]
    if not report.broken:
        return [*lines, "WHOLE"]
    lines += (f"BROKEN {broken}" for broken in report.broken[:_SHOWN])
    if (more := len(report.broken) - _SHOWN) > 0:
        lines.append(f"and {more} more")
    return lines
