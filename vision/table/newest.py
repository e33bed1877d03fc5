"""The newest card in a slot, from what changed since the slot was last understood (vision.md, part 4).

A card that was laid last lies on top, so what changed is the card, whole, even where it covers others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.image import Image, Points

Mask: TypeAlias = npt.NDArray[np.uint8]

THRESHOLDS: Final = (30, 48, 75)
_SIDE: Final = 0.08
_ASPECT: Final = 0.06
_FILL: Final = 0.93
_PIECE: Final = 0.03
"""A piece of change under this part of a card's area is noise, or a neighbour's edge."""
_GAIN: Final = (0.35, 2.8)
_TAKE: Final = 8
_OPEN: Final = np.ones((3, 3), np.uint8)
_CLOSE: Final = np.ones((9, 9), np.uint8)
_SLIVER: Final = np.ones((13, 13), np.uint8)
_OUTSIDE: Final = 0.1
_LEAST_CHANGED: Final = 0.2
_EDGE: Final = 2
_AT_EDGE: Final = 1 / 6


class Change(NamedTuple):
    """What changed: the mask, its area in cards, and whether it reaches the slot's edge as an arm does."""

    mask: Mask
    cards: float
    at_edge: bool


def difference(now: Image, before: Image) -> Mask:
    """Return how much each pixel differs, 0 to 255, a change of the light as a whole taken out."""
    even = cv2.convertScaleAbs(before, alpha=_gain(now, before))
    blue, green, red = cv2.split(cv2.absdiff(now, even))
    return cv2.max(cv2.max(blue, green), red).astype(np.uint8, copy=False)


def _gain(now: Image, before: Image) -> float:
    first = now[::_TAKE, ::_TAKE, 1].astype(np.float64) + 1
    second = before[::_TAKE, ::_TAKE, 1].astype(np.float64) + 1
    return float(np.clip(np.median(first / second), *_GAIN))


def change(differs: Mask, threshold: int, card_px: tuple[float, float]) -> Change:
    """Return what differs by more than ``threshold``, small pieces left out."""
    mask = fine_change(differs, threshold)
    card = card_px[0] * card_px[1]
    if cv2.countNonZero(mask) < _PIECE * card:
        # Most often: nothing.
        return Change(np.zeros_like(mask, np.uint8), 0.0, at_edge=False)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    large = [one for one in range(1, count) if stats[one, cv2.CC_STAT_AREA] >= _PIECE * card]
    kept = np.isin(labels, large).astype(np.uint8)
    edges = (kept[:_EDGE], kept[-_EDGE:], kept[:, :_EDGE], kept[:, -_EDGE:])
    at_edge = sum(int(np.count_nonzero(one)) for one in edges) > _EDGE * card_px[0] * _AT_EDGE
    return Change(kept, float(kept.sum()) / card, at_edge)


def fine_change(differs: Mask, threshold: int) -> Mask:
    """Return what differs by more than ``threshold``, all but single pixels."""
    return cv2.morphologyEx((differs > threshold).astype(np.uint8), cv2.MORPH_OPEN, _OPEN).astype(np.uint8)


def card_outline(mask: Mask, covered: Mask, card_px: tuple[float, float]) -> Points | None:
    """Return the four corners of the card that a mask is, ``None`` where it is none by size and shape.

    ``covered`` is where cards lay before: white on white is no change, so the new card may have a part there that
    the mask lacks. First the largest piece is tried, then all of them.
    """
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return None
    for points in (max(contours, key=cv2.contourArea), np.concatenate(contours)):
        corners = _rectangle(points, card_px)
        if corners is not None and _is_filled(corners, mask, covered):
            return corners
    return None


def _rectangle(
    points: npt.NDArray[np.integer[Any] | np.floating[Any]], card_px: tuple[float, float]
) -> Points | None:
    centre, sides, degrees = cv2.minAreaRect(points)
    # The outermost pixels' centres are half a pixel from the edges, on either side.
    first, second = sides[0] + 1, sides[1] + 1
    short, long = min(first, second), max(first, second)
    width, height = card_px
    if abs(short / width - 1) > _SIDE or abs(long / height - 1) > _SIDE:
        return None
    if abs(long / short - height / width) > _ASPECT:
        return None
    return upright(np.asarray(cv2.boxPoints((centre, (first, second), degrees)), np.float64) + 0.5)


def _is_filled(corners: Points, mask: Mask, covered: Mask) -> bool:
    """Tell whether what changed, with what may have been covered, fills the outline and little lies outside it."""
    inner = filled([corners], mask.shape, grow=-3) == 1
    known = cv2.bitwise_or(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _CLOSE), covered)
    outside = np.count_nonzero(mask[filled([corners], mask.shape, grow=3) == 0])
    area = np.count_nonzero(inner)
    seen = np.count_nonzero(mask[inner])
    return bool(known[inner].mean() > _FILL and outside < _OUTSIDE * area and seen > _LEAST_CHANGED * area)


def upright(corners: Points) -> Points:
    """Return a rectangle's corners clockwise from the top left, the card held upright: a short side first."""
    centre = corners.mean(axis=0)
    away = corners - centre
    turned = corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
    if np.linalg.norm(turned[1] - turned[0]) > np.linalg.norm(turned[2] - turned[1]):
        turned = np.roll(turned, -1, axis=0)
    return turned


def overlap(one: Points, other: Points) -> float:
    """Return how much of their common area two outlines share, 0 to 1."""
    first, second = one.astype(np.float32), other.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(first, second)
    return float(shared / max(cv2.contourArea(first) + cv2.contourArea(second) - shared, 1e-9))


def without(mask: Mask, gone: Mask) -> Mask:
    """Return a mask less a part of it, and less what is then only a sliver."""
    rest = cv2.bitwise_and(mask, cv2.bitwise_not(255 * gone))
    return cv2.morphologyEx(rest, cv2.MORPH_OPEN, _SLIVER).astype(np.uint8, copy=False)


def filled(outlines: Sequence[Points], shape: tuple[int, ...], *, grow: int = 0) -> Mask:
    """Return the mask of outlines, made larger by ``grow`` pixels, or smaller."""
    mask = np.zeros(shape[:2], np.uint8)
    for one in outlines:
        cv2.fillConvexPoly(mask, np.round(one).astype(np.int32), (1,))
    if not grow:
        return mask
    kernel = np.ones((2 * abs(grow) + 1,) * 2, np.uint8)
    return (cv2.dilate if grow > 0 else cv2.erode)(mask, kernel).astype(np.uint8, copy=False)
