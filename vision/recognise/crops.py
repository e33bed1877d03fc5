"""The cards that were not read, or read wrong, on one sheet for the eye."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.image import Image
from vision.recognise.evaluate import Prediction
from vision.recognise.rectify import CARD_HEIGHT, CARD_WIDTH

_COLUMNS: Final = 8
_MARGIN: Final = 10
_LINE: Final = 18
_LINES: Final = 4
_TILE: Final = (CARD_HEIGHT + _LINES * _LINE + _MARGIN, CARD_WIDTH + _MARGIN)
_FONT_SCALE: Final = 0.42
_PAPER: Final = 245
_INK: Final = (30, 30, 30)


def write_crops(predictions: Sequence[Prediction], path: Path) -> int:
    """Write the failures among ``predictions`` into a picture, the wrong ones first; return how many there are.

    A card without an outline has no picture and is left out. Raises ``OSError`` where ``path`` cannot be written
    or its ending names no kind of picture.
    """
    failed = [(one, one.crop) for one in predictions if one.crop is not None]
    failures = sorted(failed, key=lambda pair: not pair[0].is_wrong)
    rows = max(1, -(-len(failures) // _COLUMNS))
    sheet = np.full((rows * _TILE[0] + _MARGIN, _COLUMNS * _TILE[1] + _MARGIN, 3), _PAPER, np.uint8)
    for number, (one, crop) in enumerate(failures):
        row, column = divmod(number, _COLUMNS)
        _draw(sheet[_MARGIN + row * _TILE[0] :, _MARGIN + column * _TILE[1] :], one, crop)
    try:
        _, data = cv2.imencode(path.suffix or ".png", sheet)
    except cv2.error:
        message = f"{path}: end its name with .png or .jpg"
        raise OSError(message) from None
    path.write_bytes(data.tobytes())
    return len(failures)


def _draw(space: Image, one: Prediction, crop: Image) -> None:
    height, width = crop.shape[:2]
    space[:height, :width] = crop
    truth = one.truth.code if one.truth else "no card"
    told = one.reading.code.code if one.reading.code else one.reading.reason
    lines = (f"{truth}: {told}", f"{one.reading.confidence:.4f} {one.condition}", Path(one.file).name, one.group)
    for number, line in enumerate(lines, 1):
        at = (0, CARD_HEIGHT + number * _LINE - 3)
        cv2.putText(space, line[:28], at, cv2.FONT_HERSHEY_SIMPLEX, _FONT_SCALE, _INK, 1, cv2.LINE_AA)
