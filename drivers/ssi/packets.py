"""Packets of SSI: bytes to packets and back; sans-I/O, it knows no code and no order of messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple, TypeAlias

FROM_READER: Final = 0x00
FROM_HOST: Final = 0x04
RETRANSMISSION: Final = 0x01
MORE_FOLLOWS: Final = 0x02
_HEADER_BYTES: Final = 4
_CHECK_BYTES: Final = 2
_LOWEST_OPCODE: Final = 0xA0
_HIGHEST_STATUS: Final = 0x0F
_WAKE_UP: Final = 0x00
_MODULUS: Final = 0x1_0000


class Opcode(IntEnum):
    """What this driver says or understands."""

    PARAM_SEND = 0xC6
    ACK = 0xD0
    NAK = 0xD1
    SCAN_ENABLE = 0xE9
    SCAN_DISABLE = 0xEA
    DECODE_DATA = 0xF3


class NakReason(IntEnum):
    """Why a packet is refused."""

    RESEND = 0x01


class Cause(StrEnum):
    """Why bytes are no packet."""

    CHECK = "check"
    FORMAT = "format"
    LENGTH = "length"


class Packet(NamedTuple):
    """One packet whose checksum is right."""

    opcode: int
    status: int
    data: bytes
    raw: bytes

    @property
    def is_retransmission(self) -> bool:
        """Whether it was sent before."""
        return bool(self.status & RETRANSMISSION)

    @property
    def more_follows(self) -> bool:
        """Whether its data goes on in the next packet."""
        return bool(self.status & MORE_FOLLOWS)


class Damage(NamedTuple):
    """The first of a run of bytes that are no packet."""

    cause: Cause
    raw: bytes


Item: TypeAlias = Packet | Damage


def checksum(body: bytes | bytearray) -> bytes:
    """Return the two's complement of the byte sum, high byte first."""
    return (-sum(body) % _MODULUS).to_bytes(_CHECK_BYTES, "big")


def encode(opcode: int, data: bytes = b"", *, source: int = FROM_HOST, status: int = 0) -> bytes:
    """Return the bytes of a packet; its LEN counts all but the checksum."""
    body = bytes((_HEADER_BYTES + len(data), opcode, source, status)) + data
    return body + checksum(body)


@dataclass(slots=True)
class PacketReader:
    """Finds the packets of a stream. A run of bytes that are no packet is told once, as it begins.

    Nothing marks the start of a packet, so where one fails a single byte is dropped and the search goes on; a zero
    before a packet wakes the other side up and is nothing. A reader waits for its answer, so a packet that is not
    whole after ``quiet_ns`` never will be.
    """

    quiet_ns: int
    _bytes: bytearray = field(default_factory=bytearray)
    _last_ns: int = 0
    _is_damaged: bool = False

    def reset(self) -> None:
        """Forget half a packet."""
        self._bytes.clear()
        self._is_damaged = False

    def feed(self, data: bytes, now_ns: int) -> list[Item]:
        """Return what ``data`` completes."""
        self._last_ns = now_ns
        items: list[Item] = []
        for byte in data:
            self._bytes.append(byte)
            self._search(items)
        return items

    def quiet(self, now_ns: int) -> list[Item] | None:
        """Return what was left, when nothing came for long enough after damage or half a packet; else ``None``."""
        if now_ns - self._last_ns < self.quiet_ns or not (self._bytes or self._is_damaged):
            return None
        items: list[Item] = []
        while self._bytes:
            self._drop(Cause.LENGTH, items)
            self._search(items)
        self._is_damaged = False
        return items

    def _search(self, items: list[Item]) -> None:
        while self._bytes:
            if self._bytes[0] == _WAKE_UP:
                del self._bytes[0]
            elif not _may_be_packet(self._bytes):
                self._drop(Cause.FORMAT, items)
            elif len(self._bytes) < self._bytes[0] + _CHECK_BYTES:
                # What looks like a header amid damage may be none: a whole packet behind it is not waited for.
                start = self._whole_packet() if self._is_damaged else None
                if start is None:
                    return
                del self._bytes[:start]
            else:
                self._take(items)

    def _whole_packet(self) -> int | None:
        """Return where a packet begins that is whole and right and ends with the last byte."""
        for start in range(1, len(self._bytes) - _HEADER_BYTES - _CHECK_BYTES + 1):
            rest = self._bytes[start:]
            if rest[0] + _CHECK_BYTES == len(rest) and _may_be_packet(rest) and _is_right(rest):
                return start
        return None

    def _take(self, items: list[Item]) -> None:
        length = self._bytes[0]
        raw = bytes(self._bytes[: length + _CHECK_BYTES])
        if not _is_right(raw):
            self._drop(Cause.CHECK, items, raw)
            return
        del self._bytes[: len(raw)]
        self._is_damaged = False
        items.append(Packet(raw[1], raw[3], raw[_HEADER_BYTES:length], raw))

    def _drop(self, cause: Cause, items: list[Item], raw: bytes | None = None) -> None:
        if not self._is_damaged:
            self._is_damaged = True
            items.append(Damage(cause, bytes(self._bytes) if raw is None else raw))
        del self._bytes[0]


def _may_be_packet(header: bytes | bytearray) -> bool:
    """Tell whether what there is of a header is that of a packet from a reader."""
    return (
        header[0] >= _HEADER_BYTES
        and (len(header) < 2 or header[1] >= _LOWEST_OPCODE)  # noqa: PLR2004 - the byte is there
        and (len(header) < 3 or header[2] == FROM_READER)  # noqa: PLR2004 - as above
        and (len(header) < _HEADER_BYTES or header[3] <= _HIGHEST_STATUS)
    )


def _is_right(packet: bytes | bytearray) -> bool:
    return checksum(packet[:-_CHECK_BYTES]) == packet[-_CHECK_BYTES:]
