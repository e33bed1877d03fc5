"""What ``decide`` answers: steps, or a refusal with a code and a sentence that says what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from studio.domain.events import Event
from studio.domain.table import Table


@dataclass(frozen=True, slots=True)
class Rejected:
    """A refused command: ``code`` in kebab-case for machines, ``text`` for people."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """What a command itself leads to, before what follows by itself: events, perhaps none.

    ``items`` answers each bet of a batch in order: ``None`` where it was taken.
    """

    events: tuple[Event, ...] = ()
    items: tuple[Rejected | None, ...] = ()


class Step(NamedTuple):
    """One event with the table before and after it."""

    before: Table
    event: Event
    after: Table


@dataclass(frozen=True, slots=True)
class Decided:
    """An accepted command with everything it leads to, step by step; ``items`` as in :class:`Accepted`."""

    steps: tuple[Step, ...] = ()
    items: tuple[Rejected | None, ...] = ()


Answer = Accepted | Rejected
