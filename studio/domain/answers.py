"""What ``decide`` answers: events, or a refusal with a code and a sentence that says what to do."""

from __future__ import annotations

from dataclasses import dataclass

from studio.domain.events import Event


@dataclass(frozen=True, slots=True)
class Rejected:
    """A refused command: ``code`` in kebab-case for machines, ``text`` for people."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """An accepted command: the events it leads to, perhaps none.

    ``items`` answers each bet of a batch in order: ``None`` where it was taken.
    """

    events: tuple[Event, ...] = ()
    items: tuple[Rejected | None, ...] = ()


Answer = Accepted | Rejected
