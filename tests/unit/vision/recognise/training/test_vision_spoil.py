"""Spoilt training pictures, and what they are said to show."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from support.training_art import drawn_art

from studio.domain.cards import DECK, Rank, Suit
from vision.recognise.geometry import CORNER_HEIGHT, CORNER_WIDTH, FACE_HEIGHT, FACE_WIDTH
from vision.recognise.training.deck import DrawnCard, draw_deck
from vision.recognise.training.spoil import NO_RANK, NO_SUIT, Sample, corner_sample, face_sample

RANKS, SUITS = tuple(Rank), tuple(Suit)


@pytest.fixture(scope="module")
def deck() -> list[DrawnCard]:
    return draw_deck(drawn_art(), np.random.default_rng(1), foreign=6)


def samples(deck: list[DrawnCard], number: int, times: int) -> list[Sample]:
    random = np.random.default_rng(2)
    return [corner_sample(deck[number], deck[(number + 7) % 52].image, random) for _ in range(times)]


@pytest.mark.parametrize("number", [0, 9, 17, 36, 51])
def test_a_corner_is_called_what_it_shows_or_nothing(deck: list[DrawnCard], number: int) -> None:
    card = DECK[number]
    told = Counter((sample.rank, sample.suit) for sample in samples(deck, number, 300))
    ranks = {rank for rank, _ in told}
    assert ranks == {RANKS.index(card.rank), NO_RANK}
    assert {suit for _, suit in told} == {SUITS.index(card.suit), NO_SUIT}
    assert told[RANKS.index(card.rank), SUITS.index(card.suit)] > 200


def test_a_foreign_index_is_no_rank_but_has_its_suit(deck: list[DrawnCard]) -> None:
    told = Counter((sample.rank, sample.suit) for sample in samples(deck, 53, 200))
    assert {rank for rank, _ in told} == {NO_RANK}
    assert told[NO_RANK, SUITS.index(deck[53].suit)] > 120


def test_pictures_have_the_nets_sizes(deck: list[DrawnCard]) -> None:
    random = np.random.default_rng(3)
    for _ in range(50):
        corner = corner_sample(deck[3], deck[9].image, random)
        face = face_sample(deck[3], deck[9].image, random)
        assert corner.patch.shape == (CORNER_HEIGHT, CORNER_WIDTH, 3)
        assert face.patch.shape == (FACE_HEIGHT, FACE_WIDTH, 3)
        assert corner.patch.dtype == face.patch.dtype == np.uint8


def test_the_same_seed_spoils_alike(deck: list[DrawnCard]) -> None:
    one, same = samples(deck, 5, 40), samples(deck, 5, 40)
    assert all(np.array_equal(a.patch, b.patch) for a, b in zip(one, same, strict=True))
