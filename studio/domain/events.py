"""Events: what happened at a table, in the past tense. The journal is made of these and nothing else.

They carry facts only; totals, naturals and the next slot are derived. Fields that end in ``_ns`` are monotonic
times, those in ``_wall_ns`` wall times. :func:`hides_card` says which events carry a card that is secret when
they are written: the codec seals it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from studio.domain.actions import Action
from studio.domain.anomalies import AnomalyKind, Level, WayOut
from studio.domain.bets import BetBatch, ResultBatch
from studio.domain.cards import Card
from studio.domain.shoe import ShoeStep
from studio.domain.sightings import SightingId
from studio.domain.slots import Face, HandId, Slot


class Cause(StrEnum):
    """Why a decision fell as it did."""

    PLAYER = "player"
    NO_ANSWER = "no-answer"
    NO_FUNDS = "no-funds"


class ShoeEnd(StrEnum):
    """Why a shoe was closed."""

    LAST_ROUND = "last-round"
    CHANGED = "changed"
    QUARANTINED = "quarantined"


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
class ReaderChanged:
    """The reader's link became ready or was lost."""

    device: str
    ready: bool
    load: int | None
    ordinal: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class ShoeStepConfirmed:
    """One step of the preparation was confirmed (S1)."""

    step: ShoeStep


@dataclass(frozen=True, slots=True)
class ShoeLoaded:
    """The shoe is ready to be burned."""

    shoe: str
    load: int
    decks: int
    cut_position: int


@dataclass(frozen=True, slots=True)
class CardBurned:
    """A draw went to the discard rack; ``face`` up for the shown burn card and for exposed ones (S2)."""

    draw: int
    sighting: SightingId
    card: Card
    face: Face
    at_ns: int


@dataclass(frozen=True, slots=True)
class CutCardSeen:
    """The cut card came out: ``last_round`` is the last of this shoe (S4)."""

    sighting: SightingId
    last_round: int


@dataclass(frozen=True, slots=True)
class ShoeClosed:
    """The shoe is finished."""

    shoe: str
    end: ShoeEnd


@dataclass(frozen=True, slots=True)
class CardsReturned:
    """Every card is back in the shuffler: the next round starts from the full composition (S8)."""


@dataclass(frozen=True, slots=True)
class ShuffleCommitted:
    """The virtual shoe is ready for one round: ``commitment`` is public, ``seed`` sealed until it is opened."""

    shoe: str
    load: int
    decks: int
    commitment: str
    seed: str


@dataclass(frozen=True, slots=True)
class ShuffleOpened:
    """The virtual shoe's seed is public: everybody can check its order against the commitment."""

    shoe: str
    round: int
    commitment: str
    seed: str


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
class ActionPlanned:
    """A player chose ahead; ``None`` took it back (R8)."""

    hand: HandId
    action: Action | None


@dataclass(frozen=True, slots=True)
class BetsReturned:
    """Bets on seats that are not in the round went back (B1, B2)."""

    bets: BetBatch


@dataclass(frozen=True, slots=True)
class FollowAsked:
    """The bets behind a hand are asked whether they follow its double or split (B8, B9)."""

    hand: HandId
    action: Action
    deadline_ns: int


@dataclass(frozen=True, slots=True)
class FollowAnswered:
    """A bet behind follows with ``added_stake``, or does not (0)."""

    player: str
    hand: HandId
    added_stake: int


@dataclass(frozen=True, slots=True)
class FollowClosed:
    """No more answers; no answer meant no."""


@dataclass(frozen=True, slots=True)
class BettingOpened:
    """A round began; its betting closes at ``deadline_ns``, or with the confirmed bet where there is none."""

    round: int
    rules_hash: str
    deadline_ns: int | None


@dataclass(frozen=True, slots=True)
class BetsPlaced:
    """Bets were taken; their amounts are the table's from now on."""

    bets: BetBatch


@dataclass(frozen=True, slots=True)
class BettingClosed:
    """No more bets for this round."""


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A draw went to a slot."""

    draw: int
    sighting: SightingId
    card: Card
    slot: Slot
    at_ns: int


@dataclass(frozen=True, slots=True)
class CardUnread:
    """A draw whose card nobody could read; ``code`` is what the device said, if anything."""

    draw: int
    sighting: SightingId
    code: str


@dataclass(frozen=True, slots=True)
class CardHeld:
    """A draw that has no place yet; its face is not published."""

    draw: int
    sighting: SightingId
    card: Card
    at_ns: int


@dataclass(frozen=True, slots=True)
class HeldCardReleased:
    """A held draw goes to the next slot that is due."""

    draw: int


@dataclass(frozen=True, slots=True)
class DuplicateMarked:
    """A held draw was the same physical card read twice: no card."""

    draw: int


@dataclass(frozen=True, slots=True)
class CardDiscarded:
    """An unread draw went to the discard rack."""

    draw: int


@dataclass(frozen=True, slots=True)
class InsuranceOffered:
    """Insurance is open until ``deadline_ns`` (R3)."""

    deadline_ns: int


@dataclass(frozen=True, slots=True)
class InsuranceAnswered:
    """A player took (``amount``) or declined (0) insurance on a seat."""

    player: str
    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class InsuranceClosed:
    """No more insurance; no answer meant no."""


@dataclass(frozen=True, slots=True)
class PeekDone:
    """The hole card was checked (R4)."""

    natural: bool


@dataclass(frozen=True, slots=True)
class DecisionAsked:
    """A hand was asked; ``decision`` numbers the questions of a round."""

    decision: int
    hand: HandId
    deadline_ns: int


@dataclass(frozen=True, slots=True)
class DecisionTaken:
    """A hand was played: ``asked`` is what the player wanted, ``action`` what was done (R9, R10)."""

    hand: HandId
    asked: Action
    action: Action
    cause: Cause
    added_stake: int


@dataclass(frozen=True, slots=True)
class SharedInsuranceAnswered:
    """Players of the shared hand took (an amount) or declined (0) insurance, in columns."""

    players: tuple[str, ...]
    amounts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SharedDecisionsTaken:
    """Players of the shared hand answered a window, in columns; ``added_stakes`` lie on the table from now on."""

    decision: int
    players: tuple[str, ...]
    asked: tuple[Action, ...]
    actions: tuple[Action, ...]
    added_stakes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SharedWindowClosed:
    """The answers of a window took effect; who gave none got ``default`` (I1, R9)."""

    decision: int
    default: Action


@dataclass(frozen=True, slots=True)
class HoleRevealed:
    """The hole card was turned."""

    card: Card


@dataclass(frozen=True, slots=True)
class ResultCommitted:
    """The result on the felt was confirmed."""


@dataclass(frozen=True, slots=True)
class RoundSettled:
    """Every wager was settled (R14)."""

    results: ResultBatch


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """Every bet of the round went back in full (R15)."""

    refunds: BetBatch
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class RoundClosed:
    """The round is over."""

    round: int


@dataclass(frozen=True, slots=True)
class AnomalyDetected:
    """An incident was opened. ``draw`` is the draw it is about; ``stopped_ns`` when deadlines stopped."""

    incident: int
    kind: AnomalyKind
    draw: int | None
    detail: str
    stopped_ns: int


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
    """A hold became a suspension."""

    incident: int
    level: Level
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


CardEvent = (
    ShoeStepConfirmed
    | ShoeLoaded
    | ShoeClosed
    | CardBurned
    | CutCardSeen
    | CardsReturned
    | ShuffleCommitted
    | ShuffleOpened
    | CardDealt
    | CardUnread
    | CardHeld
    | HeldCardReleased
    | DuplicateMarked
    | CardDiscarded
)
"""What happens to cards and their shoe."""

RoundEvent = (
    BettingOpened
    | BetsPlaced
    | BettingClosed
    | BetsReturned
    | ActionPlanned
    | FollowAsked
    | FollowAnswered
    | FollowClosed
    | InsuranceOffered
    | InsuranceAnswered
    | InsuranceClosed
    | PeekDone
    | DecisionAsked
    | DecisionTaken
    | SharedInsuranceAnswered
    | SharedDecisionsTaken
    | SharedWindowClosed
    | HoleRevealed
    | ResultCommitted
    | RoundSettled
    | RoundVoided
    | RoundClosed
)
"""What happens in a round."""

TableEvent = (
    TableOpened
    | DealerSignedOn
    | ReaderChanged
    | SeatTaken
    | SeatLeft
    | FollowingSet
    | AnomalyDetected
    | CauseCleared
    | CauseReturned
    | IncidentEscalated
    | RescanAsked
    | IncidentResolved
    | SupervisorCalled
    | CallAnswered
)
"""What happens to the table, its people and its incidents."""

Event = TableEvent | CardEvent | RoundEvent


def hides_card(event: Event) -> bool:
    """Tell whether the event's card or shuffle, and its bytes, are secret when it is written (S3, R4)."""
    match event:
        case CardDealt(slot=slot):
            return slot.face is Face.DOWN
        case CardBurned(face=face):
            return face is Face.DOWN
        case CardHeld() | CardUnread() | ShuffleCommitted():
            return True
        case _:
            return False
