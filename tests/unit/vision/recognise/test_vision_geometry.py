"""The parts of an upright card, and how the net is given them."""

from __future__ import annotations

import numpy as np
from support.card_pictures import upright

from studio.domain.cards import parse_card
from vision.recognise.geometry import (
    CARD_HEIGHT,
    CARD_WIDTH,
    CORNER_HEIGHT,
    CORNER_WIDTH,
    FACE_HEIGHT,
    FACE_WIDTH,
    corners,
    face,
    network_input,
)


def test_a_card_turned_by_half_a_turn_has_its_corners_exchanged() -> None:
    card = upright(parse_card("6S"))
    first, second = corners(card)
    turned_first, turned_second = corners(card[::-1, ::-1])
    assert np.array_equal(first, turned_second)
    assert np.array_equal(second, turned_first)
    assert first.shape == (CORNER_HEIGHT, CORNER_WIDTH, 3)


def test_the_face_is_the_whole_card_made_small() -> None:
    card = np.zeros((CARD_HEIGHT, CARD_WIDTH, 3), np.uint8)
    card[CARD_HEIGHT // 2 :] = 200
    small = face(card)
    assert small.shape == (FACE_HEIGHT, FACE_WIDTH, 3)
    assert small[:40].max() == 0
    assert small[48:].min() == 200


def test_exposure_and_a_coloured_light_make_no_difference_to_the_net() -> None:
    """Lights on or off, a warm or a cold lamp: the paper is brought to one white."""
    patch = corners(upright(parse_card("9C")))[0]
    warm = (patch * np.array([0.5, 0.6, 0.7])).astype(np.uint8)
    assert np.abs(network_input([patch]) - network_input([warm])).mean() < 0.02


def test_a_black_picture_is_no_fault() -> None:
    assert np.isfinite(network_input([np.zeros((CORNER_HEIGHT, CORNER_WIDTH, 3), np.uint8)])).all()
