"""The physical stack: seeded, complete, and where its cut card lies."""

from __future__ import annotations

from collections import Counter

import pytest

from hardware_sim.shoe import Drawn, Marker, Shoe
from studio.domain.cards import DECK, Card


def all_of(shoe: Shoe) -> list[Drawn]:
    drawn: list[Drawn] = []
    while (item := shoe.pull()) is not Marker.EMPTY:
        drawn.append(item)
    return drawn


def cards_of(drawn: list[Drawn]) -> Counter[Card]:
    return Counter(item for item in drawn if isinstance(item, Card))


def test_the_same_seed_gives_the_same_cards_load_after_load() -> None:
    first, second = Shoe(7, 8), Shoe(7, 8)
    for _ in range(3):
        assert all_of(first) == all_of(second)
        first.reshuffle()
        second.reshuffle()


def test_another_seed_and_another_load_give_other_cards() -> None:
    shoe, other = Shoe(7, 8), Shoe(8, 8)
    first_load = all_of(shoe)
    shoe.reshuffle()
    assert first_load != all_of(shoe)
    assert first_load != all_of(other)


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_a_load_holds_each_card_once_per_deck(decks: int) -> None:
    assert cards_of(all_of(Shoe(1, decks))) == dict.fromkeys(DECK, decks)


@pytest.mark.parametrize(("given", "behind"), [(None, 104), (60, 60), (0, 0), (416, 416)])
def test_the_cut_card_has_its_cards_behind_it(given: int | None, behind: int) -> None:
    drawn = all_of(Shoe(1, 8, given))
    assert drawn.count(Marker.CUT_CARD) == 1
    assert len(drawn) - 1 - drawn.index(Marker.CUT_CARD) == behind


def test_impossible_shoes_are_refused() -> None:
    with pytest.raises(ValueError, match="1 to 8 decks, not 9"):
        Shoe(1, 9)
    with pytest.raises(ValueError, match="53 cards behind it in a stack of 52"):
        Shoe(1, 1, 53)


def test_dealing_a_chosen_card_next_keeps_the_stack_complete() -> None:
    shoe = Shoe(3, 1)
    last = all_of(Shoe(3, 1))[-1]
    assert isinstance(last, Card)
    assert shoe.bring_up(last)
    assert shoe.next_card() == last
    assert cards_of(all_of(shoe)) == dict.fromkeys(DECK, 1)
    assert not shoe.bring_up(last)


def test_a_card_taken_out_is_missing_and_the_cut_card_stays_in_its_place() -> None:
    shoe = Shoe(3, 1)
    before = all_of(Shoe(3, 1)).index(Marker.CUT_CARD)
    missing = shoe.take_out()
    drawn = all_of(shoe)
    assert missing is not None
    assert cards_of(drawn)[missing] == 0
    assert len(cards_of(drawn)) == 51
    assert drawn.index(Marker.CUT_CARD) == before
