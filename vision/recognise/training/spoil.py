"""Spoilt pictures: what a drawn card looks like through a camera, a lens, bad light, a hand and a wrong outline.

Each function takes its randomness as an argument, so that a seed gives the same pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import Rank, Suit
from vision.image import Image
from vision.recognise.geometry import (
    CARD_HEIGHT,
    CARD_WIDTH,
    CORNER_HEIGHT,
    CORNER_WIDTH,
    FACE_HEIGHT,
    FACE_WIDTH,
    INDEX_HEIGHT,
    INDEX_WIDTH,
)
from vision.recognise.training.camera import photographed
from vision.recognise.training.deck import Box, DrawnCard

RANKS: Final = tuple(Rank)
SUITS: Final = tuple(Suit)
NO_RANK: Final = len(RANKS)
"""The label of a corner whose rank is no rank, or covered."""
NO_SUIT: Final = len(SUITS)

_Floats = NDArray[np.float32]
_CORNER: Final = (CORNER_WIDTH, CORNER_HEIGHT)
_FACE: Final = (FACE_WIDTH, FACE_HEIGHT)
_CORNER_SHARE: Final = CORNER_WIDTH / INDEX_WIDTH
_CORNER_SCALE: Final = np.diag([CORNER_WIDTH / INDEX_WIDTH, CORNER_HEIGHT / INDEX_HEIGHT, 1.0])
_CARD_IN_CORNER: Final = (CARD_WIDTH * CORNER_WIDTH / INDEX_WIDTH, CARD_HEIGHT * CORNER_HEIGHT / INDEX_HEIGHT)
_FACE_SHARE: Final = FACE_WIDTH / CARD_WIDTH
_OUTLINE: Final = np.array([[0, 0], [CARD_WIDTH, 0], [CARD_WIDTH, CARD_HEIGHT], [0, CARD_HEIGHT]], np.float32)
_AROUND: Final = 24  # pixels beyond a corner that a wrong outline can bring in
_COVERED: Final = 0.15  # from this part of a rank or suit covered on, it is no longer to be read
_COVERED_FACE: Final = 0.1  # pips may be missing


@dataclass(frozen=True, slots=True)
class Sample:
    """A patch and what a careful person would say of it: indices into ``RANKS`` and ``SUITS``, or "no"."""

    patch: Image
    rank: int
    suit: int


def corner_sample(card: DrawnCard, other: Image, random: np.random.Generator) -> Sample:
    """Return the spoilt index corner of a card, in a sixth of the cases something that is no index.

    ``other`` is any picture of a card's size; parts of it serve as what lies over and around the card.
    """
    image = _either_way(card.image, random)
    if random.random() < 1 / 6:
        return Sample(photographed(_no_index(image, other, random), random, _CORNER_SHARE), NO_RANK, NO_SUIT)
    near = np.ascontiguousarray(image[: INDEX_HEIGHT + _AROUND, : INDEX_WIDTH + _AROUND])
    patch = _warped(near, _CORNER, _CORNER_SCALE @ _wrong_outline(random), random)
    _show_under_corner(patch, random)
    rank, suit = _labels(card)
    if random.random() < 1 / 8:
        cover = _cover(patch, other, _CARD_IN_CORNER, random)
        rank = NO_RANK if _overlap(cover, card.rank_box) > _COVERED else rank
        suit = NO_SUIT if _overlap(cover, card.suit_box) > _COVERED else suit
    return Sample(photographed(patch, random, _CORNER_SHARE), rank, suit)


def face_sample(card: DrawnCard, other: Image, random: np.random.Generator) -> Sample:
    """Return the spoilt small view of a whole card, in some cases of something that is no card.

    ``card`` must be a card, not one with a foreign index: pips do not tell the language.
    """
    if random.random() < 1 / 12:
        shape = cv2.resize(_no_card(other, random), _FACE, interpolation=cv2.INTER_AREA).astype(np.float32)
        return Sample(photographed(shape, random, _FACE_SHARE), NO_RANK, NO_SUIT)
    back = np.diag([CARD_WIDTH / (2 * FACE_WIDTH), CARD_HEIGHT / (2 * FACE_HEIGHT), 1.0])
    scale = np.diag([FACE_WIDTH / CARD_WIDTH, FACE_HEIGHT / CARD_HEIGHT, 1.0])
    patch = _warped(
        np.ascontiguousarray(_either_way(card.half, random)), _FACE, scale @ _wrong_outline(random) @ back, random
    )
    rank, suit = _labels(card)
    if random.random() < 1 / 7:
        cover = _cover(patch, other, _FACE, random)
        rank = NO_RANK if _overlap(cover, Box(0, 0, 1, 1)) > _COVERED_FACE else rank
    return Sample(photographed(patch, random, _FACE_SHARE), rank, suit)


def _labels(card: DrawnCard) -> tuple[int, int]:
    return NO_RANK if card.card is None else RANKS.index(card.card.rank), SUITS.index(card.suit)


def _either_way(image: Image, random: np.random.Generator) -> Image:
    return image if random.random() < 1 / 2 else image[::-1, ::-1]


def _wrong_outline(random: np.random.Generator) -> NDArray[np.float64]:
    """Return the homography of a card that was outlined a little wrong: mostly by a pixel or two of 200."""
    spread = (1.3, 2.6, 4.5)[int(np.searchsorted((0.6, 0.95), random.random()))]
    moved = _OUTLINE + random.normal(0, spread, (4, 2)) + random.normal(0, spread, 2)
    return np.asarray(cv2.getPerspectiveTransform(_OUTLINE, moved.astype(np.float32)), np.float64)


def _warped(
    image: Image, size: tuple[int, int], matrix: NDArray[np.float64], random: np.random.Generator
) -> _Floats:
    around = [float(value) for value in random.uniform(0, 255, 3)]
    seen = cv2.warpPerspective(
        image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=around
    )
    return np.asarray(seen, np.float32)


def _show_under_corner(patch: _Floats, random: np.random.Generator) -> None:
    """A card's corner is round: what lies under it shows."""
    radius = int(random.integers(4, 14)) // 3
    patch[:radius, :radius] = random.uniform(0, 255, 3)


def _no_index(image: Image, other: Image, random: np.random.Generator) -> _Floats:
    """Return a patch that holds no index: another place of the card, a card on its side, no card at all."""
    match int(random.integers(5)):
        case 0:  # the card turned by a quarter
            part = cv2.resize(np.ascontiguousarray(np.rot90(image)), (CARD_WIDTH, CARD_HEIGHT))
            part = part[:INDEX_HEIGHT, :INDEX_WIDTH]
        case 1:  # the corner without an index
            part = image[:INDEX_HEIGHT, -INDEX_WIDTH:]
        case 2:  # somewhere else on the card
            x = int(random.integers(50, CARD_WIDTH - INDEX_WIDTH))
            y = int(random.integers(60, CARD_HEIGHT - INDEX_HEIGHT - 40))
            part = image[y : y + INDEX_HEIGHT, x : x + INDEX_WIDTH]
        case _:
            part = _no_card(other, random)[:INDEX_HEIGHT, :INDEX_WIDTH]
    return np.asarray(cv2.resize(np.ascontiguousarray(part), _CORNER, interpolation=cv2.INTER_AREA), np.float32)


def _no_card(other: Image, random: np.random.Generator) -> Image:
    """Return something of a card's size but none: cloth, a sheet, a pattern, a part of a card, a mirrored one."""
    whole = (CARD_WIDTH, CARD_HEIGHT)
    match int(random.integers(5)):
        case 0:
            coarse = random.uniform(0, 255, (int(random.integers(2, 30)), int(random.integers(2, 22)), 3))
            cloth = cv2.resize(coarse.astype(np.float32), whole, interpolation=cv2.INTER_CUBIC)
            share = random.random() ** 2
            made = cloth * share + random.uniform(0, 255, 3) * (1 - share)
        case 1:
            grain = random.normal(0, random.uniform(0, 20), (CARD_HEIGHT, CARD_WIDTH, 3))
            made = random.uniform(0, 255, 3) + grain
        case 2:
            tile = random.uniform(0, 255, (int(random.integers(1, 6)), int(random.integers(1, 6)), 3))
            tiled = np.tile(tile, (30, 30, 1))[: int(random.integers(9, 60)), : int(random.integers(6, 42))]
            made = np.asarray(cv2.resize(tiled, whole, interpolation=cv2.INTER_LINEAR), np.float64)
        case 3:
            side = random.uniform(0.2, 0.9)
            h, w = int(CARD_HEIGHT * side), int(CARD_WIDTH * side)
            y, x = int(random.integers(CARD_HEIGHT - h)), int(random.integers(CARD_WIDTH - w))
            part = np.rot90(other[y : y + h, x : x + w], int(random.integers(4)))
            made = np.asarray(cv2.resize(np.ascontiguousarray(part), whole), np.float64)
        case _:
            made = other[:, ::-1].astype(np.float64)
    return np.clip(made, 0, 255).astype(np.uint8)


def _cover(patch: _Floats, other: Image, card: tuple[float, float], random: np.random.Generator) -> Box:
    """Lay a hand, a chip or another card over the patch; return where, in fractions of the card of that size."""
    h, w = patch.shape[:2]
    x0, y0 = random.uniform(-0.3, 0.8) * w, random.uniform(-0.3, 0.8) * h
    x1, y1 = x0 + random.uniform(0.15, 1.0) * w, y0 + random.uniform(0.15, 1.0) * h
    a, b, c, d = (round(max(value, 0.0)) for value in (x0, y0, min(x1, w), min(y1, h)))
    if c > a + 1 and d > b + 1:
        if random.random() < 1 / 2:
            patch[b:d, a:c] = other[: d - b, : c - a]
        else:
            patch[b:d, a:c] = random.uniform(0, 255, 3)
    return Box(a / card[0], b / card[1], c / card[0], d / card[1])


def _overlap(cover: Box, part: Box) -> float:
    """Return which share of ``part`` is under ``cover``."""
    across = min(cover.right, part.right) - max(cover.left, part.left)
    down = min(cover.bottom, part.bottom) - max(cover.top, part.top)
    return max(across, 0.0) * max(down, 0.0) / ((part.right - part.left) * (part.bottom - part.top))
