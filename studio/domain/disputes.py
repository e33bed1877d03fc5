"""Notes and disputes: what people write about what happened (consoles.md S9). They stop and change no play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.record_events import (
    Dispute,
    DisputeClosed,
    DisputeEnd,
    DisputeOpened,
    NoteAdded,
    RecordEvent,
    Subject,
)
from studio.domain.table import Table


@dataclass(frozen=True, slots=True)
class AddNote:
    """Put a note on an incident, a round or a dispute, open or closed."""

    subject: Subject
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class OpenDispute:
    """Take down what a player disputes about a round."""

    round: int
    player: str
    text: str


@dataclass(frozen=True, slots=True)
class CloseDispute:
    """Answer a dispute."""

    dispute: int
    end: DisputeEnd
    text: str


RecordCommand = AddNote | OpenDispute | CloseDispute

_NO_WORDS = Rejected("no-words", "Say it in words; nothing was written")


def write(table: Table, command: RecordCommand) -> Answer:
    """Write a note, open a dispute or answer one; refused without words and for what there is not."""
    if not command.text.strip():
        return _NO_WORDS
    match command:
        case AddNote(subject, number, text):
            last = _newest(table, subject)
            if 1 <= number <= last:
                return Accepted((NoteAdded(subject, number, text),))
            return Rejected(
                "no-such-subject", f"The newest {subject} of this table is {last}; there is no {number}"
            )
        case OpenDispute(number, player, text):
            if not 1 <= number <= table.rounds:
                return Rejected("no-such-round", f"The newest round of this table is {table.rounds}")
            if not player.strip():
                return Rejected("no-player", "Name the player who disputes the round")
            return Accepted((DisputeOpened(table.dispute_count + 1, number, player, text),))
        case CloseDispute(number, end, text):
            if all(one.number != number for one in table.disputes):
                return Rejected("no-such-dispute", f"Dispute {number} is not open; look at the list again")
            return Accepted((DisputeClosed(number, end, text),))
        case _:
            assert_never(command)


def _newest(table: Table, subject: Subject) -> int:
    match subject:
        case Subject.INCIDENT:
            return table.incident_count
        case Subject.ROUND:
            return table.rounds
        case Subject.DISPUTE:
            return table.dispute_count
        case _:
            assert_never(subject)


def evolve_record(table: Table, event: RecordEvent) -> Table:
    """Return the table after ``event``: it knows which disputes are open, and keeps no words."""
    match event:
        case NoteAdded():
            return table
        case DisputeOpened(number, round_number, player, _):
            opened = Dispute(number, round_number, player)
            return table._replace(disputes=(*table.disputes, opened), dispute_count=number)
        case DisputeClosed(number):
            return table._replace(disputes=tuple(one for one in table.disputes if one.number != number))
        case _:
            assert_never(event)
