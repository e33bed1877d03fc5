"""Another deck than the simulated one: the same indices a fifth larger, and nothing between them.

The enrolled recogniser still reads some of its cards, which is what makes such a deck dangerous.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from hardware_sim.camera.art import PX_PER_MM, face
from studio.domain.cards import Card
from vision.image import Image

_EDGE = 2 * PX_PER_MM
_INDEX = np.s_[_EDGE : 28 * PX_PER_MM, _EDGE : 13 * PX_PER_MM]
_LARGER = 1.2


def lay_other_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the simulated cameras of this process see the other deck from now on."""
    monkeypatch.setattr("hardware_sim.camera.scene.face", other_face)


@cache
def other_face(card: Card) -> Image:
    """Return the upright face of a card of the other deck."""
    drawn = face(card)
    index = cv2.resize(drawn[_INDEX], None, fx=_LARGER, fy=_LARGER, interpolation=cv2.INTER_AREA)
    image = np.full_like(drawn, drawn[-1, drawn.shape[1] // 2])
    height, width = index.shape[:2]
    image[_EDGE : _EDGE + height, _EDGE : _EDGE + width] = index
    image[-_EDGE - height : -_EDGE, -_EDGE - width : -_EDGE] = index[::-1, ::-1]
    return image
