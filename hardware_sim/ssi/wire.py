"""Packets of SSI as a reader makes and takes them; written from hardware.md, apart from the studio's driver."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

READER: Final = 0
HOST: Final = 4
_OVERHEAD: Final = 6


class Code(IntEnum):
    """Opcodes."""

    PARAMETERS = 0xC6
    ACK = 0xD0
    NAK = 0xD1
    ENABLE = 0xE9
    DISABLE = 0xEA
    DECODE = 0xF3


class Message(NamedTuple):
    """A packet, taken apart."""

    code: int
    source: int
    status: int
    data: bytes


def pack(message: Message) -> bytes:
    """Return the packet's bytes."""
    length = 4 + len(message.data)
    head = bytes((length, message.code, message.source, message.status))
    total = sum(head) + sum(message.data)
    return head + message.data + ((0x10000 - total) & 0xFFFF).to_bytes(2, "big")


def unpack(packet: bytes) -> Message | None:
    """Return what a packet says, or None when its length or its check is wrong."""
    if len(packet) < _OVERHEAD or packet[0] + 2 != len(packet):
        return None
    if (sum(packet[:-2]) + int.from_bytes(packet[-2:], "big")) & 0xFFFF:
        return None
    return Message(packet[1], packet[2], packet[3], packet[4:-2])


def cut(data: bytes) -> tuple[list[bytes], bytes]:
    """Return the whole packets at the front of ``data``, by their lengths, and what is left."""
    packets: list[bytes] = []
    while data and len(data) >= data[0] + 2:
        size = max(data[0] + 2, 1)
        packets.append(data[:size])
        data = data[size:]
    return packets, data
