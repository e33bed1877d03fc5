"""Every hand that a player can hold without being bust: sets of values, totals, and what a card makes of them.

The same for every game and shoe; an order in which the hands can be worked out from the last to the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from studio.odds.composition import ACE, VALUES, Counts
from studio.odds.dealer import TWENTY_ONE, points_of

INITIAL_CARDS: Final = 2
SOFT_KIND: Final = TWENTY_ONE + 1
"""A *kind* is a hand's points, and :data:`SOFT_KIND` more where an ace counts 11."""
KINDS: Final = 2 * SOFT_KIND
_LAST_BEFORE_SOFT: Final = 10
"""A hard total up to which an ace can still make the hand soft."""

BACKWARDS: Final = (
    *range(TWENTY_ONE, _LAST_BEFORE_SOFT, -1),
    *range(SOFT_KIND + TWENTY_ONE, SOFT_KIND + _LAST_BEFORE_SOFT, -1),
    *range(_LAST_BEFORE_SOFT, 0, -1),
)
"""Every kind, each after all those that a card can lead to from it."""


class Hands(NamedTuple):
    """All hands of one card and more, in arrays with a row for each."""

    counts: Counts
    """``(hands, 10)``: the cards of each value."""
    cards: Counts
    kind: Counts
    points: Counts
    with_card: Counts
    """``(hands, 10)``: the row of the hand with one card of a value more, -1 where that busts it."""


@cache
def all_hands() -> Hands:
    """Return every hand."""
    found = [hand for hand in _up_to(TWENTY_ONE, len(VALUES) - 1) if any(hand)]
    row = {hand: number for number, hand in enumerate(found)}
    counts = np.array(found, dtype=np.int64)
    hard = counts @ np.arange(1, len(VALUES) + 1)
    points = np.array([points_of(*each) for each in zip(hard.tolist(), counts[:, ACE].tolist(), strict=True)])
    with_card = [
        [row.get((*hand[:value], hand[value] + 1, *hand[value + 1 :]), -1) for value in range(len(VALUES))]
        for hand in found
    ]
    return Hands(
        counts,
        counts.sum(axis=1),
        np.where(points > hard, points + SOFT_KIND, points),
        points,
        np.array(with_card),
    )


def _up_to(points: int, highest: int) -> Iterator[tuple[int, ...]]:
    """Yield every set of the values up to an index, its total with aces as 1 at most ``points``."""
    if highest < 0:
        yield ()
        return
    for count in range(points // (highest + 1) + 1):
        for lower in _up_to(points - count * (highest + 1), highest - 1):
            yield (*lower, count)
