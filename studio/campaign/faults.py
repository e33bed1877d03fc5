"""What a campaign injects: each kind of fault, when it can happen, and which anomalies may answer it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from studio.domain.anomalies import AnomalyKind as A
from studio.domain.rules import Layout, RuleSet, Shuffling


class Moment(StrEnum):
    """When a fault can happen."""

    DRAW = "draw"
    """A card is due."""
    WAIT = "wait"
    """Cards lie on the felt and none is due: players are asked, or the result is."""
    COMMIT = "commit"
    BETTING = "betting"
    SHOE = "shoe"
    """A shoe is made ready."""


class Fault(StrEnum):
    """A kind of fault; the last three are none and must raise no alarm."""

    UNREAD = "unread"
    UNKNOWN_CODE = "unknown-code"
    DOUBLE_READ = "double-read"
    MISSED = "missed-card"
    MISSED_LATE = "missed-card-late"
    MISREAD = "misread"
    MISREAD_HOLE = "misread-hole"
    WRONG_SEAT = "wrong-seat"
    UNBET_SEAT = "unbet-seat"
    SKIPPED_SEAT = "skipped-seat"
    SKIPPED_DEALER = "skipped-dealer"
    EXTRA_UNEXPOSED = "extra-card-unexposed"
    EXTRA_EXPOSED = "extra-card-exposed"
    OVERDRAW = "dealer-overdraw"
    BEFORE_TIME = "card-before-time"
    WRONG_BURN = "wrong-burn"
    BOXED = "boxed-card"
    TWO_CARDS = "two-cards"
    IMPOSSIBLE_COPY = "impossible-copy"
    FOREIGN = "foreign-card"
    CUT_EARLY = "cut-card-early"
    CUT_MISSING = "cut-card-missing"
    REVERSE = "reverse-movement"
    HOLE_EXPOSED = "hole-exposed"
    EARLY_COLLECT = "early-collect"
    READ_NOT_DEALT = "read-not-dealt"
    CAMERA_ABSENT = "camera-absent"
    CAMERA_DEAD = "camera-dead"
    READER_DOWN = "reader-down"
    RESTART = "restart"
    STALE_BURST = "stale-burst"
    CLOCK_JUMP = "clock-jump"
    DISK_LOW = "disk-low"
    COMMIT_FAILED = "commit-failed"
    DEALER_UNFIT = "dealer-unfit"
    LATE_DECISION = "late-decision"
    DEALER_SHORT = "dealer-short"
    DISAGREE_WRONGLY = "disagree-wrongly"
    REPEATED_TELLING = "repeated-telling"
    TRUE_COPY = "true-second-copy"
    HAND_OVER_CARD = "hand-over-card"


@dataclass(frozen=True, slots=True)
class FaultRule:
    """When a fault can happen, and the anomalies that name it; empty where the answer is a refusal or nothing."""

    moment: Moment
    named: tuple[A, ...] = ()
    camera_only: bool = False
    silent: bool = False
    """Whether no device tells it where there is no camera: then only people's eyes can."""


_D, _W = Moment.DRAW, Moment.WAIT
_UNREAD: Final = (A.NO_READ, A.UNKNOWN_CODE, A.HOLE_UNREAD)
_PLACE: Final = (A.WRONG_POSITION, A.SKIPPED_DRAW)
_VALUE: Final = (A.SOURCE_DISAGREEMENT, A.RESULT_MISMATCH, A.IMPOSSIBLE_COPY, A.DUPLICATE_READ)

RULES: Final[dict[Fault, FaultRule]] = {
    Fault.UNREAD: FaultRule(_D, _UNREAD),
    Fault.UNKNOWN_CODE: FaultRule(_D, _UNREAD),
    Fault.DOUBLE_READ: FaultRule(_D, (A.DUPLICATE_READ, A.IMPOSSIBLE_COPY)),
    Fault.MISSED: FaultRule(_D, (A.NO_READ,), silent=True),
    Fault.MISSED_LATE: FaultRule(_D, (A.MISSCAN_LATE, A.NO_READ, *_VALUE, *_PLACE), silent=True),
    Fault.MISREAD: FaultRule(_D, _VALUE, silent=True),
    Fault.MISREAD_HOLE: FaultRule(_D, _VALUE, silent=True),
    Fault.WRONG_SEAT: FaultRule(_D, _PLACE, silent=True),
    Fault.UNBET_SEAT: FaultRule(_D, _PLACE, silent=True),
    Fault.SKIPPED_SEAT: FaultRule(_D, _PLACE, silent=True),
    Fault.SKIPPED_DEALER: FaultRule(_D, _PLACE, silent=True),
    Fault.EXTRA_UNEXPOSED: FaultRule(_W, (A.EXTRA_CARD, A.DUPLICATE_READ)),
    Fault.EXTRA_EXPOSED: FaultRule(_W, (A.EXTRA_CARD, A.DUPLICATE_READ)),
    Fault.OVERDRAW: FaultRule(Moment.COMMIT, (A.EXTRA_CARD, A.DUPLICATE_READ)),
    Fault.BEFORE_TIME: FaultRule(Moment.BETTING, (A.CARD_BEFORE_TIME,)),
    Fault.WRONG_BURN: FaultRule(Moment.SHOE, (A.WRONG_BURN,)),
    Fault.BOXED: FaultRule(_D, (A.BOXED_CARD,)),
    Fault.TWO_CARDS: FaultRule(_D, (A.TWO_CARDS,), silent=True),
    Fault.IMPOSSIBLE_COPY: FaultRule(_D, (A.IMPOSSIBLE_COPY,)),
    Fault.FOREIGN: FaultRule(_D, (A.FOREIGN_CARD, A.HOLE_UNREAD)),
    Fault.CUT_EARLY: FaultRule(_D, (A.CUT_CARD_POSITION,)),
    Fault.CUT_MISSING: FaultRule(Moment.SHOE, (A.CUT_CARD_MISSING,)),
    Fault.REVERSE: FaultRule(_W, (A.REVERSE_MOVEMENT,)),
    Fault.HOLE_EXPOSED: FaultRule(_W, (A.HOLE_EXPOSED,)),
    Fault.EARLY_COLLECT: FaultRule(_W, (A.EARLY_COLLECT,), camera_only=True),
    Fault.READ_NOT_DEALT: FaultRule(_D, (A.READ_NOT_DEALT,), camera_only=True),
    Fault.CAMERA_ABSENT: FaultRule(_D, (A.CAMERA_ABSENT, A.READ_NOT_DEALT), camera_only=True),
    Fault.CAMERA_DEAD: FaultRule(_D, (A.CAMERA_ABSENT, A.CAMERA_DEGRADED), camera_only=True),
    Fault.READER_DOWN: FaultRule(_D, (A.SCANNER_DOWN,)),
    Fault.RESTART: FaultRule(_W, (A.CRASH_RECOVERY,)),
    Fault.STALE_BURST: FaultRule(_D, (A.STALE_BURST, A.EXTRA_CARD, A.DUPLICATE_READ, A.IMPOSSIBLE_COPY)),
    Fault.CLOCK_JUMP: FaultRule(_W, (A.CLOCK_JUMP,)),
    Fault.DISK_LOW: FaultRule(_W, (A.DISK_LOW,)),
    Fault.COMMIT_FAILED: FaultRule(_W, (A.COMMIT_FAILED,)),
    Fault.DEALER_UNFIT: FaultRule(_D, (A.DEALER_UNFIT,)),
    Fault.LATE_DECISION: FaultRule(_W),
    Fault.DEALER_SHORT: FaultRule(_D, (A.DEALER_SHORT,)),
    Fault.DISAGREE_WRONGLY: FaultRule(Moment.COMMIT, (A.RESULT_MISMATCH,)),
    Fault.REPEATED_TELLING: FaultRule(_D),
    Fault.TRUE_COPY: FaultRule(_D, (A.DUPLICATE_READ,)),
    Fault.HAND_OVER_CARD: FaultRule(_D, camera_only=True),
}
HARMLESS: Final = frozenset({Fault.REPEATED_TELLING, Fault.TRUE_COPY, Fault.HAND_OVER_CARD})
"""Ordinary play that looks like a fault: what opens an incident here is a false alarm."""
_OF_A_CUT_SHOE: Final = frozenset({Fault.CUT_EARLY, Fault.CUT_MISSING, Fault.WRONG_BURN})
_OF_SEATS: Final = frozenset({Fault.WRONG_SEAT, Fault.UNBET_SEAT, Fault.SKIPPED_SEAT})


def applicable(rules: RuleSet, *, has_camera: bool) -> tuple[Fault, ...]:
    """Return the faults that can happen at a table."""
    found = []
    for fault, rule in RULES.items():
        is_cut = rules.shuffling is Shuffling.SHOE
        has_seats = rules.layout is Layout.SEATS
        if rule.camera_only and not has_camera:
            continue
        if (fault in _OF_A_CUT_SHOE or fault is Fault.IMPOSSIBLE_COPY) and not is_cut:
            continue
        if fault in _OF_SEATS and not has_seats:
            continue
        found.append(fault)
    return tuple(found)
