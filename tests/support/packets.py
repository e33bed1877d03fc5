"""Packets of SSI as a reader sends them, written apart from the driver."""

from __future__ import annotations

from typing import Final

ACK: Final = bytes.fromhex("04D00400FF28")
NAK: Final = bytes.fromhex("05D1040001FF25")


def packet(opcode: int, data: bytes = b"", status: int = 0) -> bytes:
    """Return a packet of the reader's."""
    body = bytes((4 + len(data), opcode, 0, status)) + data
    return body + ((0x1_0000 - sum(body)) & 0xFFFF).to_bytes(2, "big")


def card(code: str, status: int = 0, symbology: int = 3) -> bytes:
    """Return the packet of a code, of Code 128 by default."""
    return packet(0xF3, bytes((symbology,)) + code.encode("ascii"), status)
