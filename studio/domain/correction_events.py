"""Events of corrections and of the people who make them. See :mod:`studio.domain.events`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from studio.domain.bets import BetBatch, ResultBatch
from studio.domain.cards import Card
from studio.domain.changes import Change
from studio.domain.sightings import SightingId


@dataclass(frozen=True, slots=True)
class RoundCorrected:
    """The open round is what it would have been with these changes; the round is replayed with them.

    ``hidden`` when a change names a card that is secret: ``changes`` is sealed then.
    """

    changes: tuple[Change, ...]
    hidden: bool


@dataclass(frozen=True, slots=True)
class CardEntered:
    """The draw's card was entered by hand: the card follows as burned, dealt or held."""

    draw: int


@dataclass(frozen=True, slots=True)
class HandsDied:
    """All hands of a seat left the round; ``refunds`` are every bet on that seat."""

    seat: int
    refunds: BetBatch


@dataclass(frozen=True, slots=True)
class FeltScanStarted:
    """The dealer passes every card of the round over the exit reader again, in the order of its draws."""

    incident: int
    draws: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FeltCardScanned:
    """A card of the felt passed the exit reader again: no draw, whatever the reader counts."""

    sighting: SightingId
    card: Card


@dataclass(frozen=True, slots=True)
class FeltReadFailed:
    """A card of the felt passed the exit reader unread, or its reading was missed: it is passed again."""

    sighting: SightingId


@dataclass(frozen=True, slots=True)
class FeltScanEnded:
    """The re-scan is complete: ``differing`` are the draws that read differently, none when it agrees."""

    differing: tuple[int, ...]


class ActKind(StrEnum):
    """What two people decide together."""

    ENTER_CARD = "enter-card"
    OPEN_CARD = "open-card"
    REVISE_ROUND = "revise-round"
    VOID_ROUND = "void-round"


@dataclass(frozen=True, slots=True)
class Act:
    """A sensitive act as it was proposed: what ``kind`` needs, the rest at its default.

    ``incident`` and one ``CardValue`` for a card entered by hand, ``draw`` for a hidden card, ``round`` and
    ``changes`` for a revision, ``round`` for a void.
    """

    kind: ActKind
    reason: str
    text: str
    incident: int = 0
    draw: int = 0
    round: int = 0
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposalMade:
    """A person proposed a sensitive act; another one must approve it before ``expires_ns``. ``act`` is sealed."""

    proposal: int
    kind: ActKind
    by: str
    name: str
    act: Act
    at_ns: int
    expires_ns: int


@dataclass(frozen=True, slots=True)
class ProposalApproved:
    """A second person approved; the act's own events follow."""

    proposal: int
    by: str
    name: str


class ProposalEnd(StrEnum):
    """Why a proposal came to nothing."""

    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class ProposalClosed:
    """A proposal came to nothing; ``by`` is empty for one that expired."""

    proposal: int
    end: ProposalEnd
    by: str
    text: str


@dataclass(frozen=True, slots=True)
class HiddenCardOpened:
    """A hidden card was shown to one person, with a second one's approval; the card is not told here."""

    draw: int
    by: str
    approved_by: str
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class RoundRevised:
    """A settled round was settled again with changes: ``amounts`` are owed to (or by, negative) ``players``.

    ``results`` are the round's new results. ``moved`` is what really moves: less than owed where a balance does
    not bear it; the house bears the rest.
    """

    round: int
    changes: tuple[Change, ...]
    results: ResultBatch
    players: tuple[str, ...]
    amounts: tuple[int, ...]
    moved: tuple[int, ...]
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class IncidentClaimed:
    """A supervisor takes the incident; the clock of the absent supervisor stops."""

    incident: int
    by: str
    name: str


@dataclass(frozen=True, slots=True)
class IncidentHandedOver:
    """The incident's owner offers it to a colleague, who takes it by claiming it."""

    incident: int
    to: str
    text: str


@dataclass(frozen=True, slots=True)
class IncidentShelved:
    """The alarm is out of the way until then, by whose word and why; a time that is over takes it back."""

    incident: int
    by: str
    name: str
    until_wall_ns: int
    text: str


@dataclass(frozen=True, slots=True)
class SupervisorAbsent:
    """A suspension is unclaimed for so long: stage 1 calls the next supervisor, stage 2 the manager."""

    incident: int
    stage: int


CorrectionEvent = (
    RoundCorrected
    | CardEntered
    | HandsDied
    | FeltScanStarted
    | FeltCardScanned
    | FeltReadFailed
    | FeltScanEnded
    | ProposalMade
    | ProposalApproved
    | ProposalClosed
    | HiddenCardOpened
    | RoundRevised
    | IncidentClaimed
    | IncidentHandedOver
    | IncidentShelved
    | SupervisorAbsent
)
"""What people put right, and who they are."""
