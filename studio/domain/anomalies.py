"""The catalogue of what can go wrong: level, words, and the lawful ways out of each kind (anomalies.md).

An anomaly is what the system detects; the incident is the case about it, open until somebody closes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from studio.domain.people import Role


class Level(StrEnum):
    """How far an anomaly stops the table; a warning does not."""

    WARN = "warn"
    HOLD = "hold"
    SUSPEND = "suspend"


class AnomalyKind(StrEnum):
    """What went wrong."""

    UNKNOWN_CODE = "unknown-code"
    NO_READ = "no-read"
    DUPLICATE_READ = "duplicate-read"
    IMPOSSIBLE_COPY = "impossible-copy"
    CARD_BEFORE_TIME = "card-before-time"
    EXTRA_CARD = "extra-card"
    WRONG_BURN = "wrong-burn"
    CUT_CARD_MISSING = "cut-card-missing"
    SCANNER_DOWN = "scanner-down"
    CRASH_RECOVERY = "crash-recovery"
    REVERSE_MOVEMENT = "reverse-movement"
    WRONG_MODE = "wrong-mode"
    RESULT_MISMATCH = "result-mismatch"
    SHOE_EMPTY = "shoe-empty"
    CAMERA_ABSENT = "camera-absent"
    SUPERVISOR_STOP = "supervisor-stop"
    INTERNAL_FAULT = "internal-fault"


class WayOut(StrEnum):
    """A way to close an incident."""

    ACKNOWLEDGE = "acknowledge"
    """The warning was seen; play went on meanwhile."""
    GO_ON = "go-on"
    """The cause is gone and nothing is lost: the round goes on."""
    RESCAN = "rescan"
    """The dealer passes the card over the exit reader again; the incident closes when it reads."""
    USE_NEXT = "use-next"
    """The held card goes to the next slot that is due."""
    BURN = "burn"
    """The held card goes to the discard rack, counted."""
    MARK_DUPLICATE = "mark-duplicate"
    """The reading was the same physical card twice: it counts as no card."""
    DISCARD = "discard"
    """The card that nobody could read goes to the discard rack, uncounted."""
    CHANGE_SHOE = "change-shoe"
    """The shoe is closed; only between rounds."""
    LOAD_DISCARDS = "load-discards"
    """The shuffled discards, loaded, are the shoe's next segment; the round goes on (S7)."""
    CORRECT = "correct"
    """A card of the round was another one: the round is replayed with it."""
    MOVE = "move"
    """Cards lie elsewhere than the screen shows: they are placed where they lie, or laid where they belong."""
    OUT_OF_PLAY = "out-of-play"
    """A card of the round lies in no hand: burned or removed, and counted."""
    ENTER = "enter"
    """The card that nobody could read is entered by hand, by two people."""
    REBUILD = "rebuild"
    """Every card of the round is passed over the exit reader again, in order, and compared."""
    DRAW_NOW = "draw-now"
    """Who was left out gets the missing card now."""
    DEAD_HAND = "dead-hand"
    """The seat leaves the round and every bet on it goes back; the round goes on."""
    VOID = "void"
    """Every bet of the round goes back in full."""


@dataclass(frozen=True, slots=True)
class AnomalyRule:
    """One row of the catalogue.

    ``cause`` and ``next_step`` are what the dealer reads; ``quarantines`` says that the shoe is not to be used
    again once the incident is closed; ``latches`` that the cause must be gone before the dealer can go on;
    ``blocks_rounds`` that a warning becomes a hold as soon as the round is over.
    """

    level: Level
    cause: str
    next_step: str
    supervisor: frozenset[WayOut]
    dealer: frozenset[WayOut] = frozenset()
    quarantines: bool = False
    latches: bool = False
    blocks_rounds: bool = False

    def ways_out(self, role: Role) -> frozenset[WayOut]:
        """Return the ways out open to ``role``."""
        match role:
            case Role.SUPERVISOR | Role.MANAGER:
                return self.supervisor
            case Role.DEALER:
                return self.dealer
            case _:
                return frozenset()


_VOID: Final = frozenset({WayOut.VOID})
_UNREAD: Final = frozenset({WayOut.RESCAN, WayOut.DISCARD, WayOut.CHANGE_SHOE, WayOut.VOID})
_HELD_CARD: Final = frozenset({WayOut.USE_NEXT, WayOut.BURN, WayOut.VOID})
_NO_SHOE: Final = frozenset({WayOut.CHANGE_SHOE})
_GO_ON: Final = frozenset({WayOut.GO_ON})
_SEEN: Final = frozenset({WayOut.ACKNOWLEDGE})

CATALOGUE: Final[dict[AnomalyKind, AnomalyRule]] = {
    AnomalyKind.UNKNOWN_CODE: AnomalyRule(
        Level.HOLD, "The reader does not know this card's code", "Rescan the card", _UNREAD
    ),
    AnomalyKind.NO_READ: AnomalyRule(Level.HOLD, "The card was not read", "Rescan the card", _UNREAD),
    AnomalyKind.DUPLICATE_READ: AnomalyRule(
        Level.HOLD,
        "The same card was read twice",
        "Keep the cards still, call supervisor",
        frozenset({WayOut.MARK_DUPLICATE, WayOut.USE_NEXT, WayOut.VOID}),
    ),
    AnomalyKind.IMPOSSIBLE_COPY: AnomalyRule(
        Level.SUSPEND,
        "More copies of this card than the shoe holds",
        "Stop, call supervisor",
        frozenset({WayOut.VOID, WayOut.CHANGE_SHOE}),
        quarantines=True,
    ),
    AnomalyKind.CARD_BEFORE_TIME: AnomalyRule(
        Level.HOLD,
        "A card came out before its time",
        "Keep the card face down, call supervisor",
        _HELD_CARD | _NO_SHOE,
    ),
    AnomalyKind.EXTRA_CARD: AnomalyRule(
        Level.HOLD, "No hand is owed this card", "Keep the card, call supervisor", _HELD_CARD
    ),
    AnomalyKind.WRONG_BURN: AnomalyRule(
        Level.HOLD,
        "One card too many was burned",
        "Leave it in the discard rack, call supervisor",
        frozenset({WayOut.BURN, WayOut.USE_NEXT, WayOut.VOID}),
    ),
    AnomalyKind.CUT_CARD_MISSING: AnomalyRule(
        Level.HOLD,
        "The shoe is nearly empty and no cut card came",
        "Call supervisor for a shoe change",
        frozenset({WayOut.CHANGE_SHOE}),
    ),
    AnomalyKind.SCANNER_DOWN: AnomalyRule(
        Level.HOLD,
        "The card reader is not answering",
        "Stop dealing, wait for the reader",
        _GO_ON | _VOID,
        _GO_ON,
        latches=True,
    ),
    AnomalyKind.CRASH_RECOVERY: AnomalyRule(
        Level.HOLD, "The system was restarted", "Compare the felt with the screen", _GO_ON | _VOID, _GO_ON
    ),
    AnomalyKind.REVERSE_MOVEMENT: AnomalyRule(
        Level.SUSPEND,
        "A card moved back towards the shoe",
        "Stop, call supervisor",
        _GO_ON | _VOID,
    ),
    AnomalyKind.WRONG_MODE: AnomalyRule(
        Level.HOLD,
        "The card reader reports a fault",
        "Stop, put the reader right",
        _GO_ON | _VOID,
        _GO_ON,
        latches=True,
    ),
    AnomalyKind.RESULT_MISMATCH: AnomalyRule(
        Level.SUSPEND, "The dealer disagrees with the result", "Wait for the supervisor", _GO_ON | _VOID
    ),
    AnomalyKind.SHOE_EMPTY: AnomalyRule(
        Level.SUSPEND,
        "The shoe is empty and a card is owed",
        "Stop, call supervisor",
        _VOID | _NO_SHOE | frozenset({WayOut.LOAD_DISCARDS}),
        quarantines=True,
    ),
    AnomalyKind.CAMERA_ABSENT: AnomalyRule(
        Level.WARN, "The camera gave no value for a card", "Square the card, deal on", _SEEN, _SEEN
    ),
    AnomalyKind.SUPERVISOR_STOP: AnomalyRule(
        Level.SUSPEND, "The supervisor stopped the table", "Wait for the supervisor", _GO_ON | _VOID
    ),
    AnomalyKind.INTERNAL_FAULT: AnomalyRule(
        Level.SUSPEND, "The system met an unexpected fault", "Wait for the supervisor", _GO_ON | _VOID
    ),
}
"""Every kind has its row: a test holds the two together."""
