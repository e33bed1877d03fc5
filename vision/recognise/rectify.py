"""An upright picture of a card from its outline."""

from __future__ import annotations

import cv2
import numpy as np

from vision.image import Image
from vision.recognise.geometry import CARD_HEIGHT, CARD_WIDTH
from vision.recognise.outline import Outline

__all__ = ["CARD_HEIGHT", "CARD_WIDTH", "rectify"]

_TARGET = np.array([[0, 0], [CARD_WIDTH, 0], [CARD_WIDTH, CARD_HEIGHT], [0, CARD_HEIGHT]], np.float32)


def rectify(image: Image, outline: Outline) -> Image:
    """Return the card upright, ``CARD_HEIGHT`` x ``CARD_WIDTH``; parts outside the picture repeat its edge.

    A card much larger in the picture than that is reduced in two steps, so that no fine line is lost.
    """
    corners = outline.points
    top, right = np.hypot(*(corners[1] - corners[0])), np.hypot(*(corners[2] - corners[1]))
    more = int(max(min(top / CARD_WIDTH, right / CARD_HEIGHT), 1.0))
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), _TARGET * more)
    size = (CARD_WIDTH * more, CARD_HEIGHT * more)
    card = cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if more > 1:
        card = cv2.resize(card, (CARD_WIDTH, CARD_HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(card, np.uint8)
