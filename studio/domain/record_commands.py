"""Commands by which devices and the shell tell a table what they noticed; no person gives them."""

from __future__ import annotations

from dataclasses import dataclass

from studio.domain.anomalies import AnomalyKind
from studio.domain.sightings import Sighting


@dataclass(frozen=True, slots=True)
class RecordSighting:
    """A device claims to have seen a card."""

    sighting: Sighting


@dataclass(frozen=True, slots=True)
class RecordReader:
    """The reader's link came or went; ``load`` and ``ordinal`` are what it counts, where known."""

    device: str
    ready: bool
    load: int | None = None
    ordinal: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RecordWarning:
    """A device or the server's machine reports a condition, or that it is over.

    ``kind`` is reverse-movement, wrong-mode or shoe-empty of a reader; disk-low, commit-failed, journal-broken,
    clock-jump or recording-lost of the machine. ``blocks``: no further round may begin, where the kind leaves it
    open.
    """

    device: str
    kind: AnomalyKind
    active: bool
    text: str
    blocks: bool = False


@dataclass(frozen=True, slots=True)
class RecordRestart:
    """The process started again; ``stopped_ns`` is the monotonic time of the last event before it stopped."""

    stopped_ns: int


@dataclass(frozen=True, slots=True)
class RecordFault:
    """The shell met an unexpected exception."""

    text: str


@dataclass(frozen=True, slots=True)
class RecordOverrun:
    """The dealer's step lasts longer than it should; ``stage`` 1 is the cue, 2 calls the supervisor."""

    step: str
    stage: int


@dataclass(frozen=True, slots=True)
class RecordRules:
    """The hashes of the rules that the console shows and that are published, to be compared with the table's."""

    console: str
    published: str
