"""An upright card from its outline."""

from __future__ import annotations

import numpy as np
import pytest
from support.card_pictures import felt, place, upright

from studio.domain.cards import parse_card
from vision.recognise.outline import outline_of
from vision.recognise.rectify import CARD_HEIGHT, CARD_WIDTH, rectify

CARD = upright(parse_card("7D"))


@pytest.mark.parametrize("width", [150, 500])
@pytest.mark.parametrize("degrees", [0, 30, 200])
def test_the_card_comes_out_as_it_went_in(width: float, degrees: float) -> None:
    table = felt(900, 900)
    corners = place(table, CARD, (450, 450), width, degrees)
    seen = rectify(table, outline_of(corners))
    assert seen.shape == (CARD_HEIGHT, CARD_WIDTH, 3)
    assert np.abs(seen.astype(int) - CARD).mean() < 8


def test_an_outline_beyond_the_picture_is_no_fault() -> None:
    corners = np.array([(-50, -50), (80, -50), (80, 130), (-50, 130)], np.float64)
    assert rectify(felt(100, 100), outline_of(corners)).shape == (CARD_HEIGHT, CARD_WIDTH, 3)
