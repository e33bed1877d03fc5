"""How long each part of the recogniser takes on one core: net, reading, outline in a slot, rectifying."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from vision.image import Image
from vision.recognise.geometry import CARD_HEIGHT, CARD_WIDTH
from vision.recognise.model import Model
from vision.recognise.outline import ASPECT, CardSize, locate, whole
from vision.recognise.reader import Reader
from vision.recognise.rectify import rectify

_TIMES: Final = 40
_SLOT_CARD: Final = 100  # width of the card in the slot that is timed, pixels
_FELT: Final = (60, 90, 30)


def part_times(model: Model) -> dict[str, float]:
    """Return the milliseconds of processor time of each part, the middle one of forty runs."""
    card = np.full((CARD_HEIGHT, CARD_WIDTH, 3), 235, np.uint8)
    cv2.putText(card, "8", (8, 40), cv2.FONT_HERSHEY_DUPLEX, 1.2, (20, 20, 20), 2)
    slot = _slot(card)
    size = CardSize(_SLOT_CARD, _SLOT_CARD * ASPECT)
    reader = Reader(model)
    return {
        "net": _milliseconds(lambda: model.views(card)),
        "read a card": _milliseconds(lambda: reader.read(card)),
        "rectify": _milliseconds(lambda: rectify(slot, whole(slot))),
        "outline in a slot": _milliseconds(lambda: locate(slot, size)),
    }


def _slot(card: Image) -> Image:
    """Return a slot of twice the card's width with the card on felt, a little turned."""
    side = int(_SLOT_CARD * 2)
    scale = _SLOT_CARD / CARD_WIDTH
    turn = cv2.getRotationMatrix2D((CARD_WIDTH / 2, CARD_HEIGHT / 2), 4.0, scale)
    turn[0, 2] += side / 2 - CARD_WIDTH / 2
    turn[1, 2] += side / 2 - CARD_HEIGHT / 2
    placed = cv2.warpAffine(card, turn, (side, side), flags=cv2.INTER_AREA, borderValue=_FELT)
    return np.asarray(placed, np.uint8)


def _milliseconds(run: Callable[[], object]) -> float:
    taken = []
    for _ in range(_TIMES):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    return float(np.median(taken)) * 1e3
