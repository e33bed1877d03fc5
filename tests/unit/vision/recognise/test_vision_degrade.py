"""Spoilt pictures: the same for the same seed, other for another, and in size as they were."""

from __future__ import annotations

import numpy as np
import pytest
from support.card_pictures import upright

from studio.domain.cards import parse_card
from vision.recognise.degrade import CONDITIONS, degrade

CARD = upright(parse_card("KD"))


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_seed_gives_one_picture(condition: str) -> None:
    one = degrade(CARD, condition, np.random.default_rng(1))
    again = degrade(CARD, condition, np.random.default_rng(1))
    assert np.array_equal(one, again)
    assert one.shape == CARD.shape
    assert one.dtype == np.uint8
    assert not np.array_equal(one, CARD)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_it_leaves_the_picture_given_as_it_is(condition: str) -> None:
    before = CARD.copy()
    degrade(CARD, condition, np.random.default_rng(3))
    assert np.array_equal(before, CARD)


def test_a_covered_corner_leaves_the_other_free() -> None:
    spoilt = degrade(CARD, "covered corner", np.random.default_rng(5))
    changed = (spoilt != CARD).any(2)
    assert changed.any()
    assert not (changed[:60, :45].any() and changed[-60:, -45:].any())
