"""Pictures of cards for the recogniser's tests: the simulated deck placed on felt, and what a net would say."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from hardware_sim.camera.art import face as drawn_face
from studio.domain.cards import Card, Rank, Suit
from vision.image import Image, Points
from vision.recognise.chances import SCORES
from vision.recognise.geometry import CARD_HEIGHT, CARD_WIDTH
from vision.recognise.model import Views

FELT = (60, 100, 40)
RANKS, SUITS = tuple(Rank), tuple(Suit)


def upright(card: Card) -> Image:
    """Return a drawn card as the reader takes it."""
    size = (CARD_WIDTH, CARD_HEIGHT)
    return np.asarray(cv2.resize(drawn_face(card), size, interpolation=cv2.INTER_AREA), np.uint8)


def place(table: Image, card: Image, middle: tuple[float, float], width: float, degrees: float = 0.0) -> Points:
    """Lay a card on the table, in place; return its corners (4, 2), from its own top left clockwise."""
    h, w = card.shape[:2]
    size = np.array([width, width * h / w])
    turn = np.radians(degrees)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    corners = (np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * size) @ rotation.T + middle
    whole = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
    matrix = cv2.getPerspectiveTransform(whole, corners.astype(np.float32))
    extent = (table.shape[1], table.shape[0])
    soft = cv2.GaussianBlur(card, (0, 0), max(w / width / 3, 0.1))
    seen = cv2.warpPerspective(soft, matrix, extent, flags=cv2.INTER_LINEAR)
    cover = cv2.warpPerspective(np.full((h, w), 255, np.uint8), matrix, extent)
    table[cover > 127] = seen[cover > 127]
    edge = np.round(corners * 16).astype(np.int32)
    cv2.polylines(table, [edge], True, (150, 150, 150), 1, cv2.LINE_AA, 4)  # the thickness of the card
    return np.asarray(corners, np.float64)


def felt(height: int, width: int, colour: tuple[int, int, int] = FELT) -> Image:
    """Return an empty table with a little grain."""
    grain = np.random.default_rng(7).normal(0, 4, (height, width, 3))
    return np.clip(np.array(colour) + grain, 0, 255).astype(np.uint8)


def scores(card: Card | None, strength: float = 12.0) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Return the scores of a view that says this card, or nothing, the more surely the greater the strength."""
    result = np.zeros(SCORES, np.float32)
    result[RANKS.index(card.rank) if card else len(RANKS)] = strength
    result[len(RANKS) + 1 + (SUITS.index(card.suit) if card else len(SUITS))] = strength
    return result


def views(first: Card | None, second: Card | None, face: Card | None, strength: float = 12.0) -> Views:
    """Return what a net would say that sees these on the two corners and the face."""
    corner = np.stack([scores(first, strength), scores(second, strength)])
    return Views(np.zeros((2, 4), np.float32), corner, np.zeros(4, np.float32), scores(face, strength))


def write_labels(folder: Path, lines: Sequence[dict[str, str]]) -> None:
    """Write a labels.csv."""
    names = ("file", "kind", "cards", "quads", "condition", "index", "complete", "source")
    with (folder / "labels.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        for line in lines:
            writer.writerow({"kind": "singles", "index": "en", "complete": "1", "source": "own/deck"} | line)


def quad(corners: Points) -> str:
    """Return corners as labels.csv writes them."""
    return " ".join(f"{number:.1f}" for number in corners.ravel())
