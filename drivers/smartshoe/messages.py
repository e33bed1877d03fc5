"""What smartshoe/1 frames say: each message type with its payload (spec.md, "Messages").

Sans-I/O: one frame in, one value out. It knows no sequence and no state.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Final, TypeAlias

from drivers.smartshoe.frames import Cause
from studio.domain.cards import DECK, Card, Rank, Suit

if TYPE_CHECKING:
    from drivers.smartshoe.frames import Frame


class MessageType(IntEnum):
    """The TYPE byte: from the device up to 3F and 84, from the host the others."""

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
    ACK = 0x80
    NAK = 0x81
    RESULT = 0x84
    STATUS = 0x90
    GATE_SET = 0x91
    LED_SET = 0x92
    REPLAY_FROM = 0x93
    ARM = 0x94
    CLEAR_ERROR = 0x95
    NEW_SHOE = 0x96


class Capability(IntFlag):
    """What a device can do, as it says in HELLO."""

    GATE = 0x01
    LEDS = 0x02
    REPLAY = 0x04
    CUT_CARD_SENSOR = 0x08
    REVERSE_MOTION_SENSOR = 0x10
    EXIT_RESCAN = 0x20


class NakReason(IntEnum):
    """Why the host refuses a frame whose check was right."""

    CHECK = 1
    FORMAT = 2
    UNKNOWN_TYPE = 3
    BUSY = 4


class ResultCode(IntEnum):
    """A device's answer to a command."""

    DONE = 0
    UNKNOWN = 1
    NOT_NOW = 2
    BAD_ARGUMENT = 3
    HARDWARE = 4


@dataclass(frozen=True, slots=True)
class Hello:
    """Who the device is and where it stands; ``ordinal`` counts the cards since ``load`` began."""

    protocol: int
    caps: Capability
    decks: int
    firmware: tuple[int, int]
    serial: int
    load: int
    ordinal: int

    @property
    def serial_text(self) -> str:
        """The serial number as it is configured and shown: eight hex digits."""
        return f"{self.serial:08X}"


@dataclass(frozen=True, slots=True)
class CardRead:
    """A card left the shoe; ``card`` is ``None`` where ``code`` is no card. ``quality`` is per cent."""

    ordinal: int
    code: int
    card: Card | None
    quality: int


@dataclass(frozen=True, slots=True)
class NoRead:
    """A card left the shoe and could not be read; it has used up ``ordinal``."""

    ordinal: int


@dataclass(frozen=True, slots=True)
class CutCard:
    """The cut card left after card ``ordinal``."""

    ordinal: int


@dataclass(frozen=True, slots=True)
class CardReturned:
    """A card moved backwards into the shoe after card ``ordinal``."""

    ordinal: int


@dataclass(frozen=True, slots=True)
class Empty:
    """The shoe is empty after card ``ordinal``."""

    ordinal: int


@dataclass(frozen=True, slots=True)
class Lid:
    """The lid was opened or closed."""

    is_open: bool


@dataclass(frozen=True, slots=True)
class Gate:
    """The gate was opened or closed."""

    is_open: bool


@dataclass(frozen=True, slots=True)
class Jam:
    """A card is stuck."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An ERROR frame; for ``code`` see spec.md."""

    code: int
    sub: int


@dataclass(frozen=True, slots=True)
class Cleared:
    """Error ``code`` is over."""

    code: int


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The device is alive; ``state`` as in spec.md, ``uptime_seconds`` since power-up."""

    uptime_seconds: int
    state: int
    last_sequence: int
    ordinal: int


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to the host's command ``command_sequence``."""

    command_sequence: int
    code: int


Located: TypeAlias = CutCard | CardReturned | Empty
"""Messages that carry the last ordinal without using one up."""

DeviceMessage: TypeAlias = (
    Hello | CardRead | NoRead | Located | Lid | Gate | Jam | Fault | Cleared | Heartbeat | Result
)


@dataclass(frozen=True, slots=True)
class Malformed:
    """A frame whose check was right and whose content is not; ``nak`` is what to answer if it wants an answer."""

    cause: Cause
    nak: NakReason


_SUITS: Final = (Suit.DIAMONDS, Suit.CLUBS, Suit.SPADES, Suit.HEARTS)
_CARDS: Final[dict[int, Card]] = {
    (_SUITS.index(card.suit) + 1) << 4 | (tuple(Rank).index(card.rank) + 1): card for card in DECK
}


def card_of(code: int) -> Card | None:
    """Return the card of a card byte (``suit << 4 | rank``), ``None`` for the 204 bytes that are no card."""
    return _CARDS.get(code)


def _hello(payload: bytes) -> Hello:
    protocol, caps, decks, major, minor, serial, load, ordinal = _take(">BHBBBIHH", payload)
    return Hello(protocol, Capability(caps), decks, (major, minor), serial, load, ordinal)


def _card(payload: bytes) -> CardRead:
    ordinal, code, quality = _take(">HBB", payload)
    return CardRead(_used_up(ordinal), code, card_of(code), min(quality, 100))


def _switch(payload: bytes) -> bool:
    (value,) = _take(">B", payload)
    if value > 1:
        message = "neither open nor closed"
        raise ValueError(message)
    return bool(value)


def _used_up(ordinal: int) -> int:
    if ordinal == 0:
        message = "the first card of a load has ordinal 1"
        raise ValueError(message)
    return ordinal


def _take(layout: str, payload: bytes) -> tuple[int, ...]:
    return struct.unpack(layout, payload)


def _nothing(payload: bytes) -> Jam:
    _take(">", payload)
    return Jam()


_PARSERS: Final[dict[int, Callable[[bytes], DeviceMessage]]] = {
    MessageType.HELLO: _hello,
    MessageType.CARD: _card,
    MessageType.CUT_CARD: lambda payload: CutCard(*_take(">H", payload)),
    MessageType.CARD_RETURN: lambda payload: CardReturned(*_take(">H", payload)),
    MessageType.NOREAD: lambda payload: NoRead(_used_up(*_take(">H", payload))),
    MessageType.LID: lambda payload: Lid(_switch(payload)),
    MessageType.GATE: lambda payload: Gate(_switch(payload)),
    MessageType.EMPTY: lambda payload: Empty(*_take(">H", payload)),
    MessageType.JAM: _nothing,
    MessageType.ERROR: lambda payload: Fault(*_take(">BB", payload)),
    MessageType.CLEARED: lambda payload: Cleared(*_take(">B", payload)),
    MessageType.HEARTBEAT: lambda payload: Heartbeat(*_take(">IBBH", payload)),
    MessageType.RESULT: lambda payload: Result(*_take(">BB", payload)),
}


def parse_message(frame: Frame) -> DeviceMessage | Malformed:
    """Return what ``frame`` says, or why it says nothing; the length of each payload must be exact."""
    parser = _PARSERS.get(frame.type)
    if parser is None:
        return Malformed(Cause.TYPE, NakReason.UNKNOWN_TYPE)
    try:
        return parser(frame.payload)
    except (struct.error, ValueError):
        return Malformed(Cause.FORMAT, NakReason.FORMAT)
