"""Notes and disputes at the table: taken down, answered, and never in the way of play (consoles.md S9)."""

from __future__ import annotations

import pytest
from support.tables import DEALER, SUPERVISOR, PlayedTable

from studio.domain.disputes import AddNote, CloseDispute, OpenDispute
from studio.domain.events import DisputeClosed, DisputeEnd, DisputeOpened, NoteAdded, Subject
from studio.domain.people import Actor, Role

MANAGER = Actor("mia", "Mia", Role.MANAGER)


@pytest.fixture
def played() -> PlayedTable:
    """A table with one settled round."""
    return PlayedTable().ready().round(3).cards("TC 9C TD TH").decide("stand").commit()


@pytest.mark.parametrize("actor", [SUPERVISOR, MANAGER])
def test_a_dispute_of_a_played_round_is_taken_down_and_answered(played: PlayedTable, actor: Actor) -> None:
    assert played.do(OpenDispute(1, "P3", "I asked for a card"), actor) == (
        DisputeOpened(1, 1, "P3", "I asked for a card"),
    )
    assert [(one.number, one.round, one.player) for one in played.table.disputes] == [(1, 1, "P3")]
    closed = played.do(CloseDispute(1, DisputeEnd.DECLINED, "The answer came too late"), actor)
    assert closed == (DisputeClosed(1, DisputeEnd.DECLINED, "The answer came too late"),)
    assert played.table.disputes == ()


def test_disputes_are_numbered_through(played: PlayedTable) -> None:
    for number in (1, 2):
        played.do(OpenDispute(1, "P3", "No"), SUPERVISOR)
        played.do(CloseDispute(number, DisputeEnd.WITHDRAWN, "Taken back"), SUPERVISOR)
    assert played.table.dispute_count == 2


def test_a_dispute_stops_nothing(played: PlayedTable) -> None:
    played.do(OpenDispute(1, "P3", "No"), SUPERVISOR)
    assert not played.table.is_stopped
    played.round(3).cards("TC 9C TD TH").decide("stand")
    played.do(OpenDispute(2, "P3", "No again"), SUPERVISOR)
    played.commit()
    assert len(played.table.disputes) == 2


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (OpenDispute(2, "P3", "No"), "no-such-round"),
        (OpenDispute(0, "P3", "No"), "no-such-round"),
        (OpenDispute(1, " ", "No"), "no-player"),
        (OpenDispute(1, "P3", " \n"), "no-words"),
        (CloseDispute(1, DisputeEnd.UPHELD, "Yes"), "no-such-dispute"),
        (CloseDispute(1, DisputeEnd.UPHELD, ""), "no-words"),
        (AddNote(Subject.INCIDENT, 1, "Seen"), "no-such-subject"),
        (AddNote(Subject.ROUND, 2, "Seen"), "no-such-subject"),
        (AddNote(Subject.DISPUTE, 1, "Seen"), "no-such-subject"),
        (AddNote(Subject.ROUND, 1, ""), "no-words"),
    ],
)
def test_what_there_is_not_and_what_is_not_said_is_refused(
    played: PlayedTable, command: AddNote | OpenDispute | CloseDispute, code: str
) -> None:
    assert played.refused(command, SUPERVISOR) == code


@pytest.mark.parametrize("actor", [DEALER, Actor("aud", "Aud", Role.AUDITOR), Actor("P3", "P3", Role.PLAYER)])
def test_only_supervisors_and_managers_write(played: PlayedTable, actor: Actor) -> None:
    assert played.refused(OpenDispute(1, "P3", "No"), actor) == "forbidden"
    assert played.refused(AddNote(Subject.ROUND, 1, "Seen"), actor) == "forbidden"


def test_a_note_is_kept_in_the_journal_and_changes_nothing(played: PlayedTable) -> None:
    before = played.table
    assert played.do(AddNote(Subject.ROUND, 1, "Seen on the floor"), SUPERVISOR) == (
        NoteAdded(Subject.ROUND, 1, "Seen on the floor"),
    )
    assert played.table == before
