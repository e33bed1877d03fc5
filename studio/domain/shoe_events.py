"""Events of a shoe's life: packs and their counts. See :mod:`studio.domain.events`."""

from __future__ import annotations

from dataclasses import dataclass

from studio.domain.cards import Card
from studio.domain.shoe_life import CountPurpose, CountResult
from studio.domain.sightings import SightingId


@dataclass(frozen=True, slots=True)
class PackRegistered:
    """A pack of cards belongs to the table from now on."""

    pack: str
    batch: str
    back: str
    decks: int


@dataclass(frozen=True, slots=True)
class PackLoaded:
    """A counted pack is in the box that is prepared."""

    pack: str
    at_wall_ns: int


@dataclass(frozen=True, slots=True)
class PackQuarantined:
    """A pack is not used again, and kept for whoever looks into it."""

    pack: str
    reason: str


@dataclass(frozen=True, slots=True)
class PackRetired:
    """A pack was in use longer than it may be."""

    pack: str


@dataclass(frozen=True, slots=True)
class RecountOrdered:
    """All cards of a pack are to be counted before it is used again."""

    pack: str


@dataclass(frozen=True, slots=True)
class CountBegan:
    """Cards of ``load`` after ``last`` are counted, and go to no hand."""

    pack: str
    purpose: CountPurpose
    load: int
    last: int


@dataclass(frozen=True, slots=True)
class CardCounted:
    """A card passed through the reader for a count. Sealed: nobody is to know where in a pack a card lies."""

    sighting: SightingId
    card: Card
    dealer: str = ""


@dataclass(frozen=True, slots=True)
class CardUncounted:
    """A card passed through the reader for a count and was not read."""

    sighting: SightingId
    dealer: str = ""


@dataclass(frozen=True, slots=True)
class CountSigned:
    """A person signed the count; with the first signature no more cards are taken."""

    person: str
    name: str


@dataclass(frozen=True, slots=True)
class CountEnded:
    """What the signed count came to; ``missing`` and ``extra`` name each copy."""

    pack: str
    result: CountResult
    counted: int
    unread: int
    missing: tuple[Card, ...]
    extra: tuple[Card, ...]
    at_wall_ns: int


@dataclass(frozen=True, slots=True)
class CountAbandoned:
    """The count is given up; nothing follows from it."""

    pack: str


ShoeEvent = (
    PackRegistered
    | PackLoaded
    | PackQuarantined
    | PackRetired
    | RecountOrdered
    | CountBegan
    | CardCounted
    | CardUncounted
    | CountSigned
    | CountEnded
    | CountAbandoned
)
"""What happens to the packs of a table between rounds."""
