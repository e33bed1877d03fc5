"""Events of the table, its people and its incidents. See :mod:`studio.domain.events`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from studio.domain.anomalies import AnomalyKind, Level, WayOut
from studio.domain.tiles import Tile


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The table's stream began under these rules."""

    variant: str
    rules_hash: str
    profile_hash: str
    simulated: bool


@dataclass(frozen=True, slots=True)
class DealerSignedOn:
    """A dealer took the table."""

    dealer: str
    name: str
    licence_until: str
    at_wall_ns: int


@dataclass(frozen=True, slots=True)
class DealerSignedOff:
    """The dealer on duty left the table."""

    dealer: str
    at_wall_ns: int


@dataclass(frozen=True, slots=True)
class ReaderChanged:
    """The reader's link became ready or was lost."""

    device: str
    ready: bool
    load: int | None
    ordinal: int | None
    reason: str


class SeatEnd(StrEnum):
    """Why a player left a seat."""

    LEFT = "left"
    NO_BET = "no-bet"
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A player sat down (B0)."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat became free (B1 to B3)."""

    seat: int
    player: str
    end: SeatEnd


@dataclass(frozen=True, slots=True)
class FollowingSet:
    """A player's standing answer to follow questions; ``None`` asks each time."""

    player: str
    double: bool | None
    split: bool | None


@dataclass(frozen=True, slots=True)
class AnomalyDetected:
    """An incident was opened. ``draw`` is the draw it is about; ``stopped_ns`` when deadlines stopped.

    ``level`` is its level where that is not the catalogue's.
    """

    incident: int
    kind: AnomalyKind
    draw: int | None
    detail: str
    stopped_ns: int
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class CauseCleared:
    """What an incident was about is gone; it stays open until somebody closes it."""

    incident: int


@dataclass(frozen=True, slots=True)
class CauseReturned:
    """What an incident was about is back."""

    incident: int


@dataclass(frozen=True, slots=True)
class IncidentEscalated:
    """A warning became a hold between rounds, or a hold a suspension."""

    incident: int
    level: Level
    detail: str


@dataclass(frozen=True, slots=True)
class RoundsBlocked:
    """A warning grew: while it is open no further round begins."""

    incident: int
    detail: str


@dataclass(frozen=True, slots=True)
class RescanAsked:
    """The dealer is to pass the card over the exit reader again."""

    incident: int
    tries: int


@dataclass(frozen=True, slots=True)
class IncidentResolved:
    """An incident was closed by a named person; ``deadline_ns`` is the open window's new deadline, if any."""

    incident: int
    way_out: WayOut
    reason: str
    text: str
    deadline_ns: int | None


@dataclass(frozen=True, slots=True)
class SupervisorCalled:
    """The dealer asked for the supervisor."""

    at_wall_ns: int


@dataclass(frozen=True, slots=True)
class CallAnswered:
    """The supervisor has seen the call."""

    supervisor: str


@dataclass(frozen=True, slots=True)
class ProfileAdopted:
    """The table goes by this ruling profile from here on; ``settings`` are all of it, in canonical JSON.

    ``key`` is the public key that its signature was checked with, empty for an unsigned one.
    """

    name: str
    profile_hash: str
    settings: str
    approved_by: str
    approved_on: str
    reference: str
    key: str


@dataclass(frozen=True, slots=True)
class MisdealReported:
    """The dealer reported a misdeal: ``seat`` is the one it is about, 0 the dealer's own, null where unsaid."""

    incident: int
    tile: Tile
    seat: int | None


@dataclass(frozen=True, slots=True)
class CardExposed:
    """A held card was seen by the players; its face is published nowhere all the same."""

    draw: int


@dataclass(frozen=True, slots=True)
class CardSubstituted:
    """A damaged card was replaced by another of the same face."""

    incident: int


TableEvent = (
    TableOpened
    | DealerSignedOn
    | DealerSignedOff
    | ReaderChanged
    | SeatTaken
    | SeatLeft
    | FollowingSet
    | AnomalyDetected
    | RoundsBlocked
    | CauseCleared
    | CauseReturned
    | IncidentEscalated
    | RescanAsked
    | IncidentResolved
    | SupervisorCalled
    | CallAnswered
    | ProfileAdopted
    | MisdealReported
    | CardExposed
    | CardSubstituted
)
"""What happens to the table, its people and its incidents."""
