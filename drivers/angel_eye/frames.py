"""Angel Eye on the wire: ``05 SEQ DATA 03 BCC``, and a host's ``02 'OP' type data 03 BCC`` (spec.md, "Frames").

Sans-I/O: bytes in, frames and dropped bytes out. It knows no vote and no time. The check is weak, so all that can
be checked is: the letter gives the length, SEQ is printable, a payload has bit 7 set (ASCII in a preset).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from operator import xor
from typing import Final, TypeAlias

ENQ: Final = 0x05
STX: Final = 0x02
ETX: Final = 0x03
_PRINTABLE: Final = range(0x20, 0x7F)
_BIT_7: Final = range(0x80, 0x100)
_LENGTHS: Final = {"S": 1, "P": 1, "C": 1, "G": 2, "E": 2, "e": 2, "L": 2, "D": 3, "d": 3, "R": 3, "M": 7}
"""Bytes of DATA, its letter included."""
_DATA_AT: Final = 2
_BCC_BYTES: Final = 2
LONGEST_FRAME: Final = _DATA_AT + max(_LENGTHS.values()) + 1 + _BCC_BYTES


class Cause(StrEnum):
    """Why bytes were not taken; the key under which health counts it."""

    CHECK = "check"
    LENGTH = "length"
    FORMAT = "format"
    JUNK = "junk"
    CUT_OFF = "cut_off"
    OUTVOTED = "outvoted"
    UNANSWERED = "unanswered"


class Command(StrEnum):
    """What the host may ask for; the values are the protocol's ``type``."""

    LOCK = "LK"
    CANCEL_ERROR = "EC"
    CONFIRM = "GP"


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame that passed every check; ``raw`` is what stood on the wire."""

    sequence: int
    letter: str
    payload: bytes
    raw: bytes

    @property
    def data(self) -> bytes:
        """What a copy of this event must have too: all but the sequence and the check."""
        return self.letter.encode() + self.payload


@dataclass(frozen=True, slots=True)
class Dropped:
    """One byte that belongs to no frame, and why."""

    value: int
    cause: Cause


Piece: TypeAlias = Frame | Dropped


def check_of(data: bytes) -> bytes:
    """Return the BCC of ``data``: the XOR of its bytes as two upper-case hex digits."""
    return b"%02X" % reduce(xor, data, 0)


def encode_frame(sequence: int, data: bytes) -> bytes:
    """Return the bytes of a shoe's frame."""
    body = bytes((sequence,)) + data + bytes((ETX,))
    return bytes((ENQ,)) + body + check_of(body)


def encode_command(command: Command, number: int) -> bytes:
    """Return the bytes of a host's command; its check includes the first byte.

    ``number`` is 0 to 99: 1 unlocks and 2 locks, otherwise the code of an error, or 0 to confirm.
    """
    if not 0 <= number <= 99:  # noqa: PLR2004 - two digits
        message = f"the number of a command has two digits, {number} has not"
        raise ValueError(message)
    body = b"%cOP%s%02d%c" % (STX, command.value.encode(), number, ETX)
    return body + check_of(body)


class FrameCutter:
    """Cuts a byte stream into frames, whatever the chunks; on a bad frame it drops one byte, not the frame."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def is_waiting(self) -> bool:
        """Whether the beginning of a frame waits for its end."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> list[Piece]:
        """Return what ``data`` decides, in order."""
        self._buffer += data
        pieces: list[Piece] = []
        while self._buffer and (piece := _first_piece(self._buffer)) is not None:
            pieces.append(piece)
            del self._buffer[: len(piece.raw) if isinstance(piece, Frame) else 1]
        return pieces

    def give_up(self) -> list[Piece]:
        """Return what the waiting bytes are if nothing ever follows them."""
        pieces: list[Piece] = []
        while self._buffer:
            pieces.append(Dropped(self._buffer[0], Cause.CUT_OFF))
            del self._buffer[0]
            pieces += self.feed(b"")
        return pieces

    def reset(self) -> None:
        """Forget the waiting bytes: the line was opened anew."""
        self._buffer.clear()


def _first_piece(buffer: bytearray) -> Piece | None:
    """Return the frame at the beginning, or its first byte as dropped; None while it may still become one."""
    first = buffer[0]
    if first != ENQ:
        return Dropped(first, Cause.JUNK)
    if len(buffer) <= _DATA_AT:
        is_possible = len(buffer) == 1 or buffer[1] in _PRINTABLE
        return None if is_possible else Dropped(first, Cause.FORMAT)
    sequence, letter = buffer[1], chr(buffer[_DATA_AT])
    end = _DATA_AT + _LENGTHS.get(letter, 0)
    payload = bytes(buffer[_DATA_AT + 1 : end])
    allowed = _PRINTABLE if letter == "M" else _BIT_7
    if sequence not in _PRINTABLE or letter not in _LENGTHS or any(byte not in allowed for byte in payload):
        return Dropped(first, Cause.FORMAT)
    if len(buffer) > end and buffer[end] != ETX:
        return Dropped(first, Cause.LENGTH)
    whole = end + 1 + _BCC_BYTES
    if len(buffer) < whole:
        return None
    raw = bytes(buffer[:whole])
    if check_of(raw[1 : end + 1]) != raw[end + 1 :]:
        return Dropped(first, Cause.CHECK)
    return Frame(sequence, letter, payload, raw)
