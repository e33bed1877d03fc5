"""Changes: what a correction says of single cards of the round. They name a draw, never a seat's third card.

A draw keeps its number for ever; what it showed and where it lies is a layer above that can be corrected
(system.md principle 3). What becomes of the round is :mod:`studio.domain.replay`'s.
"""

from __future__ import annotations

from dataclasses import dataclass

from studio.domain.cards import Card
from studio.domain.slots import HandId


@dataclass(frozen=True, slots=True)
class CardValue:
    """The draw is this card: it was misread, or not read at all."""

    draw: int
    card: Card


@dataclass(frozen=True, slots=True)
class OutOfPlay:
    """The draw lies in no hand: burned, boxed, damaged. It stays counted as out of the shoe."""

    draw: int


@dataclass(frozen=True, slots=True)
class Placed:
    """The draw lies at this hand, the dealer's where ``hand`` is ``None``.

    The place it was meant for is *skipped*: it gets its card after the others, cards are never shifted back
    (anomalies.md). Later draws follow to the places that are due then.
    """

    draw: int
    hand: HandId | None


@dataclass(frozen=True, slots=True)
class DeadHand:
    """All hands of a seat are taken out of the round and every bet on the seat goes back."""

    seat: int


Change = CardValue | OutOfPlay | Placed | DeadHand
"""One change; a way out takes several, and each must name another draw or seat."""


@dataclass(frozen=True, slots=True)
class Unlawful:
    """Why a change cannot be made to the round: a code and a sentence. The round can then only be voided."""

    code: str
    text: str
