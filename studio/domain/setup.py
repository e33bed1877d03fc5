"""What a table is set up with besides its rules: limits, time allowances, and the ruling profile."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict, dataclass
from enum import StrEnum

from studio.domain.cards import DECK
from studio.domain.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Limits:
    """Bet limits of a position in minor units (M1, M7).

    Raises ``ValueError`` when an amount within them could need rounding.
    """

    currency: str
    minimum: int
    maximum: int
    increment: int

    def __post_init__(self) -> None:
        for wrong, message in (
            (self.increment < 1, "increment must be 1 or more"),
            (self.increment % 2, "increment must be even, or half a bet and 3:2 would need rounding (M1)"),
            (self.minimum < self.increment, "minimum must be at least one increment"),
            (self.minimum % max(self.increment, 1), "minimum must be a multiple of the increment"),
            (self.maximum % max(self.increment, 1), "maximum must be a multiple of the increment"),
            (self.maximum < self.minimum, "maximum must not be under the minimum"),
        ):
            if wrong:
                text = f"limits: {message}"
                raise ValueError(text)


class CutCardBetweenRounds(StrEnum):
    """S4: what a cut card before any card of the next round means."""

    NEXT_ROUND_IS_LAST = "next-round-is-last"
    RESHUFFLE_FIRST = "reshuffle-first"


class EmptyShoe(StrEnum):
    """S7: what may be done when a shoe runs empty in mid-round."""

    VOID = "void"
    LOAD_DISCARDS = "load-discards"


@dataclass(frozen=True, slots=True)
class RulingProfile:
    """A table's standing answers to what can go wrong (anomalies.md); thresholds are starting values.

    ``cut_card_tolerance`` and ``round_reserve`` are cards: the cut card is missing when fewer than
    ``round_reserve`` are left, or it is more than the tolerance overdue.
    """

    name: str = "studio-default"
    cut_card_between_rounds: CutCardBetweenRounds = CutCardBetweenRounds.NEXT_ROUND_IS_LAST
    empty_shoe: EmptyShoe = EmptyShoe.VOID
    rescan_tries: int = 2
    minimum_draw_interval_ms: int = 250
    quiet_after_burn_ms: int = 3000
    cut_card_tolerance: int = 26
    round_reserve: int = 52
    resume_grace_ms: int = 5000
    """A stopped deadline goes on with what was left of it, and never less than this (E1)."""
    two_person_threshold: int = 1_000_000
    """Minor units: a void that gives back more needs a second person (S8)."""
    mispay_window_hours: int = 24
    """How long after its settlement a round can still be revised (C08)."""
    proposal_seconds: int = 300
    """How long a proposal waits for a second person."""
    next_supervisor_seconds: int = 60
    """How long a suspension waits unclaimed before the next supervisor is called."""
    manager_seconds: int = 180
    """And before the manager is."""

    @property
    def hash(self) -> str:
        """SHA-256 of the settings in canonical JSON, in hex."""
        text = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class TimeAllowances:
    """How long each window stays open, in milliseconds."""

    betting_ms: int = 15_000
    insurance_ms: int = 8_000
    decision_ms: int = 12_000


@dataclass(frozen=True, slots=True)
class TableSetup:
    """All that the core must know of a table before its first event; raises ``ValueError`` for contradictions.

    ``reader`` is the device id of its primary card source; ``cut_position`` counts the cards behind the cut card.
    """

    table: str
    name: str
    rules: RuleSet
    limits: Limits
    reader: str
    simulated: bool
    cut_position: int
    allowances: TimeAllowances = TimeAllowances()
    profile: RulingProfile = RulingProfile()
    opens_itself: bool = False
    """Whether betting opens by itself as soon as the table is ready (R1)."""
    commits_itself: bool = False
    """Whether a result is committed without the dealer's *Confirm* when nothing speaks against it."""

    def __post_init__(self) -> None:
        pays, increment = self.rules.natural_pays, self.limits.increment
        for wrong, message in (
            (
                increment * pays.numerator % pays.denominator,
                f"increment must be a multiple of {math.lcm(2, pays.denominator)}, or {pays} needs rounding (M1)",
            ),
            (
                not 0 <= self.cut_position < self.rules.decks * len(DECK),
                f"cut_position must leave cards before the cut card: 0 to {self.rules.decks * len(DECK) - 1}",
            ),
        ):
            if wrong:
                text = f"table {self.table}: {message}"
                raise ValueError(text)
