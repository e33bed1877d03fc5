"""``studio trial``: what a driver makes of damaged bytes, of whole shoes, and of hours beside many others."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Callable
from typing import Final

from drivers.kit.corruption import SAMPLE, Change, Found, Outcome, try_driver
from drivers.kit.installed import installed_case, peer_names
from drivers.kit.shoes import ShoesFound, try_shoes
from drivers.kit.soak import Soaked, soak

_EVERY_SECONDS: Final = 1.0


class Progress:
    """A line on standard error, renewed once a second where a terminal shows it."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._last = time.monotonic()
        self._is_shown = sys.stderr.isatty()

    def __call__(self, done: float, total: float) -> None:
        """Say how far it is."""
        now = time.monotonic()
        if self._is_shown and now - self._last >= _EVERY_SECONDS:
            self._last = now
            sys.stderr.write(f"\r{self._what}: {done:.0f} of {total:.0f} ({100 * done / total:.0f} %) ")
            sys.stderr.flush()

    def end(self) -> None:
        """Clear the line."""
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")


class TrialCommand:
    """The trials of installed drivers against their simulated readers."""

    name = "trial"
    help = "try a driver: damaged bytes, whole shoes, many readers at once"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the trials and their options."""
        trials = parser.add_subparsers(dest="trial", required=True, metavar="TRIAL")
        corruption = trials.add_parser("corruption", help="damage the bytes of cards; print what was believed")
        corruption.add_argument("--cards", type=int, default=len(SAMPLE), help="how many cards are damaged")
        corruption.add_argument(
            "--two-byte", type=int, default=100_000, help="random two-byte corruptions a driver"
        )
        corruption.add_argument(
            "--cards",
            type=int,
            default=len(SAMPLE),
            choices=range(1, len(SAMPLE) + 1),
            metavar="NUMBER",
            help="damage the bytes of so many cards; fewer where a card takes hundreds of bytes",
        )
        shoes = trials.add_parser("shoes", help="deal whole shoes; print what was lost or doubled")
        shoes.add_argument("--shoes", type=int, default=10_000)
        shoes.add_argument("--decks", type=int, default=8)
        long = trials.add_parser("soak", help="run many readers at once, in real time")
        long.add_argument("--readers", type=int, default=64)
        long.add_argument("--cards-a-second", type=float, default=10.0)
        long.add_argument("--minutes", type=float, default=10.0)
        for trial in (corruption, shoes, long):
            names = ", ".join(peer_names())
            trial.add_argument("--driver", action="append", help=f"which driver, again for more: {names}")
            trial.add_argument("--seed", type=int, default=1)

    def run(self, arguments: argparse.Namespace) -> int:
        """Run a trial; status 1 where a card was lost or doubled, 2 where there is nothing to try."""
        trials: dict[str, Callable[[str, argparse.Namespace], bool]] = {
            "corruption": _corruption,
            "shoes": _shoes,
            "soak": _soak,
        }
        names = arguments.driver or (["smartshoe"] if arguments.trial == "soak" else list(peer_names()))
        try:
            passed = [trials[arguments.trial](name, arguments) for name in names]
        except ValueError as error:
            sys.stderr.write(f"studio trial: {error}\n")
            return 2
        return 0 if all(passed) else 1


def _corruption(driver: str, arguments: argparse.Namespace) -> bool:
    progress = Progress(f"{driver}, corruptions")
    found = try_driver(
        installed_case(driver),
        two_byte=arguments.two_byte,
        seed=arguments.seed,
        cards=arguments.cards,
        tick=progress,
    )
    progress.end()
    sys.stdout.write(corruption_table(driver, found))
    return True  # the figure is the answer: which protocols can tell is their own matter


def corruption_table(driver: str, found: Found) -> str:
    """Return what a corruption trial found, as the rows of a table in Markdown."""
    lines = [
        f"\n{driver}\n\n",
        "| change | tried | right | held | silent | wrong | next card missed |\n",
        "|---|--:|--:|--:|--:|--:|--:|\n",
    ]
    for change in Change:
        counted = found.outcomes.get(change)
        if counted is not None:
            cells = (counted.total(), *(counted[outcome] for outcome in Outcome), found.deaf[change])
            lines.append(f"| {change} | {' | '.join(map(str, cells))} |\n")
    return "".join(lines)


def _shoes(driver: str, arguments: argparse.Namespace) -> bool:
    progress = Progress(f"{driver}, shoes")
    found: ShoesFound = try_shoes(
        installed_case(driver), shoes=arguments.shoes, decks=arguments.decks, seed=arguments.seed, tick=progress
    )
    progress.end()
    sys.stdout.write(
        f"{driver}: {found.shoes} shoes, {found.cards} cards, {found.repeats} natural repeats; "
        f"lost {found.lost}, doubled or wrong {found.doubled_or_wrong}, doubted {found.doubted}\n"
    )
    return not (found.lost or found.doubled_or_wrong)


def _soak(driver: str, arguments: argparse.Namespace) -> bool:
    progress = Progress(f"{driver}, seconds")
    seconds = arguments.minutes * 60
    found: Soaked = asyncio.run(
        soak(
            driver,
            installed_case(driver),
            readers=arguments.readers,
            cards_a_second=arguments.cards_a_second,
            seconds=seconds,
            tick=lambda passed: progress(passed, seconds),
        )
    )
    progress.end()
    sys.stdout.write(
        f"{driver}: {found.readers} readers, {found.dealt} cards in {seconds:.0f} s; missing {found.missing}, "
        f"surplus {found.surplus}; last byte to event p50 {found.milliseconds_p50:.2f} ms, "
        f"p99 {found.milliseconds_p99:.2f} ms; memory {found.memory_before_mib:.0f} MiB at first, "
        f"{found.memory_peak_mib:.0f} at most\n"
    )
    return not (found.missing or found.surplus or found.lost_bytes)
