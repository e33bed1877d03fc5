"""How a card is known that no reader told: a word that goes with it in every view of it (consoles.md D20)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from studio.domain.table import Round


class Mark(StrEnum):
    """Who says what a card is: the reader, two people who entered it, or a ruling that corrected it."""

    READ = ""
    MANUAL = "manual"
    RULED = "ruled"


def mark_of(current: Round | None, draw: int) -> Mark:
    """Return the mark of a draw; a ruling stands for an earlier entry by hand."""
    if current is None:
        return Mark.READ
    if draw in current.corrected:
        return Mark.RULED
    return Mark.MANUAL if draw in current.entered else Mark.READ


def marks_of(current: Round, draws: Sequence[int]) -> tuple[str, ...]:
    """Return the marks of a hand's cards, in their order; none at all where every card was read."""
    marks = tuple(mark_of(current, draw) for draw in draws)
    return marks if any(marks) else ()


def dealer_draws(current: Round) -> tuple[int, ...]:
    """Return the draws of the dealer's cards, in their order."""
    return tuple(one.draw for one in current.draws if one.hand is None)
