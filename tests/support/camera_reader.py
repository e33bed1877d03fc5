"""A recogniser for tests: the simulated deck's faces as templates. It abstains where none is the best."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from hardware_sim.camera.art import back, face
from studio.domain.cards import DECK, Card
from vision.capture.settings import CameraSettings
from vision.image import Image, Points
from vision.recogniser import Recogniser

SIZE: Final = (126, 176)
_Vector = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Reading:
    code: Card | None
    confidence: float
    reason: str


def cut(image: Image, corners: Points) -> Image:
    width, height = SIZE
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    return cv2.warpPerspective(image, matrix, SIZE).astype(np.uint8, copy=False)


@cache
def _templates() -> tuple[tuple[Card | None, ...], _Vector, _Vector]:
    faces: list[tuple[Card | None, Image]] = [(card, face(card)) for card in DECK]
    faces.append((None, back()))
    patterns = [_patterns(_small(art), 0, 0) for _, art in faces]
    return tuple(card for card, _ in faces), np.stack([a for a, _ in patterns]), np.stack([b for _, b in patterns])


def _small(image: Image) -> Image:
    return cv2.resize(image, SIZE, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _patterns(image: Image, right: int, down: int) -> tuple[_Vector, _Vector]:
    soft = cv2.GaussianBlur(image, (0, 0), 1.5).astype(np.float32)
    flat = soft[8 + down : SIZE[1] - 8 + down : 2, 6 + right : SIZE[0] - 6 + right : 2]
    return _unit(flat), _unit(flat[:24, :11])


def _unit(patch: _Vector) -> _Vector:
    even = patch.ravel() - patch.mean()
    return np.asarray(even / max(float(np.linalg.norm(even)), 1e-9), np.float32)


def _likeness(image: Image) -> _Vector:
    """Return how alike each template is, at the best of a few small shifts."""
    _, whole, corner = _templates()
    found = []
    for right in (-2, 0, 2):
        for down in (-2, 0, 2):
            one, other = _patterns(image, right, down)
            found.append(np.minimum(whole @ one, corner @ other))
    return np.asarray(np.max(found, axis=0), np.float32)


class TemplateReader:
    """Reads by the likeness of the whole card and of its corner."""

    def read(self, card: Image) -> Reading:
        image = _small(card)
        likeness = np.maximum(_likeness(image), _likeness(image[::-1, ::-1]))
        order = np.argsort(-likeness)
        found, best, second = _templates()[0][order[0]], float(likeness[order[0]]), float(likeness[order[1]])
        if found is None:
            return Reading(None, 0.0, "not-a-card")
        if best < 0.8 or best - second < 0.0008:
            return Reading(None, best, "low-confidence")
        return Reading(found, best, "")


def template_recogniser(_settings: CameraSettings) -> Recogniser:
    """What the setting ``recogniser`` names in tests of the whole process."""
    return Recogniser(TemplateReader(), cut)
