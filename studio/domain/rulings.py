"""Rulings under way at a table: a re-scan, proposals that wait for a second person, notices to players."""

from __future__ import annotations

from dataclasses import dataclass

from studio.domain.cards import Card
from studio.domain.correction_events import Act


@dataclass(frozen=True, slots=True)
class FeltScan:
    """A re-scan of the round's cards: those expected, in order, and what was read so far.

    ``differing`` is ``None`` until it is complete.
    """

    incident: int
    draws: tuple[int, ...]
    read: tuple[Card, ...] = ()
    differing: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A sensitive act that waits for a second person, or, once ``approved_by`` is set, for its proposer."""

    number: int
    by: str
    name: str
    act: Act
    at_ns: int
    expires_ns: int
    approved_by: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """What players are told about a ruling: everybody at the table where ``players`` is empty.

    ``key`` names the text in the consoles' catalogue; ``amounts`` in minor units go with ``players``.
    """

    number: int
    round: int
    key: str
    players: tuple[str, ...] = ()
    amounts: tuple[int, ...] = ()
    made_in: int = 0
    """The round in which it was made."""
