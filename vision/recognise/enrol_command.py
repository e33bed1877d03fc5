"""``studio vision enrol``: learns the deck in use from labelled pictures, and lets it go live or not."""

from __future__ import annotations

import argparse
import datetime as dt
import sys
from pathlib import Path

import cv2
import numpy as np

from vision.image import Image
from vision.recognise.enrolment import enrol
from vision.recognise.enrolment_file import About, save_enrolment
from vision.recognise.evaluate import card_pictures
from vision.recognise.gate import faults
from vision.recognise.labels import LabelledPicture, read_labels
from vision.recognise.model import load_model
from vision.recognise.outline import whole
from vision.recognise.reader import Reader
from vision.recognise.rectify import rectify


class EnrolCommand:
    """Makes an enrolment file from a folder with a picture of each card, and of what is no card."""

    name = "enrol"
    help = "learn the deck in use from a folder with labels.csv: each of the 52 cards, and pictures without a card"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument(
            "folder", type=Path, help="holds labels.csv; pictures without cards are what is no card"
        )
        parser.add_argument("--output", type=Path, required=True, help="the enrolment file to write")
        parser.add_argument("--table", required=True, help="the table's id")
        parser.add_argument("--deck", required=True, help="the deck's name, such as its maker and back")
        parser.add_argument("--camera", required=True, help="the camera's device id")
        parser.add_argument("--key", type=Path, help="signing key, Ed25519 in PEM; see studio keys")
        parser.add_argument("--model", type=Path, metavar="FILE.onnx", help="another model than the shipped one")

    def run(self, arguments: argparse.Namespace) -> int:
        """Enrol; return 0, or 1 with the reasons where the deck may not go live; nothing is written then."""
        cv2.setNumThreads(1)
        pictures = read_labels(arguments.folder)
        cards, rejects = card_pictures(pictures), _rejects(pictures)
        model = load_model(arguments.model)
        if not cards:
            sys.stderr.write(f"studio vision enrol: {arguments.folder} has no picture of a card\n")
            return 1
        enrolment = enrol(model, cards, rejects)
        wrong = faults(Reader(model, enrolment), cards, rejects)
        if wrong:
            sys.stderr.write("".join(f"studio vision enrol: {fault.text}\n" for fault in wrong))
            sys.stderr.write(
                f"studio vision enrol: not enrolled, {len(wrong)} faults: take these pictures again\n"
            )
            return 1
        made = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        about = About(arguments.table, arguments.deck, arguments.camera, made)
        key = arguments.key.read_bytes() if arguments.key else None
        save_enrolment(arguments.output, about, enrolment, key)
        signed = "signed" if key else "not signed"
        sys.stdout.write(f"{arguments.output}: 52 of 52 cards, {len(rejects)} pictures without a card, {signed}\n")
        return 0


def _rejects(pictures: list[LabelledPicture]) -> list[Image]:
    read = [cv2.imread(str(picture.path), cv2.IMREAD_COLOR) for picture in pictures if not picture.cards]
    images = [np.asarray(image, np.uint8) for image in read if image is not None]
    return [rectify(image, whole(image)) for image in images]
