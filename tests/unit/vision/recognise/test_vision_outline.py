"""Where cards lie: on dark and light tables, turned, beside and upon each other, and where there is none."""

from __future__ import annotations

import numpy as np
import pytest
from support.card_pictures import felt, place, upright

from studio.domain.cards import parse_card
from vision.image import Points
from vision.recognise.outline import ASPECT, CardSize, Outline, locate, outline_of, overlap, whole

CARD = upright(parse_card("8S"))
COURT = upright(parse_card("QH"))
SIZE = CardSize(100, 100 * ASPECT)


def is_there(found: tuple[Outline, ...], corners: Points) -> bool:
    return any(overlap(outline, outline_of(corners)) > 0.9 for outline in found)


@pytest.mark.parametrize("degrees", range(0, 180, 15))
def test_a_card_is_found_however_it_is_turned(degrees: float) -> None:
    table = felt(300, 300)
    corners = place(table, CARD, (150, 150), 100, degrees)
    found = locate(table, SIZE)
    assert len(found) == 1
    assert is_there(found, corners)


@pytest.mark.parametrize(
    "colour",
    [(60, 100, 40), (30, 30, 90), (20, 20, 20), (150, 60, 30), (190, 190, 185)],
    ids=["green", "red", "black", "blue", "light"],
)
def test_the_table_may_have_any_colour(colour: tuple[int, int, int]) -> None:
    """Reported by users: a light background, lights on, and nothing is found."""
    table = felt(300, 300, colour)
    corners = place(table, COURT, (150, 150), 100, 8)
    assert is_there(locate(table, SIZE), corners)


def test_a_slot_refuses_what_has_not_the_cards_size() -> None:
    table = felt(400, 400)
    corners = place(table, CARD, (200, 200), 130, 5)
    assert locate(table, SIZE) == ()
    assert is_there(locate(table, None), corners)


def test_several_cards_are_each_found() -> None:
    table = felt(480, 640)
    every = [place(table, CARD, (90 + 130 * column, 240), 90, 6 * column) for column in range(4)]
    found = locate(table, None)
    assert len(found) == 4
    assert all(is_there(found, corners) for corners in every)


def test_the_upper_of_two_overlapping_cards_is_found() -> None:
    table = felt(360, 360)
    place(table, CARD, (150, 170), 100)
    upper = place(table, COURT, (195, 195), 100)
    assert is_there(locate(table, SIZE), upper)


@pytest.mark.parametrize("value", [0, 90, 255])
def test_an_even_picture_holds_no_card(value: int) -> None:
    assert locate(np.full((240, 320, 3), value, np.uint8), SIZE) == ()


def test_empty_felt_holds_no_card() -> None:
    assert locate(felt(300, 300), SIZE) == ()
    assert locate(felt(480, 640), None) == ()


@pytest.mark.parametrize("shape", [(0, 0, 3), (5, 5, 3), (240, 320)])
def test_a_picture_too_small_or_without_colours_holds_no_card(shape: tuple[int, ...]) -> None:
    assert locate(np.zeros(shape, np.uint8), SIZE) == ()


def test_corners_begin_at_the_top_left_of_the_card_and_go_round() -> None:
    table = felt(300, 300)
    corners = place(table, CARD, (150, 150), 100)
    assert np.abs(locate(table, SIZE)[0].points - corners).max() < 3


def test_an_outline_needs_four_corners_in_order() -> None:
    with pytest.raises(ValueError, match="four corners"):
        outline_of(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="convex"):
        outline_of(np.array([(0, 0), (10, 10), (10, 0), (0, 10)], np.float64))


def test_the_whole_of_a_picture_is_an_outline() -> None:
    assert whole(np.zeros((20, 10, 3), np.uint8)).corners == ((0, 0), (10, 0), (10, 20), (0, 20))
