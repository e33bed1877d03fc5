"""The faults that a simulated shoe can have: names, captions, and which of them are on.

It knows nothing of how a fault is carried out: the table, the line and the simulated dealer ask the panel.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


class FaultKind(Enum):
    """How a fault is switched: it stays, waits for its one occasion, or happens at once."""

    SWITCH = "switch"
    ONE_SHOT = "one_shot"
    AT_ONCE = "at_once"
    DEALER = "dealer"


class Fault(StrEnum):
    """Everything that can be made to go wrong."""

    NO_READ = "no_read"
    UNREADABLE = "unreadable"
    UNKNOWN_CODE = "unknown_code"
    DOUBLE_READ = "double_read"
    MISSED = "missed"
    CARD_RETURN = "card_return"
    IMPOSSIBLE_COPY = "impossible_copy"
    SHORT_SHOE = "short_shoe"
    EARLY_CUT_CARD = "early_cut_card"
    LATE_CUT_CARD = "late_cut_card"
    MISSING_CUT_CARD = "missing_cut_card"
    EXTRA_CARD = "extra_card"
    CARD_BEFORE_TIME = "card_before_time"
    WRONG_BURN = "wrong_burn"
    LID_OPEN = "lid_open"
    GATE_STUCK = "gate_stuck"
    JAM = "jam"
    REBOOT = "reboot"
    UNPLUG = "unplug"
    SWAPPED_READER = "swapped_reader"
    STUCK_HEARTBEAT = "stuck_heartbeat"
    CLOCK_JUMP = "clock_jump"
    DROP = "drop"
    SPLIT = "split"
    MERGE = "merge"
    DUPLICATE = "duplicate"
    BIT_FLIP = "bit_flip"
    GARBAGE = "garbage"
    SILENCE = "silence"
    LATENCY = "latency"
    LOST_ACKNOWLEDGEMENT = "lost_acknowledgement"
    NAK_STORM = "nak_storm"
    KILL_SERVER = "kill_server"


@dataclass(frozen=True, slots=True)
class FaultSpec:
    """How a fault is switched, and one line on what it does and what the studio should do about it."""

    kind: FaultKind
    caption: str


_SWITCH, _ONE_SHOT, _AT_ONCE, _DEALER = FaultKind

FAULTS: Final[Mapping[Fault, FaultSpec]] = MappingProxyType(
    {
        Fault.NO_READ: FaultSpec(_ONE_SHOT, "The next card is not read: hold, and ask for a rescan, which works."),
        Fault.UNREADABLE: FaultSpec(
            _ONE_SHOT, "The next card can never be read: hold, two rescans fail, then manual entry by two people."
        ),
        Fault.UNKNOWN_CODE: FaultSpec(
            _ONE_SHOT, "The next card carries a code that is no card: hold, rescan asked; never a guessed card."
        ),
        Fault.DOUBLE_READ: FaultSpec(
            _ONE_SHOT, "The next card is reported twice, as two cards: hold as a possible duplicate."
        ),
        Fault.MISSED: FaultSpec(
            _ONE_SHOT, "The next card is counted but never reported: a gap that no replay fills holds the table."
        ),
        Fault.CARD_RETURN: FaultSpec(
            _ONE_SHOT, "The next card is pushed back towards the shoe: suspend; void or take the card out."
        ),
        Fault.IMPOSSIBLE_COPY: FaultSpec(
            _ONE_SHOT, "All copies of one card come out, then one more: suspend at that one, quarantine the shoe."
        ),
        Fault.SHORT_SHOE: FaultSpec(
            _AT_ONCE, "One card is taken out of the stack unseen: the count at the end of the shoe shows it."
        ),
        Fault.EARLY_CUT_CARD: FaultSpec(
            _ONE_SHOT, "The cut card comes with the next card: last round, and a warning on its position."
        ),
        Fault.LATE_CUT_CARD: FaultSpec(
            _ONE_SHOT, "The cut card lies almost at the bottom: a warning on its position, if it comes at all."
        ),
        Fault.MISSING_CUT_CARD: FaultSpec(
            _SWITCH, "The cut card is never seen: no new round once too few cards are left for one."
        ),
        Fault.EXTRA_CARD: FaultSpec(
            _DEALER, "The dealer pulls one card that no hand is owed: hold; the misdeal table says where it goes."
        ),
        Fault.CARD_BEFORE_TIME: FaultSpec(
            _DEALER, "The dealer pulls a card while none is due: hold, and its face is not published."
        ),
        Fault.WRONG_BURN: FaultSpec(_DEALER, "The dealer burns one card too many: hold before the first deal."),
        Fault.LID_OPEN: FaultSpec(
            _SWITCH, "The lid is open and no card comes: a latched warning until it is shut."
        ),
        Fault.GATE_STUCK: FaultSpec(
            _SWITCH, "The gate stays where it is: commands answer with a hardware fault; error 7 is latched."
        ),
        Fault.JAM: FaultSpec(
            _SWITCH, "A card jams in the exit and no card comes: hold, latched, until it is freed."
        ),
        Fault.REBOOT: FaultSpec(
            _AT_ONCE, "The shoe restarts with another nonce: the studio asks for what it missed; no card twice."
        ),
        Fault.UNPLUG: FaultSpec(
            _SWITCH,
            "The cable is out: one link-lost event and a hold; plugged in again, the link comes back by itself.",
        ),
        Fault.SWAPPED_READER: FaultSpec(
            _SWITCH, "Another table's shoe answers (other serial number): not one card of it is accepted."
        ),
        Fault.STUCK_HEARTBEAT: FaultSpec(
            _SWITCH, "Heartbeats stop: the link is stale after 1.5 s and lost after 3 s, and the table holds."
        ),
        Fault.CLOCK_JUMP: FaultSpec(
            _AT_ONCE, "The shoe's own clock leaps by an hour: nothing happens, the studio keeps its own time."
        ),
        Fault.DROP: FaultSpec(_ONE_SHOT, "The next event is lost on the line: its retransmission repairs it."),
        Fault.SPLIT: FaultSpec(_SWITCH, "Bytes arrive in pieces cut anywhere: the same cards, nothing else."),
        Fault.MERGE: FaultSpec(_SWITCH, "Frames arrive glued together: the same cards, nothing else."),
        Fault.DUPLICATE: FaultSpec(_SWITCH, "Each frame arrives twice: acknowledged twice, dealt once."),
        Fault.BIT_FLIP: FaultSpec(
            _SWITCH, "In a third of the frames one bit flips: refused and counted, repaired by resending."
        ),
        Fault.GARBAGE: FaultSpec(
            _SWITCH, "Random bytes now and before each HELLO of a restart: counted errors, never a card."
        ),
        Fault.SILENCE: FaultSpec(
            _SWITCH, "Nothing arrives, then all of it in one burst: hold meanwhile; no card is dealt twice."
        ),
        Fault.LATENCY: FaultSpec(_SWITCH, "Every byte comes 400 ms late: retransmissions are seen and ignored."),
        Fault.LOST_ACKNOWLEDGEMENT: FaultSpec(
            _ONE_SHOT, "The next acknowledgement is lost: the event comes again and is dealt once."
        ),
        Fault.NAK_STORM: FaultSpec(
            _SWITCH,
            "Each acknowledgement turns into a refusal: resends, then a closed gate until the studio asks again.",
        ),
        Fault.KILL_SERVER: FaultSpec(
            _AT_ONCE, "The studio's server is killed and starts again: hold until the dealer confirms the felt."
        ),
    }
)


class FaultPanel:
    """Which faults are on; a one-shot is on until :meth:`take` finds its occasion."""

    def __init__(self) -> None:
        self._on: set[Fault] = set()

    def set(self, fault: Fault, *, is_on: bool) -> None:
        """Switch or arm ``fault``, or take it back."""
        if is_on:
            self._on.add(fault)
        else:
            self._on.discard(fault)

    def is_on(self, fault: Fault) -> bool:
        """Return whether ``fault`` is switched on or armed."""
        return fault in self._on

    def take(self, fault: Fault) -> bool:
        """Return whether the one-shot ``fault`` was armed, and disarm it."""
        was_on = fault in self._on
        self._on.discard(fault)
        return was_on

    def armed_for_dealer(self) -> tuple[Fault, ...]:
        """Return the faults that wait for the simulated dealer, in the order of :class:`Fault`."""
        return tuple(fault for fault in Fault if fault in self._on and FAULTS[fault].kind is FaultKind.DEALER)
