"""A barcode reader that sends each code as a line; with a number for each deck, or a light barrier, if it likes.

Written from hardware.md, apart from the studio's driver.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

from hardware_sim.coded_captions import CODED, UNCHECKED
from hardware_sim.faults import Fault
from hardware_sim.plain_reader import PlainReader
from studio.domain.cards import Card

CUT_CODE: Final = "CUT"
BARRIER_CODE: Final = "GO"
NO_READ: Final = "NR"
_REFUSED: Final = 0x15
FOREIGN: Final = ("XX", "1S", "5901234123457", "JOKER", "8Z")
_CAPTIONS: Final = {
    **CODED,
    **UNCHECKED,
    Fault.BIT_FLIP: "In every third line one bit flips: unknown-code, or a wrong card, since nothing checks it.",
    Fault.GARBAGE: "Random bytes now and at each start: unknown-code while a shoe is in play.",
}


class BarcodeLineReader(PlainReader):
    """Sends ``8S CR LF``; with ``decks`` numbered ``D3-8S``, with a ``barrier`` ``GO`` before each passage.

    ``waits`` makes it send a line again, once, for each 15 that comes instead of 06.
    """

    def __init__(self, seed: int, *, numbered: bool = False, barrier: bool = False, waits: bool = False) -> None:
        super().__init__(seed, _CAPTIONS, "barcode reader")
        self._numbered = numbered
        self._barrier = barrier
        self._waits = waits
        self._copies: Counter[Card] = Counter()
        self._last = b""

    def card(self, card: Card) -> tuple[bytes, ...]:
        """Return the line of its code, each copy under the number of its deck."""
        self._copies[card] += 1
        return self._lines(f"D{self._copies[card]}-{card.code}" if self._numbered else card.code)

    def unread(self) -> tuple[bytes, ...]:
        """Return the line for what it could not read."""
        return self._lines(NO_READ)

    def foreign(self, chance: Random) -> tuple[bytes, ...]:
        """Return the line of a code that is no card's."""
        return self._lines(chance.choice(FOREIGN))

    def cut_card(self) -> tuple[bytes, ...]:
        """Return the line of the cut card's code."""
        return self._lines(CUT_CODE)

    def load_shoe(self, decks: int, now_ns: int) -> bool:
        """Begin to count anew."""
        self._copies.clear()
        return super().load_shoe(decks, now_ns)

    def host_bytes(self, data: bytes, now_ns: int) -> None:
        """Send the last line again where it was refused before it was taken."""
        for answer in data if self._waits else b"":
            if answer == _REFUSED and self._last:
                self._say((self._last,), now_ns)
            self._last = b""

    def _lines(self, code: str) -> tuple[bytes, ...]:
        self._last = code.encode("ascii") + b"\r\n"
        return (BARRIER_CODE.encode("ascii") + b"\r\n", self._last) if self._barrier else (self._last,)
