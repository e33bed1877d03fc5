"""The guided pass over the deck: a picture of each card, of the back and of the empty felt in the dealer's slot.

It says which is due, takes what lies there when it is asked to, and gives all of it to the recogniser at the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from studio.domain.cards import DECK, Card
from vision.image import Image, Points
from vision.table.calibration import Calibration, SlotView
from vision.table.newest import THRESHOLDS, card_outline, change, difference, filled
from vision.table.reading import Cut

BACK: Final = "back"
EMPTY: Final = "empty"
_NOTHING: Final = 0.05
_DEALER: Final = 0


class EnrolError(ValueError):
    """What lies there cannot be taken; the text says what to do."""


@dataclass(slots=True)
class Enrolling:
    """One pass; ``cards`` and ``rejects`` are upright pictures as the recogniser wants them."""

    calibration: Calibration
    cut: Cut
    cards: dict[Card, list[Image]] = field(default_factory=dict)
    rejects: list[Image] = field(default_factory=list)
    _outline: Points | None = None

    @property
    def taken(self) -> int:
        """How many pictures were taken, of 54."""
        return len(self.cards) + len(self.rejects)

    @property
    def due(self) -> str:
        """What is to be laid there next: a card's code, ``back``, ``empty``, or nothing more."""
        if len(self.cards) < len(DECK):
            return DECK[len(self.cards)].code
        return (BACK, EMPTY, "")[len(self.rejects)]

    def take(self, picture: Image) -> None:
        """Take what is due from a picture; raise :class:`EnrolError` where something else lies there."""
        due = self.due
        if not due:
            message = "every picture is taken: finish the enrolment"
            raise EnrolError(message)
        outline = self._find(picture)
        if due == EMPTY:
            if outline is not None or self._outline is None:
                message = "take every card away: this picture is of the empty felt"
                raise EnrolError(message)
            self.rejects.append(self.cut(picture, self._outline))
            return
        if outline is None:
            message = "lay one card alone into the dealer's place, and take the hand away"
            raise EnrolError(message)
        self._outline = outline
        if due == BACK:
            self.rejects.append(self.cut(picture, outline))
        else:
            self.cards[DECK[len(self.cards)]] = [self.cut(picture, outline)]

    def _find(self, picture: Image) -> Points | None:
        """Return the corners, in the picture, of the one card in the dealer's slot; ``None`` where it is empty."""
        view = self._view()
        now, empty = view.cut(picture), view.cut(self.calibration.empty)
        found = change(difference(now, empty), THRESHOLDS[0], self.calibration.card_px)
        if found.cards < _NOTHING:
            return None
        corners = card_outline(found.mask, filled([], now.shape), self.calibration.card_px)
        if corners is None:
            message = "lay one card alone into the dealer's place, and take the hand away"
            raise EnrolError(message)
        return view.to_picture(corners)

    def _view(self) -> SlotView:
        views = self.calibration.views
        return next((one for one in views if one.area.seat == _DEALER), views[0])
