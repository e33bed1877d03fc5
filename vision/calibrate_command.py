"""``studio vision calibrate``: a calibration from a picture of the empty table and its four corners in it."""

from __future__ import annotations

import argparse
import json
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.capture.drawing import with_slots
from vision.capture.sources import SourceError, open_source
from vision.image import Image
from vision.table.calibration import Calibration, CalibrationError, calibrate, save_calibration
from vision.table.layout import Layout, parse_layout

_PATIENCE_SECONDS: Final = 10.0
_FPS: Final = 10.0
_NUMBERS: Final = 2


class CalibrateCommand:
    """Takes a picture of the empty table, writes the calibration, and draws the slots to be looked at."""

    name = "calibrate"
    help = "write a camera's calibration from a picture of the empty table and the table's four corners in it"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("source", metavar="PICTURE", help="a picture file, or the camera's address (rtsp://…)")
        parser.add_argument(
            "--layout", type=Path, required=True, metavar="LAYOUT.json", help="where the slots lie"
        )
        parser.add_argument(
            "--corners",
            type=_corner,
            nargs=4,
            required=True,
            metavar="X,Y",
            help="the table's corners in the picture: top left, top right, bottom right, bottom left",
        )
        parser.add_argument("--output", type=Path, required=True, metavar="CALIBRATION.json")
        parser.add_argument(
            "--drawn", type=Path, metavar="PICTURE.png", help="the picture with the slots drawn on it"
        )

    def run(self, arguments: argparse.Namespace) -> int:
        """Calibrate; return 0, or 2 with the reason on stderr and nothing written."""
        try:
            found = calibrate(_picture(arguments.source), arguments.corners, _layout(arguments.layout))
            if arguments.drawn is not None:
                _draw(found, arguments.drawn)
            save_calibration(found, arguments.output)
        except (CalibrationError, SourceError, OSError, ValueError) as error:
            sys.stderr.write(f"studio vision {self.name}: {error}\n")
            return 2
        width, height = found.size
        sys.stdout.write(
            f"{arguments.output}: {len(found.views)} slots, pictures of {width} x {height}, "
            f"focus {found.sharpness:.0f}\n"
        )
        return 0


def _corner(text: str) -> tuple[float, float]:
    numbers = [float(one) for one in text.split(",")]
    if len(numbers) != _NUMBERS:
        message = f"{text}: a corner is two numbers, X,Y"
        raise argparse.ArgumentTypeError(message)
    return numbers[0], numbers[1]


def _picture(source: str) -> Image:
    """Return a picture file's picture, or the first that a camera gives."""
    if Path(source).is_file():
        image = cv2.imread(source, cv2.IMREAD_COLOR)
        if image is None:
            message = f"{source} is no picture that can be decoded"
            raise SourceError(message)
        return np.asarray(image, np.uint8)
    if ":" not in source:
        message = f"{source}: no such file; give a picture of the empty table or a camera's address"
        raise SourceError(message)
    until = time.monotonic() + _PATIENCE_SECONDS
    got: Image | str = "no picture"
    with closing(open_source(source, _FPS)) as camera:
        while isinstance(got, str) and time.monotonic() < until:
            got = camera.read()
    if isinstance(got, str):
        message = f"{source} gives no usable picture: {got}"
        raise SourceError(message)
    return got


def _layout(path: Path) -> Layout:
    try:
        return parse_layout(json.loads(path.read_text(encoding="utf-8")))
    except json.JSONDecodeError as error:
        message = f"{path} is no JSON: {error}"
        raise ValueError(message) from error


def _draw(calibration: Calibration, path: Path) -> None:
    try:
        is_written = cv2.imwrite(str(path), with_slots(calibration))
    except cv2.error:
        is_written = False
    if not is_written:
        message = f"{path} cannot be written: name a file in a folder that exists, ending with .png or .jpg"
        raise OSError(message)
