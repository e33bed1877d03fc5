"""What physically lies on the simulated felt: cards where the dealer's hands put them, right or wrong.

Lengths are millimetres on the table, x to the right and y downwards as the camera sees it, the dealer at the top.
It knows no rule and no reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from hardware_sim.seeds import seeded
from studio.domain.cards import Card

TABLE_WIDTH_MM: Final = 1280
TABLE_HEIGHT_MM: Final = 720
SEATS: Final = 7
HANDS: Final = 2
DEALER: Final = 0
"""The dealer's seat number."""

REACH_NS: Final = 600_000_000
"""How long a hand is over the felt for one act; the card is on the felt after half of it."""

_SEAT_PITCH_MM: Final = 175
_SLOT_WIDTH_MM: Final = 171
_SLOT_HEIGHT_MM: Final = 220
_LEFT_MM: Final = 29
_ROWS_MM: Final = {1: 486, 2: 254}
_SEAT_STEP_MM: Final = (12, 15)
_DEALER_MM: Final = (320, 28, 640, 196)
_DEALER_STEP_MM: Final = 65
_MOUTH_MM: Final = (1070, 40, 120, 150)
_FIRST_MM: Final = (44, 58)
_JITTER_MM: Final = 1.6
_JITTER_DEGREES: Final = 2.5


class Area(NamedTuple):
    """A rectangle on the table."""

    left: int
    top: int
    width: int
    height: int

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle."""
        return self.left + self.width / 2, self.top + self.height / 2

    @property
    def polygon(self) -> list[list[float]]:
        """Its corners, clockwise."""
        right, bottom = self.left + self.width, self.top + self.height
        return [[self.left, self.top], [right, self.top], [right, bottom], [self.left, bottom]]


class Place(NamedTuple):
    """Where a card is meant to lie; ``seat`` 0 is the dealer, ``position`` counts from 1."""

    seat: int
    hand: int
    position: int


@dataclass(frozen=True, slots=True)
class Lying:
    """A card on the felt from ``at_ns`` on: its centre, and by how many degrees it is turned clockwise."""

    card: Card
    place: Place
    is_up: bool
    x: float
    y: float
    degrees: float
    at_ns: int


@dataclass(frozen=True, slots=True)
class Reach:
    """A hand that reaches to a point and goes back, from ``at_ns`` for :data:`REACH_NS`."""

    x: float
    y: float
    at_ns: int


def area(seat: int, hand: int) -> Area:
    """Return the area where a hand's cards lie; of the dealer ``hand`` is ignored."""
    if seat == DEALER:
        return Area(*_DEALER_MM)
    return Area(_LEFT_MM + (SEATS - seat) * _SEAT_PITCH_MM, _ROWS_MM[hand], _SLOT_WIDTH_MM, _SLOT_HEIGHT_MM)


def mouth() -> Area:
    """Return the area of the shoe's mouth."""
    return Area(*_MOUTH_MM)


def spot(place: Place) -> tuple[float, float]:
    """Return where the centre of a card belongs."""
    corner = area(place.seat, place.hand)
    steps = place.position - 1
    right, down = (_DEALER_STEP_MM, 0) if place.seat == DEALER else _SEAT_STEP_MM
    return corner.left + _FIRST_MM[0] + steps * right, corner.top + _FIRST_MM[1] + steps * down


class Felt:
    """The cards on one table; the same seed lays them with the same small inaccuracy."""

    def __init__(self, seed: int, jitter: float = 1.0) -> None:
        self._chance = seeded(seed, "felt")
        self._jitter = jitter
        self.cards: tuple[Lying, ...] = ()
        """Bottom first."""
        self.at_mouth: Card | None = None
        """A card that lies face up at the shoe's mouth."""
        self.reaches: tuple[Reach, ...] = ()

    def count(self, seat: int, hand: int) -> int:
        """Return how many cards lie in a hand."""
        return sum((one.place.seat, one.place.hand) == (seat, hand) for one in self.cards)

    def lay(self, card: Card, seat: int, hand: int, at_ns: int, *, is_up: bool = True) -> Place:
        """Lay a card as the next of a hand; return where."""
        place = Place(seat, hand, self.count(seat, hand) + 1)
        self._put(card, place, at_ns, is_up=is_up)
        return place

    def turn(self, place: Place, at_ns: int) -> None:
        """Turn the card of a place over, if one lies there."""
        for one in self.cards:
            if one.place == place:
                self._take({place})
                self._put(one.card, place, at_ns, is_up=not one.is_up)

    def move(self, place: Place, seat: int, hand: int, at_ns: int) -> None:
        """Move the card of a place to another hand, as its next."""
        for one in self.cards:
            if one.place == place:
                self._take({place})
                self.lay(one.card, seat, hand, at_ns, is_up=one.is_up)

    def collect(self, at_ns: int, seat: int | None = None) -> None:
        """Take all cards away, or those of one seat."""
        gone = {one.place for one in self.cards if seat is None or one.place.seat == seat}
        for one in {(place.seat, place.hand) for place in gone}:
            self._reach(area(*one).centre, at_ns)
        self._take(gone)

    def pass_over(self, seat: int, hand: int, at_ns: int) -> None:
        """Reach over a hand's area and touch nothing."""
        self._reach(area(seat, hand).centre, at_ns)

    def forget_reaches(self, now_ns: int) -> None:
        """Drop the hands that are back already."""
        self.reaches = tuple(one for one in self.reaches if now_ns < one.at_ns + REACH_NS)

    def _put(self, card: Card, place: Place, at_ns: int, *, is_up: bool) -> None:
        x, y = spot(place)
        wide, turned = self._jitter * _JITTER_MM, self._jitter * _JITTER_DEGREES
        lying = Lying(
            card,
            place,
            is_up,
            x + self._chance.uniform(-wide, wide),
            y + self._chance.uniform(-wide, wide),
            self._chance.uniform(-turned, turned),
            at_ns + REACH_NS // 2,
        )
        self.cards = (*self.cards, lying)
        self._reach((lying.x, lying.y), at_ns)

    def _take(self, gone: set[Place]) -> None:
        self.cards = tuple(one for one in self.cards if one.place not in gone)

    def _reach(self, to: tuple[float, float], at_ns: int) -> None:
        self.reaches = (*self.reaches, Reach(*to, at_ns))
