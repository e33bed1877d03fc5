"""A simulated Angel Eye shoe, sans-I/O: each event in three copies, ``05 SEQ DATA 03 BCC``.

Written from hardware.md alone, apart from the driver that opens it. It is used outside a game, so its cards have
the letter ``d``. SEQ goes through the digits and the letters A to F. It knows a lock and errors, and obeys the
host's commands about them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from hardware_sim.faults import Fault
from hardware_sim.plain_reader import PlainReader
from hardware_sim.reader import ANY_READER, captions_of
from studio.domain.cards import Card, Rank, Suit

COPIES: Final = 3
COPY_GAP_NS: Final = 20_000_000
"""Eight bytes take 17 ms at 4800 baud."""

START_NS: Final = 1_000_000_000
"""How long it takes to start."""

_SEQUENCE: Final = b"0123456789ABCDEF"
_ETX: Final = b"\x03"
_SUITS: Final = (Suit.DIAMONDS, Suit.CLUBS, Suit.SPADES, Suit.HEARTS)
_TARGET: Final = 0x80
_FOREIGN: Final = tuple(
    0x80 | suit << 4 | rank
    for suit in range(8)
    for rank in range(16)
    if suit not in range(1, 5) or rank not in range(1, 14)
)
_CANNOT_READ: Final = 1
_REVERSE_AT_EXIT: Final = 4
_LOCKED: Final = 0x81
_UNLOCKED: Final = 0x82
_LONGEST_COMMAND: Final = 10

_CAPTIONS: Final[Mapping[Fault, str]] = captions_of(
    ANY_READER
    | {Fault.NO_READ, Fault.UNREADABLE, Fault.UNKNOWN_CODE, Fault.DOUBLE_READ, Fault.CARD_RETURN}
    | {Fault.EARLY_CUT_CARD, Fault.LATE_CUT_CARD, Fault.MISSING_CUT_CARD},
    {
        Fault.MISSED: "The next card is never told: the next is taken for it, until a count or the camera tells.",
        Fault.REBOOT: "The shoe restarts and says so: nothing happens, since the table counts its cards.",
        Fault.CARD_RETURN: "The next card moves back (error 4): wrong-mode and reverse-movement. Go on, or void.",
        Fault.GATE_STUCK: "The shoe locks itself: wrong-mode, latched. Unlock it, and the dealer goes on.",
        Fault.DROP: "One copy of the next event is lost: the two others are enough.",
        Fault.DUPLICATE: "Each copy arrives twice: six copies are one card.",
        Fault.BIT_FLIP: "In every third copy one bit flips: refused and counted, the two others are enough.",
        Fault.GARBAGE: "Random bytes now and before each start: counted, or unknown-code, hold.",
        Fault.SILENCE: "Nothing arrives, then all at once: each card once, and stale-burst if the dealer went on.",
        Fault.LATENCY: "Every byte comes 400 ms late: the same cards.",
    },
)


def card_byte(card: Card) -> int:
    """Return the byte of ``card``: bit 7, suit in bits 6 to 4, rank in bits 3 to 0 (8S = B8)."""
    return 0x80 | (_SUITS.index(card.suit) + 1) << 4 | (tuple(Rank).index(card.rank) + 1)


class AngelEyeReader(PlainReader):
    """The shoe; its ``index`` hint goes from 0 to 15 with the cards."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, _CAPTIONS, "Angel Eye", packet_gap_ns=COPY_GAP_NS, start_ns=START_NS)
        self._events = 0
        self._errors: set[int] = set()
        self._is_locked = False
        self._command = bytearray()

    @property
    def state_name(self) -> str:
        """Whether it is locked or in error."""
        if self._is_locked:
            return "locked"
        return "error" if self._errors else "ready"

    def refusal(self) -> str | None:
        """Return why no card can leave the shoe now, or None when one can."""
        return super().refusal() or ("the shoe is locked" if self._is_locked else None)

    def start(self) -> Sequence[bytes]:
        """Say that a session starts and that it stands by."""
        return (*self._copies(b"S"), *self._copies(b"P"))

    def card(self, card: Card) -> Sequence[bytes]:
        """Tell of a card, outside a game."""
        return (*self.freed(), *self._drawn(card_byte(card)))

    def foreign(self, chance: Random) -> Sequence[bytes]:
        """Tell of a code with a suit or rank that no card has."""
        return self._drawn(chance.choice(_FOREIGN))

    def unread(self) -> Sequence[bytes]:
        """Tell error 1, cannot read."""
        return self._error(_CANNOT_READ)

    def freed(self) -> Sequence[bytes]:
        """Tell that error 1 is over, where it stands."""
        return self._cleared(_CANNOT_READ)

    def cut_card(self) -> Sequence[bytes]:
        """Tell of the cut card."""
        return self._copies(b"C")

    def card_return(self) -> Sequence[bytes]:
        """Tell error 4, reverse at the exit, which is over as soon as the card is let go."""
        return (*self._error(_REVERSE_AT_EXIT), *self._cleared(_REVERSE_AT_EXIT))

    def power_on(self, now_ns: int) -> None:
        """Start; errors and lock are forgotten."""
        self._errors.clear()
        self._is_locked = False
        self._command.clear()
        super().power_on(now_ns)

    def switch(self, fault: Fault, *, is_on: bool, now_ns: int) -> None:
        """Lock itself, or be unlocked by hand."""
        if fault is Fault.GATE_STUCK:
            self._lock(is_locked=is_on, now_ns=now_ns)

    def host_bytes(self, data: bytes, now_ns: int) -> None:
        """Obey ``02 'OP' type data 03 BCC``; answer 06, or 15 and a code for what it does not know."""
        if not self.is_powered:
            return
        for byte in data:
            if byte == 0x02:  # noqa: PLR2004 - STX
                self._command.clear()
            self._command.append(byte)
            if len(self._command) == _LONGEST_COMMAND:
                self._say((self._obey(bytes(self._command), now_ns),), now_ns, is_event=False)
                self._command.clear()

    def _obey(self, command: bytes, now_ns: int) -> bytes:
        body, check = command[:-2], command[-2:]
        if _bcc(body) != check or body[:3] != b"\x02OP" or body[-1:] != _ETX:
            return b"\x151"
        match body[3:5], body[5:7]:
            case b"LK", b"01":
                self._lock(is_locked=False, now_ns=now_ns)
            case b"LK", b"02":
                self._lock(is_locked=True, now_ns=now_ns)
            case b"EC", digits if digits.isdigit():
                self._say(self._cleared(int(digits)), now_ns)
            case b"GP", b"00":
                pass
            case _:
                return b"\x152"
        return b"\x06"

    def _lock(self, *, is_locked: bool, now_ns: int) -> None:
        if is_locked != self._is_locked:
            self._is_locked = is_locked
            self._say(self._copies(b"L" + bytes((_LOCKED if is_locked else _UNLOCKED,))), now_ns)

    def _drawn(self, code: int) -> Sequence[bytes]:
        return self._copies(bytes((ord("d"), _TARGET | self.ordinal & 0xF, code)))

    def _error(self, code: int) -> Sequence[bytes]:
        self._errors.add(code)
        return self._copies(bytes((ord("E"), 0xC0 | code)))

    def _cleared(self, code: int) -> Sequence[bytes]:
        if code not in self._errors:
            return ()
        self._errors.discard(code)
        return self._copies(bytes((ord("e"), 0x80 | code)))

    def _copies(self, data: bytes) -> Sequence[bytes]:
        sequence = _SEQUENCE[self._events % len(_SEQUENCE)]
        self._events += 1
        body = bytes((sequence,)) + data + _ETX
        return (b"\x05" + body + _bcc(body),) * COPIES


def _bcc(data: bytes) -> bytes:
    check = 0
    for byte in data:
        check ^= byte
    return f"{check:02X}".encode()
