"""Events of a round. See :mod:`studio.domain.events`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from studio.domain.actions import Action
from studio.domain.bets import BetBatch, ResultBatch
from studio.domain.cards import Card
from studio.domain.slots import HandId


class Cause(StrEnum):
    """Why a decision fell as it did."""

    PLAYER = "player"
    NO_ANSWER = "no-answer"
    NO_FUNDS = "no-funds"
    REFUSED_CARD = "refused-card"
    """The hand refused an exposed card and gets no more (C11)."""


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
    profile_hash: str = ""


@dataclass(frozen=True, slots=True)
class BetsPlaced:
    """Bets were taken; their amounts are the table's from now on."""

    bets: BetBatch


@dataclass(frozen=True, slots=True)
class BettingClosed:
    """No more bets for this round."""


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
    """The hole card is to be turned, at ``at_ns``."""

    card: Card
    at_ns: int = 0


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


RoundEvent = (
    ActionPlanned
    | BetsReturned
    | FollowAsked
    | FollowAnswered
    | FollowClosed
    | BettingOpened
    | BetsPlaced
    | BettingClosed
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
