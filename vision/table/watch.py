"""Watching a slot for change: nothing is read while something moves there, or right after (vision.md, part 3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.image import Image
from vision.table.calibration import Calibration

SETTLE_NS: Final = 200_000_000
"""How long nothing may move before a slot is looked at (150 to 300 ms)."""

_SHRINK: Final = 4
_MOVED: Final = 14
"""Of 255: more than noise makes of a pixel that is the mean of sixteen."""
_STIR: Final = 0.004
"""The part of a slot's pixels that changes when something moves there."""


class State(StrEnum):
    """What a slot is doing."""

    EMPTY = "empty"
    MOVING = "moving"
    SETTLED = "settled"
    READ = "read"


class Watch(NamedTuple):
    """A slot's state since ``since_ns``, 0 where no frame was seen yet; ``stirred_ns``: something moved last."""

    state: State = State.EMPTY
    since_ns: int = 0
    stirred_ns: int = 0

    def step(self, *, moved: bool, at_ns: int) -> Watch:
        """Return the watch after a frame: any stir is MOVING, and enough stillness then SETTLED."""
        if moved:
            is_new = self.state is not State.MOVING or not self.since_ns
            return Watch(State.MOVING, at_ns if is_new else self.since_ns, at_ns)
        if self.state is State.MOVING and at_ns - self.stirred_ns >= SETTLE_NS:
            return Watch(State.SETTLED, at_ns, self.stirred_ns)
        return self

    def resolved(self, at_ns: int, *, is_empty: bool) -> Watch:
        """Return the watch once it is known what lies there."""
        return Watch(State.EMPTY if is_empty else State.READ, at_ns, self.stirred_ns)


@dataclass(frozen=True, slots=True)
class _Window:
    """Where a slot lies in the small picture."""

    rows: slice
    columns: slice
    mask: npt.NDArray[np.bool_]


class Motion:
    """Says of each frame in which slots something moved since the frame before; a small picture is enough."""

    def __init__(self, calibration: Calibration) -> None:
        width, height = calibration.size
        self._size = width // _SHRINK, height // _SHRINK
        polygons = [calibration.polygon(view.area) for view in calibration.views]
        self._windows = tuple(_window(one, self._size) for one in polygons)
        self._last: npt.NDArray[np.uint8] | None = None

    def moved(self, image: Image) -> tuple[bool, ...]:
        """Return for each slot whether something moved; after a gap everything did."""
        # The green channel alone: nearly what a grey picture is, at no cost.
        green = cv2.resize(image[:, :, 1], self._size, interpolation=cv2.INTER_AREA)
        small = green.astype(np.uint8, copy=False)
        last, self._last = self._last, small
        if last is None:
            return tuple(True for _ in self._windows)
        stirred = cv2.absdiff(small, last) > _MOVED
        return tuple(
            bool(np.count_nonzero(stirred[one.rows, one.columns] & one.mask) > _STIR * one.mask.size)
            for one in self._windows
        )

    def forget(self) -> None:
        """After bad frames nothing is known of what moved."""
        self._last = None


def _window(polygon: npt.NDArray[np.float64], size: tuple[int, int]) -> _Window:
    small = np.round(polygon / _SHRINK).astype(np.int32)
    left, top = np.clip(small.min(axis=0), 0, (size[0] - 1, size[1] - 1))
    right, bottom = np.clip(small.max(axis=0) + 1, 1, size)
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(mask, [small], (1,))
    rows, columns = slice(int(top), int(bottom)), slice(int(left), int(right))
    return _Window(rows, columns, mask[rows, columns].astype(np.bool_))
