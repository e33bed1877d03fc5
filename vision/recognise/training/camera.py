"""A camera's share in a training picture: light, blur, few pixels, noise, compression."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image import Image
from vision.recognise.geometry import CARD_WIDTH

_Floats = NDArray[np.float32]
_WIDTHS: Final = np.log((46.0, 420.0))  # of a card in the camera's picture, pixels
_LOSSLESS: Final = 0.95


def photographed(patch: _Floats, random: np.random.Generator, share: float = 1.0) -> Image:
    """Return the patch as a camera would give it, same size.

    ``share`` is how many pixels of the patch go on one of a rectified card.
    """
    patch = _lit(patch, random)
    scale = min(float(np.exp(random.uniform(*_WIDTHS))) / (CARD_WIDTH * share), 1.0)
    h, w = patch.shape[:2]
    patch = _focused(patch, scale, random)
    if scale < _LOSSLESS:
        small = (max(round(w * scale), 8), max(round(h * scale), 8))
        patch = np.asarray(cv2.resize(patch, small, interpolation=cv2.INTER_AREA), np.float32)
    patch = patch + random.standard_normal(patch.shape, np.float32) * np.float32(random.exponential(4.0))
    pixels = np.clip(patch, 0, 255).astype(np.uint8)
    if random.random() < 0.45:  # noqa: PLR2004 - many cameras send JPEG
        quality = int(random.integers(35, 96))
        coded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        pixels = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    if pixels.shape[:2] != (h, w):
        pixels = np.asarray(cv2.resize(pixels, (w, h), interpolation=cv2.INTER_LINEAR), np.uint8)
    return pixels


def _lit(patch: _Floats, random: np.random.Generator) -> _Floats:
    """Apply light: its strength and colour, a shade across, a highlight, haze."""
    h, w = patch.shape[:2]
    gain = np.exp(random.normal(0, 0.35) + random.normal(0, 0.1, 3))
    lit = patch * gain.astype(np.float32)
    kind = random.random()
    if kind < 0.3:  # noqa: PLR2004 - a shade across
        down, across = np.linspace(-1, 1, h, dtype=np.float32)[:, None], np.linspace(-1, 1, w, dtype=np.float32)
        slope = random.normal(0, 0.2, 2).astype(np.float32)
        lit *= (1 + slope[0] * down + slope[1] * across)[:, :, None]
    elif kind < 0.38:  # noqa: PLR2004 - a highlight
        y, x, size = random.uniform(0, h), random.uniform(0, w), random.uniform(5, 40)
        down, across = np.arange(h, dtype=np.float32)[:, None] - y, np.arange(w, dtype=np.float32) - x
        lit += (np.exp(-(down**2 + across**2) / (2 * size**2)) * random.uniform(30, 220))[:, :, None]
    lit += np.float32(random.exponential(12.0))  # haze: black is not black
    return np.minimum(lit, np.float32(255.0))


def _focused(patch: _Floats, scale: float, random: np.random.Generator) -> _Floats:
    """Blur by focus or by motion, sharpen as some cameras do, or leave the patch as it is."""
    match int(np.searchsorted((0.45, 0.55, 0.7), random.random())):
        case 0:
            return np.asarray(
                cv2.GaussianBlur(patch, (0, 0), random.uniform(0.3, 1.0) / max(scale, 0.3)), np.float32
            )
        case 1:
            return np.asarray(cv2.filter2D(patch, -1, _motion(random)), np.float32)
        case 2:
            soft = np.asarray(cv2.GaussianBlur(patch, (0, 0), 1.5), np.float32)
            return patch + np.float32(random.uniform(0.3, 1.2)) * (patch - soft)
        case _:
            return patch


def _motion(random: np.random.Generator) -> _Floats:
    size = int(random.integers(3, 9))
    kernel = np.zeros((size, size), np.float32)
    direction, middle = random.uniform(0, np.pi), size // 2
    across, down = np.cos(direction) * middle, np.sin(direction) * middle
    ends = [(round(middle + sign * across), round(middle + sign * down)) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], (1.0,))
    return np.asarray(kernel / kernel.sum(), np.float32)
