"""The shipped recogniser, enrolled with the simulated deck as a studio enrols its own."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from hardware_sim.camera.deck_pictures import write_deck
from vision.capture.settings import CameraSettings
from vision.recognise.enrolment import enrol
from vision.recognise.evaluate import card_pictures
from vision.recognise.labels import read_labels
from vision.recognise.model import load_model
from vision.recognise.outline import whole
from vision.recognise.reader import Reader
from vision.recognise.rectify import rectify
from vision.recogniser import Recogniser, shipped

DECK_SEED = 99
"""Other jitter and noise than any test plays with."""


@cache
def enrolled_recogniser() -> Recogniser:
    with TemporaryDirectory() as folder:
        write_deck(Path(folder) / "deck", DECK_SEED)
        pictures = read_labels(Path(folder) / "deck")
        cards = card_pictures(pictures)
        read = [np.asarray(cv2.imread(str(one.path)), np.uint8) for one in pictures if not one.cards]
    model = load_model()
    enrolment = enrol(model, cards, [rectify(image, whole(image)) for image in read])
    cut = shipped(CameraSettings("file:none", "none.json")).cut
    return Recogniser(Reader(model, enrolment), cut)
