"""The sub-commands ``strategy`` and ``odds`` of ``studio``: exact figures of a variant, a rule file, any shoe.

The calculation is imported when a command runs, so that no other command waits for it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from studio.domain.rules import RuleSet
from studio.odds.figures import figures_file
from studio.odds.text import odds_lines, strategy_lines

Load = Callable[[str | Path], RuleSet]
"""Finds a variant by its name, or a file by its path; raises ``ValueError`` with a sentence."""


class _GameCommand(ABC):
    """What both commands ask for: which rules, which shoe, which form."""

    name = ""

    def __init__(self, load: Load, names: Sequence[str]) -> None:
        self._load = load
        self._names = tuple(names)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the options of both commands."""
        known = ", ".join(self._names)
        parser.add_argument("variant", metavar="VARIANT", nargs="?", help=f"{known}, or the path of a .toml file")
        parser.add_argument("--rules", metavar="FILE", type=Path, help="take the rules of this file instead")
        parser.add_argument(
            "--shoe", metavar="FILE", type=Path, help="JSON of the cards in the shoe, instead of whole decks"
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def run(self, arguments: argparse.Namespace) -> int:
        """Calculate and print; exit status 2 where rules or shoe cannot be used."""
        try:
            sys.stdout.write(self._answer(arguments))
        except ValueError as error:
            sys.stderr.write(f"studio {self.name}: {error}\n")
            return 2
        return 0

    @abstractmethod
    def _answer(self, arguments: argparse.Namespace) -> str:
        """Return what is printed; raise ``ValueError`` with a sentence where there is nothing to say."""

    def _rules(self, arguments: argparse.Namespace) -> RuleSet:
        if arguments.rules is not None:
            return self._load(arguments.rules)
        if arguments.variant is None:
            message = f"name a variant ({', '.join(self._names)}) or give --rules FILE"
            raise ValueError(message)
        return self._load(arguments.variant)


class StrategyCommand(_GameCommand):
    """Prints the best fixed table."""

    name = "strategy"
    help = "print the best strategy table of a variant's rules"

    def _answer(self, arguments: argparse.Namespace) -> str:
        from studio.odds.analysis import analyse  # noqa: PLC0415 - see above
        from studio.odds.game import game_of  # noqa: PLC0415
        from studio.odds.shoe_file import full_shoe, read_shoe  # noqa: PLC0415

        rules = self._rules(arguments)
        shoe = full_shoe(rules.decks) if arguments.shoe is None else read_shoe(arguments.shoe)
        table, _ = analyse(game_of(rules), shoe.values).best_table()
        if arguments.json:
            return json.dumps(table.as_json(), indent=2) + "\n"
        coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        return _text([_title(rules, arguments), *strategy_lines(table, coloured=coloured)])


class OddsCommand(_GameCommand):
    """Prints return, average bet and, where asked for, everything else."""

    name = "odds"
    help = "calculate the exact return, side bets, dealer's hand and insurance of a variant"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        super().add_arguments(parser)
        parser.add_argument("--side-bets", action="store_true", help="each combination of each side bet")
        parser.add_argument("--dealer", action="store_true", help="the dealer's outcomes by upcard")
        parser.add_argument("--insurance", action="store_true", help="what insurance is worth")
        parser.add_argument("--cells", action="store_true", help="each choice of each first hand by upcard")
        parser.add_argument(
            "--figures", action="store_true", help="print the figures of the package's variants for its own file"
        )

    def _answer(self, arguments: argparse.Namespace) -> str:
        if arguments.figures:
            return figures_file(map(self._load, self._names))
        rules = self._rules(arguments)
        report = _report(rules, arguments)
        if arguments.json:
            return json.dumps(report, indent=2) + "\n"
        published = None if arguments.shoe else rules.published_rtp
        return _text([_title(rules, arguments), "", *odds_lines(report, published)])


def _report(rules: RuleSet, arguments: argparse.Namespace) -> dict[str, Any]:
    from studio.odds import report  # noqa: PLC0415 - see above
    from studio.odds.analysis import analyse  # noqa: PLC0415
    from studio.odds.game import game_of  # noqa: PLC0415
    from studio.odds.shoe_file import full_shoe, read_shoe  # noqa: PLC0415

    shoe = full_shoe(rules.decks) if arguments.shoe is None else read_shoe(arguments.shoe)
    began = time.perf_counter()
    analysis = analyse(game_of(rules), shoe.values)
    _, fixed = analysis.best_table()
    found = report.main_report(analysis, fixed)
    found["rules_hash"] = rules.hash
    found["seconds"] = round(time.perf_counter() - began, 3)
    if rules.bet_behind:
        found["behind"] = report.behind_report(analysis, fixed)
    if arguments.side_bets:
        found["side_bets"] = report.side_bets_report(rules, shoe)
    if arguments.dealer:
        found["dealer"] = report.dealer_report(rules, shoe)
    if arguments.insurance:
        found["insurance"] = report.insurance_report(shoe) if rules.insurance else None
    if arguments.cells:
        found["cells"] = report.cells_report(analysis)
    return found


def _title(rules: RuleSet, arguments: argparse.Namespace) -> str:
    shoe = f", shoe of {arguments.shoe}" if arguments.shoe else ""
    return f"{rules.variant}: {rules.line}{shoe}"


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"
