"""How long the odds take: the first calculation of a process, and further ones, in processor time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OddsFigures:
    """Seconds; ``first`` by the clock with imports and compilation, the others of processor time after it."""

    first_seconds: float
    one_split_seconds: float
    with_table_seconds: float
    four_hands_seconds: float


def measure_odds() -> OddsFigures:
    """Solve 8 decks with one split, without and with the fixed table, and 6 decks with four hands."""
    began = time.perf_counter()
    from studio.odds.analysis import analyse  # noqa: PLC0415 - the import is part of what is measured
    from studio.odds.composition import whole_shoe  # noqa: PLC0415
    from studio.odds.game import Game  # noqa: PLC0415

    one_split, four_hands = Game(), Game(natural_first=False, split_hands=4)
    eight, six = whole_shoe(8), whole_shoe(6)
    analyse(one_split, eight)
    first = time.perf_counter() - began
    return OddsFigures(
        first,
        _processor_seconds(lambda: analyse(one_split, eight)),
        _processor_seconds(lambda: analyse(one_split, eight).best_table()),
        _processor_seconds(lambda: analyse(four_hands, six)),
    )


def _processor_seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began
