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
    MISSCAN_LATE = "misscan-late"
    READ_NOT_DEALT = "read-not-dealt"
    WRONG_POSITION = "wrong-position"
    SKIPPED_DRAW = "skipped-draw"
    DEALER_SHORT = "dealer-short"
    HOLE_EXPOSED = "hole-exposed"
    HOLE_UNREAD = "hole-unread"
    PEEK_OMITTED = "peek-omitted"
    BOXED_CARD = "boxed-card"
    TWO_CARDS = "two-cards"
    DAMAGED_CARD = "damaged-card"
    SOURCE_DISAGREEMENT = "source-disagreement"
    CAMERA_ABSENT = "camera-absent"
    DISK_LOW = "disk-low"
    COMMIT_FAILED = "commit-failed"
    JOURNAL_BROKEN = "journal-broken"
    CLOCK_JUMP = "clock-jump"
    RECORDING_LOST = "recording-lost"
    CAMERA_DEGRADED = "camera-degraded"
    STALE_BURST = "stale-burst"
    PHASE_OVERRUN = "phase-overrun"
    SUPERVISOR_ABSENT = "supervisor-absent"
    EARLY_COLLECT = "early-collect"
    RULES_MISMATCH = "rules-mismatch"
    RULES_CHANGED = "rules-changed"
    MANUAL_ABUSE = "manual-abuse"
    DEALER_REPORT = "dealer-report"
    PLAYER_CONCERN = "player-concern"
    CUT_CARD_POSITION = "cut-card-position"
    FOREIGN_CARD = "foreign-card"
    ORDER_NOT_RANDOM = "order-not-random"
    MISSING_CARD_SUSPECTED = "missing-card-suspected"
    SHOE_UNVERIFIED = "shoe-unverified"
    SHOE_COUNT = "shoe-count"
    DEALER_UNFIT = "dealer-unfit"
    MISDEAL_RATE = "misdeal-rate"
    SUPERVISOR_STOP = "supervisor-stop"
    INTERNAL_FAULT = "internal-fault"


class WayOut(StrEnum):
    """A way to close an incident."""

    ACKNOWLEDGE = "acknowledge"
    """The warning was seen; play went on meanwhile."""
    GO_ON = "go-on"
    """The cause is gone and nothing is lost: the round goes on."""
    LAID = "laid"
    """The cards were laid where the screen shows them, or lie there already: nothing else changes."""
    KEEP_SCAN = "keep-scan"
    """The reader was right, the camera is counted as wrong."""
    CAMERA_VALUE = "camera-value"
    """The camera's value is the card's, confirmed by a person who looked at it."""
    BY_CAMERA = "by-camera"
    """The camera reads the rest of the round, the dealer confirms each card; then the shoe is closed."""
    ACCEPT = "accept"
    """The table goes on with one source for a time."""
    REFUSED = "refused"
    """The next hand refuses the card that it was offered."""
    SUBSTITUTE = "substitute"
    """A card of the same face replaces the damaged one; the second time the shoe is not used again."""
    LAST_ROUND = "last-round"
    """The cut card is out: this round is the last of the shoe."""
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
    RECOUNT = "recount"
    """The round is void if one is open, the shoe is closed, and all its cards are counted by two people."""
    QUARANTINE = "quarantine"
    """The pack of cards is put away and not used again."""
    REPLACE_DEALER = "replace-dealer"
    """The dealer on duty leaves the table; another one signs on."""
    VOID = "void"
    """Every bet of the round goes back in full."""


@dataclass(frozen=True, slots=True)
class AnomalyRule:
    """One row of the catalogue.

    ``cause`` and ``next_step`` are what the dealer reads; ``quarantines`` says that the shoe is not to be used
    again once the incident is closed; ``latches`` that the cause must be gone before the dealer can go on;
    ``blocks_rounds`` that a warning becomes a hold as soon as the round is over; ``heals`` that it closes by
    itself once its cause is gone.
    """

    level: Level
    cause: str
    next_step: str
    supervisor: frozenset[WayOut]
    dealer: frozenset[WayOut] = frozenset()
    quarantines: bool = False
    latches: bool = False
    blocks_rounds: bool = False
    heals: bool = False

    def ways_out(self, role: Role) -> frozenset[WayOut]:
        """Return the ways out open to ``role``."""
        match role:
            case Role.SUPERVISOR | Role.MANAGER:
                return self.supervisor
            case Role.DEALER:
                return self.dealer
            case _:
                return frozenset()


_W = WayOut


def _ways(*ways: WayOut) -> frozenset[WayOut]:
    return frozenset(ways)


_REPLAYS: Final = _ways(_W.CORRECT, _W.MOVE, _W.OUT_OF_PLAY, _W.DEAD_HAND, _W.REBUILD, _W.DRAW_NOW)
_UNREAD: Final = _ways(
    _W.RESCAN, _W.CAMERA_VALUE, _W.ENTER, _W.DISCARD, _W.REBUILD, _W.DEAD_HAND, _W.CHANGE_SHOE, _W.VOID
)
_BY_DEALER: Final = _ways(_W.CAMERA_VALUE, _W.ENTER)
_HELD_CARD: Final = _ways(_W.USE_NEXT, _W.BURN, _W.REFUSED, _W.VOID)
_NO_SHOE: Final = _ways(_W.CHANGE_SHOE)
_GO_ON: Final = _ways(_W.GO_ON)
_GO_ON_OR_VOID: Final = _ways(_W.GO_ON, _W.VOID)
_SEEN: Final = _ways(_W.ACKNOWLEDGE)

CATALOGUE: Final[dict[AnomalyKind, AnomalyRule]] = {
    AnomalyKind.UNKNOWN_CODE: AnomalyRule(
        Level.HOLD, "The reader does not know this card's code", "Rescan the card", _UNREAD, _BY_DEALER
    ),
    AnomalyKind.NO_READ: AnomalyRule(
        Level.HOLD, "The card was not read", "Rescan the card", _UNREAD | _ways(_W.LAID), _BY_DEALER
    ),
    AnomalyKind.DUPLICATE_READ: AnomalyRule(
        Level.HOLD,
        "The same card was read twice",
        "Keep the cards still, call supervisor",
        _ways(_W.MARK_DUPLICATE, _W.USE_NEXT, _W.VOID),
    ),
    AnomalyKind.IMPOSSIBLE_COPY: AnomalyRule(
        Level.SUSPEND,
        "More copies of this card than the shoe holds",
        "Stop, call supervisor",
        _ways(_W.VOID, _W.CHANGE_SHOE, _W.RECOUNT),
        quarantines=True,
    ),
    AnomalyKind.CARD_BEFORE_TIME: AnomalyRule(
        Level.HOLD,
        "A card came out before its time",
        "Keep the card face down, call supervisor",
        _HELD_CARD | _NO_SHOE,
    ),
    AnomalyKind.EXTRA_CARD: AnomalyRule(
        Level.HOLD,
        "No hand is owed this card",
        "Keep the card, call supervisor",
        _HELD_CARD | _ways(_W.GO_ON, _W.OUT_OF_PLAY, _W.MOVE),
    ),
    AnomalyKind.WRONG_BURN: AnomalyRule(
        Level.HOLD,
        "One card too many was burned",
        "Leave it in the discard rack, call supervisor",
        _ways(_W.BURN, _W.USE_NEXT, _W.VOID),
    ),
    AnomalyKind.CUT_CARD_MISSING: AnomalyRule(
        Level.HOLD,
        "The shoe is nearly empty and no cut card came",
        "Call supervisor for a shoe change",
        _NO_SHOE,
    ),
    AnomalyKind.SCANNER_DOWN: AnomalyRule(
        Level.HOLD,
        "The card reader is not answering",
        "Stop dealing, wait for the reader",
        _GO_ON_OR_VOID | _ways(_W.BY_CAMERA),
        _GO_ON,
        latches=True,
    ),
    AnomalyKind.CRASH_RECOVERY: AnomalyRule(
        Level.HOLD,
        "The system was restarted",
        "Compare the felt with the screen",
        _GO_ON_OR_VOID | _REPLAYS,
        _GO_ON,
    ),
    AnomalyKind.REVERSE_MOVEMENT: AnomalyRule(
        Level.SUSPEND,
        "A card moved back towards the shoe",
        "Stop, call supervisor",
        _GO_ON_OR_VOID | _REPLAYS,
    ),
    AnomalyKind.WRONG_MODE: AnomalyRule(
        Level.HOLD,
        "The card reader reports a fault",
        "Stop, put the reader right",
        _GO_ON_OR_VOID,
        _GO_ON,
        latches=True,
    ),
    AnomalyKind.RESULT_MISMATCH: AnomalyRule(
        Level.SUSPEND,
        "Felt and screen disagree about the result",
        "Wait for the supervisor",
        _GO_ON_OR_VOID | _REPLAYS,
    ),
    AnomalyKind.SHOE_EMPTY: AnomalyRule(
        Level.SUSPEND,
        "The shoe is empty and a card is owed",
        "Stop, call supervisor",
        _ways(_W.VOID, _W.CHANGE_SHOE, _W.LOAD_DISCARDS),
        quarantines=True,
    ),
    AnomalyKind.MISSCAN_LATE: AnomalyRule(
        Level.SUSPEND,
        "A card was missed and others came after it",
        "Stop, call supervisor",
        _ways(_W.REBUILD, _W.LAID, _W.VOID),
    ),
    AnomalyKind.READ_NOT_DEALT: AnomalyRule(
        Level.HOLD,
        "A card was read and its place is empty",
        "Lay the card in its place",
        _ways(_W.LAID, _W.OUT_OF_PLAY, _W.VOID),
        _ways(_W.LAID),
    ),
    AnomalyKind.WRONG_POSITION: AnomalyRule(
        Level.HOLD,
        "A card lies at another place than it was drawn for",
        "Keep the cards still, call supervisor",
        _ways(_W.LAID, _W.MOVE, _W.OUT_OF_PLAY, _W.DEAD_HAND, _W.REBUILD, _W.VOID),
    ),
    AnomalyKind.SKIPPED_DRAW: AnomalyRule(
        Level.HOLD,
        "A hand or the dealer was left out",
        "Move no card, call supervisor",
        _ways(_W.MOVE, _W.DRAW_NOW, _W.DEAD_HAND, _W.VOID),
    ),
    AnomalyKind.DEALER_SHORT: AnomalyRule(
        Level.HOLD,
        "The rules owe the dealer a card",
        "Draw for the dealer",
        _ways(_W.DRAW_NOW, _W.VOID),
        _ways(_W.DRAW_NOW),
    ),
    AnomalyKind.HOLE_EXPOSED: AnomalyRule(
        Level.SUSPEND, "The hole card was seen", "Cover it, wait for the supervisor", _GO_ON_OR_VOID
    ),
    AnomalyKind.HOLE_UNREAD: AnomalyRule(
        Level.HOLD,
        "The hole card was not read",
        "Rescan it face down",
        _ways(_W.RESCAN, _W.ENTER, _W.DISCARD, _W.REBUILD, _W.VOID),
        _ways(_W.ENTER),
    ),
    AnomalyKind.PEEK_OMITTED: AnomalyRule(
        Level.SUSPEND, "Play was opened without the peek", "Stop, call supervisor", _GO_ON_OR_VOID
    ),
    AnomalyKind.BOXED_CARD: AnomalyRule(
        Level.HOLD,
        "A card lies face up in the shoe",
        "Draw it and put it in the discard rack",
        _ways(_W.GO_ON, _W.OUT_OF_PLAY, _W.VOID),
    ),
    AnomalyKind.TWO_CARDS: AnomalyRule(
        Level.HOLD,
        "Two cards came out and one was read",
        "Pass the second card over the reader",
        _ways(_W.RESCAN, _W.LAID, _W.VOID),
    ),
    AnomalyKind.DAMAGED_CARD: AnomalyRule(
        Level.SUSPEND,
        "A card is damaged, or was on the floor",
        "Leave it, wait for the supervisor",
        _ways(_W.GO_ON, _W.OUT_OF_PLAY, _W.SUBSTITUTE, _W.CHANGE_SHOE, _W.VOID),
    ),
    AnomalyKind.SOURCE_DISAGREEMENT: AnomalyRule(
        Level.HOLD,
        "Reader and second witness read different cards",
        "Keep the cards still, call supervisor",
        _ways(_W.KEEP_SCAN, _W.CORRECT, _W.VOID),
    ),
    AnomalyKind.CAMERA_ABSENT: AnomalyRule(
        Level.WARN, "The second witness gave no value for a card", "Square the card, deal on", _SEEN, _SEEN
    ),
    AnomalyKind.DISK_LOW: AnomalyRule(
        Level.WARN,
        "The journal's disk is nearly full",
        "Finish the round, no other opens",
        _GO_ON,
        latches=True,
        blocks_rounds=True,
        heals=True,
    ),
    AnomalyKind.COMMIT_FAILED: AnomalyRule(
        Level.WARN,
        "The journal could not record",
        "Finish the round, no other opens",
        _GO_ON,
        latches=True,
        blocks_rounds=True,
        heals=True,
    ),
    AnomalyKind.JOURNAL_BROKEN: AnomalyRule(
        Level.WARN,
        "The journal's proof is broken",
        "Finish the round, no other opens",
        _GO_ON,
        latches=True,
        blocks_rounds=True,
    ),
    AnomalyKind.CLOCK_JUMP: AnomalyRule(
        Level.WARN, "The server's clock was moved", "Deal on, call supervisor", _SEEN | _GO_ON, _SEEN, latches=True
    ),
    AnomalyKind.RECORDING_LOST: AnomalyRule(
        Level.SUSPEND,
        "The table is not being recorded",
        "Stop, wait for the supervisor",
        _GO_ON_OR_VOID,
        latches=True,
    ),
    AnomalyKind.CAMERA_DEGRADED: AnomalyRule(
        Level.WARN,
        "The second witness misses too many cards",
        "Finish the round, call supervisor",
        _ways(_W.ACCEPT),
        blocks_rounds=True,
    ),
    AnomalyKind.STALE_BURST: AnomalyRule(
        Level.SUSPEND,
        "Readings came faster than hands can deal",
        "Stop, call supervisor",
        _ways(_W.REBUILD, _W.CHANGE_SHOE, _W.VOID),
    ),
    AnomalyKind.PHASE_OVERRUN: AnomalyRule(
        Level.WARN, "This step takes longer than it should", "Follow the instruction", _SEEN, _SEEN
    ),
    AnomalyKind.SUPERVISOR_ABSENT: AnomalyRule(
        Level.WARN, "No supervisor has taken the incident", "Wait, the next supervisor is called", _SEEN
    ),
    AnomalyKind.EARLY_COLLECT: AnomalyRule(
        Level.HOLD,
        "Cards left the felt before the result",
        "Put them back as the screen shows",
        _ways(_W.LAID, _W.REBUILD, _W.VOID),
        _ways(_W.LAID),
    ),
    AnomalyKind.RULES_MISMATCH: AnomalyRule(
        Level.SUSPEND,
        "Table, console and published rules differ",
        "Stop, call supervisor",
        _GO_ON_OR_VOID,
        latches=True,
    ),
    AnomalyKind.RULES_CHANGED: AnomalyRule(
        Level.WARN, "The table has new rules", "Read the rule line", _SEEN, _SEEN
    ),
    AnomalyKind.MANUAL_ABUSE: AnomalyRule(
        Level.WARN, "Too many cards were entered by hand", "Rescan instead of entering", _SEEN
    ),
    AnomalyKind.DEALER_REPORT: AnomalyRule(
        Level.SUSPEND,
        "The dealer reports a misdeal",
        "Wait for the supervisor",
        _GO_ON_OR_VOID | _REPLAYS | _ways(_W.LAID, _W.LAST_ROUND),
    ),
    AnomalyKind.PLAYER_CONCERN: AnomalyRule(
        Level.WARN, "A player may need help, or complains", "Deal on, the supervisor reads it", _SEEN
    ),
    AnomalyKind.CUT_CARD_POSITION: AnomalyRule(
        Level.WARN,
        "The cut card came far from its place",
        "Tell the supervisor",
        _ways(_W.ACKNOWLEDGE, _W.GO_ON, _W.CHANGE_SHOE),
    ),
    AnomalyKind.FOREIGN_CARD: AnomalyRule(
        Level.SUSPEND,
        "A card that is not of this shoe",
        "Stop, call supervisor",
        _ways(_W.VOID, _W.CHANGE_SHOE),
        quarantines=True,
    ),
    AnomalyKind.ORDER_NOT_RANDOM: AnomalyRule(
        Level.SUSPEND,
        "The cards come in an order that no shuffle leaves",
        "Stop, call supervisor",
        _ways(_W.VOID, _W.CHANGE_SHOE),
    ),
    AnomalyKind.MISSING_CARD_SUSPECTED: AnomalyRule(
        Level.WARN,
        "A card may be missing or doubled",
        "Tell the supervisor",
        _ways(_W.ACKNOWLEDGE, _W.RECOUNT),
    ),
    AnomalyKind.SHOE_UNVERIFIED: AnomalyRule(
        Level.HOLD,
        "This pack of cards is not verified",
        "Stop, call supervisor",
        _ways(_W.RECOUNT, _W.QUARANTINE),
    ),
    AnomalyKind.SHOE_COUNT: AnomalyRule(
        Level.SUSPEND,
        "The shoe's cards do not add up",
        "Touch no card, call supervisor",
        _ways(_W.RECOUNT, _W.QUARANTINE),
        quarantines=True,
    ),
    AnomalyKind.DEALER_UNFIT: AnomalyRule(
        Level.HOLD,
        "No dealer is signed on who may deal",
        "Deal no card, call supervisor",
        _ways(_W.USE_NEXT, _W.BURN, _W.REPLACE_DEALER, _W.VOID),
    ),
    AnomalyKind.MISDEAL_RATE: AnomalyRule(
        Level.WARN, "Far more misdeals than elsewhere", "Tell the supervisor", _SEEN
    ),
    AnomalyKind.SUPERVISOR_STOP: AnomalyRule(
        Level.SUSPEND,
        "The supervisor stopped the table",
        "Wait for the supervisor",
        _GO_ON_OR_VOID | _REPLAYS | _ways(_W.LAID),
    ),
    AnomalyKind.INTERNAL_FAULT: AnomalyRule(
        Level.SUSPEND,
        "The system met an unexpected fault",
        "Wait for the supervisor",
        _GO_ON_OR_VOID | _REPLAYS,
    ),
}
"""Every kind has its row: a test holds the two together."""
