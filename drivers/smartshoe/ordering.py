"""Cards in the order in which they left the shoe (spec.md, "Order").

Sans-I/O and without time: facts in, facts out. While an ordinal is missing, what lies beyond it is held back.
It goes on when the replay has brought the ordinal, or when the protocol has given it up: only then does the
table learn that it was missed. What has no ordinal of its own, or is late, is never held back.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, assert_never

from drivers.smartshoe.facts import Fact, Missing, Overflowed, Received, Unrecovered
from drivers.smartshoe.messages import CardRead, CardReturned, CutCard, Empty, NoRead

if TYPE_CHECKING:
    from collections.abc import Iterable


class Ordering:
    """Holds back facts beyond a gap; at most a load's worth of them, as each must have another ordinal."""

    def __init__(self) -> None:
        self._missing: set[int] = set()
        self._held: deque[tuple[tuple[int, int], Received]] = deque()

    @property
    def held(self) -> int:
        """How many facts wait for a gap to close."""
        return len(self._held)

    def push(self, facts: Iterable[Fact]) -> list[Fact]:
        """Take what the protocol found; return what may go on to the table, in order.

        Of :class:`Missing` and :class:`Unrecovered`, only ordinals given up come out, each span in its place.
        """
        released: list[Fact] = []
        for fact in facts:
            match fact:
                case Missing():
                    self._missing.update(*fact.spans)
                case Unrecovered():
                    self._pass_over(fact, released)
                case Received():
                    self._take(fact, released)
                case Overflowed():
                    released.append(fact)
                case _:
                    assert_never(fact)
        return released

    def _take(self, fact: Received, released: list[Fact]) -> None:
        key = _sort_key(fact)
        if key is None:
            released.append(fact)
            return
        if isinstance(fact.message, CardRead | NoRead):
            self._missing.discard(fact.message.ordinal)
        index = len(self._held)
        while index and self._held[index - 1][0] > key:
            index -= 1
        self._held.insert(index, (key, fact))
        self._release_before(min(self._missing, default=None), released)

    def _release_before(self, ordinal: int | None, released: list[Fact]) -> None:
        while self._held and (ordinal is None or self._held[0][0][0] < ordinal):
            released.append(self._held.popleft()[1])

    def _pass_over(self, lost: Unrecovered, released: list[Fact]) -> None:
        """Put each lost span in its place; the protocol gives up all that is missing, or nothing."""
        for span in lost.spans:
            self._release_before(span.start, released)
            released.append(Unrecovered(lost.load, (span,), lost.at))
        self._missing.clear()
        self._release_before(None, released)


def _sort_key(fact: Received) -> tuple[int, int] | None:
    """Return where ``fact`` belongs: a card at its ordinal, a cut card or the like just after it."""
    match fact.message:
        case CardRead(ordinal=ordinal) | NoRead(ordinal=ordinal):
            return ordinal, 0
        case CutCard(ordinal) | CardReturned(ordinal) | Empty(ordinal):
            return ordinal, 1
        case _:
            return None
