"""Art for the tests of the training: the simulated camera's deck and the fonts that come with reportlab."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import reportlab

from hardware_sim.camera.art import back, face
from studio.domain.cards import DECK
from vision.image import Image
from vision.recognise.training.art import ART_HEIGHT, ART_WIDTH, Art


def _sized(image: Image) -> Image:
    return np.asarray(cv2.resize(image, (ART_WIDTH, ART_HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


@cache
def drawn_art() -> Art:
    """Return art that needs nothing fetched."""
    fonts = sorted((Path(reportlab.__file__).parent / "fonts").glob("Vera*.ttf"))
    return Art({card: _sized(face(card)) for card in DECK}, (_sized(back()),), tuple(fonts))
