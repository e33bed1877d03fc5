"""The gate: what keeps an enrolment from going live."""

from __future__ import annotations

from typing import cast

from support.card_pictures import felt, upright

from studio.domain.cards import DECK, Card
from vision.image import Image
from vision.recognise.gate import faults
from vision.recognise.reader import CardReading, Reader

PICTURES = {card: [upright(card)] for card in DECK}


class Says:
    """A reader with its answers given in order, the last one for ever."""

    def __init__(self, *cards: Card | None) -> None:
        self.cards = list(cards)

    def read(self, _: Image) -> CardReading:
        card = self.cards.pop(0) if len(self.cards) > 1 else self.cards[0]
        return CardReading(card, 0.99, "" if card else "prototype")


def perfect() -> list[Card | None]:
    """Return the right answers: each card as it is, with another outline, in another light; then no card."""
    return [card for card in DECK for _ in range(3)] + [None]


def test_a_deck_that_is_read_whole_goes_live() -> None:
    assert faults(cast(Reader, Says(*perfect())), PICTURES, [felt(280, 200)]) == []


def test_a_wrong_reading_keeps_it_from_going_live() -> None:
    answers = perfect()
    answers[1] = DECK[5]
    answers[6] = None
    assert faults(cast(Reader, Says(*answers)), PICTURES, []) == [
        (DECK[0], f"{DECK[0]} with another outline is read as {DECK[5]}"),
        (DECK[2], f"{DECK[2]} is read as nothing prototype"),
    ]


def test_a_card_read_on_the_felt_or_the_back_keeps_it_from_going_live() -> None:
    answers = [*perfect()[:-1], DECK[3]]
    (said,) = faults(cast(Reader, Says(*answers)), PICTURES, [felt(280, 200)])
    assert said == (None, f"picture 1 of what is no card is read as {DECK[3]}")


def test_a_card_without_a_picture_keeps_it_from_going_live() -> None:
    fifty_one = {card: pictures for card, pictures in PICTURES.items() if card is not DECK[9]}
    answers = [card for card in perfect() if card is not DECK[9]]
    assert faults(cast(Reader, Says(*answers)), fifty_one, []) == [(DECK[9], f"there is no picture of {DECK[9]}")]
