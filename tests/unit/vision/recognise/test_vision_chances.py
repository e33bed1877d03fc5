"""Chances of cards from scores."""

from __future__ import annotations

import numpy as np
import pytest
from support.card_pictures import scores

from studio.domain.cards import DECK, Card
from vision.recognise.chances import best, of_cards, of_nothing


@pytest.mark.parametrize("card", DECK, ids=str)
def test_the_likeliest_card_is_the_one_whose_rank_and_suit_score_highest(card: Card) -> None:
    found, chance = best(of_cards(scores(card)))
    assert found is card
    assert chance > 0.99


def test_the_chances_of_all_cards_and_of_nothing_are_one() -> None:
    random = np.random.default_rng(1)
    several = random.normal(0, 3, (5, 19)).astype(np.float32)
    every = np.exp(of_cards(several)).sum(-1) + np.exp(of_nothing(several))
    assert every == pytest.approx(np.ones(5), abs=1e-4)


def test_no_rank_is_no_card() -> None:
    assert np.exp(of_nothing(scores(None))) > 0.99
