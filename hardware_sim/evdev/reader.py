"""A reader that types its codes, as the events that the kernel would give of it.

Written from the kernel's headers, apart from the studio's driver. It stands in for an input device on a
pseudo-terminal: the bytes are those of the device, the grab is not there.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from random import Random
from typing import Final

from hardware_sim.coded_captions import CODED, UNCHECKED
from hardware_sim.plain_reader import PlainReader
from studio.domain.cards import Card

CUT_CODE: Final = "CUT"
NO_READ: Final = "NR"
FOREIGN: Final = ("XX", "1S", "5901234123457", "JOKER", "8Z")
KEY_GAP_NS: Final = 2_000_000
_EVENT: Final = struct.Struct("<QQHHi")
_SYN, _KEY = 0, 1
_ENTER, _SHIFT = 28, 42
_ROWS: Final = ((2, "1234567890"), (16, "QWERTYUIOP"), (30, "ASDFGHJKL"), (44, "ZXCVBNM"))
_KEYS: Final = {char: first + place for first, row in _ROWS for place, char in enumerate(row)}


class KeyboardReader(PlainReader):
    """Types ``8S`` and Enter, capitals with shift."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, {**CODED, **UNCHECKED}, "keyboard reader")

    def card(self, card: Card) -> tuple[bytes, ...]:
        """Return its code."""
        return (card.code.encode("ascii"),)

    def unread(self) -> tuple[bytes, ...]:
        """Return the text for what it could not read."""
        return (NO_READ.encode("ascii"),)

    def foreign(self, chance: Random) -> tuple[bytes, ...]:
        """Return a code that is no card's."""
        return (chance.choice(FOREIGN).encode("ascii"),)

    def cut_card(self) -> tuple[bytes, ...]:
        """Return the cut card's code."""
        return (CUT_CODE.encode("ascii"),)

    def _say(self, packets: Sequence[bytes], now_ns: int, *, is_event: bool = True) -> None:
        """Say each text as the keys that type it."""
        super()._say([keystrokes(text.decode("ascii"), now_ns) for text in packets], now_ns, is_event=is_event)


def keystrokes(text: str, at_ns: int) -> bytes:
    """Return the kernel's events of a device that types ``text`` and Enter, beginning at ``at_ns``."""
    strokes: list[tuple[int, int]] = []
    for char in text:
        key = ((_KEYS[char], 1), (_KEYS[char], 0))
        strokes += ((_SHIFT, 1), *key, (_SHIFT, 0)) if char.isalpha() else key
    strokes += ((_ENTER, 1), (_ENTER, 0))
    return b"".join(
        _report(code, value, at_ns + place * KEY_GAP_NS) for place, (code, value) in enumerate(strokes)
    )


def _report(code: int, value: int, at_ns: int) -> bytes:
    seconds, micros = at_ns // 1_000_000_000, at_ns % 1_000_000_000 // 1000
    key, report = (_KEY, code, value), (_SYN, 0, 0)
    return _EVENT.pack(seconds, micros, *key) + _EVENT.pack(seconds, micros, *report)
