"""Bee-Tek on the wire: ``[mode]<body>`` in ASCII, one way, without checksum or sequence (spec.md, "Messages").

Sans-I/O: bytes in, messages out. It knows no time and no device events.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

LIMIT_BYTES: Final = 128
"""More than any message has; beyond it bytes are given up."""

_KEPT_BYTES: Final = 64
_WHITE: Final = b" \r\n\t\0"
_MESSAGE: Final = re.compile(rb"(?:\[([ -~]*)\])?<([ -~]*)>")
"""Used on bytes without any bracket inside, so that the greedy parts cannot run over."""


@dataclass(frozen=True, slots=True)
class Message:
    """One whole message; ``mode`` is None where none came before it."""

    mode: str | None
    body: str
    raw: bytes


@dataclass(frozen=True, slots=True)
class Broken:
    """Bytes that are no message; ``is_tail``: they begin none and follow what is before them without a space."""

    raw: bytes
    is_tail: bool = False


@dataclass(frozen=True, slots=True)
class Noise:
    """Bytes beside a message that cannot have been one."""

    raw: bytes


@dataclass(frozen=True, slots=True)
class Overlong:
    """So many bytes without an end that they are given up; told once a run."""

    raw: bytes


Piece: TypeAlias = Message | Broken | Noise | Overlong


class MessageCutter:
    """Cuts a byte stream into messages, whatever the chunks; it keeps at most :data:`LIMIT_BYTES`."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._is_overlong = False
        self._is_adjacent = False

    @property
    def is_waiting(self) -> bool:
        """Whether something that has no end yet waits for it."""
        return bool(self._buffer.strip(_WHITE))

    def feed(self, data: bytes) -> list[Piece]:
        """Return what ``data`` completes, in order."""
        pieces: list[Piece] = []
        for byte in data:
            self._buffer.append(byte)
            if byte == ord(">"):
                pieces += self._end()
            elif byte in _WHITE and len(self._buffer) == 1:
                self._buffer.clear()
                self._is_adjacent = False
            elif len(self._buffer) > LIMIT_BYTES:
                if not self._is_overlong:
                    pieces.append(Overlong(bytes(self._buffer)))
                self._is_overlong = True
                del self._buffer[:-_KEPT_BYTES]
        return pieces

    def give_up(self) -> list[Piece]:
        """Return what the waiting bytes are if nothing ever follows them."""
        raw, was_told = bytes(self._buffer), self._is_overlong
        self.reset()
        return [Noise(raw) if was_told else Broken(raw)] if raw.strip(_WHITE) else []

    def reset(self) -> None:
        """Forget the waiting bytes: the line was opened anew."""
        self._buffer.clear()
        self._is_overlong = self._is_adjacent = False

    def _end(self) -> list[Piece]:
        raw, was_told, is_adjacent = bytes(self._buffer), self._is_overlong, self._is_adjacent
        self.reset()
        self._is_adjacent = True
        start = _start_of_last(raw)
        match = None if start is None else _MESSAGE.fullmatch(raw, start)
        if start is None or match is None:
            return [Noise(raw) if was_told else Broken(raw, is_tail=is_adjacent and b"<" not in raw)]
        mode, body = match.groups()
        message = Message(None if mode is None else mode.decode(), body.decode(), raw[start:])
        before = raw[:start].strip(_WHITE)
        if not before:
            return [message]
        # Before a message without its mode, what has no "<" is the mode, broken.
        is_noise = was_told or b"<" not in before
        return [Noise(before) if is_noise else Broken(before), message]


def _start_of_last(raw: bytes) -> int | None:
    """Return where the last message of ``raw``, which ends with ``>``, begins; None where none can."""
    opening = raw.rfind(b"<")
    if opening < 0:
        return None
    if raw[opening - 1 : opening] != b"]":
        return opening
    bracket = raw.rfind(b"[", 0, opening)
    between = raw[bracket + 1 : opening - 1]
    return opening if bracket < 0 or any(mark in between for mark in b"<>]") else bracket
