"""Drawn decks: 52 cards with an index, pips and courts in a random but consistent style.

The styles span what card makers do (index small to jumbo, any free font, squeezed or wide, rank over suit or
beside it, framed or open faces), so that the net learns what makes a seven a seven and not one maker's seven.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from studio.domain.cards import DECK, Card, Rank, Suit
from vision.image import Image
from vision.recognise.geometry import CARD_HEIGHT, CARD_WIDTH, FACE_HEIGHT, FACE_WIDTH
from vision.recognise.training.art import ART_HEIGHT, ART_WIDTH, Art
from vision.recognise.training.style import Style, random_style
from vision.recognise.training.suits import suit_shapes

FOREIGN_INDICES: Final = (
    *("R", "D", "V", "1", "R", "D", "V", "1", "R", "D", "V", "1", "B", "L", "E", "X", "Z", "M", "N", "P", "S"),
    *("F", "H", "I", "U", "W", "Y", "11", "12", "13", "14", "15", "?", "a", "e", "n", "k", "r", "+", "*", "JK"),
    *("RD", "&"),
)
"""Indices of no English card: French courts and ace, jokers, other languages. To be learnt as no card at all."""

_Mask = NDArray[np.float32]  # how much of a pixel a shape covers, (height, width), 0 to 1
_Floats = NDArray[np.float32]
_COURTS: Final = (Rank.JACK, Rank.QUEEN, Rank.KING)
_SIDES: Final = (-1.0, 1.0)
_LAYOUT: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    # Pips as (column, height): height 0 is the top row, 1 the bottom row.
    Rank.TWO: ((0, 0), (0, 1)),
    Rank.THREE: ((0, 0), (0, 0.5), (0, 1)),
    Rank.FOUR: ((-1, 0), (1, 0), (-1, 1), (1, 1)),
    Rank.FIVE: ((-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)),
    Rank.SIX: ((-1, 0), (1, 0), (-1, 0.5), (1, 0.5), (-1, 1), (1, 1)),
    Rank.SEVEN: ((-1, 0), (1, 0), (0, 0.25), (-1, 0.5), (1, 0.5), (-1, 1), (1, 1)),
    Rank.EIGHT: ((-1, 0), (1, 0), (0, 0.25), (-1, 0.5), (1, 0.5), (0, 0.75), (-1, 1), (1, 1)),
    Rank.NINE: (*((side, row / 3) for side in _SIDES for row in range(4)), (0, 0.5)),
    Rank.TEN: (*((side, row / 3) for side in _SIDES for row in range(4)), (0, 1 / 6), (0, 5 / 6)),
}
_COURT_OF_ART: Final = (slice(64, -64), slice(62, -62))


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the card, in fractions of its width and height."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """One drawn card, ``CARD_HEIGHT`` x ``CARD_WIDTH``, with the places of the parts of its upper index.

    ``half`` is a softened picture of it at twice the size of the face view.
    ``card`` is ``None`` for one whose rank is no English rank; ``suit`` is then still what its index shows.
    """

    image: Image
    half: Image
    card: Card | None
    suit: Suit
    rank_box: Box
    suit_box: Box


def draw_deck(art: Art, random: np.random.Generator, foreign: int) -> list[DrawnCard]:
    """Return the 52 cards of a deck in a random style, then ``foreign`` cards with an index of no English card."""
    deck = _Deck(art, random_style(art, random), suit_shapes(art, random), random)
    cards = [deck.draw(card, card.rank) for card in DECK]
    for _ in range(foreign):
        card = DECK[int(random.integers(len(DECK)))]
        cards.append(deck.draw(card, FOREIGN_INDICES[int(random.integers(len(FOREIGN_INDICES)))]))
    return cards


def art_deck(art: Art) -> list[DrawnCard]:
    """Return the deck of art as it is."""
    rank, suit = Box(0.03, 0.03, 0.15, 0.15), Box(0.03, 0.15, 0.15, 0.22)
    return [DrawnCard(*_reduced(image), card, card.suit, rank, suit) for card, image in art.cards.items()]


def _reduced(image: NDArray[np.float32] | Image) -> tuple[Image, Image]:
    """Return the card at its rectified size, and softened at twice the size of the face view."""
    small = cv2.resize(image, (CARD_WIDTH, CARD_HEIGHT), interpolation=cv2.INTER_AREA)
    half = cv2.resize(small, (2 * FACE_WIDTH, 2 * FACE_HEIGHT), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(half, (3, 3), 0.8)
    return np.clip(small, 0, 255).astype(np.uint8), np.clip(soft, 0, 255).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class _Deck:
    """Draws the cards of one style."""

    art: Art
    style: Style
    shapes: dict[Suit, _Mask]
    random: np.random.Generator

    def draw(self, card: Card, index: str) -> DrawnCard:
        canvas = np.empty((ART_HEIGHT, ART_WIDTH, 3), np.float32)
        canvas[:] = self.style.paper
        self._face(canvas, card)
        boxes = self._index(canvas, card.suit, index)
        self._index(canvas[::-1, ::-1], card.suit, index)
        return DrawnCard(*_reduced(canvas), card if index == card.rank else None, card.suit, *boxes)

    def _ink(self, suit: Suit) -> _Floats:
        return self.style.red if suit in {Suit.HEARTS, Suit.DIAMONDS} else self.style.black

    def _index(self, canvas: _Floats, suit: Suit, index: str) -> tuple[Box, Box]:
        style, sign, ink = self.style, self.shapes[suit], self._ink(suit)
        glyph = _glyph(style, "10" if index == Rank.TEN else index)
        height = style.rank_height * ART_HEIGHT
        width = min(height * glyph.shape[1] / glyph.shape[0] * style.rank_squeeze, 0.26 * ART_WIDTH)
        sign_height = style.suit_height * ART_HEIGHT
        sign_width = sign_height * sign.shape[1] / sign.shape[0] * style.suit_width
        widest = max(width, sign_width)
        middle = max(style.centre * ART_WIDTH * (1 + 4 * style.rank_height), widest / 2 + 0.012 * ART_WIDTH)
        top = style.top * ART_HEIGHT
        rank_box = _stamp(canvas, glyph, (middle - width / 2, top, width, height), ink)
        if style.is_beside:
            place = (middle + width / 2 + 4, top, sign_width, sign_height)
        else:
            below = min(top + height + style.gap * ART_HEIGHT, 0.425 * ART_HEIGHT - sign_height)
            place = (middle - sign_width / 2, below, sign_width, sign_height)
        return rank_box, _stamp(canvas, sign, place, ink)

    def _face(self, canvas: _Floats, card: Card) -> None:
        style = self.style
        if card.rank in _COURTS:
            self._court(canvas, card)
        elif card.rank is Rank.ACE or style.has_one_pip:
            self._pip(canvas, card.suit, (0.5, 0.5), style.ace_height * style.face_scale)
        else:
            for column, row in _LAYOUT[card.rank]:
                x = 0.5 + column * style.column * style.face_scale
                y = 0.5 + (row - 0.5) * (1 - 2 * style.row_top) * style.face_scale
                height = style.pip_height * style.face_scale
                self._pip(canvas, card.suit, (x, y), height, is_turned=row > 0.5)  # noqa: PLR2004 - lower half
        if style.face_scale < 1.0:
            edge = 0.45 * (1 - style.face_scale)
            corner = int(edge * ART_WIDTH), int(edge * ART_HEIGHT)
            opposite = ART_WIDTH - corner[0], ART_HEIGHT - corner[1]
            cv2.rectangle(canvas, corner, opposite, [float(value) for value in style.black], 2)

    def _pip(
        self, canvas: _Floats, suit: Suit, at: tuple[float, float], height: float, *, is_turned: bool = False
    ) -> None:
        """Print a suit sign; ``at`` is its middle and ``height`` its height, in fractions of the card."""
        mask = self.shapes[suit][::-1] if is_turned else self.shapes[suit]
        tall = height * ART_HEIGHT
        wide = tall * mask.shape[1] / mask.shape[0]
        _stamp(
            canvas,
            mask,
            (at[0] * ART_WIDTH - wide / 2, at[1] * ART_HEIGHT - tall / 2, wide, tall),
            self._ink(suit),
        )

    def _court(self, canvas: _Floats, card: Card) -> None:
        """Put a court into its frame: the art's, recoloured, or a patchwork; a suit sign stands in its corner."""
        style, random = self.style, self.random
        left = style.frame + (1 - style.face_scale) * 0.3
        x, y = int(left * ART_WIDTH), int(left * 0.75 * ART_HEIGHT)
        w, h = ART_WIDTH - 2 * x, ART_HEIGHT - 2 * y
        kind = random.random()
        if kind < 0.65:  # noqa: PLR2004 - the share of decks with courts of art
            court = self.art.cards[card][_COURT_OF_ART].astype(np.float32) * style.tint
        else:
            court = _patchwork(random, style)
        canvas[y : y + h, x : x + w] = cv2.resize(court, (w, h), interpolation=cv2.INTER_AREA)
        if style.has_frame:
            cv2.rectangle(canvas, (x, y), (x + w, y + h), [float(value) for value in style.frame_colour], 2)
        if kind > 0.3:  # noqa: PLR2004 - the art has signs of its own
            height = style.pip_height * float(random.uniform(0.7, 1.0)) * style.face_scale
            at = (x + 0.55 * height * ART_HEIGHT) / ART_WIDTH, y / ART_HEIGHT + 0.65 * height
            self._pip(canvas, card.suit, at, height)
            self._pip(canvas[::-1, ::-1], card.suit, at, height)


def _glyph(style: Style, text: str) -> _Mask:
    """Return the text as a tight mask; two characters stand closer than the font would have them."""
    parts = [_character(style, letter) for letter in text]
    height = max(part.shape[0] for part in parts)
    joined: list[_Mask] = []
    for part in parts:
        padded = np.zeros((height, part.shape[1]), np.float32)
        padded[height - part.shape[0] :] = part
        joined += [padded, np.zeros((height, 6), np.float32)]
    mask = np.hstack(joined[:-1])
    if len(parts) > 1:  # two figures are set narrower
        mask = np.asarray(cv2.resize(mask, (max(int(mask.shape[1] * style.ten_squeeze), 8), height)), np.float32)
    return mask


def _character(style: Style, letter: str) -> _Mask:
    picture = Picture.new("L", (260, 260))
    font = ImageFont.truetype(str(style.font), 120)
    ImageDraw.Draw(picture).text((60, 40), letter, font=font, fill=255)
    mask = np.asarray(picture, np.float32) / np.float32(255)
    if style.boldness > 0:
        mask = np.asarray(cv2.dilate(mask, np.ones((2 * style.boldness + 1,) * 2)), np.float32)
    elif style.boldness < 0:
        mask = np.asarray(cv2.erode(mask, np.ones((2, 2))), np.float32)
    ink = mask > 0.3  # noqa: PLR2004 - inside the stroke
    rows, columns = np.nonzero(ink.any(1))[0], np.nonzero(ink.any(0))[0]
    if not len(rows):  # a font without this character
        return np.ones((60, 40), np.float32)
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _stamp(canvas: _Floats, mask: _Mask, place: tuple[float, float, float, float], ink: _Floats) -> Box:
    """Print ``mask`` at left, top, width, height in pixels, cut at the canvas's edges; return where it is."""
    x, y, w, h = round(place[0]), round(place[1]), max(round(place[2]), 2), max(round(place[3]), 2)
    scaled = cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA)
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, canvas.shape[1]), min(y + h, canvas.shape[0])
    if x0 < x1 and y0 < y1:
        cover = scaled[y0 - y : y1 - y, x0 - x : x1 - x, None]
        region = canvas[y0:y1, x0:x1]
        region += cover * (ink - region)
    return Box(x / canvas.shape[1], y / canvas.shape[0], (x + w) / canvas.shape[1], (y + h) / canvas.shape[0])


def _patchwork(random: np.random.Generator, style: Style) -> _Floats:
    """Return coloured patches, the same after half a turn: a court's clothes without a court."""
    size = int(random.integers(6, 22))
    cells = random.uniform(0, 255, (size, max(size * 2 // 3, 3), 3))
    cells[random.random(cells.shape[:2]) < 0.45] = style.paper  # noqa: PLR2004 - courts are half paper
    cells = np.minimum(cells, cells[::-1, ::-1]).astype(np.float32)
    return np.asarray(cv2.resize(cells, (276, 432), interpolation=cv2.INTER_CUBIC), np.float32)
