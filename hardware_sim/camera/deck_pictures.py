"""Pictures of the simulated deck as its camera sees it, labelled, for the enrolment: cards, back and felt."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from hardware_sim.camera.art import CARD_HEIGHT_MM, CARD_WIDTH_MM, Image
from hardware_sim.camera.felt import HANDS, REACH_NS, SEATS, Felt, Lying
from hardware_sim.camera.scene import Scene
from studio.domain.cards import DECK, Card

_AROUND_PX: Final = 20
_LABELS: Final = "labels.csv"


def write_deck(folder: Path, seed: int) -> None:
    """Fill a new folder with 54 pictures and their ``labels.csv``; raise ``OSError``."""
    folder.mkdir(parents=True)
    felt = Felt(seed)
    scene = Scene(felt, seed)
    now_ns = 0
    rows: list[tuple[str, str, str, str, int]] = []
    for number, card in enumerate((*DECK, None)):
        felt.lay(card or DECK[0], 1 + number % SEATS, 1 + number % HANDS, now_ns, is_up=card is not None)
        now_ns += 2 * REACH_NS
        rows.append(_taken(folder, scene, card, now_ns))
        corners = _corners(scene, felt.cards[0])
        felt.collect(now_ns)
        now_ns += 2 * REACH_NS
    _write(folder / "felt.png", _card_alone(scene.render(now_ns), corners))
    rows.append(("felt.png", "negatives", "", "", 1))
    with (folder / _LABELS).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("file", "kind", "cards", "quads", "complete"))
        writer.writerows(rows)


def _taken(folder: Path, scene: Scene, card: Card | None, now_ns: int) -> tuple[str, str, str, str, int]:
    """Write the picture of the one card that lies there; return its line of the labels."""
    picture, corners = scene.render(now_ns), _corners(scene, scene.felt.cards[0])
    if card is None:
        _write(folder / "back.png", _card_alone(picture, corners))
        return "back.png", "negatives", "", "", 1
    left, top = np.floor(corners.min(axis=0)).astype(int) - _AROUND_PX
    right, bottom = np.ceil(corners.max(axis=0)).astype(int) + _AROUND_PX
    left, top = max(left, 0), max(top, 0)
    _write(folder / f"{card.code}.png", picture[top:bottom, left:right])
    quad = " ".join(f"{value:.2f}" for value in (corners - (left, top)).ravel())
    return f"{card.code}.png", "singles", card.code, quad, 1


def _corners(scene: Scene, one: Lying) -> npt.NDArray[np.float64]:
    """Return a card's corners in the picture, clockwise from its top left."""
    cos, sin = math.cos(math.radians(one.degrees)), math.sin(math.radians(one.degrees))
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2)
    return scene.seen(half @ np.array([[cos, sin], [-sin, cos]]) + (one.x, one.y))


def _card_alone(picture: Image, corners: npt.NDArray[np.float64]) -> Image:
    size = 2 * CARD_WIDTH_MM, 2 * CARD_HEIGHT_MM
    target = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    return cv2.warpPerspective(picture, matrix, size).astype(np.uint8, copy=False)


def _write(path: Path, image: Image) -> None:
    _, data = cv2.imencode(".png", image)
    path.write_bytes(data.tobytes())
