"""``studio vision read``: every card found in one picture."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import cv2
import numpy as np

from vision.image import Image
from vision.recognise.evaluate_command import enrolment_from
from vision.recognise.model import load_model
from vision.recognise.outline import locate, whole
from vision.recognise.reader import Reader
from vision.recognise.rectify import rectify


class ReadCommand:
    """Finds the cards in a picture and reads each."""

    name = "read"
    help = "list every card found in a picture"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("image", type=Path, help="a picture file")
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument(
            "--enrol",
            type=Path,
            metavar="FOLDER",
            help="first enrol from this folder's labels.csv, or enrolment file",
        )
        parser.add_argument("--model", type=Path, metavar="FILE.onnx", help="another model than the shipped one")

    def run(self, arguments: argparse.Namespace) -> int:
        """Read; return 0 whether or not there are cards, 2 for a file that is no picture."""
        cv2.setNumThreads(1)
        image = cv2.imread(str(arguments.image), cv2.IMREAD_COLOR)
        if image is None:
            sys.stderr.write(f"studio vision read: {arguments.image} is no picture that can be decoded\n")
            return 2
        model = load_model(arguments.model)
        enrolment = None if arguments.enrol is None else enrolment_from(model, arguments.enrol)
        cards = cards_in(np.asarray(image, np.uint8), Reader(model, enrolment))
        if arguments.json:
            sys.stdout.write(json.dumps({"file": str(arguments.image), "cards": cards}) + "\n")
        else:
            for card in cards:
                sys.stdout.write(f"{card['code'] or '--'}  {card['confidence']:.3f}  {card['reason']}\n")
        return 0


def cards_in(image: Image, reader: Reader) -> list[dict[str, object]]:
    """Return what is read of each card found, the surest outline first; the whole picture where none is found."""
    found: list[dict[str, object]] = []
    start = time.perf_counter()
    outlines = locate(image, None) or (whole(image),)
    searched = (time.perf_counter() - start) * 1e3 / len(outlines)
    for outline in outlines:
        start = time.perf_counter()
        reading = reader.read(rectify(image, outline))
        found.append(
            {
                "code": reading.code.code if reading.code else None,
                "confidence": round(reading.confidence, 6),
                "reason": reading.reason,
                "outline": [[round(x, 1), round(y, 1)] for x, y in outline.corners],
                "quality": round(outline.quality, 3),
                "ms": round(searched + (time.perf_counter() - start) * 1e3, 3),
            }
        )
    return found
