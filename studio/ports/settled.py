"""The port of a table's settled rounds: the cards of each, for statistics; no money and no names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from studio.domain.cards import Card


@dataclass(frozen=True, slots=True)
class SettledHand:
    """A hand as it was settled."""

    cards: tuple[Card, ...]
    from_split: bool = False
    surrendered: bool = False


@dataclass(frozen=True, slots=True)
class SettledRound:
    """A settled round: ``positions`` are the first two cards of each, ``dealer`` the whole hand.

    ``hands`` are those that were compared with the dealer's; none where the hand is shared, since each of its
    players then holds another part of it.
    """

    number: int
    dealer: tuple[Card, ...]
    positions: tuple[tuple[Card, Card], ...]
    hands: tuple[SettledHand, ...]


class SettledRounds(Protocol):
    """What was settled."""

    def settled(self, table: str, *, limit: int) -> tuple[SettledRound, ...]:
        """Return the settled among the newest ``limit`` rounds, oldest first.

        Blocks while it reads. Raises ``KeyError`` for an unknown table, ``ValueError`` where the journal cannot be
        read.
        """
        ...
