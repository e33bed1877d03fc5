"""The dealer's hand: exact probabilities of every outcome from a composition (R12).

All orders of the same cards are equally probable. So it is enough to list the sets of cards at which the dealer
still draws, each with the number of orders in which it can come about, and to draw one card more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from studio.odds.compiled import compiled
from studio.odds.composition import ACE, VALUES, Counts, Reals

STANDS_ON: Final = 17
TWENTY_ONE: Final = 21
_SOFT: Final = 10
MOST_CARDS: Final = 18
"""More than a dealer's hand can have, its upcard apart."""

OUTCOMES: Final = ("17", "18", "19", "20", "21", "natural", "bust")
"""The outcomes by their index; a 21 of two cards is a natural, and no ``21``."""
NATURAL: Final = OUTCOMES.index("natural")
BUST: Final = OUTCOMES.index("bust")


class Plan(NamedTuple):
    """Every set of cards at which the dealer draws, from one upcard, in arrays for the compiled loop.

    What belongs to set ``n`` is in ``drawn[first_drawn[n]:first_drawn[n + 1]]``, and so on.
    """

    orders: Reals
    """In how many orders the set can have come about."""
    cards: Counts
    """How many cards it has, the upcard apart."""
    first_drawn: Counts
    drawn: Counts
    """Its cards: rows of (value index, how many), each value once."""
    first_end: Counts
    ends: Counts
    """The cards that end the hand without a bust: rows of (value index, how many are in the set, outcome)."""
    busts: Counts
    """Per set: the lowest value index that busts the hand, and how many cards from it on are in the set."""


def points_of(hard: int, aces: int) -> int:
    """Return the points of cards with their aces counted 1, ``aces`` of them (C1)."""
    return hard + _SOFT if aces and hard + _SOFT <= TWENTY_ONE else hard


@cache
def plan_of(upcard: int, hits_soft_17: bool) -> Plan:  # noqa: FBT001 - a key of the cache
    """Return the sets of cards at which the dealer draws, from an upcard's value index."""
    found = _orders(upcard, hits_soft_17=hits_soft_17)
    cards = [[(value, count) for value, count in enumerate(drawn) if count] for drawn in found]
    ends = [list(_ends(upcard, drawn, hits_soft_17=hits_soft_17)) for drawn in found]
    return Plan(
        np.array(list(found.values()), dtype=np.float64),
        np.array(list(map(sum, found)), dtype=np.int64),
        _firsts(cards),
        np.array(list(chain.from_iterable(cards)), dtype=np.int64),
        _firsts(ends),
        np.array(list(chain.from_iterable(ends)), dtype=np.int64),
        np.array([_bust(upcard, drawn) for drawn in found], dtype=np.int64),
    )


def _firsts(groups: Sequence[Sequence[object]]) -> Counts:
    return np.cumsum([0, *map(len, groups)], dtype=np.int64)


def _ends(upcard: int, drawn: tuple[int, ...], *, hits_soft_17: bool) -> Iterator[tuple[int, int, int]]:
    for value in range(len(VALUES)):
        outcome = _outcome(upcard, _with(drawn, value), hits_soft_17=hits_soft_17)
        if outcome is not None and outcome != BUST:
            yield value, drawn[value], outcome


def _bust(upcard: int, drawn: tuple[int, ...]) -> tuple[int, int]:
    """A card busts the hand when it does so with every ace as 1: so do all higher ones."""
    lowest = min(TWENTY_ONE - _hard(upcard, drawn), len(VALUES))
    return lowest, sum(drawn[lowest:])


def _hard(upcard: int, drawn: tuple[int, ...]) -> int:
    return upcard + 1 + sum((value + 1) * count for value, count in enumerate(drawn))


def _orders(upcard: int, *, hits_soft_17: bool) -> Counter[tuple[int, ...]]:
    """Return in how many orders the cards of each set at which the dealer draws can have come."""
    found: Counter[tuple[int, ...]] = Counter()
    going_on = Counter({(0,) * len(VALUES): 1})
    while going_on:
        found |= going_on
        longer: Counter[tuple[int, ...]] = Counter()
        for drawn, orders in going_on.items():
            for value in range(len(VALUES)):
                more = _with(drawn, value)
                if _outcome(upcard, more, hits_soft_17=hits_soft_17) is None:
                    longer[more] += orders
        going_on = longer
    return found


def _with(drawn: tuple[int, ...], value: int) -> tuple[int, ...]:
    return (*drawn[:value], drawn[value] + 1, *drawn[value + 1 :])


def _outcome(upcard: int, drawn: tuple[int, ...], *, hits_soft_17: bool) -> int | None:
    """Return the outcome of a dealer's hand, ``None`` where the dealer draws."""
    hard = _hard(upcard, drawn)
    points = points_of(hard, drawn[ACE] + (upcard == ACE))
    if points > TWENTY_ONE:
        return BUST
    if points < STANDS_ON or (points == STANDS_ON and points != hard and hits_soft_17):
        return None
    if points == TWENTY_ONE:
        return NATURAL if sum(drawn) == 1 else OUTCOMES.index("21")
    return points - STANDS_ON


def outcome_probabilities(unseen: Counts, upcard: int, *, hits_soft_17: bool) -> Reals:
    """Return the probabilities of the outcomes, ``(rows, 7)``, for ``unseen`` compositions ``(rows, 10)``.

    The upcard is not among the unseen cards, the hole card is. The probabilities of a row sum to 1 where the cards
    suffice for every ending, and to less where they can run out.
    """
    plan = plan_of(upcard, hits_soft_17)
    return _probabilities(np.ascontiguousarray(unseen), *plan, len(OUTCOMES))


@compiled
def _probabilities(  # noqa: PLR0913, PLR0917 - a plan's arrays
    unseen: Counts,
    orders: Reals,
    cards: Counts,
    first_drawn: Counts,
    drawn: Counts,
    first_end: Counts,
    ends: Counts,
    busts: Counts,
    outcomes: int,
) -> Reals:
    """Sum up the endings of each row."""
    rows, values = unseen.shape
    sums = np.zeros((rows, outcomes))
    ways = np.ones((values, MOST_CARDS + 1))  # to draw so many cards of a value, one after the other
    each = np.empty(MOST_CARDS)  # the probability of one order of one card more
    from_on = np.zeros(values + 1)  # the cards of a value and all higher ones
    for row in range(rows):
        total = 0
        for value in range(values):
            total += unseen[row, value]
            for count in range(MOST_CARDS):
                ways[value, count + 1] = ways[value, count] * max(unseen[row, value] - count, 0)
        for value in range(values - 1, -1, -1):
            from_on[value] = from_on[value + 1] + max(unseen[row, value], 0)
        product = 1.0
        for count in range(MOST_CARDS):
            product = product / (total - count) if total > count else 0.0
            each[count] = product
        for number in range(len(orders)):
            reached = each[cards[number]] * orders[number]
            for at in range(first_drawn[number], first_drawn[number + 1]):
                reached *= ways[drawn[at, 0], drawn[at, 1]]
            if reached == 0.0:
                continue
            sums[row, BUST] += reached * (from_on[busts[number, 0]] - busts[number, 1])
            for at in range(first_end[number], first_end[number + 1]):
                sums[row, ends[at, 2]] += reached * max(unseen[row, ends[at, 0]] - ends[at, 1], 0)
    return sums
