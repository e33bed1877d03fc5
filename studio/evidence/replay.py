"""A past round, step by step: as the dealer saw it, as the players saw it, as it was recorded (consoles.md S10).

The views are made by the same projections as then, from the table folded up to each event. So a card that was
hidden then is hidden here; in the recorded facts it is opened once it is no secret any more: a hole card that was
turned later in the round, any card of a shoe that has been closed since.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby
from typing import Any

from studio.domain.card_marks import Mark, mark_of
from studio.domain.events import (
    BetsPlaced,
    CardBurned,
    CardDealt,
    CardEntered,
    CardHeld,
    Event,
    HoleRevealed,
    RoundCorrected,
    RoundSettled,
)
from studio.domain.evolve import evolve
from studio.domain.instants import Instant
from studio.domain.projections import dealer_view, table_view
from studio.domain.record_events import Subject
from studio.domain.setup import TableSetup
from studio.domain.slots import Face
from studio.domain.table import Round, Table
from studio.domain.views import DealerView, TableView
from studio.evidence.records import Note, Person, note_of, person
from studio.evidence.shown import is_sealed, shown_fields
from studio.ports.evidence import Evidence, Fact, Move, Noticed, Span
from studio.ports.history import Ended

_MOST_PLAYERS = 200
_HIDDEN_RAW = "sealed"


@dataclass(frozen=True, slots=True)
class RecordedFact:
    """An event as the journal has it: its ``fields``, the ``raw`` bytes behind it and its chain hash, in hex.

    ``mark`` says how the card that it is about is known, as in the views (D20).
    ``raw`` is ``sealed`` where it would tell a card that is a secret. ``moves`` is the money that it moved.
    """

    version: int
    cause: str
    monotonic_ns: int
    fields: Mapping[str, Any]
    raw: str
    mark: str
    chain: str
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One event and the screens that its command led to; ``dealer`` and ``players`` are whole views."""

    sequence: int
    name: str
    at_wall_ns: int
    by: Person
    dealer: DealerView
    players: TableView
    recorded: RecordedFact


@dataclass(frozen=True, slots=True)
class Stake:
    """What a player staked and got back in the round, in minor units; ``returned`` is 0 before its settlement."""

    player: str
    staked: int
    returned: int


@dataclass(frozen=True, slots=True)
class Replay:
    """One round. ``end`` is the first event that is not its own any more; ``players`` are 200 at most."""

    table: str
    round: int
    first: int
    end: int
    at_wall_ns: int
    ended: Ended
    simulated: bool
    currency: str
    players: tuple[Stake, ...]
    noticed: tuple[Noticed, ...]
    notes: tuple[Note, ...]
    steps: tuple[ReplayStep, ...]


class NoSuchRoundError(LookupError):
    """The table played no round of that number."""


def replay(evidence: Evidence, setup: TableSetup, number: int) -> Replay:
    """Return a round's replay; raise :class:`NoSuchRoundError`, and ``ValueError`` where the journal is wrong."""
    span = evidence.span(setup.table, number)
    if span is None:
        message = f"table {setup.table} has no round {number}"
        raise NoSuchRoundError(message)
    span = _whole_commands(evidence, span)
    facts = evidence.facts(setup.table, span.first, span.end)
    began = reduce(evolve, evidence.before(setup.table, span.first), Table(setup))
    return Replay(
        table=setup.table,
        round=number,
        first=span.first,
        end=span.end,
        at_wall_ns=span.at_wall_ns,
        ended=evidence.ended(span),
        simulated=setup.simulated,
        currency=setup.limits.currency,
        players=_stakes(facts, evidence, span),
        noticed=evidence.noticed(span),
        notes=tuple(note_of(fact) for fact in evidence.about(setup.table, Subject.ROUND, number)),
        steps=tuple(_steps(evidence, began, span, facts)),
    )


def _whole_commands(evidence: Evidence, span: Span) -> Span:
    """Return the span with the command that opened the round whole: who left a seat comes before the betting."""
    first, end = (evidence.act(span.table, sequence)[:1] for sequence in (span.first, span.end))
    return replace(
        span, first=first[0].sequence if first else span.first, end=end[0].sequence if end else span.end
    )


def _steps(evidence: Evidence, table: Table, span: Span, facts: tuple[Fact, ...]) -> Iterable[ReplayStep]:
    is_public = evidence.is_shoe_closed(span.table, span.end - 1)
    turned_at = max((fact.sequence for fact in facts if isinstance(fact.event, HoleRevealed)), default=0)
    moves: dict[int, list[Move]] = {}
    for move in evidence.moves(span.table, [fact.sequence for fact in facts]):
        moves.setdefault(move.sequence, []).append(move)
    for _, act in groupby(facts, key=_command):
        together = tuple(act)
        # What one command led to was written and shown at once: no screen ever showed a part of it.
        table = reduce(evolve, (fact.event for fact in together), table)
        at = together[-1].recorded.at
        dealer, players = dealer_view(table, at, _day_of(at)), table_view(table, at)
        for fact in together:
            opened = is_public or (fact.sequence < turned_at and _is_hole_card(fact.event))
            yield ReplayStep(
                sequence=fact.sequence,
                name=fact.name,
                at_wall_ns=at.wall_ns,
                by=person(fact.recorded.actor),
                dealer=dealer,
                players=players,
                recorded=_recorded(fact, tuple(moves.get(fact.sequence, ())), table, opened=opened),
            )


def _command(fact: Fact) -> tuple[str, Instant]:
    return fact.recorded.cause, fact.recorded.at


def _recorded(fact: Fact, moves: tuple[Move, ...], table: Table, *, opened: bool) -> RecordedFact:
    hidden = not opened and any(is_sealed(value) for value in fact.fields.values())
    recorded = fact.recorded
    return RecordedFact(
        version=fact.version,
        cause=recorded.cause,
        monotonic_ns=recorded.at.monotonic_ns,
        fields=shown_fields(fact, opened=opened),
        raw=_HIDDEN_RAW if hidden else recorded.raw.hex(),
        mark=_mark(fact.event, table.round),
        chain=fact.chain,
        moves=moves,
    )


def _mark(event: Event, current: Round | None) -> Mark:
    match event:
        case RoundCorrected():
            return Mark.RULED
        case CardEntered():
            return Mark.MANUAL
        case CardDealt() | CardBurned() | CardHeld():
            return mark_of(current, event.draw)
        case _:
            return Mark.READ


def _is_hole_card(event: Event) -> bool:
    return isinstance(event, CardDealt) and event.slot.hand is None and event.slot.face is Face.DOWN


def _stakes(facts: tuple[Fact, ...], evidence: Evidence, span: Span) -> tuple[Stake, ...]:
    """Return what each player staked and got back; of very many players the first two hundred."""
    placed = (bet for fact in facts if isinstance(fact.event, BetsPlaced) for bet in fact.event.bets)
    names = list(dict.fromkeys(bet.player for bet in placed))[:_MOST_PLAYERS]
    results = [fact.event.results for fact in facts if isinstance(fact.event, RoundSettled)]
    staked, returned = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    if results:
        for result in results[-1]:
            if result.player in staked:
                staked[result.player] += result.stake
                returned[result.player] += result.returned
    else:
        for move in evidence.moves(span.table, [fact.sequence for fact in facts]):
            player = move.account.removeprefix("player:")
            if player in staked and move.account != player:
                side = staked if move.amount < 0 else returned
                side[player] += abs(move.amount)
    return tuple(Stake(name, staked[name], returned[name]) for name in names)


def _day_of(at: Instant) -> str:
    return dt.datetime.fromtimestamp(at.wall_ns // 1_000_000_000, tz=dt.UTC).date().isoformat()
