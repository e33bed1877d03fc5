"""Renders the felt as a fixed overhead camera sees it: cards, hands, shadows, glare, noise.

Pure of clocks: the moment is an argument, and the same seed and moments give the same pictures.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import cache
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from hardware_sim.camera.art import CARD_HEIGHT_MM, CARD_WIDTH_MM, PX_PER_MM, Image, back, face, outline_mask
from hardware_sim.camera.faults import CameraFault
from hardware_sim.camera.felt import (
    DEALER,
    HANDS,
    REACH_NS,
    SEATS,
    TABLE_HEIGHT_MM,
    TABLE_WIDTH_MM,
    Area,
    Felt,
    Lying,
    Reach,
    area,
    mouth,
)

_FELT: Final = (74, 104, 32)
_PRINT: Final = (120, 160, 92)
_SHOE: Final = (40, 36, 34)
_SLEEVE: Final = (36, 30, 30)
_SKIN: Final = (140, 172, 214)
_NOISES: Final = 6
_SIGMA: Final = 2.0
_STRONG_SIGMA: Final = 14.0
_SPRITE_SCALE: Final = 1.4
_TURN_DEGREES: Final = 7.0
_ARM_MM: Final = 40
_DEALER_END_MM: Final = 240

_Matrix: TypeAlias = npt.NDArray[np.float64]
_Field: TypeAlias = npt.NDArray[np.float32]

_CARD_MM: Final[_Matrix] = np.array(
    [[1.0 / PX_PER_MM, 0, -CARD_WIDTH_MM / 2], [0, 1.0 / PX_PER_MM, -CARD_HEIGHT_MM / 2], [0, 0, 1]]
)
"""From pixels of a card's art to millimetres about its centre."""
_TABLE_MM: Final[_Matrix] = np.array(
    [[[0, 0], [TABLE_WIDTH_MM, 0], [TABLE_WIDTH_MM, TABLE_HEIGHT_MM], [0, TABLE_HEIGHT_MM]]], np.float64
)


class Scene:
    """A camera of ``width`` by ``height`` pixels over one felt; ``lean`` tilts it by that part of the width."""

    def __init__(self, felt: Felt, seed: int, *, width: int = 1280, height: int = 720, lean: float = 0.02) -> None:
        self.felt = felt
        self.size = (width, height)
        self._plane = _plane(width, height, lean)
        self._scale = width / TABLE_WIDTH_MM
        self._random = np.random.default_rng(seed)
        ground = cv2.warpPerspective(_table(), self._plane @ np.diag([0.5, 0.5, 1.0]), self.size)
        self._ground: Image = ground.astype(np.uint8, copy=False)
        self._noises: dict[float, list[npt.NDArray[np.int16]]] = {}
        self._drawn: tuple[object, Image] = (None, self._ground)

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Where the table's corners lie in the picture: top left, top right, bottom right, bottom left."""
        return tuple((float(x), float(y)) for x, y in cv2.perspectiveTransform(_TABLE_MM, self._plane)[0])

    def seen(self, points: _Matrix) -> _Matrix:
        """Return where points of the table, in millimetres, lie in the picture."""
        return np.asarray(cv2.perspectiveTransform(points[None].astype(np.float64), self._plane)[0], np.float64)

    def render(self, now_ns: int, faults: Collection[CameraFault] = ()) -> Image:
        """Return the picture at a moment."""
        self.felt.forget_reaches(now_ns)
        image = self._cards(now_ns).copy()
        for reach in self.felt.reaches:
            self._hand(image, reach, _extension(now_ns - reach.at_ns))
        if CameraFault.ARM in faults:
            corner = area(DEALER, 1)
            self._hand(image, Reach(corner.left + 130, corner.top + 150, 0), 1.0)
        image = self._light(image, faults)
        return self._turned(image) if CameraFault.TURNED in faults else image

    def _cards(self, now_ns: int) -> Image:
        """Return the felt with what lies on it, drawn anew only where that changed."""
        lying = tuple(one for one in self.felt.cards if one.at_ns <= now_ns)
        key = (lying, self.felt.at_mouth)
        before, drawn = self._drawn
        if before == key:
            return drawn
        image = self._ground.copy()
        if self.felt.at_mouth is not None:
            x, y = mouth().centre
            self._lay(image, face(self.felt.at_mouth), (x, y), 2.0)
        for one in lying:
            self._lay_card(image, one)
        self._drawn = (key, image)
        return image

    def _lay_card(self, image: Image, one: Lying) -> None:
        self._lay(image, face(one.card) if one.is_up else back(), (one.x, one.y), one.degrees)

    def _lay(self, image: Image, art: Image, centre: tuple[float, float], degrees: float) -> None:
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        placed = np.array([[cos, -sin, centre[0]], [sin, cos, centre[1]], [0, 0, 1.0]])
        scale = self._scale * _SPRITE_SCALE
        size = max(1, round(CARD_WIDTH_MM * scale)), max(1, round(CARD_HEIGHT_MM * scale))
        shrink = np.diag([art.shape[1] / size[0], art.shape[0] / size[1], 1.0])
        matrix = self._plane @ placed @ _CARD_MM @ shrink
        sheet = np.array([[[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]]], np.float64)
        corners = cv2.perspectiveTransform(sheet, matrix)[0]
        left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 3, 0)
        right, bottom = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 4, self.size)
        local = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]]) @ matrix
        box = (int(right - left), int(bottom - top))
        sprite = cv2.warpPerspective(cv2.resize(art, size, interpolation=cv2.INTER_AREA), local, box)
        mask = cv2.warpPerspective(_mask(size), local, box)
        patch = image[top:bottom, left:right].astype(np.float32)
        # A thin shadow below and to the right, where the card's edge stands off the cloth.
        shade = np.roll(cv2.GaussianBlur(mask, (5, 5), 0), 1, axis=(0, 1))
        patch *= 1 - 0.25 * (shade[..., None] / np.float32(255))
        weight = mask[..., None] / np.float32(255)
        image[top:bottom, left:right] = (patch * (1 - weight) + sprite * weight).astype(np.uint8)

    def _hand(self, image: Image, reach: Reach, extension: float) -> None:
        """Draw a forearm from the dealer's side to a point, so far out."""
        if extension <= 0:
            return
        # Past the dealer's own cards, on whichever side is nearer.
        side_mm = _ARM_MM if reach.x < TABLE_WIDTH_MM / 2 else TABLE_WIDTH_MM - _ARM_MM
        start = np.array([reach.x if reach.y < _DEALER_END_MM else side_mm, -160.0])
        tip = start + (np.array([reach.x, reach.y]) - start) * extension
        away = (start - tip) / max(float(np.linalg.norm(start - tip)), 1.0)
        side = np.array([-away[1], away[0]])
        wrist = tip + away * 95
        sleeve = np.array([wrist + side * 42, wrist - side * 42, start - side * 60, start + side * 60])
        self._fill(image, sleeve, _SLEEVE)
        turns = np.linspace(0, 2 * math.pi, 30)
        palm = [tip + away * 50 + away * math.cos(turn) * 62 + side * math.sin(turn) * 40 for turn in turns]
        self._fill(image, np.array(palm), _SKIN)
        for finger in (-26, -9, 9, 26):
            root = tip + away * 12 + side * finger
            nail = root - away * 36
            shape = np.array([root + side * 8, root - side * 8, nail - side * 6, nail + side * 6])
            self._fill(image, shape, _SKIN)

    def _fill(self, image: Image, points: _Matrix, colour: tuple[int, int, int]) -> None:
        cv2.fillPoly(image, [np.round(self.seen(points) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)

    def _light(self, image: Image, faults: Collection[CameraFault]) -> Image:
        lit: npt.NDArray[np.integer[Any] | np.floating[Any]] = image
        if CameraFault.SHADOW in faults:
            lit = cv2.multiply(lit, _shadow(self.size), dtype=cv2.CV_8U)
        if CameraFault.DIM in faults:
            lit = cv2.convertScaleAbs(lit, alpha=0.5)
        if CameraFault.GLARE in faults:
            lit = cv2.add(lit, _glare(self.size), dtype=cv2.CV_8U)
        sigma = _STRONG_SIGMA if CameraFault.NOISE in faults else _SIGMA
        return cv2.add(lit, self._noise(sigma), dtype=cv2.CV_8U).astype(np.uint8, copy=False)

    def _noise(self, sigma: float) -> npt.NDArray[np.int16]:
        width, height = self.size
        if sigma not in self._noises:
            self._noises[sigma] = [
                self._random.normal(0, sigma, (height, width, 3)).astype(np.int16) for _ in range(_NOISES)
            ]
        return self._noises[sigma][int(self._random.integers(_NOISES))]

    def _turned(self, image: Image) -> Image:
        width, height = self.size
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), _TURN_DEGREES, 1.0)
        turned = cv2.warpAffine(image, matrix, self.size, borderMode=cv2.BORDER_REFLECT)
        return turned.astype(np.uint8, copy=False)


@cache
def _shadow(size: tuple[int, int]) -> _Field:
    x, y = _grid(size)
    return _field(1 - 0.45 / (1 + np.exp((x + 0.3 * y - 0.65) * 24)))


@cache
def _glare(size: tuple[int, int]) -> _Field:
    x, y = _grid(size)
    return _field(210 * np.exp(-(((x - 0.42) / 0.05) ** 2 + ((y - 0.78) / 0.07) ** 2)))


def _grid(size: tuple[int, int]) -> tuple[_Matrix, _Matrix]:
    x, y = np.meshgrid(np.linspace(0, 1, size[0]), np.linspace(0, 1, size[1]))
    return x, y


def _field(values: _Matrix) -> _Field:
    return np.repeat(values[..., None], 3, axis=2).astype(np.float32)


def _plane(width: int, height: int, lean: float) -> _Matrix:
    """Return the map from millimetres on the table to pixels: a camera that leans over the players' side."""
    inset = lean * width
    seen = np.array([[inset, 4], [width - inset, 0], [width - 3, height - 2], [2, height]], np.float32)
    return cv2.getPerspectiveTransform(_TABLE_MM[0].astype(np.float32), seen).astype(np.float64)


def _extension(age_ns: int) -> float:
    part = age_ns / REACH_NS
    return max(0.0, 1 - abs(2 * part - 1)) ** 0.5 if 0 <= part <= 1 else 0.0


@cache
def _mask(size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    return cv2.resize(outline_mask(), size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


@cache
def _table() -> Image:
    """Return the empty felt at two pixels a millimetre: cloth, printed boxes, shoe and discard rack."""
    width, height = 2 * TABLE_WIDTH_MM, 2 * TABLE_HEIGHT_MM
    weave = np.random.default_rng(7).normal(0, 5, (height // 4, width // 4)).astype(np.float32)
    cloth = cv2.resize(weave, (width, height), interpolation=cv2.INTER_CUBIC)[..., None]
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    vignette = (1 - 0.18 * (x**2 + y**2))[..., None]
    image = np.clip((np.array(_FELT) + cloth) * vignette, 0, 255).astype(np.uint8)
    for seat in range(1, SEATS + 1):
        for hand in range(1, HANDS + 1):
            _box(image, area(seat, hand), str(seat) if hand == 1 else "")
    _box(image, area(DEALER, 1), "DEALER")
    corner = mouth()
    _block(image, Area(corner.left - 10, corner.top - 40, corner.width + 90, corner.height + 60))
    _block(image, Area(24, 30, 110, 150))
    turns = np.linspace(-0.62, 0.62, 60)
    arc = np.stack([2 * (640 + 900 * np.sin(turns)), 2 * (-660 + 900 * np.cos(turns))], axis=1).astype(np.int32)
    cv2.polylines(image, [arc], False, _PRINT, 4, cv2.LINE_AA)
    return image


def _block(image: Image, corner: Area) -> None:
    right, bottom = corner.left + corner.width, corner.top + corner.height
    cv2.rectangle(image, (2 * corner.left, 2 * corner.top), (2 * right, 2 * bottom), _SHOE, -1)


def _box(image: Image, corner: Area, text: str) -> None:
    right, bottom = corner.left + corner.width, corner.top + corner.height
    begin, end = (2 * corner.left + 6, 2 * corner.top + 6), (2 * right - 6, 2 * bottom - 6)
    cv2.rectangle(image, begin, end, _PRINT, 2)
    place = (2 * corner.left + corner.width - 18 * max(1, len(text)), 2 * bottom - 24)
    cv2.putText(image, text, place, cv2.FONT_HERSHEY_SIMPLEX, 1.6, _PRINT, 3, cv2.LINE_AA)
