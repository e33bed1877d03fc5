"""Sightings: one device's claim about one card. Evidence, not truth."""

from __future__ import annotations

from dataclasses import dataclass

from studio.domain.cards import Card
from studio.domain.slots import Slot


@dataclass(frozen=True, slots=True)
class SightingId:
    """Which physical card a device means: its ``ordinal``-th since the ``load``-th loading of the shoe.

    Of a camera: its ``ordinal``-th sighting since its ``load``-th start.
    """

    device: str
    load: int
    ordinal: int


@dataclass(frozen=True, slots=True)
class CardRead:
    """A card was read."""

    card: Card


@dataclass(frozen=True, slots=True)
class CutCardRead:
    """The cut card came out; it is no card (S4)."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A card passed and could not be read."""


@dataclass(frozen=True, slots=True)
class UnknownCode:
    """A card passed whose code is no card, or whose frame no repetition repaired (``code`` empty)."""

    code: str


@dataclass(frozen=True, slots=True)
class ForeignCard:
    """A card passed that is none of this shoe's: a joker, another set's mark, an id that its manifest lacks."""

    code: str


@dataclass(frozen=True, slots=True)
class SlotOccupied:
    """A camera sees that a card lies in the slot, face down or not readable yet."""


@dataclass(frozen=True, slots=True)
class SlotCleared:
    """A camera sees that nothing lies in the slot any more."""


@dataclass(frozen=True, slots=True)
class SlotOccluded:
    """A camera cannot see the slot: a hand or another thing covers it."""


@dataclass(frozen=True, slots=True)
class FaceUpInShoe:
    """A camera sees a card lying face up at the shoe's mouth."""


@dataclass(frozen=True, slots=True)
class TwoCards:
    """A camera sees two cards where one was read."""


WitnessReading = SlotOccupied | SlotCleared | SlotOccluded | FaceUpInShoe | TwoCards
"""What only a second witness can say."""

Reading = CardRead | CutCardRead | Unreadable | UnknownCode | ForeignCard | WitnessReading


@dataclass(frozen=True, slots=True)
class Sighting:
    """A reading with its identity, ``at_ns`` the monotonic time of its last byte.

    ``suspect`` when the driver itself doubts it; ``repeated`` when it may be the last card read a second time. A
    camera says which ``slot`` it means, how sure it is in parts of a thousand, and which ``frame`` shows it.
    """

    id: SightingId
    reading: Reading
    at_ns: int
    suspect: bool = False
    slot: Slot | None = None
    confidence_permille: int = 1000
    frame: str = ""
    repeated: bool = False
