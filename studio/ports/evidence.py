"""The port of the evidence: past rounds found and read back from the journal, with everything beside them.

It only reads. What is found is made into replays and records by :mod:`studio.evidence`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from studio.domain.events import Event
from studio.domain.record_events import Subject
from studio.ports.history import Ended
from studio.ports.journal import Recorded

SEALED: Final = "sealed"
"""The one key of a field that is sealed in its row, as :attr:`Fact.fields` shows it."""

MOST_FOUND: Final = 100
"""Rounds in one answer of a search."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One row of the journal: the event as it was, opened, and as it is stored.

    ``fields`` are the stored ones: a sealed one is ``{"sealed": hex}``; ``clear`` are the same, opened. ``chain``
    is the row's hash in hex; where rows are read in order it was checked against the one before.
    """

    recorded: Recorded
    name: str
    version: int
    fields: Mapping[str, Any]
    clear: Mapping[str, Any]
    chain: str

    @property
    def sequence(self) -> int:
        """The row's number at its table."""
        return self.recorded.sequence

    @property
    def event(self) -> Event:
        """The event, opened."""
        return self.recorded.event


@dataclass(frozen=True, slots=True)
class Move:
    """What one event changed in one account; ``amount`` in minor units, negative where it was taken.

    Very many players of one event are one line: ``account`` is then ``players``, and ``accounts`` counts them.
    """

    sequence: int
    account: str
    amount: int
    currency: str
    cause: str
    accounts: int = 1


@dataclass(frozen=True, slots=True)
class Span:
    """Where a round lies in its table's stream: ``first`` is its betting, ``end`` the next one's or the end."""

    table: str
    round: int
    first: int
    end: int
    at_wall_ns: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rounds are looked for; every condition must hold. ``card`` is a code such as ``8S``.

    A card counts where it was shown: a hole card once it was turned, never one that was burned or held unseen.
    ``kind`` is an anomaly's; ``incident`` needs ``table``. ``after`` is where the answer before stopped.
    """

    table: str | None = None
    player: str | None = None
    since_wall_ns: int | None = None
    until_wall_ns: int | None = None
    card: str | None = None
    kind: str | None = None
    incident: int | None = None
    after: Mapping[str, int] = field(default_factory=dict)
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Noticed:
    """An incident or a dispute of a round, in short; ``sequence`` is where its record begins."""

    sequence: int
    kind: str
    number: int


@dataclass(frozen=True, slots=True)
class FoundRound:
    """A round that was found."""

    span: Span
    ended: Ended
    dealer: str
    noticed: tuple[Noticed, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """Rounds, newest first; ``after`` goes on from there, ``None`` where nothing older is left.

    A search looks at a bounded number of rounds: an answer may hold few rounds, or none, and an ``after``.
    """

    rounds: tuple[FoundRound, ...]
    after: Mapping[str, int] | None


class Evidence(Protocol):
    """Looking back; each call blocks while it reads and raises ``ValueError`` where the journal is wrong."""

    def kinds(self) -> tuple[str, ...]:
        """Return every kind that :attr:`Wanted.kind` may be."""
        ...

    def search(self, wanted: Wanted) -> Found:
        """Return the newest rounds that are wanted."""
        ...

    def span(self, table: str, number: int) -> Span | None:
        """Return where a round lies; ``None`` where the table played none of that number."""
        ...

    def span_at(self, table: str, sequence: int) -> Span | None:
        """Return the round that an event belongs to; ``None`` before the first."""
        ...

    def ended(self, span: Span) -> Ended:
        """Return how a round ended."""
        ...

    def noticed(self, span: Span) -> tuple[Noticed, ...]:
        """Return what a round has records of."""
        ...

    def facts(self, table: str, first: int, end: int) -> tuple[Fact, ...]:
        """Return the rows from ``first`` up to before ``end``, their chain checked."""
        ...

    def before(self, table: str, first: int) -> tuple[Event, ...]:
        """Return events that, folded, give the table that was before ``first``, as far as any view shows it.

        Only the running numbers of notices to players begin anew.
        """
        ...

    def about(self, table: str, subject: Subject, number: int) -> tuple[Fact, ...]:
        """Return every event that names an incident or a dispute, or the notes on either or on a round."""
        ...

    def proposal(self, table: str, number: int) -> tuple[Fact, ...]:
        """Return every event of a proposal that two people decide on."""
        ...

    def act(self, table: str, sequence: int) -> tuple[Fact, ...]:
        """Return the rows that were written by the same command as the one at ``sequence``, itself among them."""
        ...

    def starts(self, table: str, first: int, end: int) -> tuple[Fact, ...]:
        """Return the events from ``first`` up to before ``end`` that call for a record."""
        ...

    def moves(self, table: str, sequences: Iterable[int]) -> tuple[Move, ...]:
        """Return what the ledger says that some events moved."""
        ...

    def is_shoe_closed(self, table: str, sequence: int) -> bool:
        """Tell whether the shoe in play at ``sequence`` was closed since, so that its cards are no secret."""
        ...
