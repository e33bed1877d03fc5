"""``studio campaign``: seeded rounds with faults; exit status 1 where a wrong card or wrong money got by."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from studio.campaign.campaign import RATES, Run, play_run, runs
from studio.campaign.report import lines
from studio.campaign.tally import Tally
from studio.domain.rules import RuleSet

_ROUNDS: Final = 20_000
_SEED: Final = 1
_TOLD_EVERY: Final = 250


class CampaignCommand:
    """The sub-command; ``load_rules`` finds a variant by name or raises ``ValueError``."""

    name = "campaign"
    help = "play thousands of rounds with faults injected, and count what was detected and what was missed"

    def __init__(self, load_rules: Callable[[str], RuleSet], variants: Sequence[str]) -> None:
        self._load_rules = load_rules
        self._variants = tuple(variants)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""
        parser.add_argument("--rounds", type=_count, default=_ROUNDS, help="rounds in all, over every run")
        parser.add_argument("--seed", type=_count, default=_SEED, help="the same seed plays the same campaign")
        parser.add_argument("--rate", choices=tuple(RATES), help="one rate of faults; both without it")
        parser.add_argument("--variant", choices=self._variants, action="append", help="may be given again")
        parser.add_argument("--jobs", type=_count, default=1, help="runs at the same time; the result is the same")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def run(self, arguments: argparse.Namespace) -> int:
        """Play and print; progress goes to standard error."""
        rates = (arguments.rate,) if arguments.rate else tuple(RATES)
        every = list(runs(arguments.variant or self._variants, rates, arguments.rounds, arguments.seed))
        rules = [self._load_rules(run.variant) for run in every]
        whole = Tally()
        if arguments.jobs == 1:
            tallies = list(map(_play, every, rules))
        else:
            with ProcessPoolExecutor(arguments.jobs) as pool:
                tallies = list(pool.map(_play, every, rules))
        for tally in tallies:
            whole.merge(tally)
        if arguments.json:
            sys.stdout.write(json.dumps(whole.as_dict(), indent=2) + "\n")
        else:
            sys.stdout.write("\n".join(lines(whole)) + "\n")
        return 0 if whole.is_clean else 1


def _play(run: Run, rules: RuleSet) -> Tally:
    return play_run(run, rules, _telling(run))


def _telling(run: Run) -> Callable[[int], None]:
    camera = "with a camera" if run.has_camera else "without a camera"

    def tell(number: int) -> None:
        if number % _TOLD_EVERY == 0 or number == run.rounds:
            sys.stderr.write(f"{run.variant}, {run.rate} rate, {camera}: {number} of {run.rounds}\n")

    return tell


def _count(text: str) -> int:
    """Return a whole number from 1; raise ``ArgumentTypeError`` for anything else."""
    if not text.isdecimal() or int(text) < 1:
        message = f"{text!r} is no whole number from 1"
        raise argparse.ArgumentTypeError(message)
    return int(text)
