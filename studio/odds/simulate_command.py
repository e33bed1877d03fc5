"""``studio simulate VARIANT``: its options; what they ask for is done by :mod:`studio.odds.simulate_run`.

That is imported when the command runs, so that no other command waits for the compiler.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from studio.domain.rules import RuleSet
from studio.odds.arguments import count

_INTERRUPTED: Final = 130


class SimulateCommand:
    """The sub-command; ``load_rules`` finds a variant by name or path, or raises ``ValueError``."""

    name = "simulate"
    help = "play millions of rounds of a variant and say what it returns"

    def __init__(self, load_rules: Callable[[str], RuleSet]) -> None:
        self._load_rules = load_rules

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""
        parser.add_argument("variant", help="a variant by its name, or the path of a rule file (….toml)")
        parser.add_argument("--rounds", type=count, default=10_000_000, metavar="N", help="rounds to play in all")
        parser.add_argument("--seed", type=int, default=1, metavar="S", help="the same seed plays the same rounds")
        parser.add_argument(
            "--strategy", type=Path, metavar="FILE", help="a table as 'studio strategy --json' prints"
        )
        shuffled = parser.add_mutually_exclusive_group()
        shuffled.add_argument(
            "--cut-card",
            type=int,
            metavar="CARDS",
            help="play shoes until the cut card, with CARDS behind it (S4)",
        )
        shuffled.add_argument("--rounds-per-shoe", type=int, metavar="N", help="play N rounds of each shoe")
        shuffled.add_argument(
            "--cut-card-effect", type=int, metavar="CARDS", help="both, one after the other, and the difference"
        )
        parser.add_argument(
            "--auto-play",
            type=float,
            default=0.0,
            metavar="SHARE",
            help="share of decisions nobody answers, 0 to 1",
        )
        parser.add_argument("--resume", type=Path, metavar="FILE", help="keep the run in FILE and go on from it")
        parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw how the figure converges")
        parser.add_argument(
            "--cores", type=count, default=os.cpu_count() or 1, metavar="N", help="threads that play"
        )
        parser.add_argument(
            "--check-engine",
            type=count,
            metavar="N",
            help="instead, play N random rounds by kernel and engine both",
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def run(self, arguments: argparse.Namespace) -> int:
        """Print what was simulated; 1 where kernel and engine differ, 2 where the options cannot be played."""
        from studio.odds.simulate_run import check, simulate_and_print  # noqa: PLC0415 - see above

        try:
            rules = self._load_rules(arguments.variant)
            if arguments.check_engine:
                return check(rules, arguments)
            return simulate_and_print(rules, arguments)
        except (OSError, ValueError) as error:
            sys.stderr.write(f"studio simulate: {error}\n")
            return 2
        except KeyboardInterrupt:
            return _INTERRUPTED
