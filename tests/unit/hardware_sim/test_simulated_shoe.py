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


def round_of(shuffler: Shoe, cards: int) -> list[Drawn]:
    return [shuffler.pull() for _ in range(cards)]


def test_a_shuffler_has_no_cut_card_and_is_full_again_when_its_cards_are_back() -> None:
    shuffler = Shoe(3, 1, is_continuous=True)
    for _ in range(20):
        assert Marker.CUT_CARD not in round_of(shuffler, 7)
        assert shuffler.return_cards()
        assert (shuffler.dealt, shuffler.left, shuffler.loads) == (0, 52, 1)
    assert cards_of(all_of(shuffler)) == dict.fromkeys(DECK, 1)


def test_the_same_seed_gives_the_same_cards_return_after_return() -> None:
    first, second = Shoe(7, 8, is_continuous=True), Shoe(7, 8, is_continuous=True)
    rounds = []
    for _ in range(3):
        rounds.append(round_of(first, 6))
        assert round_of(second, 6) == rounds[-1]
        first.return_cards()
        second.return_cards()
    assert rounds[0] != rounds[1] != rounds[2]


def test_nothing_is_shuffled_when_nothing_was_dealt() -> None:
    shuffler = Shoe(3, 1, is_continuous=True)
    following = shuffler.next_card()
    assert not shuffler.return_cards()
    assert shuffler.next_card() == following


def test_a_foreign_card_goes_back_into_the_shuffler_with_the_others() -> None:
    shuffler = Shoe(3, 1, is_continuous=True)
    foreign = shuffler.next_card()
    assert foreign is not None
    shuffler.pull()
    shuffler.substitute(foreign)
    shuffler.pull()
    shuffler.return_cards()
    assert cards_of(all_of(shuffler))[foreign] == 2


def test_a_shoe_takes_no_cards_back_and_a_shuffler_no_cut_card() -> None:
    with pytest.raises(ValueError, match="continuous"):
        Shoe(1, 1).return_cards()
    with pytest.raises(ValueError, match="cut"):
        Shoe(1, 1, 10, is_continuous=True)
