"""``studio vision bench``: what the camera costs, part by part and for a whole table of nine slots.

It prints processor time of this machine and judges nothing.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Final

import cv2
import numpy as np

from studio.domain.instants import Instant
from vision.image import Image, Points
from vision.recognise.model import Model, load_model
from vision.recognise.outline import outline_of
from vision.recognise.reader import Reader
from vision.recognise.rectify import rectify
from vision.recognise.timing import part_times
from vision.table.calibration import calibrate
from vision.table.eye import TableEye
from vision.table.frames import Frame
from vision.table.layout import CARD_MM, Layout, SlotArea

_WIDTH: Final = 1920
_HEIGHT: Final = 1080
_TABLE_MM: Final = (960.0, 540.0)
_PX_PER_MM: Final = _WIDTH / _TABLE_MM[0]
_FELT: Final = (60, 100, 40)
_PAPER: Final = (240, 245, 245)
_INK: Final = (25, 25, 25)
_SLOTS: Final = 9
_FRAME_NS: Final = 100_000_000
_STILL_FRAMES: Final = 20
_SECONDS: Final = 6


class BenchCommand:
    """Times the parts of the recogniser, and the eye of a table on which nine cards are laid."""

    name = "bench"
    help = "print what the camera costs on this machine, part by part and for nine slots at ten frames a second"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--seconds", type=int, default=_SECONDS, help=f"of the table's time ({_SECONDS})")

    def run(self, arguments: argparse.Namespace) -> int:
        """Measure and print; return 0."""
        cv2.setNumThreads(1)
        model = load_model()
        lines = [f"{part:<34}{milliseconds:8.2f} ms" for part, milliseconds in part_times(model).items()]
        lines += [f"{part:<34}{value}" for part, value in table_times(model, max(arguments.seconds, 1)).items()]
        sys.stdout.write("\n".join(lines) + "\n")
        return 0


def table_times(model: Model, seconds: int) -> dict[str, str]:
    """Return the processor time of a 1080p frame on a table of nine slots, and the share of a core.

    A card is laid every half second, so most frames have one slot in motion or settling.
    """
    random = np.random.default_rng(1)
    empty = np.clip(np.array(_FELT) + random.normal(0, 2, (_HEIGHT, _WIDTH, 3)), 0, 255).astype(np.uint8)
    corners = ((0.0, 0.0), (_WIDTH, 0.0), (_WIDTH, _HEIGHT), (0.0, _HEIGHT))
    eye = TableEye(calibrate(empty, corners, _layout()), Reader(model), _cut)
    table = empty.copy()
    taken: list[float] = []
    for number in range(_STILL_FRAMES + seconds * 10):
        laid = number - _STILL_FRAMES
        if laid >= 0 and laid % 5 == 0 and laid // 5 < _SLOTS:
            _lay(table, laid // 5)
        at = Instant(10**9 + number * _FRAME_NS, 0)
        frame = Frame(table.copy(), number + 1, at)
        start = time.process_time()
        eye.look(frame, at.monotonic_ns)
        taken.append((time.process_time() - start) * 1e3)
    still, busy = taken[2:_STILL_FRAMES], taken[_STILL_FRAMES:]
    return {
        "watch a still 1080p frame": f"{np.median(still):8.2f} ms",
        "a frame with cards laid, mean": f"{np.mean(busy):8.2f} ms",
        "a frame with cards laid, at worst": f"{np.max(busy):8.2f} ms",
        "nine slots, ten frames a second": f"{np.sum(busy) / len(busy) / 100:8.1%} of a core",
    }


def _layout() -> Layout:
    """Return nine slots in three rows, each large enough for a card turned a little."""
    slots = []
    for number in range(_SLOTS):
        x, y = _place(number)
        box = ((x - 80, y - 75), (x + 80, y - 75), (x + 80, y + 75), (x - 80, y + 75))
        slots.append(SlotArea(number, 1, box))
    return Layout(_TABLE_MM, CARD_MM, tuple(slots))


def _place(number: int) -> tuple[float, float]:
    """Return the middle of a slot, millimetres."""
    return 160.0 + 320.0 * (number % 3), 90.0 + 180.0 * (number // 3)


def _lay(table: Image, number: int) -> None:
    """Draw a card with two indices into a slot, in place."""
    x, y = (value * _PX_PER_MM for value in _place(number))
    half_width, half_height = CARD_MM[0] * _PX_PER_MM / 2, CARD_MM[1] * _PX_PER_MM / 2
    left, top = int(x - half_width), int(y - half_height)
    right, bottom = int(x + half_width), int(y + half_height)
    card = np.full((bottom - top, right - left, 3), _PAPER, np.uint8)
    for _ in range(2):
        cv2.putText(card, str(2 + number % 8), (6, 28), cv2.FONT_HERSHEY_DUPLEX, 0.9, _INK, 2, cv2.LINE_AA)
        cv2.circle(card, (14, 42), 7, _INK, -1, cv2.LINE_AA)
        card = np.ascontiguousarray(card[::-1, ::-1])
    table[top:bottom, left:right] = card


def _cut(image: Image, corners: Points) -> Image:
    return rectify(image, outline_of(corners))
