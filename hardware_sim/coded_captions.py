"""The faults of simulated readers of printed codes, and what the studio makes of each; no reader's own code."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from hardware_sim.faults import Fault
from hardware_sim.reader import ANY_READER, captions_of

_MISSED: Final = "The next card is never reported: nobody hears of it, a camera or the next count would."

CODED: Final[Mapping[Fault, str]] = MappingProxyType(
    captions_of(
        ANY_READER | {Fault.EARLY_CUT_CARD, Fault.LATE_CUT_CARD, Fault.MISSING_CUT_CARD},
        {
            Fault.NO_READ: "The next card is not read: no-read, hold. The dealer passes it again.",
            Fault.UNREADABLE: "The next card can never be read: no-read, suspended after two failed tries.",
            Fault.UNKNOWN_CODE: "The next card has another code: unknown-code, hold. The dealer passes it again.",
            Fault.DOUBLE_READ: "The next card is read twice: duplicate-read, hold. One looks at the felt.",
            Fault.MISSED: _MISSED,
            Fault.REBOOT: "The reader restarts and says nothing of it: nothing happens.",
            Fault.UNPLUG: "The cable is out: scanner-down, hold. Plug it in and pass a card: it must speak first.",
        },
    )
)
"""What every one of them can have."""

UNCHECKED: Final[Mapping[Fault, str]] = MappingProxyType(
    {
        Fault.DROP: "The next reading is lost on the line: nobody hears of it, as with a card that is missed.",
        Fault.DUPLICATE: "Each reading arrives twice: duplicate-read, hold, for every card.",
    }
)
"""What one has besides, on whose line nothing asks again."""
