"""The vote over the copies of an event, and the order in which its results are told (spec.md, "The vote").

Sans-I/O: frames and damage with their times in, results out, in the order in which the first copy of each came.
It knows neither bytes on the wire nor cards.

Theory of operation. A ballot is a SEQ within one window and among the last few events; the same card a second time
has another SEQ, so it has another ballot. A card is *confirmed* by its second identical copy, anything else by its
first. What is left alone, a single copy or damaged bytes, waits until its window is over. It may then have been a
copy of something that is known and lacks one: that takes it. If there is no such thing, a single copy is told as
suspect and damage as damage, since it may have been a card.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, TypeAlias

from drivers.angel_eye.frames import Frame
from studio.domain.instants import Instant

_VOTING: Final = frozenset("Dd")
_NEEDED: Final = 2
_CROSSING: Final = 4
"""Copies of so many events may cross. After more, SEQ may have come round: in a burst at one and the same time."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """An event with as many copies as it needs; ``voted`` where there were two."""

    frame: Frame
    at: Instant
    voted: bool


@dataclass(frozen=True, slots=True)
class Single:
    """A card of which only one copy ever came."""

    frame: Frame
    at: Instant


@dataclass(frozen=True, slots=True)
class Discarded:
    """A single copy that was taken for a damaged copy of something confirmed."""

    frame: Frame
    at: Instant


@dataclass(frozen=True, slots=True)
class Damaged:
    """Bytes, or copies that contradict each other, from which no card could be had.

    ``is_fresh``: they came before the first frame of their line.
    """

    raw: bytes
    at: Instant
    is_fresh: bool = False


Result: TypeAlias = Confirmed | Single | Discarded | Damaged


@dataclass(slots=True, eq=False)
class _Entry:
    """One ballot, or one run of damaged bytes (no ``copies``)."""

    at: Instant
    lacking: int
    """How many of its copies have not come, as far as is known."""
    sequence: int | None = None
    is_card: bool = False
    copies: dict[bytes, list[Frame]] = field(default_factory=dict)
    raw: bytearray = field(default_factory=bytearray)
    is_fresh: bool = False
    winner: Confirmed | None = None
    is_told: bool = False


class Vote:
    """The open ballots; ``copies`` is how often each event is sent, ``window_ns`` how long its copies take."""

    def __init__(self, copies: int, window_ns: int) -> None:
        self.outvoted = 0
        """How many copies contradicted what was confirmed."""
        self._copies = copies
        self._window_ns = window_ns
        self._entries: deque[_Entry] = deque()

    def frame(self, frame: Frame, at: Instant) -> None:
        """Take one copy; :meth:`due` tells what comes of it."""
        entry = self._ballot_of(frame, at)
        agreeing = entry.copies.setdefault(frame.data, [])
        agreeing.append(frame)
        entry.lacking = max(0, entry.lacking - 1)
        if entry.winner is not None:
            self.outvoted += frame.data != entry.winner.frame.data
        elif len(agreeing) >= (min(_NEEDED, self._copies) if entry.is_card else 1):
            entry.winner = Confirmed(frame, at, len(agreeing) > 1)
            self.outvoted += sum(map(len, entry.copies.values())) - len(agreeing)

    def damage(self, raw: bytes, at: Instant, *, is_fresh: bool) -> bytearray:
        """Take a run of damaged bytes; return it, for more bytes of it to be added."""
        entry = _Entry(at, self._copies - 1, raw=bytearray(raw), is_fresh=is_fresh)
        self._entries.append(entry)
        return entry.raw

    def due(self, now: Instant) -> list[Result]:
        """Return what is decided at ``now``, in order; what is behind something undecided waits for it."""
        results: list[Result] = []
        for entry in self._entries:
            if entry.is_told:
                continue
            if entry.winner is not None:
                results.append(entry.winner)
            elif not self._is_over(entry, now):
                break
            else:
                result = self._settle(entry)
                if result is not None:
                    results.append(result)
            entry.is_told = True
        # Kept for one window more: what comes late may still be a copy of it.
        while (
            self._entries
            and self._entries[0].is_told
            and self._age_ns(self._entries[0], now) > 2 * self._window_ns
        ):
            self._entries.popleft()
        return results

    def reset(self) -> None:
        """Forget everything: the line was opened anew."""
        self._entries.clear()

    def _ballot_of(self, frame: Frame, at: Instant) -> _Entry:
        is_card = frame.letter in _VOTING
        newest = islice((entry for entry in reversed(self._entries) if entry.copies), _CROSSING)
        for entry in newest:
            if (entry.sequence, entry.is_card) != (frame.sequence, is_card) or self._is_over(entry, at):
                continue
            # A full ballot takes further copies of what it is, nothing else: then SEQ has come round.
            if entry.lacking or frame.data in entry.copies:
                return entry
        entry = _Entry(at, self._copies, frame.sequence, is_card)
        self._entries.append(entry)
        return entry

    def _settle(self, entry: _Entry) -> Result | None:
        """Decide what is left alone at the end of its window."""
        readings = [copies[0] for copies in entry.copies.values()]
        if len(readings) > 1:
            return Damaged(b"".join(frame.raw for frame in readings), entry.at)
        taker = self._taker_of(entry)
        if taker is not None:
            taker.lacking -= 1
            entry.lacking = 0
        if readings:
            return Discarded(readings[0], entry.at) if taker else Single(readings[0], entry.at)
        return None if taker else Damaged(bytes(entry.raw), entry.at, entry.is_fresh)

    def _taker_of(self, left: _Entry) -> _Entry | None:
        """Return the nearest known event that lacks a copy; a single copy yields to a confirmed one only."""
        takers = [
            entry
            for entry in self._entries
            if entry is not left
            and entry.lacking
            and (entry.winner is not None and entry.winner.voted if left.copies else entry.winner or entry.is_told)
            and abs(entry.at.monotonic_ns - left.at.monotonic_ns) <= self._window_ns
        ]
        return min(takers, key=lambda entry: abs(entry.at.monotonic_ns - left.at.monotonic_ns), default=None)

    def _is_over(self, entry: _Entry, now: Instant) -> bool:
        return self._age_ns(entry, now) >= self._window_ns

    def _age_ns(self, entry: _Entry, now: Instant) -> int:
        return now.monotonic_ns - entry.at.monotonic_ns
