"""Calibration: from four points of the table in the picture to a flat view of each slot.

The table's plane comes first: in a view that is flat and of known size, a card is a rectangle of known size
(vision.md, "Lessons"). The reference picture is of the empty table.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from errno import ENOENT
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.image import Image, Points
from vision.table.layout import Layout, SlotArea, layout_json, parse_layout

PX_PER_MM: Final = 2.0
FORMAT: Final = "vision-calibration-1"
MOST_DRIFT_PX: Final = 6.0
"""In pixels of the picture; under it a card still lies in its slot."""
LEAST_LIKENESS: Final = 0.4
"""Correlation of the edges with the reference's: a table full of cards has 0.6, a turned one 0.2."""
_CORNERS: Final = 4
_SMALLEST_PX: Final = 200
_DRIFT_WIDTH: Final = 480
_MOST_EDGE: Final = 60.0


class CalibrationError(ValueError):
    """A calibration that cannot be; the text says what to do."""


@dataclass(frozen=True, slots=True)
class SlotView:
    """A slot seen flat: ``to_view`` maps pixels of the picture to its own, ``size`` is width and height."""

    area: SlotArea
    to_view: Points
    size: tuple[int, int]

    def cut(self, image: Image) -> Image:
        """Return the slot of a picture, flat."""
        return cv2.warpPerspective(image, self.to_view, self.size).astype(np.uint8, copy=False)

    def to_picture(self, points: Points) -> Points:
        """Return where points of the view lie in the picture."""
        return np.asarray(cv2.perspectiveTransform(points[None], np.linalg.inv(self.to_view))[0], np.float64)


@dataclass(frozen=True)
class Calibration:
    """Where the table lies in pictures of ``size``, width and height.

    ``corners`` are the table's in the picture: top left, top right, bottom right, bottom left, as the dealer is at
    the top. ``empty`` is the picture of the empty table. Raises :class:`CalibrationError`.
    """

    size: tuple[int, int]
    corners: tuple[tuple[float, float], ...]
    layout: Layout
    empty: Image

    def __post_init__(self) -> None:
        points = np.array(self.corners, np.float32)
        if points.shape != (_CORNERS, 2) or not np.isfinite(points).all():
            message = "calibration: four corners are needed, each x and y"
            raise CalibrationError(message)
        if not cv2.isContourConvex(points) or cv2.contourArea(points) < _SMALLEST_PX**2:
            message = (
                "calibration: these corners are no table: give top left, top right, bottom right, bottom left"
            )
            raise CalibrationError(message)
        if cv2.contourArea(points, oriented=True) < 0:
            message = "calibration: the corners run the wrong way round: begin at the top left, go clockwise"
            raise CalibrationError(message)
        if (self.empty.shape[1], self.empty.shape[0]) != self.size:
            message = "calibration: the picture of the empty table has another size than the camera's"
            raise CalibrationError(message)

    @cached_property
    def plane(self) -> Points:
        """The map from pixels of the picture to millimetres on the table."""
        width, height = self.layout.table_mm
        table = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        return cv2.getPerspectiveTransform(np.array(self.corners, np.float32), table).astype(np.float64)

    @cached_property
    def views(self) -> tuple[SlotView, ...]:
        """The slots, in the layout's order."""
        return tuple(self._view(one) for one in self.layout.slots)

    def _view(self, area: SlotArea) -> SlotView:
        left, top, right, bottom = area.box
        shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]])
        scale = np.diag([PX_PER_MM, PX_PER_MM, 1.0])
        size = round((right - left) * PX_PER_MM), round((bottom - top) * PX_PER_MM)
        return SlotView(area, scale @ shift @ self.plane, size)

    @property
    def card_px(self) -> tuple[float, float]:
        """Width and height of a card in a slot's view, pixels."""
        width, height = self.layout.card_mm
        return width * PX_PER_MM, height * PX_PER_MM

    def polygon(self, area: SlotArea) -> Points:
        """Return a slot's corners in the picture."""
        points = np.array([area.polygon], np.float64)
        return np.asarray(cv2.perspectiveTransform(points, np.linalg.inv(self.plane))[0], np.float64)

    @cached_property
    def sharpness(self) -> float:
        """The focus of the empty table's picture."""
        return sharpness(self.empty)

    @cached_property
    def _reference(self) -> Points:
        return _edges(self.empty)

    def drift(self, image: Image) -> tuple[float, float]:
        """Return by how many pixels a picture is shifted against the reference, and their likeness, -1 to 1.

        Cards and hands lower the likeness and leave the shift: most of what is seen is the table. A table is
        nearly the same upside down, so the shift alone would not tell.
        """
        height, width = self._reference.shape
        window = cv2.createHanningWindow((width, height), cv2.CV_64F)
        edges = _edges(image)
        # Copies: the window is multiplied into what is given.
        (x, y), _ = cv2.phaseCorrelate(self._reference.copy(), edges.copy(), window)
        likeness = np.corrcoef(self._reference.ravel(), edges.ravel())[0, 1]
        return float(np.hypot(x, y)) * image.shape[1] / _DRIFT_WIDTH, float(likeness)

    def is_drifted(self, image: Image) -> bool:
        """Tell whether the camera or the table was moved since the calibration."""
        shift, likeness = self.drift(image)
        return shift > MOST_DRIFT_PX or likeness < LEAST_LIKENESS


def sharpness(image: Image) -> float:
    """Return the variance of the Laplacian, a measure of focus."""
    return float(cv2.Laplacian(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.CV_64F).var())


def _edges(image: Image) -> Points:
    """Return the edges of a small picture, so that a change of light is no change of place."""
    height, width = image.shape[:2]
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (_DRIFT_WIDTH, _DRIFT_WIDTH * height // width), interpolation=cv2.INTER_AREA)
    across, down = cv2.Sobel(small, cv2.CV_64F, 1, 0), cv2.Sobel(small, cv2.CV_64F, 0, 1)
    # None counts for more than a line on the cloth: a card's are stronger.
    weak = np.minimum(np.hypot(across, down), _MOST_EDGE)
    return cv2.GaussianBlur(weak, (0, 0), 2.0).astype(np.float64)


def calibrate(picture: Image, corners: Sequence[tuple[float, float]], layout: Layout) -> Calibration:
    """Return the calibration of a camera that shows the empty table in ``picture``."""
    size = picture.shape[1], picture.shape[0]
    return Calibration(size, tuple((float(x), float(y)) for x, y in corners), layout, picture)


def save_calibration(calibration: Calibration, path: Path) -> None:
    """Write a calibration into a file of JSON, replacing it whole."""
    _, png = cv2.imencode(".png", calibration.empty)
    content: dict[str, Any] = {
        "format": FORMAT,
        "size": list(calibration.size),
        "corners": [list(point) for point in calibration.corners],
        "layout": layout_json(calibration.layout),
        "empty_png": base64.b64encode(png.tobytes()).decode("ascii"),
    }
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_text(json.dumps(content), encoding="utf-8")
    fresh.replace(path)


def load_calibration(path: Path) -> Calibration:
    """Read a calibration; raise :class:`CalibrationError` saying what is wrong with the file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        why = f"calibration {path} cannot be read ({error.strerror})"
        message = f"{'there is no calibration yet' if error.errno == ENOENT else why}: calibrate the camera first"
        raise CalibrationError(message) from error
    except ValueError as error:
        message = f"calibration {path} is no JSON: calibrate the camera again"
        raise CalibrationError(message) from error
    try:
        return _parse(content)
    except (KeyError, TypeError, ValueError, cv2.error) as error:
        message = f"calibration {path} is not usable ({error}): calibrate the camera again"
        raise CalibrationError(message) from error


def _parse(content: Mapping[str, Any]) -> Calibration:
    if content["format"] != FORMAT:
        message = f"its format is {content['format']!r}, not {FORMAT!r}"
        raise ValueError(message)
    width, height = content["size"]
    empty = cv2.imdecode(np.frombuffer(base64.b64decode(content["empty_png"]), np.uint8), cv2.IMREAD_COLOR)
    if empty is None:
        message = "the picture of the empty table is damaged"
        raise ValueError(message)
    corners = tuple((float(x), float(y)) for x, y in content["corners"])
    return Calibration((int(width), int(height)), corners, parse_layout(content["layout"]), empty.astype(np.uint8))
