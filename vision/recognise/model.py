"""The shipped net: loaded once, its hash checked, run by OpenCV (docs/decisions/0058)."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image import Image
from vision.recognise.geometry import corners, face, network_input

MODEL_FILE: Final = "card.onnx"
MOST_BYTES: Final = 1_000_000

_OUTPUTS: Final = ("corner_features", "corner_scores", "face_features", "face_scores")
_Floats = NDArray[np.float32]


class ModelError(Exception):
    """The model is missing, broken or not the one that was shipped; the message says what to do."""


class Views(NamedTuple):
    """What the net says of one card: features and scores of its two corners and of its face.

    Scores are logarithms of chances up to a constant: 13 ranks, no rank, 4 suits, no suit.
    """

    corner_features: _Floats
    """(2, features)"""
    corner_scores: _Floats
    """(2, 19)"""
    face_features: _Floats
    """(features,)"""
    face_scores: _Floats
    """(19,)"""


class Model:
    """The net. One thread at a time may use it."""

    def __init__(self, data: bytes) -> None:
        """Load an ONNX file's bytes; raises :class:`ModelError` where they are no such file."""
        self.data = data
        self.digest = hashlib.sha256(data).hexdigest()
        try:
            self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
        except cv2.error as error:
            message = "the model cannot be read: install the package again, or train it with studio vision train"
            raise ModelError(message) from error

    def views(self, card: Image) -> Views:
        """Return what the net says of an upright card, ``CARD_HEIGHT`` x ``CARD_WIDTH``."""
        self._net.setInput(network_input(corners(card)), "corners")
        self._net.setInput(network_input([face(card)]), "face")
        outputs = self._net.forward(_OUTPUTS)
        corner_features, corner_scores, face_features, face_scores = (
            np.array(output, np.float32) for output in outputs
        )
        return Views(corner_features, corner_scores, face_features[0], face_scores[0])


def load_model(path: Path | None = None) -> Model:
    """Return the shipped model, or the one at ``path``, whose hash is beside it in ``path`` + ``.sha256``.

    Raises :class:`ModelError` where a file is missing or the hash differs.
    """
    place = files("vision") / "models" / MODEL_FILE if path is None else path
    try:
        data = place.read_bytes()
        beside = files("vision") / "models" / f"{MODEL_FILE}.sha256" if path is None else Path(f"{path}.sha256")
        stated = beside.read_text("ascii").split()[0]
    except (OSError, IndexError) as error:
        message = f"the model {place} or its hash is missing: install the package again"
        raise ModelError(message) from error
    if hashlib.sha256(data).hexdigest() != stated:
        message = f"the model {place} is not the one whose hash is beside it: install the package again"
        raise ModelError(message)
    return Model(data)
