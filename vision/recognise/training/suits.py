"""The four suit signs as masks: drawn with random proportions, or taken from the deck of art."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import Suit, parse_card
from vision.recognise.training.art import Art

_SIZE: Final = 120
_SCALE: Final = _SIZE * 0.7
_SHIFT: Final = 4  # OpenCV draws with four binary digits after the point
_ART_SHARE: Final = 0.25  # of the decks whose signs are the art's
_ART_PIP: Final = (slice(20, 200), slice(130, 270))  # where the upper pip of a two is in the deck of art


def suit_shapes(art: Art, random: np.random.Generator) -> dict[Suit, NDArray[np.float32]]:
    """Return a tight mask (height, width), 0 to 1, for each suit; the four fit together in style."""
    if random.random() < _ART_SHARE:
        return {suit: _tight(_of_art(art, suit)) for suit in Suit}
    return {
        Suit.DIAMONDS: _tight(_diamond(random)),
        Suit.HEARTS: _tight(_heart(random)),
        Suit.SPADES: _tight(_spade(random)),
        Suit.CLUBS: _tight(_club(random)),
    }


def _of_art(art: Art, suit: Suit) -> NDArray[np.float32]:
    region = art.cards[parse_card(f"2{suit}")][_ART_PIP]
    return 1.0 - region[:, :, 1].astype(np.float32) / 255.0  # red and black alike are dark in green


def _tight(mask: NDArray[np.float32]) -> NDArray[np.float32]:
    half = 0.5
    rows, columns = np.nonzero(mask.max(1) > half)[0], np.nonzero(mask.max(0) > half)[0]
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _filled(points: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the polygon of points (n, 2), about -1 to 1, as a mask."""
    canvas = np.zeros((_SIZE * 2, _SIZE * 2), np.uint8)
    pixels = (points * _SCALE + _SIZE) * 2**_SHIFT
    cv2.fillPoly(canvas, [np.round(pixels).astype(np.int32)], (255,), cv2.LINE_AA, _SHIFT)
    return canvas.astype(np.float32) / 255.0


def _diamond(random: np.random.Generator) -> NDArray[np.float32]:
    wide, hollow = random.uniform(0.7, 1.0), random.uniform(-0.04, 0.18)
    tips = np.array([(0, -1), (wide, 0), (0, 1), (-wide, 0)])
    points = []
    for start, end in zip(tips, np.roll(tips, -1, axis=0), strict=True):
        inner = (start + end) / 2 * (1 - 2 * hollow)
        points += [(1 - t) ** 2 * start + 2 * t * (1 - t) * inner + t**2 * end for t in np.linspace(0, 1, 12)[:-1]]
    return _filled(np.array(points))


def _heart_points(random: np.random.Generator) -> NDArray[np.float64]:
    """Return a heart as (n, 2), its point downward: two lobes above, two bowed sides below."""
    wide, lobe, bow = random.uniform(0.85, 1.1), random.uniform(0.7, 1.0), random.uniform(0.75, 1.15)
    t = np.linspace(0, 1, 24)[:, None]
    notch, side, tip = np.array([0, -0.45]), np.array([wide, -0.3]), np.array([0, 1.0])
    upper = (
        (1 - t) ** 3 * notch
        + 3 * (1 - t) ** 2 * t * np.array([0.12, -0.5 - lobe * 0.5])
        + 3 * (1 - t) * t**2 * np.array([wide, -0.45 - lobe * 0.6])
        + t**3 * side
    )
    lower = (1 - t) ** 2 * side + 2 * (1 - t) * t * np.array([wide * bow * 0.85, 0.25]) + t**2 * tip
    right = np.vstack([upper, lower])
    return np.vstack([right, (right * (-1, 1))[::-1]])


def _heart(random: np.random.Generator) -> NDArray[np.float32]:
    return _filled(_heart_points(random))


def _stem(random: np.random.Generator, top: float, bottom: float) -> NDArray[np.float32]:
    foot, waist = random.uniform(0.2, 0.45), random.uniform(0.03, 0.12)
    middle = (top + bottom) / 2
    points = [(waist, top), (waist, middle), (foot, bottom), (-foot, bottom), (-waist, middle), (-waist, top)]
    return _filled(np.array(points))


def _spade(random: np.random.Generator) -> NDArray[np.float32]:
    leaf = _heart_points(random) * (1, -0.9) - (0, 0.12)
    return np.maximum(_filled(leaf), _stem(random, 0.1, random.uniform(0.85, 1.05)))


def _club(random: np.random.Generator) -> NDArray[np.float32]:
    radius, spread, height = random.uniform(0.38, 0.5), random.uniform(0.42, 0.56), random.uniform(0.5, 0.66)
    angle = np.linspace(0, 2 * np.pi, 40)[:-1]
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius
    lobes = [_filled(circle + centre) for centre in ((0, -height + 0.05), (-spread, 0.12), (spread, 0.12))]
    middle = _filled(np.array([(-0.2, -0.2), (0.2, -0.2), (0.15, 0.25), (-0.15, 0.25)]))
    stem = _stem(random, 0.1, random.uniform(0.75, 0.95))
    return np.asarray(np.max([*lobes, middle, stem], axis=0), np.float32)
