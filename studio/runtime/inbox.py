"""What goes into a table's inbox and what comes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from studio.domain.answers import Rejected
from studio.domain.bets import Placement
from studio.domain.cards import Card
from studio.domain.commands import Command
from studio.domain.people import Actor


@dataclass(frozen=True, slots=True)
class Done:
    """The command was accepted and is on disk; ``sequence`` is the table's after it.

    ``items`` answers each bet or decision of a batch, ``placed`` says what each placing came to. ``proposal`` is
    the number of a proposal that it made. ``opened`` is a hidden card for this one answer, never kept.
    """

    sequence: int
    items: tuple[Rejected | None, ...] = ()
    placed: tuple[Placement, ...] = ()
    proposal: int | None = None
    opened: Card | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """The command was refused and changed nothing; ``changed`` names the events since a stale view."""

    rejected: Rejected
    sequence: int
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Repeated:
    """The same command was answered before: its first answer."""

    status: int
    body: str


Outcome = Done | Refused | Repeated


@dataclass(frozen=True, slots=True)
class ReceiptRequest:
    """Asks that the answer be kept under an idempotency key, in the transaction of its events.

    ``respond`` turns an outcome into the HTTP status and body that are kept and later repeated.
    """

    key: str
    fingerprint: str
    respond: Callable[[Done | Refused], tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Submission:
    """A command with everything that the actor needs to know about where it came from.

    ``seen_sequence`` is the view that a supervisor decided on, ``None`` where staleness does not matter.
    ``raw`` are the bytes behind a sighting.
    """

    command: Command
    actor: Actor
    cause: str
    receipt: ReceiptRequest | None = None
    seen_sequence: int | None = None
    raw: bytes = b""
