"""Events about the record: notes, and disputes of players. See :mod:`studio.domain.events`.

They change nothing of what was played. Who wrote them and when stands in their rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from studio.domain.correction_events import (
    CardEntered,
    HandsDied,
    HiddenCardOpened,
    RoundCorrected,
    RoundRevised,
)
from studio.domain.round_events import RoundVoided
from studio.domain.shoe_events import PackQuarantined
from studio.domain.table_events import AnomalyDetected


class Subject(StrEnum):
    """What a note is about."""

    INCIDENT = "incident"
    ROUND = "round"
    DISPUTE = "dispute"


@dataclass(frozen=True, slots=True)
class NoteAdded:
    """A note was put on the incident, round or dispute of that number."""

    subject: Subject
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class DisputeOpened:
    """A player disputes a round; ``text`` is what they say. ``dispute`` numbers the table's disputes."""

    dispute: int
    round: int
    player: str
    text: str


@dataclass(frozen=True, slots=True)
class Dispute:
    """A round that a player disputes, until it is answered."""

    number: int
    round: int
    player: str


class DisputeEnd(StrEnum):
    """How a dispute was answered."""

    UPHELD = "upheld"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class DisputeClosed:
    """A dispute was answered; ``text`` is what the player is told."""

    dispute: int
    end: DisputeEnd
    text: str


RecordEvent = NoteAdded | DisputeOpened | DisputeClosed
"""What is written about what happened."""

CALL_FOR_A_RECORD: Final = (
    *(AnomalyDetected, RoundVoided, RoundCorrected, HandsDied, CardEntered, HiddenCardOpened, RoundRevised),
    *(DisputeOpened, PackQuarantined),
)
"""Events that a record begins with, unless they belong to one that was begun before (consoles.md S9)."""
