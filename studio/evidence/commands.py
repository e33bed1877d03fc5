"""The sub-commands ``rounds`` and ``incident``: search and records in the terminal, from a journal's file.

They only read, also beside a running studio. Which file, which key and which tables is the settings' affair: it is
opened for them.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from studio.domain.setup import TableSetup
from studio.evidence.document import Document, document
from studio.evidence.records import NoSuchRecordError, Record, incident_record, record_at
from studio.evidence.timecode import USUAL_RATE
from studio.ports.evidence import Evidence, FoundRound, Wanted

_NS: Final = 1_000_000_000
_WRONG: Final = 2


@dataclass(frozen=True, slots=True)
class OpenedEvidence:
    """A journal that is open for reading, and the tables that it is about, by id."""

    evidence: Evidence
    setups: Mapping[str, TableSetup]
    frames_per_second: int = USUAL_RATE
    """Of the recorder's video."""


Opener = Callable[[Path], OpenedEvidence]
"""Opens the journal of a settings file; raises ``ValueError`` or ``OSError`` where it cannot."""


class RoundsCommand:
    """Lists past rounds, newest first."""

    name = "rounds"
    help = "search the journal for past rounds"

    def __init__(self, opener: Opener) -> None:
        self._open = opener

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options; every condition given must hold."""
        _add_config(parser)
        parser.add_argument("--table", help="a table's id")
        parser.add_argument("--player", help="who had a bet")
        parser.add_argument(
            "--since", type=_moment, metavar="TIME", help="such as 2026-03-01T20:00, UTC unless it says"
        )
        parser.add_argument("--until", type=_moment, metavar="TIME", help="not included")
        parser.add_argument("--card", metavar="CODE", help="a card that was shown, such as 8S")
        parser.add_argument("--kind", help="an anomaly's kind, any, dispute, or an act such as round-voided")
        parser.add_argument("--incident", type=int, metavar="NUMBER", help="an incident of the table")
        parser.add_argument("--limit", type=int, default=25, help="rounds at most (25)")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def run(self, arguments: argparse.Namespace) -> int:
        """Search and print; return the exit status."""
        if arguments.incident is not None and arguments.table is None:
            sys.stderr.write("studio rounds: --incident needs --table: incidents are numbered per table\n")
            return _WRONG
        wanted = Wanted(
            table=arguments.table,
            player=arguments.player,
            since_wall_ns=arguments.since,
            until_wall_ns=arguments.until,
            card=arguments.card,
            kind=arguments.kind,
            incident=arguments.incident,
            limit=arguments.limit,
        )
        try:
            opened = self._open(arguments.config)
            for one in _all_found(opened.evidence, wanted):
                line = json.dumps(asdict(one), sort_keys=True) if arguments.json else _line(one)
                sys.stdout.write(f"{line}\n")
        except (ValueError, OSError) as error:
            sys.stderr.write(f"studio rounds: {error}\n")
            return _WRONG
        return 0


class IncidentCommand:
    """Prints one record, and writes its PDF."""

    name = "incident"
    help = "print the record of an incident, or write it as JSON and PDF"

    def __init__(self, opener: Opener) -> None:
        self._open = opener

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's options."""
        _add_config(parser)
        parser.add_argument("table", metavar="TABLE", help="a table's id")
        parser.add_argument("number", metavar="NUMBER", type=int, help="the incident's number")
        parser.add_argument(
            "--event",
            action="store_true",
            help="NUMBER is the event that the record begins with",
        )
        parser.add_argument("--json", action="store_true", help="print the record as JSON with its hashes")
        parser.add_argument("--pdf", type=Path, metavar="FILE", help="write the record as a PDF")

    def run(self, arguments: argparse.Namespace) -> int:
        """Print the record; return the exit status."""
        try:
            opened = self._open(arguments.config)
            if arguments.table not in opened.setups:
                known = ", ".join(opened.setups)
                sys.stderr.write(f"studio incident: there is no table {arguments.table}; there are {known}\n")
                return _WRONG
            find = record_at if arguments.event else incident_record
            setup = opened.setups[arguments.table]
            record = find(opened.evidence, setup, arguments.number, opened.frames_per_second)
            made = document(record)
            if arguments.pdf is not None:
                arguments.pdf.write_bytes(made.pdf)
        except (NoSuchRecordError, ValueError, OSError) as error:
            sys.stderr.write(f"studio incident: {error}\n")
            return _WRONG
        lines = [made.json] if arguments.json else _lines(record, made)
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        return 0


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, default=Path("studio.toml"), help="the settings file")


def _moment(text: str) -> int:
    """Return a moment in wall nanoseconds; raise ``ArgumentTypeError`` for what is none."""
    try:
        at = dt.datetime.fromisoformat(text)
    except ValueError as error:
        message = f"{text!r} is no time such as 2026-03-01T20:00"
        raise argparse.ArgumentTypeError(message) from error
    at = at if at.tzinfo else at.replace(tzinfo=dt.UTC)
    return int(at.timestamp()) * _NS + at.microsecond * 1000


def _all_found(evidence: Evidence, wanted: Wanted) -> Iterator[FoundRound]:
    """Yield rounds up to the limit, however often the search has to go on."""
    left = wanted.limit
    while left > 0:
        found = evidence.search(replace(wanted, limit=left))
        yield from found.rounds
        left -= len(found.rounds)
        if found.after is None:
            return
        wanted = replace(wanted, after=found.after)


def _line(one: FoundRound) -> str:
    span = one.span
    noticed = ", ".join(f"{each.kind} {each.number or f'#{each.sequence}'}" for each in one.noticed)
    parts = (_time(span.at_wall_ns), span.table, f"round {span.round}", one.ended, one.dealer, noticed)
    return "  ".join(part for part in parts if part)


def _lines(record: Record, made: Document) -> Iterator[str]:
    number = f" {record.number}" if record.number else ""
    yield f"{record.table}, round {record.round}: {record.kind}{number} ({', '.join(record.classes)})"
    yield record.happened + (f": {record.detail}" if record.detail else "")
    closed = "open" if record.closed_wall_ns is None else f"closed {_time(record.closed_wall_ns)}"
    yield f"opened {_time(record.opened_wall_ns)}, {closed}, events {record.first} to {record.last}"
    video = record.video
    yield f"video from {video.first_day} {video.first} to {video.last_day} {video.last} UTC, at {_rate(record)}"
    if record.way_out or record.reason or record.text:
        yield ", ".join(part for part in (record.way_out, record.reason, record.text) if part)
    yield f"by {', '.join(f'{one.name} ({one.role})' for one in record.actors)}; {', '.join(record.clauses)}"
    yield f"money to all players together: {record.players_delta} minor units of {record.currency}"
    for event in record.events:
        when = f"{_time(event.at_wall_ns)}  {event.timecode}"
        yield f"  {event.sequence:>8}  {when}  {event.name}  {event.by.name}  {event.said}"
    for note in record.notes:
        yield f"  note by {note.by.name}, {_time(note.at_wall_ns)}: {note.text}"
    yield f"SHA-256 {made.sha256}, of the PDF {made.pdf_sha256}"


def _rate(record: Record) -> str:
    return f"{record.video.frames_per_second} frames a second"


def _time(wall_ns: int) -> str:
    return dt.datetime.fromtimestamp(wall_ns // _NS, tz=dt.UTC).strftime("%Y-%m-%d %H:%M:%S")
