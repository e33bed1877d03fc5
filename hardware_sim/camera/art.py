"""The faces and the back of the simulated deck, drawn by strokes and curves; nothing is loaded from a file.

It shares no line with what reads cards: a mistake of the one must not be hidden by the same mistake in the other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from studio.domain.cards import Card, Rank, Suit

Image: TypeAlias = npt.NDArray[np.uint8]
"""Height, width, 3: blue, green, red."""

CARD_WIDTH_MM: Final = 63
CARD_HEIGHT_MM: Final = 88
PX_PER_MM: Final = 5
_WIDTH: Final = CARD_WIDTH_MM * PX_PER_MM
_HEIGHT: Final = CARD_HEIGHT_MM * PX_PER_MM
_CORNER: Final = 3 * PX_PER_MM
_PAPER: Final = (246, 250, 250)
_RED: Final = (38, 26, 196)
_BLACK: Final = (28, 24, 24)
_BACK_INK: Final = (132, 58, 36)
_GOLD: Final = (64, 178, 226)
_FACE: Final = (196, 214, 240)
_FRACTION: Final = 4
"""OpenCV's fixed point: bits after the point."""

_Ink: TypeAlias = tuple[int, int, int]
_Curve: TypeAlias = Sequence[tuple[float, float]]


def _arc(centre: tuple[float, float], radii: tuple[float, float], begin: int, end: int) -> _Curve:
    turns = np.radians(np.linspace(begin, end, 25))
    return [(centre[0] + radii[0] * math.cos(turn), centre[1] + radii[1] * math.sin(turn)) for turn in turns]


def _ring(centre: tuple[float, float], radii: tuple[float, float]) -> _Curve:
    return _arc(centre, radii, 0, 360)


# Each rank as strokes in a box one unit wide and 1.4 high, y downwards.
_RANKS: Final[dict[str, Sequence[_Curve]]] = {
    "A": ([(0.0, 1.4), (0.5, 0.0), (1.0, 1.4)], [(0.2, 0.92), (0.8, 0.92)]),
    "2": ([*_arc((0.5, 0.4), (0.46, 0.4), 190, 385), (0.04, 1.4), (1.0, 1.4)],),
    "3": (_arc((0.47, 0.36), (0.43, 0.36), 200, 450), _arc((0.47, 1.02), (0.5, 0.38), 270, 515)),
    "4": ([(0.74, 1.4), (0.74, 0.0), (0.0, 0.98), (1.0, 0.98)],),
    "5": ([(0.9, 0.0), (0.16, 0.0), (0.1, 0.62), *_arc((0.48, 0.94), (0.48, 0.46), 230, 515)],),
    "6": (
        [(0.8, 0.06), (0.5, 0.1), *_arc((0.56, 0.8), (0.54, 0.76), 240, 180)],
        _ring((0.5, 0.95), (0.48, 0.45)),
    ),
    "7": ([(0.02, 0.0), (0.98, 0.0), (0.4, 1.4)],),
    "8": (_ring((0.5, 0.35), (0.4, 0.35)), _ring((0.5, 1.04), (0.48, 0.36))),
    "9": ([(0.2, 1.34), (0.5, 1.3), *_arc((0.44, 0.6), (0.54, 0.76), 60, 0)], _ring((0.5, 0.45), (0.48, 0.45))),
    "T": ([(0.06, 0.2), (0.2, 0.0), (0.2, 1.4)], _ring((0.74, 0.7), (0.27, 0.7))),
    "J": ([(0.74, 0.0), (0.74, 0.96), *_arc((0.4, 0.98), (0.34, 0.42), 0, 180)],),
    "Q": (_ring((0.48, 0.7), (0.46, 0.7)), [(0.5, 0.92), (1.04, 1.5)]),
    "K": ([(0.06, 0.0), (0.06, 1.4)], [(0.94, 0.0), (0.06, 0.86)], [(0.36, 0.6), (1.0, 1.4)]),
}

_COLUMNS: Final = (0.3, 0.7)
_PAIRS: Final = tuple((x, y) for x in _COLUMNS for y in (0.2, 0.8))
_MIDDLES: Final = tuple((x, 0.5) for x in _COLUMNS)
_EIGHT: Final = tuple((x, y) for x in _COLUMNS for y in (0.2, 0.4, 0.6, 0.8))
_PIPS: Final[dict[str, Sequence[tuple[float, float]]]] = {
    "2": ((0.5, 0.2), (0.5, 0.8)),
    "3": ((0.5, 0.2), (0.5, 0.5), (0.5, 0.8)),
    "4": _PAIRS,
    "5": (*_PAIRS, (0.5, 0.5)),
    "6": (*_PAIRS, *_MIDDLES),
    "7": (*_PAIRS, *_MIDDLES, (0.5, 0.35)),
    "8": (*_PAIRS, *_MIDDLES, (0.5, 0.35), (0.5, 0.65)),
    "9": (*_EIGHT, (0.5, 0.5)),
    "T": (*_EIGHT, (0.5, 0.3), (0.5, 0.7)),
}
_MIDDLE: Final = 0.5
_CROWN: Final = {"J": 1, "Q": 3, "K": 5}
_STEM: Final = ((-0.1, 0.0), (0.1, 0.0), (0.36, 1.12), (-0.36, 1.12))


@cache
def face(card: Card) -> Image:
    """Return the upright face of a card; do not write into it."""
    image = _blank()
    ink = _RED if card.suit in {Suit.DIAMONDS, Suit.HEARTS} else _BLACK
    code = card.code[0]
    if code in _CROWN:
        _court(image, code, card.suit, ink)
    elif card.rank is Rank.ACE:
        _suit(image, card.suit, ink, (_WIDTH / 2, _HEIGHT / 2), _WIDTH * 0.3)
    else:
        for x, y in _PIPS[code]:
            _suit(image, card.suit, ink, (x * _WIDTH, y * _HEIGHT), _WIDTH * 0.15, is_turned=y > _MIDDLE)
    _index(image, code, card.suit, ink)
    return image


@cache
def back() -> Image:
    """Return the back: a lattice within a white border."""
    image = _blank()
    edge = 4 * PX_PER_MM
    inner = np.full_like(image, _BACK_INK)
    for start in range(-_HEIGHT, _WIDTH + _HEIGHT, 4 * PX_PER_MM):
        for end in (start + _HEIGHT, start - _HEIGHT):
            cv2.line(inner, (start, 0), (end, _HEIGHT), _PAPER, 2, cv2.LINE_AA)
    image[edge:-edge, edge:-edge] = inner[edge:-edge, edge:-edge]
    return image


@cache
def outline_mask() -> npt.NDArray[np.uint8]:
    """Return what of the rectangle is card, 0 to 255: its corners are round."""
    mask = np.zeros((_HEIGHT, _WIDTH), np.uint8)
    mask[_CORNER:-_CORNER] = 255
    mask[:, _CORNER:-_CORNER] = 255
    for x in (_CORNER, _WIDTH - _CORNER - 1):
        for y in (_CORNER, _HEIGHT - _CORNER - 1):
            cv2.circle(mask, (x, y), _CORNER, 255, -1, cv2.LINE_AA)
    return mask


def _blank() -> Image:
    return np.full((_HEIGHT, _WIDTH, 3), _PAPER, np.uint8)


def _index(image: Image, code: str, suit: Suit, ink: _Ink) -> None:
    """Draw rank and suit into the upper left corner, and turned by half a turn into the other."""
    corner = np.full((30 * PX_PER_MM, 13 * PX_PER_MM, 3), _PAPER, np.uint8)
    _rank(corner, code, ink, (3.2 * PX_PER_MM, 4.2 * PX_PER_MM), 6.6 * PX_PER_MM)
    _suit(corner, suit, ink, (6.5 * PX_PER_MM, 20 * PX_PER_MM), 6.6 * PX_PER_MM)
    height, width = corner.shape[:2]
    image[:height, :width] = np.minimum(image[:height, :width], corner)
    image[-height:, -width:] = np.minimum(image[-height:, -width:], corner[::-1, ::-1])


def _rank(image: Image, code: str, ink: _Ink, at: tuple[float, float], width: float) -> None:
    for curve in _RANKS[code]:
        points = np.array([(at[0] + x * width, at[1] + y * width) for x, y in curve])
        thickness = max(1, round(width * 0.19))
        cv2.polylines(image, [_fixed(points)], False, ink, thickness, cv2.LINE_AA, _FRACTION)


def _court(image: Image, code: str, suit: Suit, ink: _Ink) -> None:
    """Draw a figure that is the same upside down: a frame, two heads with crowns, and a robe."""
    left, top = 15 * PX_PER_MM, 10 * PX_PER_MM
    half = image[: _HEIGHT // 2]
    cv2.rectangle(image, (left, top), (_WIDTH - left, _HEIGHT - top), ink, 2, cv2.LINE_AA)
    centre, head, y = _WIDTH // 2, 9 * PX_PER_MM, top + 17 * PX_PER_MM
    robe = np.array([(left + 4, _HEIGHT // 2), (centre, y), (_WIDTH - left - 4, _HEIGHT // 2)])
    cv2.fillPoly(half, [robe.astype(np.int32)], _GOLD, cv2.LINE_AA)
    for stripe in range(-3, 4):
        cv2.line(half, (centre, y), (centre + stripe * 30, _HEIGHT // 2), ink, 3, cv2.LINE_AA)
    cv2.circle(half, (centre, y), head // 2 + 6, _FACE, -1, cv2.LINE_AA)
    cv2.circle(half, (centre, y), head // 2 + 6, ink, 3, cv2.LINE_AA)
    for spike in range(_CROWN[code]):
        x = centre + (spike - (_CROWN[code] - 1) / 2) * 16
        crown = np.array([(x - 8, y - 26), (x, y - 56), (x + 8, y - 26)])
        cv2.fillPoly(half, [_fixed(crown)], ink, cv2.LINE_AA, _FRACTION)
    _suit(image, suit, ink, (left + 7 * PX_PER_MM, top + 10 * PX_PER_MM), 7 * PX_PER_MM)
    image[_HEIGHT - _HEIGHT // 2 :] = half[::-1, ::-1]


def _suit(  # noqa: PLR0913 - where, how large and which way
    image: Image, suit: Suit, ink: _Ink, centre: tuple[float, float], width: float, *, is_turned: bool = False
) -> None:
    for curve in _suit_curves(suit):
        points = np.array(curve) * (-width / 2 if is_turned else width / 2)
        cv2.fillPoly(image, [_fixed(points + np.array(centre))], ink, cv2.LINE_AA, _FRACTION)


def _suit_curves(suit: Suit) -> Sequence[_Curve]:
    """Return a suit's closed curves about the origin, about two units wide."""
    match suit:
        case Suit.DIAMONDS:
            return ([(0, -1.25), (0.92, 0), (0, 1.25), (-0.92, 0)],)
        case Suit.HEARTS:
            return (_heart(),)
        case Suit.SPADES:
            return ([(x, -y - 0.1) for x, y in _heart()], _STEM)
        case Suit.CLUBS:
            leaves = ((0.0, -0.58), (-0.52, 0.22), (0.52, 0.22))
            return (*(_ring(leaf, (0.5, 0.5)) for leaf in leaves), _STEM)


def _heart() -> _Curve:
    turns = np.linspace(0, 2 * math.pi, 60)
    y = -(13 * np.cos(turns) - 5 * np.cos(2 * turns) - 2 * np.cos(3 * turns) - np.cos(4 * turns)) / 15
    return list(zip((np.sin(turns) ** 3).tolist(), y.tolist(), strict=True))


def _fixed(points: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
    return np.round(points * (1 << _FRACTION)).astype(np.int32)
