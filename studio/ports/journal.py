"""The port of the journal: events, the money they move and the answers given, written together or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from studio.domain.events import Event
from studio.domain.instants import Instant
from studio.domain.money import TransferBatch
from studio.domain.people import Actor


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event as the journal keeps it.

    ``sequence`` is gapless per table and begins at 1; ``cause`` is the id of the command it came from; ``raw``
    are the bytes behind it, empty where it came from none. :func:`studio.domain.events.hides_card` says which are
    sealed, card and bytes alike.
    """

    table: str
    sequence: int
    at: Instant
    actor: Actor
    cause: str
    event: Event
    raw: bytes = b""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The first answer to a command, kept under its idempotency key.

    ``fingerprint`` is a hash of the command's body: the same key with another body is a conflict. ``status`` is
    the HTTP status and ``body`` the JSON text that was answered.
    """

    key: str
    fingerprint: str
    status: int
    body: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that was refused: the audit line that it leaves."""

    table: str
    at: Instant
    actor: Actor
    command: str
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What one command leaves behind, written in one transaction.

    ``transfers`` go with the event of the same index. An entry may hold no event (a refusal with its receipt).
    """

    events: tuple[Recorded, ...] = ()
    transfers: tuple[TransferBatch, ...] = ()
    receipt: Receipt | None = None
    refusal: Refusal | None = None


class JournalError(Exception):
    """An append did not reach the disk: nothing of its entry was written. The text says why and what to do."""


class Journal(Protocol):
    """Durable, gapless, hash-chained per table."""

    async def append(self, entry: Entry) -> None:
        """Write ``entry``; on return it is on disk.

        Raises :class:`JournalError` when it is not; a sequence that is not the next one of its table is a
        ``JournalError`` too (somebody else wrote).
        """
        ...

    def replay(self, table: str) -> Iterator[Recorded]:
        """Yield the table's events from the first to the last, opened where they were sealed.

        Raises ``ValueError`` at the first row whose chain hash, seal or sequence is wrong.
        """
        ...

    def round(self, table: str, number: int) -> tuple[Recorded, ...]:
        """Return a round's events, from its betting to before the next, and the revisions of it; none for none.

        Blocks while it reads. Raises ``ValueError`` where a row cannot be read.
        """
        ...

    def receipt(self, key: str) -> Receipt | None:
        """Return the answer kept under an idempotency key."""
        ...
