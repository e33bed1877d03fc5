"""``studio bench``: measures this machine in one run; prints ratios and percentiles, and passes no judgement."""

from __future__ import annotations

import argparse
import asyncio
import datetime as dt
import sys
import tempfile
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final

import structlog

from studio.app import table_setup
from studio.bench.bare_loop import bare_loop
from studio.bench.browser import find_browser
from studio.bench.engine import measure_engine
from studio.bench.folder import BenchFolder, make_bench_folder
from studio.bench.kernel import measure_kernel
from studio.bench.live import WATCHERS, BenchError, LiveFigures, measure_live
from studio.bench.odds import measure_odds
from studio.bench.past import measure_past
from studio.bench.percentiles import spread
from studio.bench.report import (
    commit_lines,
    engine_lines,
    kernel_lines,
    machine_lines,
    odds_lines,
    paint_lines,
    past_lines,
    shared_lines,
)
from studio.bench.shared import measure_shared

_BARE_PAUSE_SECONDS: Final = 0.05
_FEWEST: Final = 4
_NO_RELIEF_MINUTES: Final = 1_000_000
_INTERRUPTED: Final = 130


class BenchCommand:
    """The sub-command ``bench`` of ``studio``."""

    name = "bench"
    help = "measure latency and speed on this machine"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        parser.add_argument("--cards", type=_count, default=200, help="cards to deal through the whole studio")
        parser.add_argument("--rounds", type=_count, default=1000, help="rounds for the pure engine")
        parser.add_argument("--simulated", type=_count, default=20_000_000, help="rounds for the simulation")
        parser.add_argument("--players", type=_count, default=100_000, help="players on the shared hand")
        parser.add_argument("--past", type=_count, default=3000, help="past rounds to look back at")
        parser.add_argument("--no-browser", action="store_true", help="leave the dealer's console out")
        parser.add_argument(
            "--data",
            type=Path,
            default=Path("data"),
            help="folder on the disk to be measured; what is written there is deleted at the end",
        )

    def run(self, arguments: argparse.Namespace) -> int:
        """Measure and print; return the exit status."""
        try:
            arguments.data.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix="bench-", dir=arguments.data) as name:
                folder = make_bench_folder(Path(name).resolve(), dt.datetime.now(dt.UTC))
                _bench(arguments, folder)
        except (BenchError, OSError, RuntimeError, ValueError) as error:
            sys.stderr.write(f"studio bench: {error}\n")
            return 1
        except KeyboardInterrupt:
            return _INTERRUPTED
        return 0


def _bench(arguments: argparse.Namespace, folder: BenchFolder) -> None:
    _print(machine_lines())
    settings = folder.settings
    setup = table_setup(settings.tables[0], settings.studio.mode)
    # One dealer deals them all: what is measured is work, not shifts.
    setup = replace(setup, profile=replace(setup.profile, rotation_minutes=_NO_RELIEF_MINUTES))
    _say(f"pure engine: {arguments.rounds} rounds")
    _print(("", *engine_lines(measure_engine(setup, arguments.rounds), setup.rules.seats)))

    _say("odds")
    _print(("", *odds_lines(measure_odds())))

    _say(f"simulation: {arguments.simulated} rounds")
    _print(("", *kernel_lines(measure_kernel(setup.rules, arguments.simulated))))

    _say(f"shared hand: {arguments.players} players")
    _print(("", *shared_lines(measure_shared(folder.path, arguments.players))))

    _say(f"looking back: {arguments.past} rounds")
    _print(("", *past_lines(measure_past(folder.path, setup, arguments.past))))

    # Half before and half after the studio, so that a disk that changes its mind changes it for both.
    alone = _bare_loop_alone(folder, "before", arguments.cards // 2)
    live = _live(arguments, folder)
    alone += _bare_loop_alone(folder, "after", arguments.cards - arguments.cards // 2)
    _print(("", *commit_lines(spread(live.commit_seconds), spread(live.bare_seconds), spread(alone))))
    if live.paint_seconds:
        _print(("", *paint_lines(spread(live.paint_seconds), WATCHERS)))
    if live.anomalies:
        _print(("", f"Incidents during the run, which the figures contain: {', '.join(live.anomalies)}"))


def _bare_loop_alone(folder: BenchFolder, when: str, cards: int) -> list[float]:
    _say(f"bare loop {when} the studio: {cards} inserts")
    database = folder.path / f"bare-{when}.sqlite"
    with closing(bare_loop(database, pause_seconds=_BARE_PAUSE_SECONDS)) as samples:
        return list(islice(samples, cards))


def _live(arguments: argparse.Namespace, folder: BenchFolder) -> LiveFigures:
    browser = None if arguments.no_browser else find_browser()
    if browser is None:
        why = "--no-browser" if arguments.no_browser else "no Chromium is installed (Debian package 'chromium')"
        _print(("", f"Last serial byte read -> painted: not measured, {why}"))
    with (folder.path / "studio.log").open("w", encoding="utf-8") as log:
        # As `studio serve` does it, but not between the lines of this report.
        structlog.configure(logger_factory=structlog.WriteLoggerFactory(log))
        try:
            return asyncio.run(measure_live(folder, arguments.cards, browser=browser, say=_say))
        finally:
            structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _say(text: str) -> None:
    sys.stderr.write(f"  … {text}\n")
    sys.stderr.flush()


def _count(text: str) -> int:
    count = int(text)
    if count < _FEWEST:
        message = f"at least {_FEWEST}"
        raise argparse.ArgumentTypeError(message)
    return count
