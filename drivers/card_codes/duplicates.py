"""When is a code that comes again the same card again? Three policies, each pure; none of them drops anything.

With n decks a card has n - 1 twins, so that the same text is no proof of the same card. What can tell: a light
barrier that sees each card pass (``gate``), codes of which the shoe holds one each (``unique``), or else the
time that a hand needs to pull the next card (``transit``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum, auto


class Verdict(Enum):
    """What a policy says of a code."""

    NEW = auto()
    REPEAT = auto()
    """It may be the last card a second time: told as such, and the table decides."""
    DOUBTFUL = auto()
    """A second card where one was seen to pass."""


class Duplicates(ABC):
    """One policy. Moments are monotonic nanoseconds that never go back."""

    name: str

    @abstractmethod
    def connected(self) -> None:
        """Begin anew: nobody knows what passed while no line was open."""

    @abstractmethod
    def judge(self, code: str, at_ns: int) -> Verdict:
        """Judge the code of a card read at ``at_ns``, and remember it."""

    def noticed(self, at_ns: int) -> None:  # noqa: B027 - most policies need not know
        """Take note that something came which is no card's code: no read, a cut card, damage."""

    def passage(self, at_ns: int) -> bool:  # noqa: ARG002 - only a light barrier's policy hears of any
        """Something breaks the light barrier; tell whether what passed before was never told."""
        return False

    def overdue(self, now_ns: int) -> bool:  # noqa: ARG002 - as above
        """Tell, once, that something passed the light barrier and the reader has said nothing of it."""
        return False


class Transit(Duplicates):
    """The same code within ``within_ns`` of its last reading may be the same card.

    The time counts from the last reading, a repeated one too: a card that lies under the reader is one card.
    """

    name = "transit"

    def __init__(self, within_ns: int) -> None:
        self._within_ns = within_ns
        self._last_ns: dict[str, int] = {}

    def connected(self) -> None:
        """Forget every code."""
        self._last_ns.clear()

    def judge(self, code: str, at_ns: int) -> Verdict:
        """Judge by the time since the same code."""
        self._last_ns = {one: ns for one, ns in self._last_ns.items() if at_ns - ns < self._within_ns}
        verdict = Verdict.REPEAT if code in self._last_ns else Verdict.NEW
        self._last_ns[code] = at_ns
        return verdict


class Unique(Duplicates):
    """A code that came since the cards were last put in is the same card, or its copy.

    A reader is not told when cards are put in. It takes a silence of ``reload_ns`` for it: nobody changes a shoe
    faster, so no card of the next one is ever called a repetition. The first code of a connection is forgotten
    after ``transit_ns``: where the table asks for that card again, since it proved the reader, it is none either.
    """

    name = "unique"

    def __init__(self, reload_ns: int, transit_ns: int) -> None:
        self._reload_ns = reload_ns
        self._transit = Transit(transit_ns)
        self._seen: set[str] = set()
        self._last_ns: int | None = None

    def connected(self) -> None:
        """Forget every code."""
        self._transit.connected()
        self._seen.clear()
        self._last_ns = None

    def judge(self, code: str, at_ns: int) -> Verdict:
        """Judge by all codes since the last long silence."""
        is_first = self._last_ns is None
        self.noticed(at_ns)
        verdict = self._transit.judge(code, at_ns)
        if code in self._seen:
            return Verdict.REPEAT
        if verdict is Verdict.NEW and not is_first:
            self._seen.add(code)
        return verdict

    def noticed(self, at_ns: int) -> None:
        """End the silence; after a long one the cards may be others."""
        if self._last_ns is not None and at_ns - self._last_ns >= self._reload_ns:
            self._seen.clear()
        self._last_ns = at_ns


class Gate(Duplicates):
    """One card for each passage of the light barrier.

    A barrier that triggers the reader itself, and says nothing (``speaks`` false), makes one reading for each
    card: then every reading is a card. One that speaks is believed: the same code again before the next passage
    is a repetition, another one is doubtful, and a passage of which nothing was read for ``wait_ns`` is a card
    that was not read.
    """

    name = "gate"

    def __init__(self, wait_ns: int, *, speaks: bool) -> None:
        self._wait_ns = wait_ns
        self._speaks = speaks
        self._codes: set[str] = set()
        self._open_ns: int | None = None

    def connected(self) -> None:
        """Forget the passage."""
        self._codes.clear()
        self._open_ns = None

    def judge(self, code: str, at_ns: int) -> Verdict:
        """Judge by what else came in this passage."""
        self.noticed(at_ns)
        if not self._speaks or not self._codes:
            self._codes.add(code)
            return Verdict.NEW
        return Verdict.REPEAT if code in self._codes else Verdict.DOUBTFUL

    def noticed(self, at_ns: int) -> None:  # noqa: ARG002 - that it came is enough
        """Take it for what passed."""
        self._open_ns = None

    def passage(self, at_ns: int) -> bool:
        """Begin a passage."""
        was_untold = self._open_ns is not None
        self._codes.clear()
        self._open_ns = at_ns
        return was_untold

    def overdue(self, now_ns: int) -> bool:
        """Give a passage up of which nothing was read."""
        if self._open_ns is None or now_ns - self._open_ns < self._wait_ns:
            return False
        self._open_ns = None
        return True
