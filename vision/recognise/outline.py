"""Where cards lie in a picture: four corners each, found by edges and brightness, checked for a card's shape.

In a rectified slot the card's size is known and everything else is refused; on a free photograph any size will do.
It reads nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image import Image, Points

ASPECT: Final = 1.4
"""Height by width of a card."""
_ASPECT_TOLERANCE: Final = 0.06
_SIZE_TOLERANCE: Final = 0.08
_FREE_ASPECTS: Final = (1.12, 1.75)  # seen at a slant
_LONGEST: Final = 800  # pixels of the picture that is searched; more shows no more of a card's edge
_LEAST_SHARE: Final = 0.002  # of the picture that a card takes at least
_MOST_SHARE: Final = 0.97
_LEAST_SOLID: Final = 0.90  # of its quadrilateral that a card's contour fills
_SAME: Final = 0.5  # overlap from which two outlines are one card
_LEAST_QUALITY: Final = 0.58
_MOST_BENT: Final = 0.45  # cosine of the angle at a corner: 27 degrees off the right angle
_LEAST_PAPER: Final = 70.0  # brightness of a card's margin, 0 to 255
_MOST_COLOUR: Final = 110.0  # its saturation
_LEAST_SIDE: Final = 20.0
_ALIKE: Final = 2.0  # pixels by which two candidates must differ to be looked at apart
_ALONG: Final = np.linspace(0.1, 0.9, 32)  # where on a side it is looked for, its corners being round

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Top left, top right, bottom right, bottom left of the upright card, as (x, y) in pixels."""


class CardSize(NamedTuple):
    """How large a card is in a rectified picture, pixels."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Outline:
    """A card's outline.

    A card turned by half a turn is the same card, so which of its two index corners counts as top left is open.
    ``quality`` is 0 to 1: how well the four sides are seen.
    """

    corners: Corners
    quality: float

    @property
    def points(self) -> Points:
        """The corners as an array (4, 2)."""
        return np.array(self.corners, np.float64)


def outline_of(points: Points, quality: float = 1.0) -> Outline:
    """Return the outline of four given corners (4, 2), in order; raise ``ValueError`` where that is no outline."""
    if points.shape != (4, 2) or not np.isfinite(points).all():
        message = f"an outline is four corners with x and y, not {points.shape}"
        raise ValueError(message)
    if not cv2.isContourConvex(points.astype(np.float32)) or _area(points) < 1.0:
        message = "an outline is convex: give its corners in order around the card"
        raise ValueError(message)
    first, second, third, fourth = ((float(x), float(y)) for x, y in points)
    return Outline((first, second, third, fourth), quality)


def whole(image: Image) -> Outline:
    """Return the outline of a picture that is one card."""
    h, w = image.shape[:2]
    return Outline(((0.0, 0.0), (float(w), 0.0), (float(w), float(h)), (0.0, float(h))), 1.0)


def locate(image: Image, size: CardSize | None) -> tuple[Outline, ...]:
    """Return the outlines of the cards in a picture, the best first; none where there is none.

    With ``size`` (a rectified slot) sides must be within 8 % of it and their ratio within 1.4 ± 0.06. Without it
    (a photograph) any size will do and a slant is allowed.
    """
    if image.ndim != 3 or min(image.shape[:2]) < _LEAST_SIDE:  # noqa: PLR2004 - rows, columns, colours
        return ()
    shrink = min(_LONGEST / max(image.shape[:2]), 1.0)
    small = image
    if shrink < 1.0:
        small = np.asarray(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    wanted = None if size is None else CardSize(size.width * shrink, size.height * shrink)
    edge = _edge_strength(small)
    found: list[tuple[Outline, Points]] = []
    tried: list[Points] = []
    for corners in _quadrilaterals(small, wanted):
        upright = _upright(corners)
        if not _is_card_shaped(upright, small, wanted) or any(
            np.abs(upright - other).max() < _ALIKE for other in tried
        ):
            continue
        tried.append(upright)
        refined = _refined(edge, upright)
        if not _is_card_shaped(refined, small, wanted):
            refined = upright
        quality = _quality(edge, refined) * _paper_share(small, refined)
        if quality >= _LEAST_QUALITY:
            found.append((outline_of(refined / shrink, quality), refined))
    return _without_doubles(found)


def _quadrilaterals(image: Image, size: CardSize | None) -> Iterator[Points]:
    """Yield quadrilaterals (4, 2) that some way of telling card from table suggests."""
    least = _LEAST_SHARE * image.shape[0] * image.shape[1]
    if size is not None:
        least = 0.5 * size.width * size.height
    for mask in _masks(image):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in (np.asarray(each, np.int32) for each in contours):
            if cv2.contourArea(contour) < least:
                continue
            corners = _four_corners(contour)
            if corners is not None:
                yield corners
            if size is not None:
                yield from _parts_of_pile(contour, size)


def _masks(image: Image) -> Iterator[NDArray[np.uint8]]:
    """Yield black-and-white pictures in which cards may be blobs: by brightness, by colour, by edges."""
    soft = cv2.GaussianBlur(image, (5, 5), 0)
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB)
    brightness = lab[:, :, 0]
    _, bright = cv2.threshold(brightness, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    yield np.asarray(bright, np.uint8)
    side = max(min(image.shape[:2]) // 3, 15) | 1
    yield np.asarray(
        cv2.adaptiveThreshold(brightness, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, side, -6), np.uint8
    )
    saturation = cv2.cvtColor(soft, cv2.COLOR_BGR2HSV)[:, :, 1]
    _, pale = cv2.threshold(saturation, 0, 255, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
    yield np.asarray(cv2.bitwise_and(pale, cv2.inRange(brightness, 60, 255)), np.uint8)
    kernel = np.ones((3, 3), np.uint8)
    for low, high in ((20, 60), (50, 150), (100, 250)):
        lines = np.zeros(image.shape[:2], np.uint8)
        for channel in cv2.split(lab):
            lines |= np.asarray(cv2.Canny(channel, low, high), np.uint8)
        closed = cv2.dilate(lines, kernel)
        yield np.asarray(closed, np.uint8)
        yield np.asarray(cv2.bitwise_not(closed), np.uint8)


def _four_corners(contour: NDArray[np.int32]) -> Points | None:
    """Return the four corners of a contour that is nearly a quadrilateral, from lines through its sides."""
    hull = cv2.convexHull(contour)
    around = cv2.arcLength(hull, closed=True)
    for share in (0.02, 0.03, 0.05, 0.08):
        polygon = cv2.approxPolyDP(hull, share * around, closed=True)
        if len(polygon) == 4:  # noqa: PLR2004 - a quadrilateral
            corners = polygon.reshape(4, 2).astype(np.float64)
            if cv2.contourArea(hull) >= _LEAST_SOLID * _area(corners):
                return corners
    box = np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), np.float64)
    return box if cv2.contourArea(hull) >= _LEAST_SOLID * _area(box) else None


def _parts_of_pile(contour: NDArray[np.int32], size: CardSize) -> Iterator[Points]:
    """Yield cards of the known size at the corners of a contour that several cards make together."""
    if cv2.contourArea(contour) < 1.15 * size.width * size.height:
        return
    around = cv2.arcLength(contour, closed=True)
    polygon = np.asarray(cv2.approxPolyDP(contour, 0.01 * around, closed=True), np.float64).reshape(-1, 2)
    for index in range(len(polygon)):
        before, corner, after = polygon[index - 1], polygon[index], polygon[(index + 1) % len(polygon)]
        one, two = before - corner, after - corner
        lengths = float(np.hypot(*one)), float(np.hypot(*two))
        if min(lengths) < 0.25 * size.width or abs(float(one @ two)) > 0.12 * lengths[0] * lengths[1]:
            continue
        for first, second in ((size.width, size.height), (size.height, size.width)):
            a, b = one / lengths[0] * first, two / lengths[1] * second
            yield np.array([corner, corner + a, corner + a + b, corner + b])


def _upright(corners: Points) -> Points:
    """Return the corners clockwise, beginning so that the first side is a short one: the card's top."""
    middle = corners.mean(0)
    angle = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    ordered = corners[np.argsort(angle)]
    sides = _sides(ordered)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        ordered = np.roll(ordered, -1, axis=0)
    if (
        ordered[0, 1] + ordered[1, 1] > ordered[2, 1] + ordered[3, 1]
    ):  # prefer the end that is higher in the picture
        ordered = np.roll(ordered, -2, axis=0)
    return ordered


def _sides(corners: Points) -> NDArray[np.float64]:
    """Return the lengths of the four sides, the first from corner 0 to corner 1."""
    return np.asarray(np.hypot(*(_next(corners) - corners).T), np.float64)


def _area(corners: Points) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def _is_card_shaped(corners: Points, image: Image, size: CardSize | None) -> bool:
    sides = _sides(corners)
    width, height = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    if width < _LEAST_SIDE or not cv2.isContourConvex(corners.astype(np.float32)):
        return False
    aspect = height / width
    if size is not None:
        within = (
            abs(width / size.width - 1) <= _SIZE_TOLERANCE and abs(height / size.height - 1) <= _SIZE_TOLERANCE
        )
        return bool(within and abs(aspect - ASPECT) <= _ASPECT_TOLERANCE)
    if _area(corners) > _MOST_SHARE * image.shape[0] * image.shape[1]:
        return False
    if _bent(corners) > _MOST_BENT:
        return False
    slanted = max(sides[0], sides[2]) / min(sides[0], sides[2]), max(sides[1], sides[3]) / min(sides[1], sides[3])
    return bool(_FREE_ASPECTS[0] <= aspect <= _FREE_ASPECTS[1] and max(slanted) < 1.6)  # noqa: PLR2004 - a strong slant


def _bent(corners: Points) -> float:
    """Return the largest cosine of the angles at the four corners: 0 for a rectangle."""
    one = corners[[3, 0, 1, 2]] - corners
    two = _next(corners) - corners
    return float(np.max(np.abs((one * two).sum(1)) / np.maximum(np.hypot(*one.T) * np.hypot(*two.T), 1e-6)))


def _paper_share(image: Image, corners: Points) -> float:
    """Return the share of the margin just inside the outline that has the colour of paper, all the same; 0 to 1.

    A card has a plain pale margin all round; the frame in a court card, a book or the table itself has not.
    """
    inset = max(0.035 * float(_sides(corners).min()), 2.0)
    shift = np.array([-inset, inset])
    around = _along_sides(image, corners, shift)
    margin, outside = around[:, 0], around[:, 1]
    paper = np.median(margin.reshape(-1, 3), axis=0)
    brightest = float(paper.max())
    if np.median(outside.reshape(-1, 3), axis=0).max() > brightest + 25:
        return 0.0
    if brightest < _LEAST_PAPER or (1 - float(paper.min()) / brightest) * 255 > _MOST_COLOUR:
        return 0.0
    # A shade may lie across the card: each side is compared with its own paper, which must be near the card's.
    own = np.median(margin, axis=1)
    if np.abs(own - paper).max() > 0.35 * brightest:
        return 0.0
    return float((np.abs(margin - own[:, None]).max(2) < 0.12 * brightest + 8).mean())


def _edge_strength(image: Image) -> NDArray[np.float32]:
    """Return the strength of edges (height, width), the strongest colour's counting."""
    soft = cv2.GaussianBlur(image, (3, 3), 0).astype(np.float32)
    across, down = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    return np.asarray(np.sqrt(across**2 + down**2).max(2) / 8.0, np.float32)


def _along_sides(picture: NDArray[Any], corners: Points, shift: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return a picture's values on lines beside the four sides, ``shift`` pixels outward.

    Shape (4 sides, shifts, 32 along), and colours after that where the picture has them.
    """
    _, outward = _directions(corners)
    way = _next(corners) - corners
    line = corners[:, None, :] + way[:, None, :] * _ALONG[None, :, None]
    points = (line[:, None] + outward[:, None, None, :] * shift[None, :, None, None]).astype(np.float32)
    flat = points.reshape(4, -1, 2)
    seen = cv2.remap(picture, flat[:, :, 0], flat[:, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32).reshape(4, len(shift), len(_ALONG), *picture.shape[2:])


def _next(corners: Points) -> Points:
    """Return for each corner the one after it."""
    return corners[[1, 2, 3, 0]]


def _directions(corners: Points) -> tuple[Points, Points]:
    """Return for each side its direction and its outward normal, unit vectors (4, 2)."""
    way = _next(corners) - corners
    direction = way / np.maximum(np.hypot(*way.T), 1e-6)[:, None]
    return direction, np.stack([direction[:, 1], -direction[:, 0]], axis=1)


def _refined(edge: NDArray[np.float32], corners: Points) -> Points:
    """Move each side to the strongest edge near it, by a few pixels at most."""
    reach = max(min(4.0, 0.03 * float(_sides(corners).min())), 1.0)
    shift = np.linspace(-reach, reach, 17)
    strength = np.median(_along_sides(edge, corners, shift), axis=2) - 0.3 * np.abs(shift)
    best = shift[np.argmax(strength, axis=1)]
    direction, outward = _directions(corners)
    moved = corners + outward * best[:, None]
    result = np.empty_like(corners)
    for index in range(4):  # a corner is where a side meets the one before it
        a, b = direction[index - 1], direction[index]
        cross = a[0] * b[1] - a[1] * b[0]
        if abs(cross) < 0.2:  # noqa: PLR2004 - nearly parallel
            return corners
        gap = moved[index] - moved[index - 1]
        result[index] = moved[index - 1] + a * (gap[0] * b[1] - gap[1] * b[0]) / cross
    return result


def _quality(edge: NDArray[np.float32], corners: Points) -> float:
    """Return the share of the outline on which an edge is seen, the weakest side counting twice."""
    seen = _along_sides(edge, corners, np.array([-1.0, 0.0, 1.0])).max(1) > 4.5  # noqa: PLR2004 - grey levels a pixel
    sides = seen.mean(1)
    return float((sides.sum() + sides.min()) / 5)


def _without_doubles(found: list[tuple[Outline, Points]]) -> tuple[Outline, ...]:
    """Return the best outline of each place, the best first; an outline inside a kept one is part of that card."""
    kept: list[tuple[Outline, Points]] = []
    found.sort(key=lambda pair: round(pair[0].quality, 1) * 1e6 + _area(pair[1]), reverse=True)
    for outline, corners in found:
        if all(_shared(corners, other) < _SAME * min(_area(corners), _area(other)) for _, other in kept):
            kept.append((outline, corners))
    return tuple(outline for outline, _ in kept)


def overlap(one: Outline, two: Outline) -> float:
    """Return the part that two outlines share of what they cover together, 0 to 1."""
    shared = _shared(one.points, two.points)
    together = _area(one.points) + _area(two.points) - shared
    return shared / together if together > 0 else 0.0


def _shared(one: Points, two: Points) -> float:
    area, _ = cv2.intersectConvexConvex(one.astype(np.float32), two.astype(np.float32))
    return float(area)
