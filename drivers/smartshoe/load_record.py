"""What has come of one load of cards: which ordinals are here, which are missing (spec.md, "Identity").

Sans-I/O and without time. It knows ordinals and card bytes, neither frames nor links.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto

from drivers.smartshoe.messages import card_of


class Verdict(Enum):
    """What a frame that uses up an ordinal is."""

    NEW = auto()
    """The first word on this ordinal, or the card of one that was unread, unknown or missed."""

    REPEAT = auto()
    """Said before, to this process."""

    JOURNALLED = auto()
    """Of an ordinal that the journal held before this process began; what it holds is not known here."""

    CONFLICT = auto()
    """Another card than the one said before: the identity is broken, and the table must see it."""


@dataclass(slots=True)
class LoadRecord:
    """One load; ordinals up to ``journalled`` were in the journal before. ``next_ordinal`` 0 means not known."""

    load: int | None = None
    journalled: int = 0
    next_ordinal: int = 0
    missing: set[int] = field(default_factory=set)
    _abandoned: set[int] = field(default_factory=set)
    _readings: dict[int, list[int | None]] = field(default_factory=dict)

    def judge(self, ordinal: int, code: int | None) -> Verdict:
        """Record that ``ordinal`` came with card byte ``code`` (``None``: unread) and say what it is.

        A gap before it must have been recorded first, by :meth:`skip_to`.
        """
        readings = self._readings.get(ordinal)
        if readings is None:
            self._readings[ordinal] = [code]
            self.missing.discard(ordinal)
            self._abandoned.discard(ordinal)
            self.next_ordinal = max(self.next_ordinal, ordinal + 1)
            return Verdict.JOURNALLED if ordinal <= self.journalled else Verdict.NEW
        # A device that replays its log sends the no-read again before the rescan: an old word either way.
        if code is None or code in readings:
            return Verdict.REPEAT
        had_card = any(_is_card(reading) for reading in readings)
        readings.append(code)
        return Verdict.CONFLICT if had_card else Verdict.NEW

    def skip_to(self, ordinal: int) -> range:
        """Record that ``ordinal`` is the next to come; return the ordinals that were skipped and are not here."""
        skipped = range(self.next_ordinal or ordinal, ordinal)
        self.next_ordinal = max(self.next_ordinal, ordinal)
        self.missing.update(skipped)
        return skipped

    def reach(self, ordinal: int) -> tuple[range, ...]:
        """Record that the device has counted to ``ordinal``; return what we lack of that."""
        self.next_ordinal = max(self.next_ordinal, ordinal + 1)
        lacking = [
            number
            for number in range(self.journalled + 1, ordinal + 1)
            if number not in self._readings and number not in self._abandoned
        ]
        self.missing.update(lacking)
        return spans_of(lacking)

    def abandon(self) -> tuple[range, ...]:
        """Give up all that is missing; return it as spans. What comes later all the same is new."""
        spans = spans_of(self.missing)
        self._abandoned |= self.missing
        self.missing.clear()
        return spans


def _is_card(code: int | None) -> bool:
    return code is not None and card_of(code) is not None


def spans_of(ordinals: Iterable[int]) -> tuple[range, ...]:
    """Return ``ordinals`` as the fewest spans, in order."""
    spans: list[range] = []
    for ordinal in sorted(ordinals):
        if spans and spans[-1].stop == ordinal:
            spans[-1] = range(spans[-1].start, ordinal + 1)
        else:
            spans.append(range(ordinal, ordinal + 1))
    return tuple(spans)
