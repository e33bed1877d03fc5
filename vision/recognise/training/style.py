"""The style of a drawn deck: everything its cards have in common, drawn at random within what card makers do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.recognise.training.art import Art

_Colour = NDArray[np.float32]  # blue, green, red, 0 to 255


@dataclass(frozen=True, slots=True)
class Style:
    """Lengths are in fractions of the card's height, across in fractions of its width."""

    font: Path
    rank_height: float
    rank_squeeze: float
    ten_squeeze: float
    boldness: int
    suit_height: float
    suit_width: float
    is_beside: bool
    centre: float
    top: float
    gap: float
    red: _Colour
    black: _Colour
    paper: _Colour
    pip_height: float
    column: float
    row_top: float
    face_scale: float
    ace_height: float
    frame: float
    has_frame: bool
    frame_colour: _Colour
    tint: _Colour
    has_one_pip: bool


def random_style(art: Art, random: np.random.Generator) -> Style:
    """Return a style; the index is small on three decks of five, large on one in four, else jumbo."""
    rank_height = _rank_height(random)
    crowd = max(rank_height - 0.1, 0.0)  # a large index leaves less room for the face
    return Style(
        font=art.fonts[int(random.integers(len(art.fonts)))],
        rank_height=rank_height,
        rank_squeeze=random.uniform(0.6, 1.1),
        ten_squeeze=random.uniform(0.62, 0.95),
        boldness=int(random.integers(0, 4)) - 1,
        suit_height=min(rank_height * random.uniform(0.5, 1.1), 0.145),
        suit_width=random.uniform(0.8, 1.15),
        is_beside=_happens(random, 0.06),
        centre=random.uniform(0.05, 0.085),
        top=random.uniform(0.02, 0.06) if _happens(random, 0.85) else random.uniform(0.06, 0.13),
        gap=random.uniform(0.004, 0.03),
        red=_red(random),
        black=(random.uniform(0, 45) + random.uniform(0, 12, 3)).astype(np.float32),
        paper=np.array([random.uniform(215, 255), random.uniform(238, 255), random.uniform(238, 255)], np.float32),
        pip_height=random.uniform(0.11, 0.19) * (1.0 - 3.0 * crowd),
        column=random.uniform(0.16, 0.23) * (1.0 - 4.0 * crowd),
        row_top=random.uniform(0.13, 0.21),
        face_scale=1.0 if _happens(random, 0.85) else random.uniform(0.45, 0.7),
        ace_height=random.uniform(0.1, 0.45),
        frame=random.uniform(0.1, 0.2) + max(rank_height - 0.08, 0.0),
        has_frame=_happens(random, 0.8),
        frame_colour=random.uniform(0, 160, 3).astype(np.float32),
        tint=random.uniform(0.6, 1.3, 3).astype(np.float32),
        has_one_pip=_happens(random, 0.04),
    )


def _happens(random: np.random.Generator, share: float) -> bool:
    return bool(random.random() < share)


def _rank_height(random: np.random.Generator) -> float:
    low, high = ((0.065, 0.11), (0.10, 0.15), (0.14, 0.185))[int(random.choice(3, p=(0.6, 0.25, 0.15)))]
    return random.uniform(low, high)


def _red(random: np.random.Generator) -> _Colour:
    """Return a printer's red: mostly bright, sometimes dark, seldom pale."""
    low, high = (
        ((0, 0, 170), (60, 60, 255)),
        ((20, 0, 130), (70, 50, 190)),
        ((60, 60, 220), (130, 130, 255)),
    )[int(random.choice(3, p=(0.7, 0.23, 0.07)))]
    return random.uniform(low, high).astype(np.float32)
