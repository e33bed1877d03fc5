"""Spoilt pictures of real cards, to see when reading goes wrong: each condition by itself, and all together.

Independent of what spoils the training pictures. Seeded: the same seed spoils the same picture in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image import Image
from vision.recognise.geometry import CARD_HEIGHT, CARD_WIDTH

_Floats = NDArray[np.float32]
_Spoil = Callable[[Image, np.random.Generator], Image]


def degrade(card: Image, condition: str, random: np.random.Generator) -> Image:
    """Return an upright card as it would look under a condition, same size; ``KeyError`` for an unknown one."""
    return CONDITIONS[condition](card, random)


def _clipped(picture: NDArray[np.floating]) -> Image:
    return np.clip(np.round(picture), 0, 255).astype(np.uint8)


def _resized(card: Image, width: float) -> Image:
    """Return the card as seen ``width`` pixels wide, brought back to its size."""
    small = (max(round(width), 8), max(round(width * CARD_HEIGHT / CARD_WIDTH), 11))
    seen = cv2.resize(card, small, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(seen, (CARD_WIDTH, CARD_HEIGHT), interpolation=cv2.INTER_LINEAR), np.uint8)


def _sixty_pixels(card: Image, random: np.random.Generator) -> Image:
    return _noise(_resized(card, random.uniform(58, 64)), random, most=3.0)


def _blur(card: Image, random: np.random.Generator) -> Image:
    return np.asarray(cv2.GaussianBlur(card, (0, 0), random.uniform(0.8, 2.2)), np.uint8)


def _motion(card: Image, random: np.random.Generator) -> Image:
    length = int(random.integers(3, 10))
    line = np.zeros((length, length), np.float32)
    line[length // 2] = 1.0
    turn = cv2.getRotationMatrix2D(((length - 1) / 2, (length - 1) / 2), random.uniform(0, 180), 1.0)
    kernel = np.asarray(cv2.warpAffine(line, turn, (length, length)), np.float32)
    return np.asarray(cv2.filter2D(card, -1, kernel / np.float32(max(float(kernel.sum()), 1e-3))), np.uint8)


def _dark(card: Image, random: np.random.Generator) -> Image:
    return _noise(_clipped(card * random.uniform(0.15, 0.5)), random, most=4.0)


def _bright(card: Image, random: np.random.Generator) -> Image:
    return _clipped(card * random.uniform(1.2, 1.9) + random.uniform(0, 30))


def _light(card: Image, random: np.random.Generator) -> Image:
    """A light of a colour, from one side."""
    colour = np.exp(random.normal(0, 0.15, 3))
    slope = random.uniform(-0.35, 0.35, 2)
    down, across = np.linspace(-1, 1, CARD_HEIGHT)[:, None], np.linspace(-1, 1, CARD_WIDTH)
    return _clipped(card * colour * (1 + slope[0] * down + slope[1] * across)[:, :, None])


def _noise(card: Image, random: np.random.Generator, most: float = 18.0) -> Image:
    return _clipped(card + random.normal(0, random.uniform(1, most), card.shape))


def _compressed(card: Image, random: np.random.Generator) -> Image:
    coded = cv2.imencode(".jpg", card, [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(12, 45))])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _outline(card: Image, random: np.random.Generator) -> Image:
    """The outline was wrong by up to 2 % of the card's width at each corner."""
    target = np.array([[0, 0], [CARD_WIDTH, 0], [CARD_WIDTH, CARD_HEIGHT], [0, CARD_HEIGHT]], np.float32)
    moved = target + random.uniform(-4, 4, (4, 2)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(moved, target)
    size = (CARD_WIDTH, CARD_HEIGHT)
    return np.asarray(cv2.warpPerspective(card, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _glare(card: Image, random: np.random.Generator) -> Image:
    y, x = random.uniform(0, CARD_HEIGHT), random.uniform(0, CARD_WIDTH)
    size = random.uniform(15, 60)
    down, across = np.arange(CARD_HEIGHT)[:, None] - y, np.arange(CARD_WIDTH) - x
    spot = np.exp(-(down**2 + across**2) / (2 * size**2)) * random.uniform(80, 260)
    return _clipped(card + spot[:, :, None])


def _covered_corner(card: Image, random: np.random.Generator) -> Image:
    """A hand or a chip lies on one of the index corners, from a little to wholly."""
    covered = card.copy()
    view = covered if random.random() < 0.5 else covered[::-1, ::-1]  # noqa: PLR2004 - either corner
    centre = (int(random.integers(0, 50)), int(random.integers(0, 70)))
    axes = (int(random.integers(12, 60)), int(random.integers(12, 60)))
    mask = np.zeros(card.shape[:2], np.uint8)
    cv2.ellipse(mask, centre, axes, random.uniform(0, 180), 0, 360, (255,), -1)
    colour = random.uniform((60, 90, 120), (190, 210, 250)) if random.random() < 0.6 else random.uniform(0, 255, 3)  # noqa: PLR2004
    view[mask > 0] = _clipped(colour)
    return covered


def _hard(card: Image, random: np.random.Generator) -> Image:
    """Several at once: a wrong outline, uneven light, blur, few pixels, noise, compression."""
    spoilt = _outline(card, random)
    spoilt = _light(spoilt, random)
    spoilt = _clipped(spoilt * random.uniform(0.4, 1.4))
    spoilt = np.asarray(cv2.GaussianBlur(spoilt, (0, 0), random.uniform(0.3, 1.2)), np.uint8)
    spoilt = _resized(spoilt, random.uniform(50, 110))
    spoilt = _noise(spoilt, random, most=10.0)
    if random.random() < 0.5:  # noqa: PLR2004 - half of the cameras
        spoilt = _compressed(spoilt, random)
    return spoilt


CONDITIONS: Final[dict[str, _Spoil]] = {
    "60 pixels": _sixty_pixels,
    "blur": _blur,
    "motion": _motion,
    "dark": _dark,
    "bright": _bright,
    "light": _light,
    "noise": _noise,
    "compressed": _compressed,
    "outline": _outline,
    "glare": _glare,
    "covered corner": _covered_corner,
    "mixed hard": _hard,
}
"""How a picture can be spoilt, by name."""
