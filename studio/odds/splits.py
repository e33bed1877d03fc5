"""Splitting to several hands, exactly: what one hand is worth, put together to what all of them are.

All hands made by splits are played by one strategy that knows only its own hand. Then it does not matter in which
order cards come out, and the second cards may be thought of as dealt before everything else, one after the other:
a card like the pair's makes a further hand while there may be one; any other card, or every card at the limit,
begins a hand that is played. So the expectation of a hand is needed only with so many cards like the pair's known
to be elsewhere; that others are known *not* to be like them is taken into account by inclusion and exclusion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from math import comb
from typing import Final, NamedTuple

_TWO_HANDS: Final = 2
_SPLIT: Final = "split"
_OTHER: Final = "other"
_ANY: Final = "any"


class Term(NamedTuple):
    """One hand's expectation from a shoe with ``gone`` more cards like the pair's known to be gone.

    It is multiplied by the probability that so many are drawn first. ``any_card`` says whether the hand's second
    card may be like the pair's too; if not, only the other cards are summed up.
    """

    gone: int
    any_card: bool


@cache
def split_terms(most_hands: int) -> Mapping[Term, int]:
    """Return how often each term counts in the expectation of a pair split to at most ``most_hands`` hands."""
    terms: Counter[Term] = Counter()
    for word in _words(_TWO_HANDS, _TWO_HANDS, most_hands):
        for place, second in enumerate(word):
            if second != _SPLIT:
                elsewhere = Counter(word[:place] + word[place + 1 :])
                _count(terms, elsewhere[_SPLIT], elsewhere[_OTHER], any_card=second == _ANY)
    return {term: times for term, times in terms.items() if times}


@cache
def first_hand_terms(most_hands: int) -> Mapping[Term, int]:
    """Return the same for the first hand alone, which stays the first of its two at each further split (B9)."""
    terms: Counter[Term] = Counter()
    furthest = most_hands - _TWO_HANDS
    for splits in range(furthest):
        terms[Term(splits, any_card=False)] += 1
    terms[Term(furthest, any_card=True)] += 1
    return dict(terms)


def _words(hands: int, waiting: int, most_hands: int) -> Iterator[tuple[str, ...]]:
    """Yield what the second cards can be, in the order in which the hands that wait for one get it."""
    if hands == most_hands or not waiting:
        yield (_ANY,) * waiting
        return
    for rest in _words(hands + 1, waiting + 1, most_hands):
        yield (_SPLIT, *rest)
    for rest in _words(hands, waiting - 1, most_hands):
        yield (_OTHER, *rest)


def _count(terms: Counter[Term], alike: int, others: int, *, any_card: bool) -> None:
    for excluded in range(others + 1):
        terms[Term(alike + excluded, any_card)] += (-1) ** excluded * comb(others, excluded)
