"""Where things are on an upright card: its size in pixels, its two index corners, the view of the whole.

Everything is stated once here, for the reader and for the drawing of training pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image import Image

CARD_WIDTH: Final = 200
"""Width of a rectified card, pixels."""
CARD_HEIGHT: Final = 280
"""Height of a rectified card, pixels: 1.4 times the width, as a poker card is."""
INDEX_WIDTH: Final = 80
"""Width of an index corner in the rectified card, pixels; the widest index of a jumbo deck fits."""
INDEX_HEIGHT: Final = 120
"""Its height; an index that begins low on the card fits."""
CORNER_WIDTH: Final = 64
"""Width at which an index corner is shown to the net, pixels."""
CORNER_HEIGHT: Final = 96
FACE_WIDTH: Final = 64
"""Width of the small view of the whole card, in which pips are counted."""
FACE_HEIGHT: Final = 88

_PAPER_PERCENTILE: Final = 75
_PAPER: Final = 200.0  # where the paper's brightness is put
_STEP: Final = 3  # every third pixel is enough to find the paper


def corners(card: Image) -> tuple[Image, Image]:
    """Return the two index corners of an upright card, the second turned by half a turn, so both read upright."""
    first = card[:INDEX_HEIGHT, :INDEX_WIDTH]
    second = card[-INDEX_HEIGHT:, -INDEX_WIDTH:][::-1, ::-1]
    return _shown(first), _shown(second)


def _shown(index: Image) -> Image:
    size = (CORNER_WIDTH, CORNER_HEIGHT)
    return np.asarray(cv2.resize(np.ascontiguousarray(index), size, interpolation=cv2.INTER_AREA), np.uint8)


def face(card: Image) -> Image:
    """Return the small view of the whole card, ``FACE_HEIGHT`` x ``FACE_WIDTH``."""
    return np.asarray(cv2.resize(card, (FACE_WIDTH, FACE_HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


def network_input(patches: Sequence[Image]) -> NDArray[np.float32]:
    """Return patches of one size as float32 (n, 3, height, width), the paper of each brought to one white.

    The paper is the upper quartile of each colour, so exposure and the light's colour drop out; values are about
    -1 (black) to 1.
    """
    batch = np.stack(patches)
    sample = batch[:, ::_STEP, ::_STEP].reshape(len(patches), -1, 3)
    paper = np.percentile(sample, _PAPER_PERCENTILE, axis=1).astype(np.float32) + 1.0
    scaled = batch.astype(np.float32) * (_PAPER / paper)[:, None, None, :]
    return np.ascontiguousarray(((np.minimum(scaled, 255.0) - 128.0) / 128.0).transpose(0, 3, 1, 2))
