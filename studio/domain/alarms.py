"""Alarms: what was raised lately and from what source it probably comes (consoles.md S3), and the shelf (S2)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from studio.domain.anomalies import AnomalyKind

KEPT: Final = 30
"""How many a table remembers: three times a flood."""


class Source(StrEnum):
    """Where alarms of a kind probably come from, when many come at once."""

    READER = "reader"
    CAMERA = "camera"
    SHOE = "shoe"
    DEALING = "dealing"
    SERVER = "server"
    PEOPLE = "people"


class Alarm(NamedTuple):
    """An anomaly that was detected: its kind, and when by the monotonic clock."""

    kind: AnomalyKind
    at_ns: int


class Shelf(NamedTuple):
    """Until when an alarm is put out of the way (wall time), by whom, and why."""

    until_wall_ns: int
    name: str
    text: str


K = AnomalyKind
_KINDS: Final[dict[Source, tuple[AnomalyKind, ...]]] = {
    Source.READER: (
        *(K.UNKNOWN_CODE, K.NO_READ, K.HOLE_UNREAD, K.DUPLICATE_READ, K.MISSCAN_LATE, K.STALE_BURST),
        *(K.SCANNER_DOWN, K.WRONG_MODE, K.REVERSE_MOVEMENT, K.MANUAL_ABUSE),
    ),
    Source.CAMERA: (K.SOURCE_DISAGREEMENT, K.CAMERA_ABSENT, K.CAMERA_DEGRADED),
    Source.SHOE: (
        *(K.IMPOSSIBLE_COPY, K.FOREIGN_CARD, K.BOXED_CARD, K.DAMAGED_CARD, K.SHOE_EMPTY, K.SHOE_COUNT),
        *(K.CUT_CARD_MISSING, K.CUT_CARD_POSITION, K.SHOE_UNVERIFIED),
        *(K.ORDER_NOT_RANDOM, K.MISSING_CARD_SUSPECTED),
    ),
    Source.DEALING: (
        *(K.CARD_BEFORE_TIME, K.EXTRA_CARD, K.WRONG_BURN, K.TWO_CARDS, K.READ_NOT_DEALT, K.WRONG_POSITION),
        *(K.SKIPPED_DRAW, K.DEALER_SHORT, K.HOLE_EXPOSED, K.EARLY_COLLECT, K.RESULT_MISMATCH),
        *(K.DEALER_REPORT, K.MISDEAL_RATE, K.PHASE_OVERRUN, K.DEALER_UNFIT),
    ),
    Source.SERVER: (
        *(K.CRASH_RECOVERY, K.INTERNAL_FAULT, K.PEEK_OMITTED, K.DISK_LOW, K.COMMIT_FAILED, K.JOURNAL_BROKEN),
        *(K.CLOCK_JUMP, K.RECORDING_LOST, K.RULES_MISMATCH, K.RULES_CHANGED),
    ),
    Source.PEOPLE: (K.SUPERVISOR_STOP, K.SUPERVISOR_ABSENT, K.PLAYER_CONCERN),
}
SOURCES: Final[dict[AnomalyKind, Source]] = {kind: source for source, kinds in _KINDS.items() for kind in kinds}
"""Every kind has its source: a test holds the two together."""


def with_alarm(alarms: tuple[Alarm, ...], kind: AnomalyKind, at_ns: int) -> tuple[Alarm, ...]:
    """Return the alarms with one more, the oldest left out."""
    return (*alarms, Alarm(kind, at_ns))[-KEPT:]
