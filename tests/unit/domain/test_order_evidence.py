"""Evidence of a shuffle that did not happen, and of a card that is missing or doubled (anomalies.md, C18)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.cards import DECK
from studio.domain.order_evidence import (
    EARLY_RUN,
    FIRST_DRAWS,
    HIGHEST_P,
    LATE_RUN,
    SORTED_RUN,
    UNREAD,
    Drawn,
    Runs,
    binomial_tail,
    joined,
    lengthened,
    smallest_p,
    suspicion,
    telling,
)

ORDERS = st.binary(max_size=40).map(lambda raw: bytes(UNREAD if one > 250 else one % 4 for one in raw))


def a_shuffle(seed: int, decks: int = 8) -> bytes:
    cards = [card.index for card in DECK] * decks
    random.Random(seed).shuffle(cards)  # noqa: S311 - a test that can be repeated
    return bytes(cards)


def runs_of(order: bytes, earlier: bytes) -> Runs:
    runs = Runs()
    for end in range(1, len(order) + 1):
        runs = lengthened(runs, order[:end], earlier)
    return runs


def alarm_at(order: bytes, earlier: bytes) -> int | None:
    """Return the draw at which the order is told, ``None`` if it never is."""
    runs = Runs()
    for end in range(1, len(order) + 1):
        runs = lengthened(runs, order[:end], earlier)
        if telling(runs, end) is not None:
            return end
    return None


@given(ORDERS, ORDERS)
def test_the_run_match_score_is_the_longest_common_run(order: bytes, earlier: bytes) -> None:
    pieces = [
        order[first:end]
        for first in range(len(order))
        for end in range(first + 1, len(order) + 1)
        if UNREAD not in order[first:end]
    ]
    longest = max((len(one) for one in pieces if one in earlier or one[::-1] in earlier), default=0)

    assert runs_of(order, earlier).longest == longest


@pytest.mark.parametrize("turned", [False, True])
def test_six_early_cards_in_an_earlier_order_are_told_at_the_sixth(turned: bool) -> None:  # noqa: FBT001 - a case
    earlier = a_shuffle(1)
    piece = earlier[100:106][:: -1 if turned else 1]
    order = a_shuffle(2)[:3] + piece + a_shuffle(3)[:20]

    assert alarm_at(order, earlier) == 9
    assert FIRST_DRAWS >= 9
    assert len(piece) == EARLY_RUN


def test_later_a_longer_run_is_asked_for() -> None:
    earlier, fresh = a_shuffle(1), a_shuffle(2)

    assert alarm_at(fresh[:50] + earlier[100:107] + fresh[60:90], earlier) is None
    assert alarm_at(fresh[:50] + earlier[100:108] + fresh[60:90], earlier) == 50 + LATE_RUN


@pytest.mark.parametrize("step", [1, -1])
def test_a_new_decks_order_is_told(step: int) -> None:
    ranks = bytes(range(13 + 2, 13 + 2 + SORTED_RUN))[::step]

    assert alarm_at(a_shuffle(2)[:30] + ranks, b"") == 30 + SORTED_RUN


def test_a_suit_ends_a_sorted_run() -> None:
    assert runs_of(bytes((10, 11, 12, 13, 14, 15)), b"").longest_sorted == 3


def test_no_run_goes_over_an_unread_card_or_from_one_order_to_the_next() -> None:
    first, second = bytes((1, 2, 3)), bytes((4, 5, 6))

    assert runs_of(first + second, joined((first, second))).longest == 3
    assert runs_of(first + bytes((UNREAD,)) + second, first + second).longest == 3
    assert joined((b"", first, b"")) == first


def test_shuffled_shoes_raise_no_alarm() -> None:
    """Two hundred shoes against two earlier ones each: none is told."""
    for seed in range(0, 600, 3):
        earlier = joined((a_shuffle(seed), a_shuffle(seed + 1)))
        assert alarm_at(a_shuffle(seed + 2)[:312], earlier) is None


# Missing and doubled cards


def shoes(decks: int, number: int, *, without: int | None = None, twice: int | None = None) -> list[Drawn]:
    """Return what three quarters of each shoe showed, of packs that lack a card or have one too many."""
    found = []
    for seed in range(number):
        cards = [card.index for card in DECK] * decks
        if without is not None:
            cards.remove(without)
        if twice is not None:
            cards.append(twice)
        random.Random(seed).shuffle(cards)  # noqa: S311 - a test that can be repeated
        drawn = cards[: decks * 39]
        found.append(Drawn(tuple(drawn.count(index) for index in range(52))))
    return found


def test_a_missing_card_is_suspected_over_several_shoes() -> None:
    """One deck: three of four shoes show a card that is there; none shows one that is not."""
    found = suspicion(1, shoes(1, 16, without=17))

    assert found is not None
    assert (found.card, found.missing) == (17, True)
    assert found.p < HIGHEST_P


def test_a_doubled_card_is_suspected() -> None:
    found = suspicion(4, shoes(4, 150, twice=17))

    assert found is not None
    assert (found.card, found.missing) == (17, False)


def test_complete_shoes_are_not_suspected_however_often_one_asks() -> None:
    complete = shoes(8, 120)

    assert all(suspicion(8, complete[:number]) is None for number in range(0, 121, 10))
    assert smallest_p(8, []) == 1.0


def test_a_card_that_came_is_not_missing() -> None:
    every = Drawn((1,) * 52)

    assert suspicion(1, [every] * 1000) is None


# The test between dealers


@pytest.mark.parametrize(
    ("trials", "hits", "chance", "expected"),
    [
        (10, 0, 0.5, 1.0),
        (10, 10, 0.5, 0.5**10),
        (2, 1, 0.5, 0.75),
        (3, 1, 0.0, 0.0),
        (3, 0, 0.0, 1.0),
        (3, 2, 1.0, 1.0),
    ],
)
def test_the_binomial_tail(trials: int, hits: int, chance: float, expected: float) -> None:
    assert binomial_tail(trials, hits, chance) == pytest.approx(expected)


def test_the_binomial_tail_of_many_trials_stops_where_nothing_is_left_to_add() -> None:
    assert binomial_tail(100_000, 50_000, 0.5) == pytest.approx(0.5, abs=0.01)
