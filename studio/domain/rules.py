"""The rule set: one variant's parameters, as data (rules.md section 1).

A variant is a file; nothing in the engine asks for a variant by name. New behaviour is an enum member here and a
branch where it matters, never a subclass.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Final

from studio.domain.side_bets import COMBINATIONS

_MOST_DECKS: Final = 16
_MOST_HANDS: Final = 4


class Layout(StrEnum):
    """Where hands lie."""

    SEATS = "seats"
    SHARED_HAND = "shared-hand"
    SINGLE_HAND = "single-hand"


class Shuffling(StrEnum):
    """Where the cards come from and when they are shuffled (S1 to S8)."""

    SHOE = "shoe"
    CONTINUOUS = "continuous"
    VIRTUAL = "virtual"


class Start(StrEnum):
    """What opens and closes betting (R1)."""

    COUNTDOWN = "countdown"
    CONFIRMED_BET = "confirmed-bet"
    TABLE_SETTING = "table-setting"


class Peek(StrEnum):
    """Under which upcards the hole card is checked for a natural (R4)."""

    ACE_OR_TEN = "ace-or-ten"
    NONE = "none"


class DealerDraws(StrEnum):
    """When the dealer plays the hand out (R12)."""

    WHEN_NEEDED = "when-needed"
    ALWAYS = "always"


class SplitDeal(StrEnum):
    """When split hands get their second cards (R6)."""

    TOGETHER = "together"
    IN_TURN = "in-turn"


class Surrender(StrEnum):
    """Whether a hand may be given up for half its bet (R11)."""

    NONE = "none"
    BEFORE_ANY_ACTION = "before-any-action"


class WithoutFunds(StrEnum):
    """What becomes of a double or split whose stake the balance no longer covers (R10)."""

    HIT = "hit"
    HIT_TO_11 = "hit-to-11"
    REFUSE = "refuse"


class UnderMinimum(StrEnum):
    """What becomes of a bet under the table minimum (M2, B1)."""

    REFUSE = "refuse"
    RAISE = "raise"


class Money(StrEnum):
    """Whether amounts are currency or virtual units that never pay out (M4)."""

    CURRENCY = "currency"
    VIRTUAL = "virtual"


@dataclass(frozen=True, slots=True)
class Odds:
    """A payout ``numerator`` to ``denominator``: 3 to 2 wins 150 on a stake of 100."""

    numerator: int
    denominator: int

    def of(self, stake: int) -> int:
        """Return the winnings on ``stake`` minor units; raise ``ValueError`` if not whole (M1)."""
        won = Fraction(stake * self.numerator, self.denominator)
        if won.denominator != 1:
            message = f"{self} on {stake} is no whole number of minor units"
            raise ValueError(message)
        return won.numerator

    def __str__(self) -> str:
        return f"{self.numerator}:{self.denominator}"


@dataclass(frozen=True, slots=True)
class SideBet:
    """A side bet's pay table (rules.md section 6) and its limit per shoe (S9).

    ``pays`` maps a combination to its payout to one; ``rounds_per_shoe`` is ``None`` where there is no limit.
    """

    pays: dict[str, int]
    rounds_per_shoe: int | None = None


@dataclass(frozen=True)  # without slots, since the hash is kept once computed
class RuleSet:
    """Everything in which one variant differs from another; each field names its clause.

    Raises ``ValueError`` where values contradict each other.
    """

    variant: str
    version: str
    decks: int
    """C1: decks of 52 in the shoe."""
    shuffling: Shuffling
    layout: Layout
    seats: int
    """B0: numbered positions; 1 for a shared or single hand."""
    seats_per_player: int
    start: Start
    peek: Peek
    dealer_draws: DealerDraws
    dealer_hits_soft_17: bool
    natural_pays: Odds
    insurance: bool
    surrender: Surrender
    closes_at_21: bool
    """R7: whether a hand closes by itself at 21."""
    double_after_split: bool
    split_hands: int
    """The most hands one position can have; 1 means no splitting."""
    split_aces_again: bool
    split_deal: SplitDeal
    ends_when_all_natural: bool
    """R5: the round ends at once if every seated hand is a natural and the dealer has none."""
    double_without_funds: WithoutFunds
    split_without_funds: WithoutFunds
    under_minimum: UnderMinimum
    bet_behind: bool
    money: Money
    side_bets: dict[str, SideBet]
    published_rtp: str | None = None
    """The operator's published maximum return in per cent, shown as such."""

    def __post_init__(self) -> None:
        for wrong, message in (
            (not 1 <= self.decks <= _MOST_DECKS, "decks must be 1 to 16"),
            (self.seats < 1, "seats must be 1 or more"),
            (
                self.layout is not Layout.SEATS and self.seats != 1,
                "only the layout 'seats' has several seats",
            ),
            (not 1 <= self.seats_per_player <= self.seats, "seats_per_player must be 1 to seats"),
            (not 1 <= self.split_hands <= _MOST_HANDS, "split_hands must be 1 to 4"),
            (self.insurance and self.peek is Peek.NONE, "insurance needs a peek: it is settled by it"),
            (self.bet_behind and self.layout is not Layout.SEATS, "bet_behind needs the layout 'seats'"),
            (
                self.natural_pays.numerator < 1 or self.natural_pays.denominator < 1,
                "natural_pays must be positive",
            ),
            *self._side_bet_faults(),
        ):
            if wrong:
                text = f"rule set {self.variant!r}: {message}"
                raise ValueError(text)

    def _side_bet_faults(self) -> Iterator[tuple[bool, str]]:
        """Yield what is wrong with a side bet's name or pay table: it would only show at a settlement."""
        for key, side_bet in self.side_bets.items():
            known = COMBINATIONS.get(key)
            if known is None:
                yield True, f"{key!r} is no side bet; these are: {', '.join(COMBINATIONS)}"
            else:
                wanted = ", ".join(sorted(known))
                yield set(side_bet.pays) != known, f"{key} must pay each of: {wanted}, and nothing else"

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the parameters in canonical JSON, in hex; consoles show its first four digits."""
        text = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def line(self) -> str:
        """The rule line of the consoles, such as ``8 decks · S17 · 3:2 · rules 4f2a``."""
        soft_17 = "H17" if self.dealer_hits_soft_17 else "S17"
        return f"{self.decks} decks · {soft_17} · {self.natural_pays} · rules {self.hash[:4]}"
