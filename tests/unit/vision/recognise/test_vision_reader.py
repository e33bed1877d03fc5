"""When a card is named, and why it is not: a wrong reading is much worse than none (vision.md, part 5)."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from support.card_pictures import upright, views

from studio.domain.cards import DECK, Card, parse_card
from vision.image import Image
from vision.recognise.model import Model, Views
from vision.recognise.reader import CardReading, Reader

EIGHT, SIX, QUEEN, NINE = (parse_card(code) for code in ("8S", "6S", "QH", "9S"))


class SaysAlways:
    """A net that says the same of every picture."""

    def __init__(self, said: Views) -> None:
        self.said = said

    def views(self, _: Image) -> Views:
        return self.said


def read(said: Views, picture: Image) -> CardReading:
    return Reader(cast(Model, SaysAlways(said))).read(picture)


@pytest.mark.parametrize("card", DECK, ids=str)
def test_a_card_is_named_when_corners_face_and_ink_agree(card: Card) -> None:
    reading = read(views(card, card, card), upright(card))
    assert reading.code is card
    assert reading.confidence > 0.99
    assert reading.reason == ""


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (views(EIGHT, SIX, EIGHT), "corners-differ"),  # a fan of two cards is not one card
        (views(EIGHT, EIGHT, SIX), "pips"),  # 6 as 8: the face has six pips
        (views(None, None, EIGHT), "not-a-card"),
        (views(None, EIGHT, SIX), "corners-differ"),  # one covered, and the face says otherwise
        (views(None, EIGHT, None), "occluded"),
        (views(EIGHT, EIGHT, EIGHT, strength=1.5), "low-confidence"),
        (views(EIGHT, EIGHT, None, strength=3.5), "unenrolled"),
    ],
)
def test_it_says_why_it_names_none(said: Views, reason: str) -> None:
    reading = read(said, upright(EIGHT))
    assert reading.code is None
    assert reading.reason == reason


def test_with_one_corner_covered_the_other_and_the_face_are_enough() -> None:
    assert read(views(None, EIGHT, EIGHT), upright(EIGHT)).code is EIGHT
    assert read(views(EIGHT, None, EIGHT), upright(EIGHT)).code is EIGHT


def test_red_ink_is_no_spade_and_black_ink_no_heart() -> None:
    assert read(views(QUEEN, QUEEN, QUEEN), upright(EIGHT)).reason == "suit-colour"
    assert read(views(EIGHT, EIGHT, EIGHT), upright(QUEEN)).reason == "suit-colour"


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((0, 0, 3), np.uint8),
        np.zeros((280, 200), np.uint8),
        np.zeros((200, 280, 3), np.uint8),
        np.zeros((2160, 3840, 3), np.uint8),
        np.zeros((280, 200, 3), np.float32),
    ],
    ids=["empty", "grey", "lying", "4K", "floats"],
)
def test_a_picture_of_another_size_is_a_reason_and_no_fault(picture: Image) -> None:
    assert read(views(EIGHT, EIGHT, EIGHT), picture) == CardReading(None, 0.0, "wrong-size")
