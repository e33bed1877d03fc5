"""Drawn decks: the cards, their indices, and where on the card those are."""

from __future__ import annotations

import numpy as np
import pytest
from support.training_art import drawn_art

from studio.domain.cards import DECK, Suit
from vision.recognise.geometry import CARD_HEIGHT, CARD_WIDTH, INDEX_HEIGHT, INDEX_WIDTH
from vision.recognise.training.deck import Box, DrawnCard, art_deck, draw_deck
from vision.recognise.training.suits import suit_shapes


def deck(seed: int, foreign: int = 0) -> list[DrawnCard]:
    return draw_deck(drawn_art(), np.random.default_rng(seed), foreign)


def ink_in(card: DrawnCard, box: Box) -> float:
    """Return how much darker than the paper the darkest place of a box is, 0 to 255."""
    rows = slice(max(int(box.top * CARD_HEIGHT), 0), max(int(box.bottom * CARD_HEIGHT), 1))
    columns = slice(max(int(box.left * CARD_WIDTH), 0), max(int(box.right * CARD_WIDTH), 1))
    green = card.image[:, :, 1].astype(float)
    return float(np.percentile(green, 90) - green[rows, columns].min())


@pytest.mark.parametrize("seed", range(4))
def test_every_card_has_its_rank_and_suit_in_the_corner(seed: int) -> None:
    for card in deck(seed):
        assert ink_in(card, card.rank_box) > 60
        assert ink_in(card, card.suit_box) > 60
        assert card.suit_box.bottom * CARD_HEIGHT <= INDEX_HEIGHT + 1
        assert card.rank_box.right * CARD_WIDTH <= INDEX_WIDTH + 1


def test_a_deck_has_the_52_cards_in_order_and_then_foreign_ones() -> None:
    drawn = deck(1, foreign=5)
    assert [card.card for card in drawn[:52]] == list(DECK)
    assert [card.card for card in drawn[52:]] == [None] * 5


def test_the_same_seed_draws_the_same_deck_and_another_another() -> None:
    one, same, other = deck(3), deck(3), deck(4)
    assert all(np.array_equal(a.image, b.image) for a, b in zip(one, same, strict=True))
    assert not np.array_equal(one[0].image, other[0].image)


def test_the_lower_index_is_the_upper_one_turned() -> None:
    for card in deck(5)[:13]:
        upper, lower = card.image[:60, :24], card.image[-60:, -24:][::-1, ::-1]
        assert np.abs(upper.astype(int) - lower).mean() < 6


def test_red_suits_are_red_and_black_ones_black() -> None:
    for seed in range(3):
        for card in deck(seed)[9::13]:  # tens: pips only
            ink = card.image.reshape(-1, 3)[card.image.reshape(-1, 3)[:, 1] < 120].astype(int)
            redness = float((ink[:, 2] - ink[:, 1]).mean())
            assert (redness > 50) == (card.suit in {Suit.HEARTS, Suit.DIAMONDS})


def test_the_suits_of_a_deck_differ() -> None:
    for seed in range(8):
        shapes = suit_shapes(drawn_art(), np.random.default_rng(seed))
        assert set(shapes) == set(Suit)
        assert all(mask.max() > 0.8 and 0.2 < mask.mean() < 0.95 for mask in shapes.values())


def test_the_deck_of_art_is_taken_as_it_is() -> None:
    assert [card.card for card in art_deck(drawn_art())] == list(DECK)
