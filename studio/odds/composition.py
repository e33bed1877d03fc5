"""A shoe's composition: how many cards there are of each of the ten values (C1, C2).

A value's index is its face less one: 0 the ace, 1 the two, 9 every ten-valued card. Arrays over values or upcards
have ten columns in this order; tables for people begin with the two and end with the ace (:data:`UPCARDS`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Reals = NDArray[np.float64]
Flags = NDArray[np.bool_]

VALUES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T")
"""The names of the values by their index."""
UPCARDS: Final = (*VALUES[1:], VALUES[0])
"""The upcards in the order of strategy tables."""
ACE: Final = 0
TEN: Final = len(VALUES) - 1
_CARDS_PER_RANK: Final = 4
_TEN_VALUED_RANKS: Final = 4


def whole_shoe(decks: int) -> Counts:
    """Return the composition of ``decks`` full decks, as ten counts."""
    counts = np.full(len(VALUES), _CARDS_PER_RANK * decks, dtype=np.int64)
    counts[TEN] *= _TEN_VALUED_RANKS
    return counts


def composition_of(counts: Mapping[str, int]) -> Counts:
    """Return the composition with ``counts`` cards of each value named; raise ``ValueError`` for other names."""
    unknown = set(counts) - set(VALUES)
    if unknown or min(counts.values(), default=0) < 0:
        message = f"a composition gives a count from 0 for values of {', '.join(VALUES)}; not {sorted(unknown)}"
        raise ValueError(message)
    return np.array([counts.get(name, 0) for name in VALUES], dtype=np.int64)
