"""Commands: what people, devices and timers ask of a table. They may be refused; facts never are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from studio.domain.actions import Action
from studio.domain.anomalies import WayOut
from studio.domain.bets import Placement
from studio.domain.changes import Change
from studio.domain.correction_commands import (
    ApproveProposal,
    ClaimIncident,
    DeclineProposal,
    HandOverIncident,
    OpenHiddenCard,
    ReviseRound,
    ShelveIncident,
)
from studio.domain.disputes import AddNote, CloseDispute, OpenDispute
from studio.domain.people import SUPERVISING, Role
from studio.domain.profile import UNAPPROVED, Approval, RulingProfile
from studio.domain.record_commands import (
    RecordFault,
    RecordOverrun,
    RecordReader,
    RecordRestart,
    RecordRules,
    RecordSighting,
    RecordWarning,
)
from studio.domain.shared_commands import DecideAll, InsureAll
from studio.domain.shoe_commands import (
    AbandonCount,
    BeginCount,
    ConfirmShoeStep,
    LoadShuffle,
    QuarantinePack,
    RegisterPack,
    ReportForeignCard,
    ReturnCards,
    SignCount,
)
from studio.domain.sightings import SightingId
from studio.domain.slots import HandId
from studio.domain.tiles import Concern, Tile


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Start the table's stream, or find it open under the same rules.

    ``profile`` is the ruling profile to go by from here on, ``None`` for the one that is in force; ``rules`` is
    the reference under which the rule set was approved.
    """

    profile: RulingProfile | None = None
    approval: Approval = UNAPPROVED
    rules: str = ""


@dataclass(frozen=True, slots=True)
class ChangeProfile:
    """Go by the table's profile file as it is now, between rounds, under this approval reference.

    ``profile`` and ``approval`` are filled in by the actor, ``None`` where there is no file that could be used:
    then ``problem`` says why.
    """

    reference: str
    profile: RulingProfile | None = None
    approval: Approval = UNAPPROVED
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SignOn:
    """The acting dealer takes the table; ``licence_until`` is an ISO date, ``licence_valid`` as of today.

    ``games`` are the variants of their certificates, empty for all; ``elsewhere`` another table that they are
    signed on at.
    """

    licence_until: str
    licence_valid: bool
    games: tuple[str, ...] = ()
    elsewhere: str = ""


@dataclass(frozen=True, slots=True)
class SignOff:
    """The acting dealer leaves the table; the next one signs on."""


@dataclass(frozen=True, slots=True)
class OpenBetting:
    """Open the next round's betting (R1); ``short`` are seated players whose balance is under the minimum (B3)."""

    short: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PlaceBets:
    """Place bets, each answered on its own; ``trial`` are players whose accounts hold no real money (B5)."""

    placements: tuple[Placement, ...]
    trial: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Sit down on a free seat; it stays only with a main bet by the end of the betting (B1)."""

    player: str
    seat: int
    is_trial: bool = False


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    """Give a seat back; not while its bet is in play."""

    player: str
    seat: int


@dataclass(frozen=True, slots=True)
class SetFollowing:
    """Say for all rounds whether bets behind follow a double and a split; ``None`` asks each time (B8, B9)."""

    player: str
    double: bool | None
    split: bool | None


@dataclass(frozen=True, slots=True)
class PlanAction:
    """Choose ahead what to do with a hand when its turn comes; ``None`` takes the choice back (R8)."""

    player: str
    hand: HandId
    action: Action | None


@dataclass(frozen=True, slots=True)
class AnswerFollow:
    """Say whether a bet behind follows the double or split that its seat has just decided (B8, B9)."""

    player: str
    hand: HandId
    follow: bool
    funded: bool


@dataclass(frozen=True, slots=True)
class CloseBetting:
    """Close betting before its deadline."""


@dataclass(frozen=True, slots=True)
class AnswerInsurance:
    """Take or decline insurance for the acting player's bet on a seat (R3)."""

    player: str
    seat: int
    take: bool
    funded: bool


@dataclass(frozen=True, slots=True)
class Decide:
    """Play the hand that was asked by ``decision``; ``funded`` where the action needs a second stake."""

    player: str
    decision: int
    action: Action
    funded: bool


@dataclass(frozen=True, slots=True)
class PassDeadline:
    """The clock may have passed the open window's deadline."""


@dataclass(frozen=True, slots=True)
class CommitResult:
    """The dealer confirms the result on the table."""


@dataclass(frozen=True, slots=True)
class Disagree:
    """The dealer says that screen and felt differ: with the result, or after a restart."""


@dataclass(frozen=True, slots=True)
class CallSupervisor:
    """The dealer asks for the supervisor."""


@dataclass(frozen=True, slots=True)
class AnswerCall:
    """The supervisor has seen the call."""


@dataclass(frozen=True, slots=True)
class Suspend:
    """The supervisor stops the table."""

    reason: str


@dataclass(frozen=True, slots=True)
class ReportMisdeal:
    """The dealer's misdeal helper: stop the table and ask for the supervisor (D14).

    ``seat`` is the one it is about, 0 the dealer's own place, ``None`` where that is not said.
    """

    tile: Tile
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class ReportConcern:
    """The dealer flags what a player said for a supervisor to read; no card moves and play goes on (C37)."""

    concern: Concern
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class ReportBoxedCard:
    """The dealer sees a card face up in the shoe; drawn, it goes to the discard rack (C09)."""


@dataclass(frozen=True, slots=True)
class ConfirmCard:
    """The dealer confirms the card that the camera reads, while it stands in for the reader."""

    sighting: SightingId


@dataclass(frozen=True, slots=True)
class ResolveIncident:
    """Close an incident by one of its ways out, with a reason code and words; supervisors always say both.

    ``correction`` is what a way out needs: for *correct* the card values, for *move* the places (none: the cards
    were laid where they belong), for *out-of-play* its cards, for *enter* the one card value, for *dead-hand* the
    seat. A *rebuild* needs none.
    """

    incident: int
    way_out: WayOut
    reason: str
    text: str = ""
    correction: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class VoidRound:
    """Void the open round: every bet goes back in full (R15)."""

    reason: str
    text: str = ""


Command = (
    OpenTable
    | ChangeProfile
    | SignOn
    | SignOff
    | RegisterPack
    | QuarantinePack
    | BeginCount
    | SignCount
    | AbandonCount
    | ReportForeignCard
    | ConfirmShoeStep
    | OpenBetting
    | PlaceBets
    | TakeSeat
    | LeaveSeat
    | SetFollowing
    | PlanAction
    | AnswerFollow
    | CloseBetting
    | AnswerInsurance
    | Decide
    | DecideAll
    | InsureAll
    | PassDeadline
    | RecordSighting
    | RecordReader
    | RecordWarning
    | RecordRestart
    | RecordFault
    | ReturnCards
    | LoadShuffle
    | CommitResult
    | Disagree
    | CallSupervisor
    | AnswerCall
    | Suspend
    | ReportConcern
    | ReportMisdeal
    | ReportBoxedCard
    | ConfirmCard
    | RecordOverrun
    | RecordRules
    | ResolveIncident
    | VoidRound
    | AddNote
    | OpenDispute
    | CloseDispute
    | ClaimIncident
    | HandOverIncident
    | ShelveIncident
    | ApproveProposal
    | DeclineProposal
    | OpenHiddenCard
    | ReviseRound
)

_DEALER: Final = frozenset({Role.DEALER})
_SUPERVISOR: Final = SUPERVISING
_EITHER: Final = _DEALER | _SUPERVISOR
_PLAYER: Final = frozenset({Role.PLAYER, Role.OPERATOR})
_SYSTEM: Final = frozenset({Role.SYSTEM})
_DEVICE: Final = frozenset({Role.DEVICE})

ALLOWED_ROLES: Final[dict[type[Command], frozenset[Role]]] = {
    OpenTable: _SYSTEM,
    ChangeProfile: _SUPERVISOR,
    SignOn: _DEALER,
    SignOff: _DEALER,
    RegisterPack: _SUPERVISOR,
    QuarantinePack: _SUPERVISOR,
    BeginCount: _EITHER,
    SignCount: _EITHER,
    AbandonCount: _EITHER,
    ReportForeignCard: _EITHER,
    ConfirmShoeStep: _EITHER,
    OpenBetting: _DEALER | _SYSTEM,
    PlaceBets: _PLAYER,
    TakeSeat: _PLAYER,
    LeaveSeat: _PLAYER,
    SetFollowing: _PLAYER,
    PlanAction: _PLAYER,
    AnswerFollow: _PLAYER,
    CloseBetting: _DEALER,
    AnswerInsurance: _PLAYER,
    Decide: _PLAYER,
    DecideAll: _PLAYER,
    InsureAll: _PLAYER,
    PassDeadline: _SYSTEM,
    RecordSighting: _DEVICE,
    RecordReader: _DEVICE,
    RecordWarning: _DEVICE | _SYSTEM,
    RecordRestart: _SYSTEM,
    RecordFault: _SYSTEM,
    ReturnCards: _EITHER | _DEVICE,
    LoadShuffle: _SYSTEM,
    CommitResult: _DEALER,
    Disagree: _DEALER,
    CallSupervisor: _DEALER,
    AnswerCall: _SUPERVISOR,
    Suspend: _SUPERVISOR,
    ReportConcern: _DEALER,
    ReportMisdeal: _DEALER,
    ReportBoxedCard: _DEALER,
    ConfirmCard: _DEALER,
    RecordOverrun: _SYSTEM,
    RecordRules: _SYSTEM,
    ResolveIncident: _EITHER,
    VoidRound: _SUPERVISOR,
    AddNote: _SUPERVISOR,
    OpenDispute: _SUPERVISOR,
    CloseDispute: _SUPERVISOR,
    ClaimIncident: _SUPERVISOR,
    HandOverIncident: _SUPERVISOR,
    ShelveIncident: _SUPERVISOR,
    ApproveProposal: _SUPERVISOR,
    DeclineProposal: _EITHER,
    OpenHiddenCard: _SUPERVISOR,
    ReviseRound: _SUPERVISOR,
}
"""Who may send what; a command that is not here is refused (deny by default)."""
