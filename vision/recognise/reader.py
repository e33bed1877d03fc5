"""Which card an upright picture shows, or why that is not said.

A wrong reading is much worse than none (vision.md), so a card is named only when its two index corners say the
same, the face does not object, the ink has the suit's colour, the chance is high, and, where the deck is
enrolled, the picture is like that deck's own picture of the card. One corner may be covered if the other and the
face are sure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
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
_HALF: Final = 0.5  # rather something than nothing
_FLOOR: Final = -7.0  # one view cannot rule a card out altogether
_INDEX: Final = (slice(5, 80, 2), slice(5, 32, 2))  # of a corner, without the card's edge
_PALE: Final = 0.75  # hardly darker than the paper
_RED_INK: Final = 1.08  # red by the mean of green and blue in the darkest part of a corner, from here on
_BLACK_INK: Final = 1.75


@dataclass(frozen=True, slots=True)
class CardReading:
    """What was made of one picture of a card.

    ``code`` is the card, ``None`` where it is not said; ``confidence`` is 0 to 1; ``reason`` says why there is no
    code: ``not-a-card``, ``occluded``, ``corners-differ``, ``pips``, ``suit-colour``, ``low-confidence``,
    ``prototype``, ``unenrolled``, ``wrong-size``. It is empty for a code. ``guess`` is the likeliest card even
    where nothing is said: for measuring only, never to be acted on.
    """

    code: Card | None
    confidence: float
    reason: str
    guess: Card | None = None


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
            return replace(reading, code=None, reason="suit-colour")
        return self._with_enrolment(reading, views)

    def _with_enrolment(self, reading: CardReading, views: Views) -> CardReading:
        code, confidence = reading.code, reading.confidence
        if code is None:
            return reading
        if self._enrolment is None:
            if confidence < LEAST_UNENROLLED:
                return replace(reading, code=None, reason="unenrolled")
            return reading
        if not self._enrolment.is_like(code, views):
            return replace(reading, code=None, reason="prototype")
        if confidence < LEAST_CONFIDENCE:
            return replace(reading, code=None, reason="low-confidence")
        return reading


def judged(views: Views) -> CardReading:
    """Return the card on which corners and face agree, whatever its confidence and its deck."""
    together, confidence = _together(views)
    reason = _why_not(views, together)
    return CardReading(None if reason else together, confidence, reason, together)


def _why_not(views: Views, card: Card) -> str:
    """Return why the card, on the whole the likeliest, is not to be named; empty where corners and face agree."""
    corner, face = of_cards(views.corner_scores), of_cards(views.face_scores)
    is_seen = np.exp(of_nothing(views.corner_scores)) < _HALF
    if not is_seen.any():
        return "not-a-card"
    read = [best(chances) for chances in corner[is_seen]]
    if any(other is not card for other, _ in read):
        return "corners-differ" if len(read) > 1 else "occluded"
    chances = [chance for _, chance in read]
    if len(read) == 1:
        is_sure = chances[0] >= _SURE and best(face)[0] is card
        return "" if is_sure else "occluded"
    if min(chances) < _CORNER:
        return "low-confidence"
    return "pips" if _objects(face, views.face_scores, card) else ""


def _together(views: Views) -> tuple[Card, float]:
    """Return the card that all views together say, and its chance against every other card and against none."""
    every = np.concatenate([views.corner_scores, views.face_scores[None]])
    cards = np.maximum(of_cards(every), _FLOOR).sum(0)
    none = float(np.maximum(of_nothing(every), _FLOOR).sum())
    return best(np.asarray(cards - np.logaddexp(np.logaddexp.reduce(cards), none), np.float32))


def _objects(face: Floats, scores: Floats, card: Card) -> bool:
    """Say whether the face is sure of another rank or another suit."""
    chances = np.exp(face)
    rank = sum(float(chances[other.index]) for other in DECK if other.rank is not card.rank)
    suit = sum(float(chances[other.index]) for other in DECK if other.suit is not card.suit)
    return max(rank, suit) > _OBJECTS and float(np.exp(of_nothing(scores))) < _HALF


def _has_ink_of(card: Image, suit: Suit) -> bool:
    """Say whether the darkest ink of the index corners could have the suit's colour."""
    seen = [redness for redness in map(_redness, corners(card)) if redness is not None]
    if suit in {Suit.HEARTS, Suit.DIAMONDS}:
        return not seen or max(seen) >= _RED_INK
    return all(redness <= _BLACK_INK for redness in seen)


def _redness(corner: Image) -> float | None:
    """Return how much more red than green and blue the ink of a corner gives back; ``None`` without any ink.

    Ink is the darkest twentieth of the strip where the index is; paper, the lightest fifth, sets what is white.
    """
    part = corner[_INDEX].reshape(-1, 3).astype(np.float32)
    relative = part / (np.percentile(part, 80, axis=0) + 1.0)
    darkness = relative.min(1)
    ink = relative[darkness <= np.percentile(darkness, 5)].mean(0)
    if ink.min() > _PALE:
        return None
    blue, green, red = (float(value) for value in ink)
    return (red + 0.1) / ((blue + green) / 2 + 0.1)
