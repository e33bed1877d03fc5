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
    """How a fault is switched: it stays, waits for its one occasion or the dealer's, or happens at once.

    Those of the server are as its process is found; all tables share it.
    """

    SWITCH = "switch"
    ONE_SHOT = "one_shot"
    AT_ONCE = "at_once"
    DEALER = "dealer"
    SERVER = "server"


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
    WRONG_SEAT = "wrong_seat"
    BOXED_CARD = "boxed_card"
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
    DISK_FULL = "disk_full"
    SERVER_CLOCK = "server_clock"


@dataclass(frozen=True, slots=True)
class FaultSpec:
    """How a fault is switched, and one line on what it does and what the studio does about it.

    A caption names the kinds of the incidents that the fault opens, as the catalogue spells them, and no others.
    """

    kind: FaultKind
    caption: str


_SWITCH, _ONE_SHOT, _AT_ONCE, _DEALER, _SERVER = FaultKind

FAULTS: Final[Mapping[Fault, FaultSpec]] = MappingProxyType(
    {
        Fault.NO_READ: FaultSpec(
            _ONE_SHOT, "The next card is not read: no-read, hold. The dealer rescans it and it is dealt."
        ),
        Fault.UNREADABLE: FaultSpec(
            _ONE_SHOT,
            "The next card can never be read: no-read, suspended after two failed rescans. Discard it, or void.",
        ),
        Fault.UNKNOWN_CODE: FaultSpec(
            _ONE_SHOT,
            "The next card's code is no card: unknown-code, hold. The dealer rescans it; it is never guessed.",
        ),
        Fault.DOUBLE_READ: FaultSpec(
            _ONE_SHOT,
            "The next card is reported as two: duplicate-read, hold. The supervisor marks the duplicate.",
        ),
        Fault.MISSED: FaultSpec(
            _ONE_SHOT,
            "The next card is counted, never reported: unknown-code once the replay fails. Discard it, or void.",
        ),
        Fault.CARD_RETURN: FaultSpec(
            _ONE_SHOT, "The next card moves back towards the shoe: reverse-movement, suspended. Go on, or void."
        ),
        Fault.IMPOSSIBLE_COPY: FaultSpec(
            _ONE_SHOT,
            "All copies of one card come, then one more: impossible-copy, suspended. Void and another shoe.",
        ),
        Fault.SHORT_SHOE: FaultSpec(
            _AT_ONCE, "One card is taken out of the stack unseen: no reading shows it, only a count by hand would."
        ),
        Fault.EARLY_CUT_CARD: FaultSpec(
            _ONE_SHOT, "The cut card comes with the next card: this round or the next is the shoe's last."
        ),
        Fault.LATE_CUT_CARD: FaultSpec(
            _ONE_SHOT, "The cut card lies almost at the bottom: cut-card-missing once overdue. Change the shoe."
        ),
        Fault.MISSING_CUT_CARD: FaultSpec(
            _SWITCH, "The cut card is never seen: cut-card-missing once overdue, no new round. Change the shoe."
        ),
        Fault.EXTRA_CARD: FaultSpec(
            _DEALER,
            "The dealer pulls a card that no hand is owed: extra-card, hold. Use it next, burn it, or void.",
        ),
        Fault.CARD_BEFORE_TIME: FaultSpec(
            _DEALER,
            "The dealer pulls a card while bets are open: card-before-time, or wrong-burn within 3 s of a burn.",
        ),
        Fault.WRONG_BURN: FaultSpec(
            _DEALER,
            "The dealer burns one card too many: wrong-burn, hold before the first deal. Burn it, or use it next.",
        ),
        Fault.WRONG_SEAT: FaultSpec(
            _DEALER,
            "The dealer reports a card laid at another seat: wrong-position, suspended. Re-lay it, or void.",
        ),
        Fault.BOXED_CARD: FaultSpec(
            _DEALER,
            "The next card lies face up in the shoe: boxed-card, hold. It is drawn, put away, and all goes on.",
        ),
        Fault.LID_OPEN: FaultSpec(
            _SWITCH, "The lid is open and no card comes: wrong-mode, latched. Shut it, and the dealer goes on."
        ),
        Fault.GATE_STUCK: FaultSpec(
            _SWITCH,
            "The gate falls shut and sticks (error 7): wrong-mode, latched. Free it, and the dealer goes on.",
        ),
        Fault.JAM: FaultSpec(
            _SWITCH,
            "A card jams in the exit and no card comes: wrong-mode, latched. Free it, and the dealer goes on.",
        ),
        Fault.REBOOT: FaultSpec(
            _AT_ONCE, "The shoe restarts with another nonce: the studio asks for what it missed; no card twice."
        ),
        Fault.UNPLUG: FaultSpec(
            _SWITCH,
            "The cable is out: scanner-down, hold. Plug it in: the link is back by itself, the dealer goes on.",
        ),
        Fault.SWAPPED_READER: FaultSpec(
            _SWITCH,
            "Another table's shoe answers (other serial number): scanner-down; not one card of it is accepted.",
        ),
        Fault.STUCK_HEARTBEAT: FaultSpec(
            _SWITCH,
            "Heartbeats stop: 3 s without a card and the link is lost, scanner-down; it is opened again at once.",
        ),
        Fault.CLOCK_JUMP: FaultSpec(
            _AT_ONCE, "The shoe's own clock leaps by an hour: nothing happens, the studio keeps its own time."
        ),
        Fault.DROP: FaultSpec(_ONE_SHOT, "The next event is lost on the line: its retransmission repairs it."),
        Fault.SPLIT: FaultSpec(_SWITCH, "Bytes arrive in pieces cut anywhere: the same cards, nothing else."),
        Fault.MERGE: FaultSpec(_SWITCH, "Frames arrive glued together: the same cards, nothing else."),
        Fault.DUPLICATE: FaultSpec(_SWITCH, "Each frame arrives twice: acknowledged twice, dealt once."),
        Fault.BIT_FLIP: FaultSpec(
            _SWITCH, "In every third frame one bit flips: refused and counted, repaired by resending."
        ),
        Fault.GARBAGE: FaultSpec(
            _SWITCH, "Random bytes now and before each HELLO of a restart: counted errors, never a card."
        ),
        Fault.SILENCE: FaultSpec(
            _SWITCH,
            "Nothing arrives, then all at once: scanner-down, and wrong-mode if resends ran out; no card twice.",
        ),
        Fault.LATENCY: FaultSpec(_SWITCH, "Every byte comes 400 ms late: retransmissions are seen and ignored."),
        Fault.LOST_ACKNOWLEDGEMENT: FaultSpec(
            _ONE_SHOT, "The next acknowledgement is lost: the event comes again and is dealt once."
        ),
        Fault.NAK_STORM: FaultSpec(
            _SWITCH,
            "Each acknowledgement turns into a refusal: the gate shuts, wrong-mode, until the storm is over.",
        ),
        Fault.KILL_SERVER: FaultSpec(
            _SERVER,
            "The server is killed and starts again: crash-recovery in a round, until the felt is confirmed.",
        ),
        Fault.DISK_FULL: FaultSpec(
            _SERVER,
            "The server's disk is full: nothing counts. Then commit-failed, healed; wrong-mode if the gate shut.",
        ),
        Fault.SERVER_CLOCK: FaultSpec(
            _SERVER,
            "The server's clock leaps ten minutes ahead: clock-jump, no new round. Once it runs evenly: go on.",
        ),
    }
)

ONLY_OF_A_SHOE: Final = frozenset(
    {
        Fault.IMPOSSIBLE_COPY,
        Fault.EARLY_CUT_CARD,
        Fault.LATE_CUT_CARD,
        Fault.MISSING_CUT_CARD,
        Fault.WRONG_BURN,
    }
)
"""What no continuous shuffler has: a cut card, a burn, and enough cards out for one copy too many."""

OF_THE_SERVER: Final = frozenset(fault for fault, spec in FAULTS.items() if spec.kind is FaultKind.SERVER)
"""What happens to the studio's server, and so to all of its tables."""


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
