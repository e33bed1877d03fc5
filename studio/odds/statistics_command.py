"""``studio statistics TABLE``: what a table's cards did against what was to be expected, from its journal."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TypeAlias

from studio.domain.rules import RuleSet
from studio.odds.arguments import count
from studio.odds.statistics import statistics
from studio.odds.statistics_report import statistics_lines
from studio.ports.settled import SettledRound

ReadRounds: TypeAlias = Callable[[Path, str, int], tuple[RuleSet, tuple[SettledRound, ...]]]
"""(settings file, table, newest rounds) -> the table's rules and its settled rounds."""


class StatisticsCommand:
    """The sub-command; ``read_rounds`` raises ``ValueError`` where the table or its journal cannot be read."""

    name = "statistics"
    help = "compare what a table's cards did with what was to be expected"

    def __init__(self, read_rounds: ReadRounds) -> None:
        self._read_rounds = read_rounds

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""
        parser.add_argument("table", help="the table's id")
        parser.add_argument("--config", type=Path, default=Path("studio.toml"), help="the settings file")
        parser.add_argument(
            "--rounds", type=count, default=10_000, metavar="N", help="look at the newest N rounds"
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def run(self, arguments: argparse.Namespace) -> int:
        """Print the comparison; exit status 2 where it cannot be made."""
        try:
            rules, rounds = self._read_rounds(arguments.config, arguments.table, arguments.rounds)
        except (OSError, ValueError) as error:
            sys.stderr.write(f"studio statistics: {error}\n")
            return 2
        found = statistics(rules, rounds)
        if arguments.json:
            data = {"table": arguments.table, "rules_hash": rules.hash} | asdict(found)
            sys.stdout.write(json.dumps(data, indent=2) + "\n")
        else:
            sys.stdout.write("\n".join(statistics_lines(arguments.table, rules.line, found)) + "\n")
        return 0
