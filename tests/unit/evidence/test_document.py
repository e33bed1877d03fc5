"""A record as files: the same bytes each time, and hashes that fit (consoles.md S9)."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from support.recorded_table import RecordedTable, write
from support.tables import SUPERVISOR

from studio.domain.anomalies import WayOut
from studio.domain.commands import ResolveIncident
from studio.domain.disputes import AddNote
from studio.domain.record_events import Subject
from studio.evidence.document import Document, document
from studio.evidence.records import Record, incident_record


@pytest.fixture
async def record(tmp_path: Path) -> Record:
    played = RecordedTable()
    played.ready().round(3).cards("TC").wait(1).no_read()
    played.do(ResolveIncident(1, WayOut.VOID, "misdeal", "Torn, <b>not</b> & readable"), SUPERVISOR)
    played.do(AddNote(Subject.INCIDENT, 1, "Seen by 王芳 and Zoë ♠"), SUPERVISOR)
    return incident_record(await write(tmp_path / "j", played), played.setup, 1)


def words(made: Document) -> str:
    """Return the text of an uncompressed PDF, without its layout."""
    shown = re.findall(rb"\(((?:[^()\\]|\\.)*)\) Tj", made.pdf)
    text = " ".join(one.decode("latin-1") for one in shown)
    return re.sub(r"\\(\d{3}|.)", _unescaped, text)


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1]
    return bytes([int(code, 8)]).decode("cp1252") if code.isdigit() else code


def test_the_hash_is_of_the_canonical_record(record: Record) -> None:
    made = document(record)
    said = json.loads(made.json)
    text = json.dumps(said["record"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert said["sha256"] == made.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert said["pdf_sha256"] == made.pdf_sha256 == hashlib.sha256(made.pdf).hexdigest()
    assert said["record"] == json.loads(json.dumps(asdict(record)))


def test_the_same_record_gives_the_same_bytes(record: Record) -> None:
    assert document(record) == document(replace(record))


@pytest.mark.parametrize(
    "changed", [{"text": "other"}, {"players_delta": 1}, {"notes": ()}, {"head": "00" * 32}], ids=str
)
def test_another_record_has_another_hash(record: Record, changed: dict[str, object]) -> None:
    before, after = document(record), document(replace(record, **changed))  # type: ignore[arg-type]
    assert before.sha256 != after.sha256
    assert before.pdf_sha256 != after.pdf_sha256


def test_the_paper_says_what_the_record_says(record: Record) -> None:
    made = document(record)
    text = words(made)
    assert made.pdf.startswith(b"%PDF-")
    for part in (
        made.sha256,
        "SIMULATION",
        "Torn, <b>not</b> & readable",
        "card-unread",
        "10.00 EUR",
        "Sam (supervisor)",
        "rules.md R15",
        f"{record.video.first_day} {record.video.first} to {record.video.last}, at 25 frames a second",
        record.events[-1].timecode,
        record.head,
    ):
        assert part.replace(" ", "") in text.replace(" ", ""), part


def test_what_the_fonts_have_not_is_written_as_its_code_point(record: Record) -> None:
    assert "Seen by \\u738b\\u82b3 and Zoë \\u2660" in words(document(record))


def test_a_long_record_goes_over_pages_and_each_states_the_hash(record: Record) -> None:
    made = document(replace(record, notes=record.notes * 120))
    assert words(made).count(made.sha256) > 1
