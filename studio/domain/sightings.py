"""Sightings: one device's claim about one card. Evidence, not truth."""

from __future__ import annotations

from dataclasses import dataclass

from studio.domain.cards import Card


@dataclass(frozen=True, slots=True)
class SightingId:
    """Which physical card a device means: its ``ordinal``-th since the ``load``-th loading of the shoe."""

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


Reading = CardRead | CutCardRead | Unreadable | UnknownCode


@dataclass(frozen=True, slots=True)
class Sighting:
    """A reading with its identity, ``at_ns`` the monotonic time of its last byte.

    ``suspect`` when the driver itself doubts it.
    """

    id: SightingId
    reading: Reading
    at_ns: int
    suspect: bool = False
