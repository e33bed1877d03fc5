"""Incident records make themselves: actors, times, events, reason, clause, money, notes (consoles.md S9)."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.recorded_table import RecordedTable, write
from support.tables import DEALER, READER, SUPERVISOR

from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.commands import ResolveIncident, Suspend, VoidRound
from studio.domain.disputes import AddNote, CloseDispute, OpenDispute
from studio.domain.people import Actor, Role
from studio.domain.record_commands import (
    RecordReader,
    RecordWarning,
)
from studio.domain.record_events import DisputeEnd, Subject
from studio.evidence.records import NoSuchRecordError, Record, incident_record, record_at
from studio.ports.evidence import Wanted

MANAGER = Actor("mia", "Mia", Role.MANAGER)


@pytest.fixture
def played() -> RecordedTable:
    """A round in which a card is owed to seat 3."""
    table = RecordedTable()
    table.ready().round(3, 4).cards("TC")
    return table


async def the_record(path: Path, played: RecordedTable, number: int = 1) -> Record:
    return incident_record(await write(path, played), played.setup, number)


async def test_a_stop_that_was_lifted_has_who_when_and_why(tmp_path: Path, played: RecordedTable) -> None:
    played.do(Suspend("A quarrel at seat 3"), SUPERVISOR)
    played.wait(42)
    played.do(ResolveIncident(1, WayOut.GO_ON, "procedure", "Both have calmed down"), SUPERVISOR)
    record = await the_record(tmp_path / "j", played)
    assert (record.table, record.round, record.kind, record.number) == ("t1", 1, "supervisor-stop", 1)
    assert record.classes == ("suspend",)
    assert (record.way_out, record.reason, record.text) == ("go-on", "procedure", "Both have calmed down")
    assert record.closed_wall_ns is not None
    assert record.closed_wall_ns - record.opened_wall_ns == 42 * 10**9
    assert [person.name for person in record.actors] == ["Sam"]
    assert [event.name for event in record.events] == ["anomaly-detected", "incident-resolved"]
    assert record.clauses == ("anomalies.md supervisor-stop", "rules.md E1")
    assert (record.players_delta, record.money) == (0, ())
    assert record.simulated


async def test_a_void_gives_the_money_that_went_back_and_ends_with_the_case(
    tmp_path: Path, played: RecordedTable
) -> None:
    played.wait(1).no_read()
    played.do(ResolveIncident(1, WayOut.VOID, "misdeal", "The card is torn"), SUPERVISOR)
    record = await the_record(tmp_path / "j", played)
    assert record.classes == ("hold", "void")
    assert record.players_delta == 2000
    assert {(line.account, line.amount) for line in record.money} == {
        ("player:P3", 1000),
        ("player:P4", 1000),
        ("table:t1", -2000),
    }
    assert "rules.md R15" in record.clauses
    # What led to it is in, what followed by itself is not.
    names = [event.name for event in record.events]
    assert names == ["card-unread", "anomaly-detected", "card-discarded", "round-voided", "incident-resolved"]
    assert [(person.name, person.role) for person in record.actors] == [
        ("shoe-1", "device"),
        ("Sam", "supervisor"),
    ]


async def test_a_void_without_an_incident_has_a_record_of_its_own(tmp_path: Path, played: RecordedTable) -> None:
    played.do(VoidRound("misdeal", "Card on the floor"), SUPERVISOR)
    played.do(AddNote(Subject.ROUND, 1, "The floor was swept"), MANAGER)
    evidence = await write(tmp_path / "j", played)
    (found,) = evidence.search(Wanted(table="t1")).rounds
    ((sequence, kind, number),) = [(one.sequence, one.kind, one.number) for one in found.noticed]
    assert (kind, number) == ("round-voided", 0)
    record = record_at(evidence, played.setup, sequence)
    assert (record.classes, record.way_out, record.reason) == (("void",), "void", "misdeal")
    assert record.players_delta == 2000
    assert [(note.by.name, note.text) for note in record.notes] == [("Mia", "The floor was swept")]


async def test_a_void_that_was_a_way_out_is_in_the_incidents_record_alone(
    tmp_path: Path, played: RecordedTable
) -> None:
    played.do(Suspend("look"), SUPERVISOR)
    played.resolve(WayOut.VOID)
    evidence = await write(tmp_path / "j", played)
    (found,) = evidence.search(Wanted(table="t1")).rounds
    assert [one.kind for one in found.noticed] == ["supervisor-stop"]


async def test_a_card_against_the_systems_objection_is_an_override_and_its_face_stays_hidden(
    tmp_path: Path, played: RecordedTable
) -> None:
    played.do(Suspend("look"), SUPERVISOR)
    played.wait(1).card("4S")
    played.do(ResolveIncident(2, WayOut.USE_NEXT, "dealer", "It is the next card"), SUPERVISOR)
    record = await the_record(tmp_path / "j", played, 2)
    assert record.kind == "card-before-time"
    assert record.classes == ("hold", "override")
    (held,) = [event for event in record.events if event.name == "card-held"]
    assert "4S" not in held.said
    assert "card: sealed" in held.said


async def test_going_on_while_the_cause_is_there_is_an_override_and_once_it_is_gone_it_is_none(
    tmp_path: Path, played: RecordedTable
) -> None:
    played.do(RecordWarning("shoe-1", AnomalyKind.REVERSE_MOVEMENT, active=True, text="moved"), READER)
    played.resolve(WayOut.GO_ON)
    played.do(RecordReader("shoe-1", False, reason="cable"), READER)
    played.do(RecordReader("shoe-1", True, played.load, played.ordinal), READER)
    played.resolve(WayOut.GO_ON)
    evidence = await write(tmp_path / "j", played)
    assert incident_record(evidence, played.setup, 1).classes == ("integrity", "override", "suspend")
    assert incident_record(evidence, played.setup, 2).classes == ("hold",)


async def test_an_open_case_is_a_record_already_and_tells_of_its_escalation(
    tmp_path: Path, played: RecordedTable
) -> None:
    played.wait(1).no_read()
    for _ in range(2):
        played.wait(1).no_read(ordinal=played.ordinal)
    record = await the_record(tmp_path / "j", played)
    assert record.closed_wall_ns is None
    assert (record.way_out, record.reason) == ("", "")
    assert record.classes[0] in {"hold", "suspend"}


async def test_a_dispute_is_a_record_with_the_player_the_answer_and_notes(
    tmp_path: Path, played: RecordedTable
) -> None:
    played.cards("9C 8C TD TS TH").decide("stand").decide("stand").commit()
    played.do(OpenDispute(1, "P3", "I pressed hit in time"), SUPERVISOR)
    played.do(AddNote(Subject.DISPUTE, 1, "The bytes came 300 ms late"), MANAGER)
    played.wait(60)
    played.do(CloseDispute(1, DisputeEnd.DECLINED, "The answer came after the deadline"), MANAGER)
    evidence = await write(tmp_path / "j", played)
    (found,) = evidence.search(Wanted(kind="dispute")).rounds
    record = record_at(evidence, played.setup, found.noticed[-1].sequence)
    assert (record.kind, record.number, record.round) == ("dispute", 1, 1)
    assert (record.happened, record.detail) == ("P3 disputes round 1", "I pressed hit in time")
    assert (record.way_out, record.text) == ("declined", "The answer came after the deadline")
    assert [note.text for note in record.notes] == ["The bytes came 300 ms late"]
    assert [person.name for person in record.actors] == ["Sam", "Mia"]
    assert record.classes == ("dispute",)


async def test_notes_of_other_cases_are_not_mixed_in(tmp_path: Path, played: RecordedTable) -> None:
    played.do(Suspend("one"), SUPERVISOR)
    played.resolve(WayOut.GO_ON)
    for subject in Subject:
        if subject is not Subject.DISPUTE:
            played.do(AddNote(subject, 1, f"about the {subject}"), SUPERVISOR)
    record = await the_record(tmp_path / "j", played)
    assert [note.text for note in record.notes] == ["about the incident"]
    assert record.last < record.notes[0].sequence


async def test_where_nothing_begins_there_is_no_record(tmp_path: Path, played: RecordedTable) -> None:
    evidence = await write(tmp_path / "j", played)
    with pytest.raises(NoSuchRecordError, match="no incident 1"):
        incident_record(evidence, played.setup, 1)
    with pytest.raises(NoSuchRecordError, match="begins with event 2"):
        record_at(evidence, played.setup, 2)


async def test_the_dealers_own_way_out_is_no_override(tmp_path: Path, played: RecordedTable) -> None:
    played.do(RecordReader("shoe-1", False, reason="cable"), READER)
    played.do(RecordReader("shoe-1", True, played.load, played.ordinal), READER)
    played.do(ResolveIncident(1, WayOut.GO_ON, "reader-back"), DEALER)
    record = await the_record(tmp_path / "j", played)
    assert record.classes == ("hold",)
    assert [person.role for person in record.actors] == ["device", "dealer"]


async def test_s9_a_record_says_where_it_is_in_the_video(tmp_path: Path) -> None:
    played = RecordedTable()
    played.ready().round(3).cards("TC").wait(1).no_read()
    played.wait(2.48)
    played.resolve(WayOut.VOID)
    evidence = await write(tmp_path / "j", played)
    record = incident_record(evidence, played.setup, 1)
    assert (record.video.frames_per_second, record.video.first_day) == (25, "2023-11-14")
    first, last = record.events[0], record.events[-1]
    assert (record.video.first, record.video.last) == (first.timecode, last.timecode)
    assert last.at_wall_ns - first.at_wall_ns == 2_480_000_000
    assert last.timecode.endswith(f":{(int(first.timecode[-2:]) + 12) % 25:02d}")
    at_fifty = incident_record(evidence, played.setup, 1, 50)
    assert (at_fifty.video.frames_per_second, at_fifty.video.first[:8]) == (50, record.video.first[:8])
