"""Incident records: who did what and when in one case, with reason, clause, money and notes (consoles.md S9).

A record begins with an event that calls for one, and is derived from the events that name its incident or dispute,
together with what the same commands led to. It is named by the sequence number of its first event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from studio.domain.events import (
    AnomalyDetected,
    Event,
    NoteAdded,
    ShoeClosed,
    ShoeEnd,
)
from studio.domain.people import Actor
from studio.domain.record_events import CALL_FOR_A_RECORD, Subject
from studio.domain.setup import TableSetup
from studio.evidence.case import Case
from studio.evidence.classes import classes_of, clauses_of
from studio.evidence.shown import said, shown_fields
from studio.evidence.timecode import USUAL_RATE, VideoSpan, timecode, video_span
from studio.ports.evidence import Evidence, Fact, Move

_PLAYERS = "players"


class NoSuchRecordError(LookupError):
    """No record begins there; the text says what there is."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who acted: a person, a device or the system."""

    id: str
    name: str
    role: str


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """One of the case's own events; ``said`` are its fields in words, what is sealed left out.

    ``timecode`` is the frame of the recorder's video.
    """

    sequence: int
    at_wall_ns: int
    timecode: str
    name: str
    by: Person
    said: str


@dataclass(frozen=True, slots=True)
class MoneyLine:
    """What the case changed in one account, in minor units."""

    account: str
    currency: str
    amount: int
    accounts: int


@dataclass(frozen=True, slots=True)
class Note:
    """A note and who wrote it."""

    sequence: int
    at_wall_ns: int
    by: Person
    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """One case. ``number`` is its incident's or dispute's, 0 for an act without one.

    ``first`` to ``last`` are its own events, not all events between; ``closed_wall_ns`` is ``None`` while it is
    open. ``players_delta`` is what all players together got, in minor units of the table's currency. ``head`` is
    the chain hash of the last own event: it ties the record to the journal. ``video`` is where the case begins and
    ends in the recorder's video.
    """

    table: str
    sequence: int
    kind: str
    number: int
    round: int
    simulated: bool
    classes: tuple[str, ...]
    happened: str
    detail: str
    opened_wall_ns: int
    closed_wall_ns: int | None
    video: VideoSpan
    way_out: str
    reason: str
    text: str
    clauses: tuple[str, ...]
    actors: tuple[Person, ...]
    first: int
    last: int
    head: str
    events: tuple[RecordedEvent, ...]
    currency: str
    players_delta: int
    money: tuple[MoneyLine, ...]
    notes: tuple[Note, ...]
    rules_hash: str


def incident_record(
    evidence: Evidence, setup: TableSetup, number: int, frames_per_second: int = USUAL_RATE
) -> Record:
    """Return the record of an incident; raise :class:`NoSuchRecordError` where there is none of that number.

    ``frames_per_second`` is the rate of the recorder's video.
    """
    for fact in evidence.about(setup.table, Subject.INCIDENT, number):
        if isinstance(fact.event, AnomalyDetected):
            return _record(evidence, setup, fact, frames_per_second)
    message = f"table {setup.table} has no incident {number}; look at the list of its rounds"
    raise NoSuchRecordError(message)


def record_at(evidence: Evidence, setup: TableSetup, sequence: int, frames_per_second: int = USUAL_RATE) -> Record:
    """Return the record that begins with an event; raise :class:`NoSuchRecordError` where none does."""
    for fact in evidence.starts(setup.table, sequence, sequence + 1):
        return _record(evidence, setup, fact, frames_per_second)
    message = f"no record of table {setup.table} begins with event {sequence}; look at the list of its rounds"
    raise NoSuchRecordError(message)


def _record(evidence: Evidence, setup: TableSetup, start: Fact, frames_per_second: int) -> Record:
    table, case = setup.table, Case(start)
    named = case.named(evidence, table)
    own = _own_events(evidence, table, named)
    case.take(own)
    moves = evidence.moves(table, [fact.sequence for fact in own])
    money = _money(moves)
    span = evidence.span_at(table, start.sequence)
    number_of_round = case.round if case.round is not None else (span.round if span else 0)
    notes = [fact for fact in named if isinstance(fact.event, NoteAdded)]
    if case.number == 0:
        notes += evidence.about(table, Subject.ROUND, number_of_round)
    classes = classes_of(case.course(fact.name for fact in own))
    return Record(
        table=table,
        sequence=start.sequence,
        kind=case.kind,
        number=case.number,
        round=number_of_round,
        simulated=setup.simulated,
        classes=tuple(sorted(classes)),
        happened=case.happened,
        detail=case.detail,
        opened_wall_ns=start.recorded.at.wall_ns,
        closed_wall_ns=case.closed_wall_ns,
        video=video_span(own[0].recorded.at.wall_ns, own[-1].recorded.at.wall_ns, frames_per_second),
        way_out=case.way_out,
        reason=case.reason,
        text=case.text,
        clauses=clauses_of(case.kind, classes),
        actors=tuple(dict.fromkeys(person(fact.recorded.actor) for fact in own)),
        first=own[0].sequence,
        last=own[-1].sequence,
        head=own[-1].chain,
        events=tuple(_told(fact, frames_per_second) for fact in own),
        currency=setup.limits.currency,
        players_delta=sum(line.amount for line in money if _is_players(line.account)),
        money=money,
        notes=tuple(note_of(fact) for fact in sorted(notes, key=_sequence) if isinstance(fact.event, NoteAdded)),
        rules_hash=setup.rules.hash,
    )


def _own_events(evidence: Evidence, table: str, named: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return a case's own events: those that name it, and in their commands what led to them or came with them.

    Where two people decided, the proposal is among them.
    """
    found: dict[int, Fact] = {}
    waiting = [fact for fact in named if not isinstance(fact.event, NoteAdded)]
    while waiting:
        fact = waiting.pop()
        if fact.sequence in found:
            continue
        act = {one.sequence: one for one in _marked(evidence.act(table, fact.sequence))}
        proposals = {one.fields["proposal"] for one in act.values() if "proposal" in one.fields}
        found |= act
        for number in proposals:
            waiting += (one for one in evidence.proposal(table, number) if one.sequence not in found)
    return tuple(found[sequence] for sequence in sorted(found))


def _marked(act: tuple[Fact, ...]) -> Iterator[Fact]:
    """Yield a command's events up to the last that is about a case: the rest is play that goes on by itself."""
    last = max((fact.sequence for fact in act if _is_mark(fact.event, fact)), default=0)
    return (fact for fact in act if fact.sequence <= last)


def _is_mark(event: Event, fact: Fact) -> bool:
    if isinstance(event, ShoeClosed):
        return event.end is not ShoeEnd.LAST_ROUND
    return isinstance(event, CALL_FOR_A_RECORD) or bool({"incident", "dispute", "proposal"} & fact.fields.keys())


def _money(moves: Iterable[Move]) -> tuple[MoneyLine, ...]:
    lines: dict[tuple[str, str], MoneyLine] = {}
    for move in moves:
        key = (move.account, move.currency)
        line = lines.get(key, MoneyLine(*key, 0, move.accounts))
        lines[key] = replace(line, amount=line.amount + move.amount, accounts=max(line.accounts, move.accounts))
    return tuple(lines[key] for key in sorted(lines) if lines[key].amount)


def _is_players(account: str) -> bool:
    return account == _PLAYERS or account.startswith("player:")


def _sequence(fact: Fact) -> int:
    return fact.sequence


def person(actor: Actor) -> Person:
    """Return who acted."""
    return Person(actor.id, actor.name, actor.role.value)


def _told(fact: Fact, frames_per_second: int) -> RecordedEvent:
    recorded, at_ns = fact.recorded, fact.recorded.at.wall_ns
    frame = timecode(at_ns, frames_per_second)
    return RecordedEvent(fact.sequence, at_ns, frame, fact.name, person(recorded.actor), said(shown_fields(fact)))


def note_of(fact: Fact) -> Note:
    """Return the note that an event added."""
    recorded = fact.recorded
    return Note(fact.sequence, recorded.at.wall_ns, person(recorded.actor), str(fact.fields["text"]))
