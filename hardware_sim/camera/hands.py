"""The simulated dealer's hands on the felt: each card from the shoe is laid where the console says, or wrong.

They read the dealer's view as its person does: the instruction's words, the seats' hands, the phase. They know no
rule and no reader.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from hardware_sim.camera.camera import SimulatedCamera
from hardware_sim.camera.faults import CameraFault
from hardware_sim.camera.felt import DEALER, SEATS, Place
from studio.domain.cards import DECK, Card

_TO_SEAT: Final = "card-to-seat"
_HOLE_CODE: Final = "hole-card"
_DEALER_CODES: Final = frozenset({"card-to-dealer", "turn-hole-and-draw", _HOLE_CODE})
_TURNING: Final = frozenset({"turn-hole-and-draw", "commit"})
_CLEARED: Final = frozenset({"idle", "betting", "closed"})
_PLAYED: Final = frozenset({"decisions", "dealer", "insurance"})
_HAND_WORD: Final = "hand "
_HOLE: Final = Place(DEALER, 1, 2)
_OTHER: Final = 17


class _Destination(NamedTuple):
    seat: int
    hand: int
    is_up: bool = True


class FeltHands:
    """Lays, turns, moves and collects cards before ``camera``; ``now_ns`` is the table's clock."""

    def __init__(self, camera: SimulatedCamera, now_ns: Callable[[], int]) -> None:
        self.camera = camera
        self._felt = camera.felt
        self._now_ns = now_ns
        self._waiting: tuple[Card, _Destination] | None = None
        """A card in the hand that the reader has not read yet, and where it belongs."""

    def pulled(self, card: Card, view: Mapping[str, Any], *, is_read: bool) -> None:
        """Lay a card that was pulled by this view; one that was not read stays in the hand."""
        self._felt.at_mouth = None
        destination = _destination(view["instruction"])
        if destination is None:
            return
        if not is_read:
            self._waiting = (card, destination)
            return
        self._lay(card, destination)

    def rescanned(self) -> None:
        """Lay the card that waited: it is read now."""
        if self._waiting is not None:
            self._lay(*self._waiting)
            self._waiting = None

    def gave_up(self) -> None:
        """Put the card that waited into the discard rack."""
        self._waiting = None

    def looked(self, view: Mapping[str, Any]) -> None:
        """Do what a view asks of cards that lie: turn, move, collect."""
        table = view["table"]
        if table["phase"] in _CLEARED:
            if self._felt.cards:
                self._felt.collect(self._now_ns())
            self._felt.at_mouth = None
            return
        if view["instruction"]["code"] in _TURNING and not table["stopped"]:
            self._turn_hole()
        self._move_splits(table)
        self._blunder(table)

    def _lay(self, card: Card, to: _Destination) -> None:
        take, now_ns = self.camera.take, self._now_ns()
        if to.seat == DEALER and self._felt.count(DEALER, 1) > 1:
            self._turn_hole()
        if take(CameraFault.NOT_LAID):
            self._felt.pass_over(to.seat, to.hand, now_ns)
            return
        if to.seat != DEALER and take(CameraFault.WRONG_SEAT):
            to = to._replace(seat=self._free_seat(to.seat), hand=1)
        if to.is_up and take(CameraFault.OTHER_CARD):
            card = _another(card)
        if not to.is_up and take(CameraFault.HOLE_SHOWN):
            to = to._replace(is_up=True)
        self._felt.lay(card, to.seat, to.hand, now_ns, is_up=to.is_up)
        if to.is_up and take(CameraFault.SECOND_CARD):
            self._felt.lay(_another(card), to.seat, to.hand, now_ns)

    def _free_seat(self, seat: int) -> int:
        """Return the nearest seat with no cards, or the next where all have some."""
        others = sorted((one for one in range(1, SEATS + 1) if one != seat), key=lambda one: abs(one - seat))
        return next((one for one in others if not self._felt.count(one, 1)), others[0])

    def _turn_hole(self) -> None:
        if any(one.place == _HOLE and not one.is_up for one in self._felt.cards):
            self._felt.turn(_HOLE, self._now_ns())

    def _move_splits(self, table: Mapping[str, Any]) -> None:
        for seat in table["seats"]:
            number = seat["seat"]
            is_split = len(seat["hands"]) > 1 and not self._felt.count(number, 2)
            if is_split and self._felt.count(number, 1) > 1:
                self._felt.move(Place(number, 1, 2), number, 2, self._now_ns())

    def _blunder(self, table: Mapping[str, Any]) -> None:
        """Make the mistakes that need no card in the hand."""
        if table["stopped"]:
            return
        if self.camera.is_on(CameraFault.BOXED) and self._felt.at_mouth is None:
            self.camera.take(CameraFault.BOXED)
            self._felt.at_mouth = DECK[_OTHER]
        dealt = [one.place.seat for one in self._felt.cards if one.place.seat != DEALER]
        if table["phase"] in _PLAYED and dealt and self.camera.take(CameraFault.EARLY_COLLECT):
            self._felt.collect(self._now_ns(), dealt[0])


def _destination(instruction: Mapping[str, Any]) -> _Destination | None:
    code = instruction["code"]
    if code in _DEALER_CODES:
        return _Destination(DEALER, 1, is_up=code != _HOLE_CODE)
    if code != _TO_SEAT or instruction["seat"] is None:
        return None
    _, is_named, number = instruction["words"].rpartition(_HAND_WORD)
    return _Destination(instruction["seat"], int(number) if is_named and number.isdigit() else 1)


def _another(card: Card) -> Card:
    return DECK[(card.index + _OTHER) % len(DECK)]
