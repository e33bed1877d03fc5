"""The lesson: a known order, a different code for each card."""

from __future__ import annotations

import pytest

from drivers.learning.lesson import Known, LastAgain, Learnt, Lesson
from studio.domain.cards import DECK


def test_a_whole_deck_in_order_gives_its_map() -> None:
    lesson = Lesson()
    for number, card in enumerate(DECK):
        wanted = lesson.wanted
        assert wanted is not None
        assert (wanted.card, wanted.number) == (card, number + 1)
        assert lesson.take(f"{number:04}") == Learnt(wanted)
    assert lesson.wanted is None
    assert lesson.learnt == lesson.total == 52
    assert lesson.entries() == {f"{number:04}": card.code for number, card in enumerate(DECK)}
    with pytest.raises(ValueError, match="every card is learnt"):
        lesson.take("one more")


def test_several_decks_are_learnt_with_their_numbers() -> None:
    lesson = Lesson(2)
    for number in range(104):
        lesson.take(str(number))
    assert (lesson.entries()["0"], lesson.entries()["51"], lesson.entries()["52"]) == ("AD 1", "KH 1", "AD 2")


def test_a_card_read_twice_is_no_card_more() -> None:
    lesson = Lesson()
    lesson.take("a")
    assert lesson.take("a") == LastAgain()
    assert lesson.learnt == 1


def test_a_code_of_an_earlier_card_is_refused_with_that_card() -> None:
    lesson = Lesson()
    for code in "abc":
        lesson.take(code)
    answer = lesson.take("a")
    assert isinstance(answer, Known)
    assert (answer.of.words, answer.of.number) == ("ace of diamonds", 1)
    assert lesson.learnt == 3


def test_going_back_asks_for_the_last_card_again() -> None:
    lesson = Lesson()
    assert lesson.back() is None
    lesson.take("wrong")
    wanted = lesson.back()
    assert wanted is not None
    assert wanted.words == "ace of diamonds"
    lesson.take("right")
    assert lesson.entries() == {"right": "AD"}


def test_there_is_at_least_one_deck() -> None:
    with pytest.raises(ValueError, match="at least one deck, not 0"):
        Lesson(0)


@pytest.mark.parametrize(
    ("place", "words"), [(0, "ace of diamonds"), (12, "king of diamonds"), (22, "ten of clubs")]
)
def test_a_card_in_words(place: int, words: str) -> None:
    lesson = Lesson()
    for number in range(place):
        lesson.take(str(number))
    assert lesson.wanted is not None
    assert lesson.wanted.words == words
