"""The camera: it sees what lies on the felt, and tells what changed there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.campaign.core import CAMERA
from studio.domain.record_commands import RecordSighting
from studio.domain.rules import Layout
from studio.domain.sightings import CardRead, Reading, Sighting, SightingId, SlotCleared, SlotOccupied
from studio.domain.slots import Face, Slot
from studio.domain.witness import Place

if TYPE_CHECKING:
    from studio.campaign.game import Game

_HOLE = Place(None, 2)


class Eye:
    """A camera over one felt; blind while it is ``dead``."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._told: dict[Place, Reading] = {}
        self._ordinal = 0
        self.dead = False
        self.peeked = False
        """Whether the hole card's face was turned up too soon."""

    def forget(self) -> None:
        """A new round: nothing lies there."""
        self._told = {}
        self.peeked = False

    def look(self) -> None:
        """Tell every place that changed."""
        if self._game.core.table.setup.camera is None or self.dead:
            return
        now = self._now()
        for place in [one for one in self._told if one not in now]:
            self.tell(place, SlotCleared())
            del self._told[place]
        for place, reading in now.items():
            if self._told.get(place) != reading:
                self._told[place] = reading
                self.tell(place, reading)

    def _now(self) -> dict[Place, Reading]:
        game, current = self._game, self._game.core.table.round
        found: dict[Place, Reading] = {}
        if current is None or not current.hands:
            return found
        shared = game.rules.layout is Layout.SHARED_HAND
        for hand, cards in game.felt.hands.items():
            for number, paper in enumerate(cards, start=1):
                if not paper.seen or (shared and hand is not None and hand.number > 1 and number == 1):
                    continue
                place = Place(hand, number)
                if place == _HOLE and not current.hole_revealed and not self.peeked:
                    found[place] = SlotOccupied()
                else:
                    found[place] = CardRead(paper.card)
                    game.witnessed.add(paper)
        return found

    def tell(self, place: Place, reading: Reading) -> None:
        """Give a sighting of a place to the core."""
        current = self._game.core.table.round
        hidden = place == _HOLE and current is not None and not current.hole_revealed
        slot = Slot(place.hand, place.position, Face.DOWN if hidden else Face.UP)
        self.give(slot, reading)

    def give(self, slot: Slot | None, reading: Reading) -> None:
        """Give any sighting to the core."""
        self._ordinal += 1
        seen = SightingId(CAMERA.id, 1, self._ordinal)
        frame = f"frame-{self._ordinal}"
        at_ns = self._game.core.now.monotonic_ns
        self._game.core.send(RecordSighting(Sighting(seen, reading, at_ns, slot=slot, frame=frame)), CAMERA)
