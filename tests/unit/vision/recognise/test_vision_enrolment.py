"""Enrolment: with a picture of each card the deck in use is read, and another is not."""

from __future__ import annotations

import numpy as np
import pytest
from support.card_pictures import felt, upright

from studio.domain.cards import DECK, Card, parse_card
from vision.recognise.degrade import degrade
from vision.recognise.enrolment import Enrolment, enrol
from vision.recognise.model import Model, load_model
from vision.recognise.reader import Reader


@pytest.fixture(scope="module")
def model() -> Model:
    return load_model()


@pytest.fixture(scope="module")
def enrolment(model: Model) -> Enrolment:
    return enrol(model, {card: [upright(card)] for card in DECK}, [felt(280, 200)])


@pytest.mark.parametrize("card", DECK, ids=str)
def test_each_card_of_the_enrolled_deck_is_read(model: Model, enrolment: Enrolment, card: Card) -> None:
    assert Reader(model, enrolment).read(upright(card)).code is card


@pytest.mark.parametrize("condition", ["60 pixels", "blur", "dark", "light", "noise", "compressed", "outline"])
def test_spoilt_pictures_are_read_right_or_not_at_all(model: Model, enrolment: Enrolment, condition: str) -> None:
    reader, random = Reader(model, enrolment), np.random.default_rng(9)
    read = {card: reader.read(degrade(upright(card), condition, random)).code for card in DECK}
    assert {card: code for card, code in read.items() if code not in {card, None}} == {}
    assert sum(code is not None for code in read.values()) >= 40


@pytest.mark.parametrize("code", ["AS", "4S", "6H", "8H", "7D", "TD", "QC", "QS"])
@pytest.mark.parametrize("shift", [(-4, 0), (4, 3), (0, -5), (-3, 4)])
def test_a_few_pixels_aside_make_no_other_card(
    model: Model, enrolment: Enrolment, code: str, shift: tuple[int, int]
) -> None:
    """Reported by users: A as 4, 6 as 8, 8 as 7, ten as seven, the queen of clubs as the queen of spades."""
    card = parse_card(code)
    moved = np.roll(upright(card), shift, axis=(1, 0))
    assert Reader(model, enrolment).read(moved).code in {card, None}


def test_sleeves_and_the_card_that_lay_there_before_are_no_card(model: Model, enrolment: Enrolment) -> None:
    """Reported by users: a sleeve or an empty slot read as a card, ghosts of the card before."""
    reader = Reader(model, enrolment)
    sleeve = np.full((280, 200, 3), (40, 30, 30), np.uint8)
    ghost = np.clip(felt(280, 200) * 0.85 + upright(DECK[8]) * 0.15, 0, 255).astype(np.uint8)
    half = upright(DECK[8])
    half[:, 60:] = sleeve[:, 60:]
    assert [reader.read(picture).code for picture in (sleeve, felt(280, 200), half)] == [None, None, None]
    assert reader.read(ghost).code in {DECK[8], None}


def test_a_card_that_was_not_enrolled_is_not_read(model: Model) -> None:
    few = enrol(model, {card: [upright(card)] for card in DECK if card is not DECK[20]})
    assert Reader(model, few).read(upright(DECK[20])).code is None
    assert DECK[20] not in few.cards
    assert len(few.cards) == 51


def test_a_picture_mirrored_or_upside_down_within_its_outline_is_not_read(
    model: Model, enrolment: Enrolment
) -> None:
    reader = Reader(model, enrolment)
    for card in DECK[::5]:
        mirrored = np.ascontiguousarray(upright(card)[:, ::-1])
        assert reader.read(mirrored).code is None


def test_without_any_card_there_is_no_enrolment(model: Model) -> None:
    with pytest.raises(ValueError, match="pictures of the deck's cards"):
        enrol(model, {})
