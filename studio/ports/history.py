"""The port of the history: the rounds of a table as one player may look back on them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from studio.domain.events import Cause


class Ended(StrEnum):
    """How a round ended; a round whose bets all went back without play is voided too."""

    OPEN = "open"
    SETTLED = "settled"
    VOIDED = "voided"


class Outcome(StrEnum):
    """What became of a wager; ``open`` while its round is."""

    OPEN = "open"
    WON = "won"
    LOST = "lost"
    PUSH = "push"
    SURRENDERED = "surrendered"
    REFUNDED = "refunded"


@dataclass(frozen=True, slots=True)
class PlayedBet:
    """One wager; amounts in minor units.

    ``cards`` are the codes of the cards it was settled on: a hand's, or the seat's first two for a side bet on
    them; none for insurance and for bets on the dealer's hand. ``hand`` is 0 for wagers on no hand. ``returned``
    and ``net`` are 0 while the round is open.
    """

    kind: str
    seat: int
    hand: int
    cards: tuple[str, ...]
    stake: int
    returned: int
    net: int
    result: Outcome


@dataclass(frozen=True, slots=True)
class PlayedDecision:
    """A decision about a hand that the player has a stake on, or an answer of the player.

    ``kind`` is ``decision``, ``insurance`` or ``follow``; ``player`` decided, which for a bet behind is the one
    at the seat. ``asked`` is what was wanted, ``action`` what was done; ``cause`` says why they differ.
    """

    kind: str
    player: str
    seat: int
    hand: int
    asked: str
    action: str
    cause: Cause
    added_stake: int


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One movement of the player's money in this round: ``amount`` in minor units, negative when it was staked."""

    id: str
    amount: int
    cause: str


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round: ``at_wall_ns`` is when its betting opened, ``dealer`` the codes of the cards that were shown."""

    round: int
    ended: Ended
    at_wall_ns: int
    dealer: tuple[str, ...]
    bets: tuple[PlayedBet, ...]
    decisions: tuple[PlayedDecision, ...]
    entries: tuple[LedgerLine, ...]
    corrected: bool = False
    """Whether a card of it was corrected while it was open."""
    revised: bool = False
    """Whether it was settled again after its settlement: ``bets`` are by the newest result."""


class History(Protocol):
    """What was played; a card that nobody was shown is in none of it."""

    def rounds(self, table: str, player: str, *, before: int | None, limit: int) -> tuple[PlayedRound, ...]:
        """Return the newest ``limit`` rounds that a player had a bet in, newest first, from before a round.

        Blocks while it reads. Raises ``ValueError`` where the journal cannot be read.
        """
        ...
