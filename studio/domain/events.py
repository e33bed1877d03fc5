"""Events: what happened at a table, in the past tense. The journal is made of these and nothing else.

They carry facts only; totals, naturals and the next slot are derived. Fields that end in ``_ns`` are monotonic
times, those in ``_wall_ns`` wall times. :func:`hides_card` says which events carry a card that is secret when
they are written: the codec seals it.
"""

from __future__ import annotations

from studio.domain.card_events import (
    CardBurned,
    CardDealt,
    CardDiscarded,
    CardEvent,
    CardHeld,
    CardsReturned,
    CardUnread,
    CutCardSeen,
    DiscardsLoaded,
    DuplicateMarked,
    HeldCardReleased,
    ShoeClosed,
    ShoeEnd,
    ShoeLoaded,
    ShoeStepConfirmed,
    ShuffleCommitted,
    ShuffleOpened,
)
from studio.domain.correction_events import (
    Act,
    ActKind,
    CardEntered,
    CorrectionEvent,
    FeltCardScanned,
    FeltReadFailed,
    FeltScanEnded,
    FeltScanStarted,
    HandsDied,
    HiddenCardOpened,
    IncidentClaimed,
    IncidentHandedOver,
    ProposalApproved,
    ProposalClosed,
    ProposalEnd,
    ProposalMade,
    RoundCorrected,
    RoundRevised,
    SupervisorAbsent,
)
from studio.domain.round_events import (
    ActionPlanned,
    BetsPlaced,
    BetsReturned,
    BettingClosed,
    BettingOpened,
    Cause,
    DecisionAsked,
    DecisionTaken,
    FollowAnswered,
    FollowAsked,
    FollowClosed,
    HoleRevealed,
    InsuranceAnswered,
    InsuranceClosed,
    InsuranceOffered,
    PeekDone,
    ResultCommitted,
    RoundClosed,
    RoundEvent,
    RoundSettled,
    RoundVoided,
    SharedDecisionsTaken,
    SharedInsuranceAnswered,
    SharedWindowClosed,
)
from studio.domain.slots import Face
from studio.domain.table_events import (
    AnomalyDetected,
    CallAnswered,
    CardExposed,
    CardSubstituted,
    CauseCleared,
    CauseReturned,
    DealerSignedOn,
    FollowingSet,
    IncidentEscalated,
    IncidentResolved,
    MisdealReported,
    ProfileAdopted,
    ReaderChanged,
    RescanAsked,
    SeatEnd,
    SeatLeft,
    SeatTaken,
    SupervisorCalled,
    TableEvent,
    TableOpened,
)
from studio.domain.witness import (
    CameraTakesOver,
    CardWitnessed,
    SingleSourceAccepted,
    WitnessEvent,
    WitnessJudged,
)

Event = TableEvent | CardEvent | RoundEvent | CorrectionEvent | WitnessEvent

__all__ = [
    "Act",
    "ActKind",
    "ActionPlanned",
    "AnomalyDetected",
    "BetsPlaced",
    "BetsReturned",
    "BettingClosed",
    "BettingOpened",
    "CallAnswered",
    "CameraTakesOver",
    "CardBurned",
    "CardDealt",
    "CardDiscarded",
    "CardEntered",
    "CardEvent",
    "CardExposed",
    "CardHeld",
    "CardSubstituted",
    "CardUnread",
    "CardWitnessed",
    "CardsReturned",
    "Cause",
    "CauseCleared",
    "CauseReturned",
    "CorrectionEvent",
    "CutCardSeen",
    "DealerSignedOn",
    "DecisionAsked",
    "DecisionTaken",
    "DiscardsLoaded",
    "DuplicateMarked",
    "Event",
    "FeltCardScanned",
    "FeltReadFailed",
    "FeltScanEnded",
    "FeltScanStarted",
    "FollowAnswered",
    "FollowAsked",
    "FollowClosed",
    "FollowingSet",
    "HandsDied",
    "HeldCardReleased",
    "HiddenCardOpened",
    "HoleRevealed",
    "IncidentClaimed",
    "IncidentEscalated",
    "IncidentHandedOver",
    "IncidentResolved",
    "InsuranceAnswered",
    "InsuranceClosed",
    "InsuranceOffered",
    "MisdealReported",
    "PeekDone",
    "ProfileAdopted",
    "ProposalApproved",
    "ProposalClosed",
    "ProposalEnd",
    "ProposalMade",
    "ReaderChanged",
    "RescanAsked",
    "ResultCommitted",
    "RoundClosed",
    "RoundCorrected",
    "RoundEvent",
    "RoundRevised",
    "RoundSettled",
    "RoundVoided",
    "SeatEnd",
    "SeatLeft",
    "SeatTaken",
    "SharedDecisionsTaken",
    "SharedInsuranceAnswered",
    "SharedWindowClosed",
    "ShoeClosed",
    "ShoeEnd",
    "ShoeLoaded",
    "ShoeStepConfirmed",
    "ShuffleCommitted",
    "ShuffleOpened",
    "SingleSourceAccepted",
    "SupervisorAbsent",
    "SupervisorCalled",
    "TableEvent",
    "TableOpened",
    "WitnessEvent",
    "WitnessJudged",
    "hides_card",
]


def hides_card(event: Event) -> bool:
    """Tell whether the event's card or shuffle, and its bytes, are secret when it is written (S3, R4)."""
    match event:
        case CardDealt(slot=slot):
            return slot.face is Face.DOWN
        case CardBurned(face=face):
            return face is Face.DOWN
        case CardHeld() | CardUnread() | ShuffleCommitted() | FeltCardScanned() | ProposalMade():
            return True
        case CardWitnessed(card=card):
            return card is not None
        case RoundCorrected(hidden=hidden):
            return hidden
        case _:
            return False
