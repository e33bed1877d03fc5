"""``studio scenario``: play the shipped cases, or scenario files of one's own, and say what came of each."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from studio.domain.profile import RulingProfile
from studio.domain.rules import RuleSet
from studio.scenarios.play import play_scenario
from studio.scenarios.reader import MakeReader
from studio.scenarios.script import Scenario, ScenarioError, parse_scenario, shipped_cases
from studio.scenarios.stage import PlayedScenario
from studio.scenarios.table import table_of

DEFAULT_READER: Final = "smartshoe"


class ScenarioCommand:
    """The sub-command; the three functions find a variant, a ruling profile and a kind of reader by name.

    Each raises ``ValueError`` for what it does not find.
    """

    name = "scenario"
    help = "play cases of what really went wrong at tables, and check detection, offers, cards and money"

    def __init__(
        self,
        load_rules: Callable[[str], RuleSet],
        load_profile: Callable[[str], RulingProfile],
        find_reader: Callable[[str], MakeReader],
    ) -> None:
        self._load_rules = load_rules
        self._load_profile = load_profile
        self._find_reader = find_reader

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""
        parser.add_argument("case", nargs="*", help="names of shipped cases (C07), or files; without, all shipped")
        parser.add_argument(
            "--reader",
            default=DEFAULT_READER,
            help="whose bytes the cards come as: a simulated reader by its driver's name (%(default)s), or direct",
        )
        parser.add_argument("--events", action="store_true", help="print every event of each case")

    def run(self, arguments: argparse.Namespace) -> int:
        """Print a line for each; status 1 where one does not come out as it says, 2 if it cannot be played."""
        try:
            scenarios = [
                parse_scenario(file.read_text(encoding="utf-8"), file.name) for file in _files(arguments.case)
            ]
            make_reader = self._find_reader(arguments.reader)
        except (OSError, ValueError) as error:
            sys.stderr.write(f"studio scenario: {error}\n")
            return 2
        failed = 0
        for scenario in scenarios:
            try:
                played = self.play(scenario, make_reader)
            except (ScenarioError, ValueError) as error:
                failed += 1
                sys.stdout.write(f"{scenario.id:16} FAILED  {scenario.title}\n{'':16} {error}\n")
                continue
            sys.stdout.write(f"{scenario.id:16} ok      {scenario.title}\n")
            if arguments.events:
                sys.stdout.writelines(f"{'':16} {event}\n" for event in played.events)
        sys.stdout.write(f"{len(scenarios) - failed} of {len(scenarios)} as they say\n")
        return 1 if failed else 0

    def play(self, scenario: Scenario, make_reader: MakeReader) -> PlayedScenario:
        """Play one scenario with a reader; raise :class:`ScenarioError` where it does not come out as it says."""
        rules, profile = self._load_rules(scenario.variant), self._load_profile(scenario.profile)
        return play_scenario(scenario, table_of(scenario, rules, profile), make_reader)


def _files(names: list[str]) -> list[Traversable | Path]:
    shipped = shipped_cases()
    if not names:
        return list(shipped)
    found: list[Traversable | Path] = []
    for name in names:
        own = [file for file in shipped if file.name.removesuffix(".toml").partition("-")[0] == name.lower()]
        found += own or [Path(name)]
    return found
