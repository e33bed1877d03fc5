"""How a line of text begins and ends, and what its bytes are when it does not; sans-I/O, it knows no code."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final, NamedTuple

from drivers.card_codes.book import MOST_BYTES
from drivers.card_codes.reader import is_clean

_CR: Final = b"\r"
_LF: Final = b"\n"


@dataclass(frozen=True, slots=True)
class Framing:
    """``terminators`` end a line, each by itself; ``start`` is one byte that begins it, or ``None``.

    A line that is silent for ``quiet_ns`` is over. ``retry_ns`` is how long a refused line may come again, and
    ``None`` where the reader waits for no answer.
    """

    terminators: tuple[bytes, ...] = (_CR, _LF)
    start: bytes | None = None
    quiet_ns: int = 300_000_000
    retry_ns: int | None = None


class Ending(Enum):
    """What became of a line."""

    CLEAN = auto()
    EMPTY = auto()
    DAMAGED = auto()
    """It has a byte that no code has, lacks its start, or was never ended."""
    OVERFLOW = auto()
    """It is longer than any code; what follows up to the next terminator is skipped."""
    SKIPPED = auto()
    """The end of what was skipped."""


class Line(NamedTuple):
    """``text`` without start and terminator; ``raw`` all bytes of it."""

    ending: Ending
    text: bytes
    raw: bytes


@dataclass(slots=True)
class LineReader:
    """Cuts a stream into lines; every byte is in the ``raw`` of exactly one of them.

    Call :meth:`quiet` with the time before each byte and now and then.
    """

    framing: Framing
    _bytes: bytearray = field(default_factory=bytearray)
    _last_ns: int = 0
    _last_end: bytes = b""
    _is_skipping: bool = False

    def reset(self) -> None:
        """Forget half a line."""
        self._bytes.clear()
        self._last_end = b""
        self._is_skipping = False

    def quiet(self, now_ns: int) -> Line | None:
        """End the line that has been silent for too long, if there is one."""
        if now_ns - self._last_ns < self.framing.quiet_ns or not (self._bytes or self._is_skipping):
            return None
        self._last_end = b""
        return self._end(Ending.SKIPPED if self._is_skipping else Ending.DAMAGED, b"")

    def push(self, byte: int, now_ns: int) -> Line | None:
        """Take one byte; return the line that it ends, if it does."""
        self._last_ns = now_ns
        if self.framing.start == bytes((byte,)) and self._bytes and not self._is_skipping:
            # The terminator of the line before was lost: how much of its text was too, nobody knows.
            line = self._end(Ending.DAMAGED, b"")
            self._bytes.append(byte)
            return line
        self._bytes.append(byte)
        for terminator in self.framing.terminators:
            if self._bytes.endswith(terminator):
                return self._terminated(terminator)
        most = MOST_BYTES + len(self.framing.start or b"")
        if not self._is_skipping and len(self._bytes) > most and not self._may_be_ending(most):
            line = self._end(Ending.OVERFLOW, bytes(self._bytes))
            self._is_skipping = True
            return line
        return None

    def _may_be_ending(self, most: int) -> bool:
        """Tell whether the one byte too many begins a terminator of two."""
        begun = bytes(self._bytes[most:])
        return any(end.startswith(begun) for end in self.framing.terminators)

    def _terminated(self, terminator: bytes) -> Line:
        text = bytes(self._bytes[: -len(terminator)])
        follows = self._last_end
        self._last_end = terminator
        if self._is_skipping:
            return self._end(Ending.SKIPPED, b"")
        start = self.framing.start
        if start is not None:
            is_framed = text.startswith(start) and len(text) > 1
            text = text.removeprefix(start)
            return self._end(Ending.CLEAN if is_framed and is_clean(text) else Ending.DAMAGED, text)
        if not text and (follows, terminator) == (_CR, _LF):
            return self._end(Ending.SKIPPED, b"")
        if not text:
            return self._end(Ending.EMPTY, b"")
        return self._end(Ending.CLEAN if is_clean(text) else Ending.DAMAGED, text)

    def _end(self, ending: Ending, text: bytes) -> Line:
        line = Line(ending, text, bytes(self._bytes))
        self._bytes.clear()
        self._is_skipping = False
        return line
