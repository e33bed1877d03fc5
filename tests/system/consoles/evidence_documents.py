"""What the evidence page reads: rounds that were really played, as the server would answer."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from support.recorded_table import RecordedTable, write
from support.tables import SUPERVISOR

from studio.domain.anomalies import WayOut
from studio.domain.commands import ResolveIncident, Suspend
from studio.domain.disputes import AddNote, OpenDispute
from studio.domain.record_events import Subject
from studio.evidence.document import document
from studio.evidence.records import record_at
from studio.evidence.replay import Replay, replay
from studio.ports.evidence import Found, Wanted


def played() -> RecordedTable:
    """Two rounds: the first is disputed, in the second a supervisor stopped the table and wrote a note."""
    table = RecordedTable()
    table.ready().round(3).cards("TC 9C TD TH").decide("stand").commit()
    table.wait(600).round(1, 3).cards("TC 8H 9C TD 9D 7S")
    table.do(Suspend("A quarrel at seat 3"), SUPERVISOR)
    table.wait(42)
    table.do(ResolveIncident(1, WayOut.GO_ON, "procedure", "Both have calmed down"), SUPERVISOR)
    table.decide("stand").decide("stand").cards("2C").commit()
    table.do(OpenDispute(1, "P3", "I pressed hit in time"), SUPERVISOR)
    table.do(AddNote(Subject.INCIDENT, 1, "The player apologised"), SUPERVISOR)
    return table


def documents(path: Path) -> dict[str, Any]:
    """Return the server's answers by their path; the search answers a page of one round and then the other."""
    table = played()
    with ThreadPoolExecutor() as another:  # the browser holds an event loop in this thread
        evidence = another.submit(lambda: asyncio.run(write(path, table))).result()
    newest = evidence.search(Wanted(limit=1))
    older = evidence.search(Wanted(after=newest.after or {}))
    found: dict[str, Any] = {
        "me": {"id": "sup", "name": "Sam Novak", "roles": ["supervisor"]},
        "tables": [
            {"table": "t1", "name": "Blackjack 1", "variant": "deluxe", "phase": "idle", "simulated": True}
        ],
        "evidence/kinds": list(evidence.kinds()),
        "evidence/rounds": as_json(Found, newest),
    }
    after = ",".join(f"{name}:{sequence}" for name, sequence in (newest.after or {}).items()).replace(":", "%3A")
    found[f"evidence/rounds?after={after}"] = as_json(Found, older)
    for number in (1, 2):
        shown = replay(evidence, table.setup, number)
        found[f"tables/t1/rounds/{number}/replay"] = as_json(Replay, shown)
        for one in shown.noticed:
            made = document(record_at(evidence, table.setup, one.sequence))
            found[f"tables/t1/records/{one.sequence}"] = json.loads(made.json)
            found[f"tables/t1/records/{one.sequence}/pdf"] = {"pdf": made.pdf_sha256}
    return found


def as_json(kind: Any, value: object) -> Any:
    return json.loads(TypeAdapter(kind).dump_json(value))
