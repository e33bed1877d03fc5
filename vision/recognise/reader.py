"""Which card an upright picture shows, or why that is not said.

A wrong reading is much worse than none (vision.md), so a card is named only when its two index corners say the same,
the face does not object, the ink has the suit's colour, the chance is high, and, where the deck is enrolled, the
picture is like that deck's own picture of the card. One corner may be covered if the other and the face are sure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from studio.domain.cards import DECK, Card, Suit
from vision.image import Image
from vision.recognise.chances import Floats, best, of_cards, of_nothing
from vision.recognise.geometry import CARD_HEIGHT, CARD_WIDTH, corners
from vision.recognise.model import Model, Views

if TYPE_CHECKING:
    from vision.recognise.enrolment import Enrolment

LEAST_CONFIDENCE: Final = 0.9
"""Below this chance an enrolled deck's card is not named."""
LEAST_UNENROLLED: Final = 0.995
"""Below this chance a card of a deck that nobody enrolled is not named."""

_SURE: Final = 0.97  # of a corner that stands alone, because the other is covered
_CORNER: Final = 0.5  # least chance of each corner when both are seen
_OBJECTS: Final = 0.8  # from this chance of another card on the face it objects
_FLOOR: Final = -7.0  # one view cannot rule a card out altogether
_RED_INK: Final = 1.25  # red by the mean of green and blue in the darkest part of a corner, from here on
_BLACK_INK: Final = 1.6


@dataclass(frozen=True, slots=True)
class CardReading:
    """What was made of one picture of a card.

    ``code`` is the card, ``None`` where it is not said; ``confidence`` is 0 to 1; ``reason`` says why there is no
    code: ``not-a-card``, ``occluded``, ``corners-differ``, ``pips``, ``suit-colour``, ``low-confidence``,
    ``prototype``, ``unenrolled``, ``wrong-size``. It is empty for a code.
    """

    code: Card | None
    confidence: float
    reason: str


class Reader:
    """Reads upright cards with a model, and with an enrolment where the deck in use has one."""

    def __init__(self, model: Model, enrolment: Enrolment | None = None) -> None:
        self._model = model
        self._enrolment = enrolment

    def read(self, card: Image) -> CardReading:
        """Return what an upright card, ``CARD_HEIGHT`` x ``CARD_WIDTH``, is; never raises for a bad picture."""
        if card.shape != (CARD_HEIGHT, CARD_WIDTH, 3) or card.dtype != np.uint8:
            return CardReading(None, 0.0, "wrong-size")
        views = self._model.views(card)
        if self._enrolment is not None:
            views = self._enrolment.rescored(views)
        reading = judged(views)
        if reading.code is None:
            return reading
        if not _has_ink_of(card, reading.code.suit):
            return CardReading(None, reading.confidence, "suit-colour")
        return self._with_enrolment(reading, views)

    def _with_enrolment(self, reading: CardReading, views: Views) -> CardReading:
        code, confidence = reading.code, reading.confidence
        if code is None:
            return reading
        if self._enrolment is None:
            if confidence < LEAST_UNENROLLED:
                return CardReading(None, confidence, "unenrolled")
            return reading
        if not self._enrolment.is_like(code, views):
            return CardReading(None, confidence, "prototype")
        if confidence < LEAST_CONFIDENCE:
            return CardReading(None, confidence, "low-confidence")
        return reading


def judged(views: Views) -> CardReading:
    """Return the card on which corners and face agree, whatever its confidence; without the checks of ink and deck."""
    corner = of_cards(views.corner_scores)
    nothing = np.exp(of_nothing(views.corner_scores))
    face = of_cards(views.face_scores)
    (first, first_chance), (second, second_chance) = best(corner[0]), best(corner[1])
    together, confidence = _together(views, corner, face)
    seen = nothing < 0.5  # noqa: PLR2004 - rather something than nothing
    if not seen.any():
        return CardReading(None, confidence, "not-a-card")
    if not seen.all():
        alone, chance = (first, first_chance) if seen[0] else (second, second_chance)
        face_card, _ = best(face)
        if chance < _SURE or face_card is not alone:
            return CardReading(None, confidence, "occluded")
        return CardReading(alone, min(confidence, chance), "")
    if first is not second:
        return CardReading(None, confidence, "corners-differ")
    if min(first_chance, second_chance) < _CORNER or together is not first:
        return CardReading(None, confidence, "low-confidence")
    if _objects(face, views.face_scores, first):
        return CardReading(None, confidence, "pips")
    return CardReading(first, confidence, "")


def _together(views: Views, corner: Floats, face: Floats) -> tuple[Card, float]:
    """Return the card that all views together say, and its chance against every other card and against none."""
    cards = np.maximum(corner, _FLOOR).sum(0) + np.maximum(face, _FLOOR)
    none = np.maximum(of_nothing(views.corner_scores), _FLOOR).sum() + max(float(of_nothing(views.face_scores)), _FLOOR)
    every = np.logaddexp(np.logaddexp.reduce(cards), none)
    return best(np.asarray(cards - every, np.float32))


def _objects(face: Floats, scores: Floats, card: Card) -> bool:
    """Say whether the face is sure of another rank or another suit."""
    chances = np.exp(face)
    rank = sum(float(chances[other.index]) for other in DECK if other.rank is not card.rank)
    suit = sum(float(chances[other.index]) for other in DECK if other.suit is not card.suit)
    return max(rank, suit) > _OBJECTS and float(np.exp(of_nothing(scores))) < 0.5  # noqa: PLR2004 - sees something


def _has_ink_of(card: Image, suit: Suit) -> bool:
    """Say whether the darkest ink of the index corners could have the suit's colour, measured against the paper."""
    is_red = suit in {Suit.HEARTS, Suit.DIAMONDS}
    for corner in corners(card):
        redness = _redness(corner)
        if redness is None:
            continue
        if is_red and redness < _RED_INK:
            return False
        if not is_red and redness > _BLACK_INK:
            return False
    return True


def _redness(corner: Image) -> float | None:
    """Return how much more red than green and blue the ink of a corner gives back; ``None`` without any ink.

    Ink is the darkest twentieth of the left part, where the index is; paper, the lightest fifth, sets what is white.
    """
    part = corner[::2, : corner.shape[1] * 2 // 3 : 2].reshape(-1, 3).astype(np.float32)
    paper = np.percentile(part, 80, axis=0) + 1.0
    relative = part / paper
    darkness = relative.min(1)
    ink = relative[darkness <= np.percentile(darkness, 5)].mean(0)
    if ink.min() > 0.75:  # noqa: PLR2004 - hardly darker than the paper
        return None
    blue, green, red = (float(value) for value in ink)
    return (red + 0.1) / ((blue + green) / 2 + 0.1)
