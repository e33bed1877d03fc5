"""smartshoe/1 on the wire: ``COBS(body) 00``, where the body is header, payload and CRC (spec.md, "Frames").

Sans-I/O: bytes in, frames out. It knows no message, no order and no time.
"""

from __future__ import annotations

import binascii
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

VERSION: Final = 1
MAX_PAYLOAD_BYTES: Final = 64
_HEADER_BYTES: Final = 5
_CRC_BYTES: Final = 2
MAX_ENCODED_BYTES: Final = _HEADER_BYTES + MAX_PAYLOAD_BYTES + _CRC_BYTES + 1
"""The longest COBS form of a body, without its delimiter: the reader never keeps more than this."""

_RETRANSMISSION: Final = 0x01
_WANTS_ACK: Final = 0x02


class Cause(StrEnum):
    """Why bytes or a frame were not taken; the key under which health counts it."""

    COBS = "cobs"
    LENGTH = "length"
    CRC = "crc"
    VERSION = "version"
    OVERFLOW = "overflow"
    FORMAT = "format"
    TYPE = "type"
    BOOT = "boot"
    NO_HELLO = "no_hello"
    WRONG_READER = "wrong_reader"
    LINK_DOWN = "link_down"
    CONFLICT = "conflict"
    CAPTURE = "capture"


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame that passed every check; ``raw`` is what stood on the wire, its delimiter included."""

    type: int
    sequence: int
    boot: int
    payload: bytes = b""
    wants_ack: bool = False
    retransmission: bool = False
    raw: bytes = b""

    def is_copy_of(self, other: Frame) -> bool:
        """Whether this is ``other`` sent again: equal in all but the retransmission flag."""
        return (self.type, self.sequence, self.boot, self.payload) == (
            other.type,
            other.sequence,
            other.boot,
            other.payload,
        )


@dataclass(frozen=True, slots=True)
class BadFrame:
    """Bytes between two delimiters that are no frame."""

    cause: Cause
    raw: bytes


def crc16_genibus(data: bytes) -> int:
    """CRC-16/GENIBUS: polynomial 1021, initial value FFFF, complemented; D64E for ``123456789``."""
    return binascii.crc_hqx(data, 0xFFFF) ^ 0xFFFF


def cobs_encode(data: bytes) -> bytes:
    """Consistent Overhead Byte Stuffing of at most 253 bytes: no 00 is left in the result."""
    encoded = bytearray()
    for block in data.split(b"\x00"):
        encoded.append(len(block) + 1)
        encoded += block
    return bytes(encoded)


def cobs_decode(encoded: bytes) -> bytes | None:
    """Undo :func:`cobs_encode`; ``None`` if a block points beyond the end."""
    blocks = []
    position = 0
    while position < len(encoded):
        end = position + encoded[position]
        if end > len(encoded):
            return None
        blocks.append(encoded[position + 1 : end])
        position = end
    return b"\x00".join(blocks)


def encode_frame(frame: Frame) -> bytes:
    """Return the bytes to send for ``frame``, delimiter included; its ``raw`` is not looked at."""
    flags = _WANTS_ACK * frame.wants_ack | _RETRANSMISSION * frame.retransmission
    header = bytes((VERSION << 4 | flags, frame.type, frame.sequence, frame.boot, len(frame.payload)))
    body = header + frame.payload
    return cobs_encode(body + crc16_genibus(body).to_bytes(_CRC_BYTES, "big")) + b"\x00"


def decode_frame(encoded: bytes) -> Frame | BadFrame:
    """Check and take apart what stood between two delimiters."""
    raw = encoded + b"\x00"
    body = cobs_decode(encoded)
    if body is None:
        return BadFrame(Cause.COBS, raw)
    if len(body) < _HEADER_BYTES + _CRC_BYTES or body[4] != len(body) - _HEADER_BYTES - _CRC_BYTES:
        return BadFrame(Cause.LENGTH, raw)
    if crc16_genibus(body[:-_CRC_BYTES]) != int.from_bytes(body[-_CRC_BYTES:], "big"):
        return BadFrame(Cause.CRC, raw)
    first, kind, sequence, boot = body[:4]
    if first >> 4 != VERSION:
        return BadFrame(Cause.VERSION, raw)
    return Frame(
        kind,
        sequence,
        boot,
        body[_HEADER_BYTES:-_CRC_BYTES],
        wants_ack=bool(first & _WANTS_ACK),
        retransmission=bool(first & _RETRANSMISSION),
        raw=raw,
    )


class FrameReader:
    """Cuts a byte stream into frames, whatever the chunks, and never keeps more than one frame's bytes.

    A run of bytes too long for a frame is reported once, as soon as it is too long, and the rest of it up to
    the next delimiter is skipped. Empty frames are idle time and are not reported.
    """

    def __init__(self) -> None:
        self._partial = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> list[Frame | BadFrame]:
        """Return what ``data`` completes, in order."""
        found: list[Frame | BadFrame] = []
        *ended, rest = data.split(b"\x00")
        for piece in ended:
            self._add(piece, found)
            if self._partial and not self._skipping:
                found.append(decode_frame(bytes(self._partial)))
            self.reset()
        self._add(rest, found)
        return found

    def reset(self) -> None:
        """Forget the unfinished frame: the line was opened anew."""
        self._partial.clear()
        self._skipping = False

    def _add(self, piece: bytes, found: list[Frame | BadFrame]) -> None:
        if self._skipping:
            return
        if len(self._partial) + len(piece) <= MAX_ENCODED_BYTES:
            self._partial += piece
            return
        kept = bytes(self._partial + piece[: MAX_ENCODED_BYTES - len(self._partial)])
        found.append(BadFrame(Cause.OVERFLOW, kept))
        self._partial.clear()
        self._skipping = True
