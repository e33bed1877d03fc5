"""Which card an upright picture shows, or why that is not said.

A wrong reading is much worse than none (vision.md). A deck that nobody enrolled: a card is named only when its two
index corners say the same, the face does not object, the ink has the suit's colour and the chance is nearly one;
one corner may be covered if the other and the face are sure. An enrolled deck: no view may object, the ink must
fit, the chance of all views together be high, and the picture more like that deck's own picture of the card than
any other's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import DECK, Card, Suit
from vision.image import Image
from vision.recognise.chances import Floats, best, of_cards, of_nothing
from vision.recognise.geometry import CARD_HEIGHT, CARD_WIDTH, corners
from vision.recognise.model import Model, Views

if TYPE_CHECKING:
    from vision.recognise.enrolment import Enrolment

LEAST_CONFIDENCE: Final = 0.8
"""Below this chance an enrolled deck's card is not named."""
LEAST_UNENROLLED: Final = 0.995
"""Below this chance a card of a deck that nobody enrolled is not named."""

_HALF: Final = 0.5  # rather something than nothing
_SURE: Final = 0.97  # of a corner that stands alone, because the other is covered
_CORNER: Final = 0.5  # least chance of each corner when both are seen
_UNLIKELY: Final = 0.05  # a view objects to a card that it thinks as unlikely as this,
_OBJECTING_CORNER: Final = 0.8  # if it thinks another as likely as this
_OBJECTING_FACE: Final = 0.9
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
        if self._enrolment is None:
            reading = strictly_judged(views)
        else:
            views = self._enrolment.rescored(views)
            reading = judged(views, self._enrolment)
        if reading.code is not None and not _has_ink_of(card, reading.code.suit):
            return replace(reading, code=None, reason="suit-colour")
        return reading


def judged(views: Views, enrolment: Enrolment) -> CardReading:
    """Return the reading of an enrolled deck's card from its rescored views, without the check of its ink."""
    card, confidence = _together(views)
    reason = _objection(views, card)
    if not reason and not enrolment.is_like(card, views):
        reason = "prototype"
    if not reason and confidence < LEAST_CONFIDENCE:
        reason = "low-confidence"
    return CardReading(None if reason else card, confidence, reason, card)


def strictly_judged(views: Views) -> CardReading:
    """Return the reading of a card whose deck nobody enrolled, without the check of its ink."""
    card, confidence = _together(views)
    reason = _objection(views, card) or _disagreement(views, card)
    if not reason and confidence < LEAST_UNENROLLED:
        reason = "unenrolled"
    return CardReading(None if reason else card, confidence, reason, card)


def _objection(views: Views, card: Card) -> str:
    """Return why the card cannot be: no corner shows anything, or a view is sure of another; else empty."""
    if not _is_seen(views).any():
        return "not-a-card"
    if any(_objects(chances, card, _OBJECTING_CORNER) for chances in of_cards(views.corner_scores)):
        return "corners-differ"
    return "pips" if _objects(of_cards(views.face_scores), card, _OBJECTING_FACE) else ""


def _disagreement(views: Views, card: Card) -> str:
    """Return why corners and face do not agree on the card; empty where they do, or one corner is only covered."""
    read = [best(chances) for chances in of_cards(views.corner_scores)[_is_seen(views)]]
    if len(read) == 1:
        (alone, chance), (face, _) = read[0], best(of_cards(views.face_scores))
        return "" if alone is card and face is card and chance >= _SURE else "occluded"
    if any(other is not card for other, _ in read):
        return "corners-differ"
    if min(chance for _, chance in read) < _CORNER:
        return "low-confidence"
    return "pips" if _sees_other_rank_or_suit(of_cards(views.face_scores), card) else ""


def _is_seen(views: Views) -> NDArray[np.bool_]:
    """Say of each corner whether it rather shows an index than none."""
    return np.asarray(np.exp(of_nothing(views.corner_scores)) < _HALF)


def _together(views: Views) -> tuple[Card, float]:
    """Return the card that all views together say, and its chance against every other card and against none."""
    every = np.concatenate([views.corner_scores, views.face_scores[None]])
    cards = np.maximum(of_cards(every), _FLOOR).sum(0)
    none = float(np.maximum(of_nothing(every), _FLOOR).sum())
    return best(np.asarray(cards - np.logaddexp(np.logaddexp.reduce(cards), none), np.float32))


def _objects(chances: Floats, card: Card, limit: float) -> bool:
    """Say whether a view thinks the card unlikely and another likely."""
    _, likeliest = best(chances)
    return float(np.exp(chances[card.index])) < _UNLIKELY and likeliest > limit


def _sees_other_rank_or_suit(chances: Floats, card: Card) -> bool:
    """Say whether a view is surer of any other rank, or any other suit, than it may be for an unknown deck."""
    each = np.exp(chances)
    rank = sum(float(each[other.index]) for other in DECK if other.rank is not card.rank)
    suit = sum(float(each[other.index]) for other in DECK if other.suit is not card.suit)
    return max(rank, suit) > _OBJECTING_CORNER


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
