"""smartshoe/1 on the wire, written from hardware.md alone: COBS, CRC-16/GENIBUS and frames, both ways.

Wire: ``COBS(body) 00``; body: ``(version << 4 | flags) TYPE SEQ BOOT LEN payload CRC``, big-endian.
Sans-I/O. It knows nothing of payloads, states or time, and shares no line with the studio's driver, so that a
mistake made on one side shows on the other.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final

VERSION: Final = 1
MAX_PAYLOAD: Final = 64
_HEADER_BYTES: Final = 5
_CRC_BYTES: Final = 2
_MAX_BODY: Final = _HEADER_BYTES + MAX_PAYLOAD + _CRC_BYTES
_MAX_ENCODED: Final = _MAX_BODY + 1
_RETRANSMISSION: Final = 0b0001
_WANTS_ACKNOWLEDGEMENT: Final = 0b0010
_KNOWN_FLAGS: Final = _RETRANSMISSION | _WANTS_ACKNOWLEDGEMENT
_COBS_FULL_BLOCK: Final = 0xFF


class DeviceType(IntEnum):
    """Types of the frames that a device sends."""

    HELLO = 0x01
    CARD = 0x10
    CUT_CARD = 0x11
    CARD_RETURN = 0x12
    NOREAD = 0x13
    LID = 0x20
    GATE = 0x21
    EMPTY = 0x22
    JAM = 0x23
    ERROR = 0x30
    CLEARED = 0x31
    HEARTBEAT = 0x3F
    RESULT = 0x84


class HostType(IntEnum):
    """Types of the frames that a host sends."""

    ACK = 0x80
    NAK = 0x81
    STATUS = 0x90
    GATE_SET = 0x91
    LED_SET = 0x92
    REPLAY_FROM = 0x93
    ARM = 0x94
    CLEAR_ERROR = 0x95
    NEW_SHOE = 0x96


class Damage(StrEnum):
    """What was wrong with a block; the names that errors are counted under."""

    COBS = "cobs"
    LENGTH = "length"
    CRC = "crc"
    VERSION = "version"
    OVERFLOW = "overflow"


class WireError(ValueError):
    """A body that is no frame; ``cause`` says why."""

    def __init__(self, cause: Damage, sentence: str) -> None:
        super().__init__(sentence)
        self.cause = cause


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame, before or after the wire; ``type`` is a plain byte, since an unknown one may arrive."""

    type: int
    seq: int
    boot: int
    payload: bytes = b""
    wants_acknowledgement: bool = False
    retransmission: bool = False


def crc16_genibus(data: bytes) -> int:
    """Return the CRC-16/GENIBUS of ``data`` (poly 1021, init FFFF, xorout FFFF; "123456789" gives D64E)."""
    register = 0xFFFF
    for byte in data:
        register ^= byte << 8
        for _ in range(8):
            carry = register & 0x8000
            register = (register << 1) & 0xFFFF
            if carry:
                register ^= 0x1021
    return register ^ 0xFFFF


def cobs_encode(data: bytes) -> bytes:
    """Return ``data`` without any zero byte (consistent overhead byte stuffing), without a delimiter."""
    encoded = bytearray()
    block = bytearray()
    for byte in data:
        if byte:
            block.append(byte)
        if not byte or len(block) == _COBS_FULL_BLOCK - 1:
            encoded.append(len(block) + 1)
            encoded += block
            block.clear()
    encoded.append(len(block) + 1)
    return bytes(encoded + block)


def cobs_decode(encoded: bytes) -> bytes:
    """Return the data of a block without its delimiter; raise :class:`WireError` where it cannot be one."""
    data = bytearray()
    position = 0
    while position < len(encoded):
        code = encoded[position]
        block = encoded[position + 1 : position + code]
        if code == 0 or len(block) != code - 1:
            message = "a COBS code byte points past the end of its block"
            raise WireError(Damage.COBS, message)
        data += block
        position += code
        if code != _COBS_FULL_BLOCK and position < len(encoded):
            data.append(0)
    return bytes(data)


def encode_frame(frame: Frame) -> bytes:
    """Return the bytes of ``frame`` on the wire, delimiter included; raise ``ValueError`` on a long payload."""
    if len(frame.payload) > MAX_PAYLOAD:
        message = f"a payload of {len(frame.payload)} bytes does not fit: {MAX_PAYLOAD} at most"
        raise ValueError(message)
    flags = _RETRANSMISSION * frame.retransmission | _WANTS_ACKNOWLEDGEMENT * frame.wants_acknowledgement
    header = bytes((VERSION << 4 | flags, frame.type, frame.seq, frame.boot, len(frame.payload)))
    body = header + frame.payload
    return cobs_encode(body + crc16_genibus(body).to_bytes(_CRC_BYTES, "big")) + b"\0"


def decode_frame(encoded: bytes) -> Frame:
    """Return the frame of a block without its delimiter; raise :class:`WireError` when it is damaged."""
    body = cobs_decode(encoded)
    if not _HEADER_BYTES + _CRC_BYTES <= len(body) <= _MAX_BODY:
        message = f"a body of {len(body)} bytes is no frame"
        raise WireError(Damage.LENGTH, message)
    content, crc = body[:-_CRC_BYTES], int.from_bytes(body[-_CRC_BYTES:], "big")
    if crc16_genibus(content) != crc:
        message = f"the check is {crc:04X}, the body gives {crc16_genibus(content):04X}"
        raise WireError(Damage.CRC, message)
    first, frame_type, seq, boot, length = content[:_HEADER_BYTES]
    payload = content[_HEADER_BYTES:]
    if length != len(payload):
        message = f"the length byte says {length}, the payload has {len(payload)}"
        raise WireError(Damage.LENGTH, message)
    if first >> 4 != VERSION or first & 0xF & ~_KNOWN_FLAGS:
        message = f"first byte {first:02X}: another version or unknown flags"
        raise WireError(Damage.VERSION, message)
    return Frame(
        type=frame_type,
        seq=seq,
        boot=boot,
        payload=payload,
        wants_acknowledgement=bool(first & _WANTS_ACKNOWLEDGEMENT),
        retransmission=bool(first & _RETRANSMISSION),
    )


class FrameDecoder:
    """Cuts a byte stream into frames, whatever its chunks; damaged blocks are counted in ``errors``."""

    def __init__(self) -> None:
        self.errors: Counter[Damage] = Counter()
        self._block = bytearray()
        self._is_overlong = False

    def feed(self, data: bytes) -> list[Frame]:
        """Return the frames completed by ``data``."""
        frames: list[Frame] = []
        for byte in data:
            if byte:
                self._append(byte)
            else:
                frames += self._end_block()
        return frames

    def _append(self, byte: int) -> None:
        if len(self._block) < _MAX_ENCODED:
            self._block.append(byte)
        else:
            self._is_overlong = True

    def _end_block(self) -> list[Frame]:
        block, is_overlong = bytes(self._block), self._is_overlong
        self._block.clear()
        self._is_overlong = False
        if not block:
            return []
        if is_overlong:
            self.errors[Damage.OVERFLOW] += 1
            return []
        try:
            return [decode_frame(block)]
        except WireError as error:
            self.errors[error.cause] += 1
            return []
