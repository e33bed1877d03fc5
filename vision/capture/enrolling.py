"""The guided pass over the deck: a picture of each card, of the back and of the empty felt in the dealer's slot.

It says which is due, takes what lies there when it is asked to, and gives all of it to the recogniser at the end;
what that does not read right is due again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2

from studio.domain.cards import DECK, Card
from vision.image import Image, Points
from vision.table.calibration import Calibration, SlotView
from vision.table.newest import THRESHOLDS, card_outline, change, difference, filled
from vision.table.reading import Cut

BACK: Final = "back"
EMPTY: Final = "empty"
_NOTHING: Final = 0.05
_DEALER: Final = 0
_SAME: Final = 3.0
"""Grey levels of 256 by which pictures of one card that was not exchanged differ at most."""


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
    _last: Image | None = None

    @property
    def taken(self) -> int:
        """How many pictures were taken, of 54."""
        return len(self.cards) + len(self.rejects)

    @property
    def due(self) -> str:
        """What is to be laid there next: a card's code, ``back``, ``empty``, or nothing more."""
        card = self._card
        if card is not None:
            return card.code
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
        cut = self.cut(picture, outline)
        if (
            self._last is not None
            and cut.shape == self._last.shape
            and cv2.absdiff(cut, self._last).mean() < _SAME
        ):
            message = f"the card of the last picture still lies there: lay {due}, then take it"
            raise EnrolError(message)
        self._outline, self._last = outline, cut
        card = self._card
        if card is None:
            self.rejects.append(cut)
        else:
            self.cards[card] = [cut]

    def again(self, faulty: Sequence[Card | None]) -> None:
        """Make the pictures of these cards due again; ``None`` stands for back and felt."""
        for card in faulty:
            if card is None:
                self.rejects.clear()
            else:
                self.cards.pop(card, None)

    @property
    def _card(self) -> Card | None:
        """The first card whose picture is missing."""
        return next((card for card in DECK if card not in self.cards), None)

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
