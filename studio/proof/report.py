"""What a check found: broken rows by name, what was checked, and words on the way for whoever waits."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TextIO, TypeVar

_QUIET_NS: Final = 1_000_000_000
"""A check that is done within a second says nothing on the way."""

T = TypeVar("T")


class Broken(NamedTuple):
    """A row that is not as it was written: where it stands, which it is, and what is wrong."""

    place: str
    row: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}, {self.row}: {self.reason}"


@dataclass(slots=True)
class Report:
    """The findings of a check, in the order in which they were found; ``notes`` are no faults."""

    broken: list[Broken] = field(default_factory=list)
    checked: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)


def named_row(found: object, wanted: int) -> object:
    """Return which row a finding is about: the one that is wanted, or one that came where it cannot be."""
    return found if isinstance(found, int) and found < wanted else wanted


class Progress:
    """Says on a stream how far a long check has come, once a second from the first second on."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._said_ns = time.monotonic_ns()

    def over(self, rows: Iterable[T], what: str, total: int) -> Iterator[T]:
        """Yield the rows and say how many of the total have passed."""
        for number, row in enumerate(rows, start=1):
            yield row
            if number % 256 == 0 and self._stream is not None:
                now_ns = time.monotonic_ns()
                if now_ns - self._said_ns >= _QUIET_NS:
                    self._said_ns = now_ns
                    self._stream.write(f"{what}: {number} of {total}\n")
                    self._stream.flush()
