"""``studio doctor``: looks at a machine and a settings file, and says what to mend, with the command for it."""

from __future__ import annotations

import argparse
import datetime as dt
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from drivers.workbench.checks import (
    Finding,
    Machine,
    Weight,
    check_clock,
    check_disk,
    check_driver,
    check_intruders,
    check_port,
    check_secret,
    check_year,
)
from drivers.workbench.drivers import configured_sources

_MARKS: Final = {Weight.OK: "ok  ", Weight.WARN: "WARN", Weight.STOP: "STOP"}


def examine(config: Path | None, machine: Machine, now: dt.datetime) -> Iterator[Finding]:
    """Yield what every check finds; raise ``ValueError`` where the settings file cannot be read."""
    yield from check_year(now)
    yield from check_clock(machine)
    yield from check_intruders(machine)
    if config is None:
        yield from check_disk(Path.cwd())
        return
    sources = configured_sources(config)
    server = tomllib.loads(config.read_text(encoding="utf-8")).get("studio", {})
    yield from check_disk(config.parent / str(server.get("data", "data")))
    yield from check_secret(config.parent / str(server.get("key_file", "studio.key")))
    for source in sources:
        yield from check_driver(source)
        yield from check_port(source, machine)


class DoctorCommand:
    """The sub-command ``doctor`` (entry-point group ``studio.commands``)."""

    name = "doctor"
    help = "find what keeps readers from working on this machine, with the fix for each finding"

    def __init__(
        self,
        machine: Machine | None = None,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
    ) -> None:
        self._machine = machine or Machine()
        self._now = now

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""
        parser.add_argument("--config", type=Path, help="the studio's settings file")

    def run(self, arguments: argparse.Namespace) -> int:
        """Print the findings; status 1 where something stops a table, 2 where the settings cannot be read."""
        worst = 0
        try:
            for finding in examine(arguments.config, self._machine, self._now()):
                sys.stdout.write(f"{_MARKS[finding.weight]}  {finding.text}\n")
                if finding.fix:
                    sys.stdout.write(f"      -> {finding.fix}\n")
                worst = max(worst, finding.weight is Weight.STOP)
        except ValueError as error:
            sys.stderr.write(f"studio {self.name}: {error}\n")
            return 2
        return int(worst)
