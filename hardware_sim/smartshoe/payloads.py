"""What smartshoe/1's payloads mean: card bytes, codes, and the payloads of the device's frames.

Written from hardware.md alone; it knows neither framing nor the order in which frames come.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Final

from studio.domain.cards import DECK, Card, Rank, Suit


class Capability(IntFlag):
    """Bits of HELLO's ``caps``."""

    GATE = 1 << 0
    LEDS = 1 << 1
    REPLAY = 1 << 2
    CUT_CARD_SENSOR = 1 << 3
    REVERSE_MOTION_SENSOR = 1 << 4
    EXIT_RESCAN = 1 << 5


class ShoeState(IntEnum):
    """The heartbeat's ``state``."""

    STARTING = 0
    LOADING = 1
    READY = 2
    GATE_CLOSED = 3
    JAM = 4
    ERROR = 5
    EMPTY = 6


class ErrorCode(IntEnum):
    """ERROR's and CLEARED's ``code``."""

    CANNOT_READ = 1
    JAM = 2
    LID = 3
    REVERSE_MOVEMENT = 4
    SENSOR_DIRTY = 5
    STORAGE = 6
    TIME_OUT = 7


class ResultCode(IntEnum):
    """RESULT's ``code``."""

    DONE = 0
    UNKNOWN = 1
    NOT_NOW = 2
    BAD_ARGUMENT = 3
    HARDWARE = 4


class NakReason(IntEnum):
    """NAK's ``why``."""

    CHECK = 1
    FORMAT = 2
    UNKNOWN_TYPE = 3
    BUSY = 4


_SUIT_CODES: Final = {Suit.DIAMONDS: 1, Suit.CLUBS: 2, Suit.SPADES: 3, Suit.HEARTS: 4}
_RANK_CODES: Final = {
    Rank.ACE: 1,
    Rank.TWO: 2,
    Rank.THREE: 3,
    Rank.FOUR: 4,
    Rank.FIVE: 5,
    Rank.SIX: 6,
    Rank.SEVEN: 7,
    Rank.EIGHT: 8,
    Rank.NINE: 9,
    Rank.TEN: 10,
    Rank.JACK: 11,
    Rank.QUEEN: 12,
    Rank.KING: 13,
}


def card_code(card: Card) -> int:
    """Return the byte of ``card``: suit in the high half, rank in the low one (8S = 38, KH = 4D)."""
    return _SUIT_CODES[card.suit] << 4 | _RANK_CODES[card.rank]


FOREIGN_CODES: Final = tuple(sorted(set(range(256)) - {card_code(card) for card in DECK}))
"""The bytes that are no card of a deck."""


@dataclass(frozen=True, slots=True)
class Hello:
    """What a shoe says of itself; ``load`` counts loads, ``ordinal`` the cards since this one."""

    capabilities: Capability
    decks: int
    firmware: tuple[int, int]
    serial: int
    load: int
    ordinal: int

    def payload(self) -> bytes:
        """Return HELLO's 14 bytes."""
        return struct.pack(
            ">BHBBBIHH", 1, self.capabilities, self.decks, *self.firmware, self.serial, self.load, self.ordinal
        )


def card_payload(ordinal: int, code: int, quality: int) -> bytes:
    """Return CARD's payload; ``quality`` is per cent."""
    return struct.pack(">HBB", ordinal, code, quality)


def ordinal_payload(ordinal: int) -> bytes:
    """Return the payload of CUT_CARD, CARD_RETURN, NOREAD and EMPTY."""
    return struct.pack(">H", ordinal)


def heartbeat_payload(uptime_seconds: int, state: ShoeState, last_seq: int, ordinal: int) -> bytes:
    """Return HEARTBEAT's payload; the uptime wraps at 32 bits."""
    return struct.pack(">IBBH", uptime_seconds & 0xFFFF_FFFF, state, last_seq, ordinal)
