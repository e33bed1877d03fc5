"""The live picture for people: slots, outlines and what was read, drawn over the frame."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.image import Image, Points
from vision.table.calibration import Calibration
from vision.table.eye import TableEye
from vision.table.slots import SlotKeeper
from vision.table.watch import State

_COLOURS: Final = {
    State.EMPTY: (160, 160, 160),
    State.MOVING: (40, 170, 250),
    State.SETTLED: (230, 200, 60),
    State.READ: (90, 210, 90),
}
_UNREAD: Final = (60, 90, 240)
_INK: Final = (20, 20, 20)
_LIGHT: Final = (255, 255, 255)
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX


def drawn(image: Image, eye: TableEye, *, hide: bool) -> Image:
    """Return the picture with its slots and cards; with ``hide`` no code stands on it."""
    shown = image.copy()
    for (_, polygon), keeper in zip(eye.polygons(), eye.keepers, strict=True):
        _polygon(shown, polygon, _COLOURS[keeper.watch.state], 1)
        _cards(shown, keeper, hide=hide)
    return shown


def with_slots(calibration: Calibration) -> Image:
    """Return the picture of the empty table with its slots and their names."""
    shown = calibration.empty.copy()
    for view in calibration.views:
        polygon = calibration.polygon(view.area)
        _polygon(shown, polygon, _COLOURS[State.READ], 2)
        x, y = polygon.min(axis=0)
        cv2.putText(shown, view.area.name, (int(x) + 4, int(y) + 16), _FONT, 0.45, _LIGHT, 1, cv2.LINE_AA)
    return shown


def _cards(shown: Image, keeper: SlotKeeper, *, hide: bool) -> None:
    for one in keeper.held:
        outline = keeper.view.to_picture(one.corners)
        _polygon(shown, outline, _COLOURS[State.READ] if one.card else _UNREAD, 2)
        if hide:
            continue
        x, y = outline.mean(axis=0)
        text = one.card.code if one.card else "?"
        place = (int(x) - 14, int(y) + 8)
        cv2.rectangle(shown, (place[0] - 3, place[1] - 20), (place[0] + 32, place[1] + 5), (255, 255, 255), -1)
        cv2.putText(shown, text, place, _FONT, 0.7, _INK, 2, cv2.LINE_AA)


def _polygon(shown: Image, points: Points, colour: tuple[int, int, int], width: int) -> None:
    cv2.polylines(shown, [np.round(points).astype(np.int32)], True, colour, width, cv2.LINE_AA)
