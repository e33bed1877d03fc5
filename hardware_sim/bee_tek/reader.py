"""A simulated Bee-Tek shoe, sans-I/O: ASCII lines such as `` [Manual Burn Cards]<Card:8S> ``, one way.

Written from hardware.md alone, apart from the driver that opens it. It knows no cut card and no motion, and has no
check, sequence or second copy by which the studio could notice damage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from hardware_sim.faults import Fault
from hardware_sim.plain_reader import PlainReader
from hardware_sim.reader import ANY_READER, captions_of
from hardware_sim.seeds import seeded
from studio.domain.cards import Card, Rank

MODE: Final = "Manual Burn Cards"
_FOREIGN: Final = ("1Z", "0S", "8X", "??", "JOKER", "")

_CAPTIONS: Final[Mapping[Fault, str]] = captions_of(
    ANY_READER | {Fault.NO_READ, Fault.UNREADABLE, Fault.UNKNOWN_CODE, Fault.DOUBLE_READ},
    {
        Fault.MISSED: "The next card is never told: the next is taken for it, until a count or the camera tells.",
        Fault.REBOOT: "The shoe restarts: nothing happens, since the table counts its cards.",
        Fault.DROP: "The next card is lost on the line: another is taken for it, until a count or camera tells.",
        Fault.DUPLICATE: "Each message arrives twice: duplicate-read at the second. The supervisor marks it.",
        Fault.BIT_FLIP: "In every third message one bit flips: unknown-code, or unnoticed another card.",
        Fault.GARBAGE: "Random bytes now and before each start: counted, or unknown-code, hold.",
        Fault.SILENCE: "Nothing arrives, then all at once: each card once, and stale-burst if the dealer went on.",
        Fault.LATENCY: "Every byte comes 400 ms late: the same cards.",
    },
)


class BeeTekReader(PlainReader):
    """The shoe, in a mode that knows no game."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, _CAPTIONS, "Bee-Tek")
        self._forms = seeded(seed, "forms of a message")

    def card(self, card: Card) -> Sequence[bytes]:
        """Tell of a card; a ten is T or 10, and rank or suit comes first."""
        rank = self._forms.choice(("T", "10")) if card.rank is Rank.TEN else card.rank.value
        code = rank + card.suit if self._forms.random() < 0.5 else card.suit + rank  # noqa: PLR2004 - a half
        return self._line(f"Card:{code}")

    def unread(self) -> Sequence[bytes]:
        """Tell that a card was not read, in one of the two ways there are."""
        return self._line(self._forms.choice((MODE, "Alarm:E3 Card Not Read")))

    def foreign(self, chance: Random) -> Sequence[bytes]:
        """Tell of a code that is no card."""
        return self._line(f"Card:{chance.choice(_FOREIGN)}")

    def _line(self, body: str) -> Sequence[bytes]:
        return (f" [{MODE}]<{body}> \r\n".encode("ascii"),)
