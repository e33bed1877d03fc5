"""Events of cards and their shoe. See :mod:`studio.domain.events`.

``dealer`` is who was signed on when the card came, empty where nobody deals; ``decide`` fills it in.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from studio.domain.cards import Card
from studio.domain.shoe import ShoeStep
from studio.domain.sightings import SightingId
from studio.domain.slots import Face, Slot


class ShoeEnd(StrEnum):
    """Why a shoe was closed."""

    LAST_ROUND = "last-round"
    CHANGED = "changed"
    QUARANTINED = "quarantined"
    WORN = "worn"
    COUNT_DUE = "count-due"


@dataclass(frozen=True, slots=True)
class ShoeStepConfirmed:
    """One step of the preparation was confirmed (S1)."""

    step: ShoeStep


@dataclass(frozen=True, slots=True)
class ShoeLoaded:
    """The shoe is ready to be burned."""

    shoe: str
    load: int
    decks: int
    cut_position: int


@dataclass(frozen=True, slots=True)
class CardBurned:
    """A draw went to the discard rack; ``face`` up for the shown burn card and for exposed ones (S2)."""

    draw: int
    sighting: SightingId
    card: Card
    face: Face
    at_ns: int
    dealer: str = ""


@dataclass(frozen=True, slots=True)
class BurnOrdered:
    """One card more is to be burned, face down: at a relief, after an exposed card, on a dead table (C22)."""

    occasion: str


@dataclass(frozen=True, slots=True)
class CutCardSeen:
    """The cut card came out: ``last_round`` is the last of this shoe (S4)."""

    sighting: SightingId
    last_round: int


@dataclass(frozen=True, slots=True)
class ShoeClosed:
    """The shoe is finished."""

    shoe: str
    end: ShoeEnd


@dataclass(frozen=True, slots=True)
class CardsReturned:
    """Every card is back in the shuffler: the next round starts from the full composition (S8)."""


@dataclass(frozen=True, slots=True)
class DiscardsLoaded:
    """The shuffled discards are in the empty shoe as its next segment; no card on the felt is among them (S7)."""

    load: int


@dataclass(frozen=True, slots=True)
class ShuffleCommitted:
    """The virtual shoe is ready for one round: ``commitment`` is public, ``seed`` sealed until it is opened."""

    shoe: str
    load: int
    decks: int
    commitment: str
    seed: str


@dataclass(frozen=True, slots=True)
class ShuffleOpened:
    """The virtual shoe's seed is public: everybody can check its order against the commitment."""

    shoe: str
    round: int
    commitment: str
    seed: str


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A draw went to a slot."""

    draw: int
    sighting: SightingId
    card: Card
    slot: Slot
    at_ns: int
    dealer: str = ""


@dataclass(frozen=True, slots=True)
class CardUnread:
    """A draw whose card nobody could read; ``code`` is what the device said, if anything."""

    draw: int
    sighting: SightingId
    code: str
    dealer: str = ""


@dataclass(frozen=True, slots=True)
class CardHeld:
    """A draw that has no place yet; its face is not published."""

    draw: int
    sighting: SightingId
    card: Card
    at_ns: int
    dealer: str = ""


@dataclass(frozen=True, slots=True)
class HeldCardReleased:
    """A held draw goes to the next slot that is due."""

    draw: int


@dataclass(frozen=True, slots=True)
class DuplicateMarked:
    """A held draw was the same physical card read twice: no card."""

    draw: int


@dataclass(frozen=True, slots=True)
class CardDiscarded:
    """An unread draw went to the discard rack."""

    draw: int


CardEvent = (
    ShoeStepConfirmed
    | ShoeLoaded
    | CardBurned
    | BurnOrdered
    | CutCardSeen
    | ShoeClosed
    | CardsReturned
    | DiscardsLoaded
    | ShuffleCommitted
    | ShuffleOpened
    | CardDealt
    | CardUnread
    | CardHeld
    | HeldCardReleased
    | DuplicateMarked
    | CardDiscarded
)
"""What happens to cards and their shoe."""
