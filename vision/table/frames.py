"""Frames, and what makes one bad: a bad frame is never read (vision.md, part 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from studio.domain.instants import Instant
from vision.image import Image

_START: Final = b"\xff\xd8"
_END: Final = b"\xff\xd9"
_FLAT_DEVIATION: Final = 3.0
_BLACK: Final = 12.0
_TORN_GREY: Final = 128
_TORN_ROWS: Final = 8
_COLOUR_AXES: Final = 3
_MOST_BYTES: Final = 16 * 1024 * 1024
_FROZEN_NS: Final = 1_500_000_000
_STEP: Final = 8


class BadFrameError(ValueError):
    """Bytes that are no picture; the text is the reason in one short word."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture as it came: ``number`` counts since the capture's start, ``received`` is when it was whole."""

    image: Image
    number: int
    received: Instant


def decode(data: bytes) -> Image:
    """Return the picture in JPEG bytes.

    Raises :class:`BadFrameError` for what is none, or was cut off: a decoder would fill the rest with grey.
    """
    if len(data) > _MOST_BYTES:
        raise BadFrameError("too-large")  # noqa: EM101 - the reason itself
    if not data.startswith(_START) or not data.rstrip(b"\0").endswith(_END):
        raise BadFrameError("torn")  # noqa: EM101 - the reason itself
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise BadFrameError("unreadable") from error  # noqa: EM101 - the reason itself
    if image is None:
        raise BadFrameError("unreadable")  # noqa: EM101 - the reason itself
    return image.astype(np.uint8, copy=False)


class FrameCheck:
    """Says of each frame why it cannot be used; it remembers the last picture to notice one that stands still.

    ``size`` is width and height as calibrated. A real sensor has noise: two equal pictures are one picture, and
    the same one for a second and a half is a camera that stands still.
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self._size = size
        self._last = b""
        self._since_ns = 0

    def reason(self, frame: Frame) -> str:
        """Return ``wrong-size``, ``black``, ``grey``, ``torn`` or ``frozen``; empty for a good frame."""
        image = frame.image
        if image.ndim != _COLOUR_AXES or image.shape[2] != _COLOUR_AXES:
            return "wrong-size"
        if (image.shape[1], image.shape[0]) != self._size or image.dtype != np.uint8:
            return "wrong-size"
        sample = np.ascontiguousarray(image[::_STEP, ::_STEP])
        frozen = self._is_frozen(sample.tobytes(), frame.received.monotonic_ns)
        if float(sample.max()) < 2 * _BLACK:
            return "black"
        if float(sample.std()) < _FLAT_DEVIATION:
            return "grey"
        if _is_torn(image):
            return "torn"
        return "frozen" if frozen else ""

    def _is_frozen(self, sample: bytes, at_ns: int) -> bool:
        if sample != self._last:
            self._last, self._since_ns = sample, at_ns
            return False
        return at_ns - self._since_ns >= _FROZEN_NS


def _is_torn(image: Image) -> bool:
    """Tell whether the lowest rows are the flat grey that decoders put where data is missing."""
    tail = image[-_TORN_ROWS:].astype(np.int16)
    return bool(np.all(np.abs(tail - _TORN_GREY) <= 1))
