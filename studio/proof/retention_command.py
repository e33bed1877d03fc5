"""The sub-commands ``hold`` and ``retain`` of ``studio``; both need the studio stopped."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from studio.adapters.clocks import SystemClock
from studio.adapters.sqlite_custody import open_holds
from studio.adapters.sqlite_store import SqliteStore, open_read_only
from studio.domain.instants import Instant
from studio.ports.custody import Hold
from studio.ports.journal import JournalError
from studio.proof.holds import JournalCustody
from studio.proof.places import JOURNAL_FILE
from studio.proof.retention import Removal, plan, retain
from studio.settings import Mode, Settings, load_settings

_NS_PER_SECOND: Final = 1_000_000_000
_ERRORS: Final = (ValueError, OSError, JournalError)


class HoldCommand:
    """Places, releases and lists legal holds on rounds."""

    name = "hold"
    help = "place, release or list legal holds: nothing of a held round is taken out"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        parser.add_argument("do", choices=("place", "release", "list"))
        parser.add_argument("--config", type=Path, default=Path("studio.toml"), help="the settings file")
        parser.add_argument("--table", help="the table's id")
        parser.add_argument("--round", type=int, help="the round's number")
        parser.add_argument("--by", metavar="PERSON", help="who, for the record")
        parser.add_argument("--reason", help="why, for the record")

    def run(self, arguments: argparse.Namespace) -> int:
        """Return 0, or 2 with a sentence where it cannot be done."""
        try:
            settings = load_settings(arguments.config)
            if arguments.do != "list":
                _place(settings, arguments, SystemClock().now())
            with closing(open_read_only(settings.studio.data / JOURNAL_FILE)) as connection:
                holds = open_holds(connection).values()
        except _ERRORS as error:
            sys.stderr.write(f"studio hold: {error}\n")
            return 2
        lines = [
            f"{one.table}  round {one.round}  since {_day(one.wall_ns)}  {one.person}: {one.reason}"
            for one in holds
        ]
        sys.stdout.write("".join(f"{line}\n" for line in lines or ["no round is under a legal hold"]))
        return 0


class RetainCommand:
    """Takes out what is older than the retention of the settings."""

    name = "retain"
    help = "take out raw bytes, receipts and refusals that are older than their years"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        parser.add_argument("--config", type=Path, default=Path("studio.toml"), help="the settings file")
        parser.add_argument("--by", metavar="PERSON", required=True, help="who, for the record")
        parser.add_argument("--dry-run", action="store_true", help="say what would go, and change nothing")

    def run(self, arguments: argparse.Namespace) -> int:
        """Return 0, or 2 with a sentence where it cannot be done."""
        try:
            settings = load_settings(arguments.config)
            at = SystemClock().now()
            before_ns = _before(settings.studio.proof.retention_years, at)
            if arguments.dry_run:
                with closing(open_read_only(settings.studio.data / JOURNAL_FILE)) as connection:
                    removal = plan(connection, before_ns)
            else:
                with _opened(settings) as store:
                    removal = retain(store, before_ns, _said(arguments.by, "--by"), at)
        except _ERRORS as error:
            sys.stderr.write(f"studio retain: {error}\n")
            return 2
        sys.stdout.write(f"{_words(removal)}, from before {_day(before_ns)}\n")
        return 0


def _words(removal: Removal) -> str:
    return (
        f"raw bytes of {len(removal.raw)} events, {len(removal.rows)} receipts and refusals; "
        f"{len(removal.holds)} rounds under a legal hold"
    )


def _before(years: int, at: Instant) -> int:
    if not years:
        message = "retention_years in [studio.proof] is 0: everything is kept for ever"
        raise ValueError(message)
    now = datetime.fromtimestamp(at.wall_ns // _NS_PER_SECOND, UTC)
    try:
        then = now.replace(year=now.year - years)
    except ValueError:  # the 29th of February
        then = now.replace(year=now.year - years, day=28)
    return int(then.timestamp()) * _NS_PER_SECOND


def _place(settings: Settings, arguments: argparse.Namespace, at: Instant) -> None:
    if arguments.round is None:
        message = "say which round with --round"
        raise ValueError(message)
    asked = Hold(
        table=_said(arguments.table, "--table"),
        round=arguments.round,
        person=_said(arguments.by, "--by"),
        reason=_said(arguments.reason, "--reason"),
        wall_ns=at.wall_ns,
    )
    with _opened(settings) as store:
        custody = JournalCustody(store)
        asyncio.run((custody.hold if arguments.do == "place" else custody.release)(asked, at))


@contextmanager
def _opened(settings: Settings) -> Iterator[SqliteStore]:
    simulated = settings.studio.mode is Mode.SIMULATION
    store = SqliteStore(settings.studio.data / JOURNAL_FILE, simulated=simulated)
    try:
        yield store
    finally:
        store.close()


def _said(value: str | None, option: str) -> str:
    if not value or not value.strip():
        message = f"{option} must say something: it goes into the record"
        raise ValueError(message)
    return value


def _day(wall_ns: int) -> str:
    return datetime.fromtimestamp(wall_ns // _NS_PER_SECOND, UTC).date().isoformat()
