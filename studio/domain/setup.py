"""What a table is set up with besides its rules: limits, time allowances, and the ruling profile."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from studio.domain.cards import DECK
from studio.domain.profile import STUDIO_DEFAULT, RulingProfile
from studio.domain.rules import RuleSet, Shuffling


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


@dataclass(frozen=True, slots=True)
class TimeAllowances:
    """How long each window stays open, in milliseconds."""

    betting_ms: int = 15_000
    insurance_ms: int = 8_000
    decision_ms: int = 12_000


class CameraMode(StrEnum):
    """What a table's camera is for."""

    OFF = "off"
    WITNESS = "witness"
    """A second opinion on every card; never alone."""
    FALLBACK = "fallback"
    """The same; and with the reader down, each card confirmed by the dealer, enough to finish the round."""


@dataclass(frozen=True, slots=True)
class CameraSetup:
    """A table's second witness; thresholds are starting values (anomalies.md).

    Raises ``ValueError`` for numbers that cannot be meant.
    """

    device: str
    mode: CameraMode = CameraMode.WITNESS
    occupied_ms: int = 1500
    """A slot occupied this long without a reading is a card that the reader missed."""
    empty_ms: int = 3000
    """A slot still empty this long after its card was read is a card that was not dealt."""
    deadline_ms: int = 2000
    """Without a value for a card by then the camera is absent; the settlement waits no longer."""
    turn_ms: int = 3000
    """What the dealer may take to turn the hole card once it is due; only then its deadline begins."""
    absent_in_a_row: int = 3
    coverage_percent: int = 95
    coverage_cards: int = 100
    single_source_minutes: int = 30
    """For how long a supervisor's word lets a table go on without its witness."""
    agreed_in_a_row: int = 10
    """After so many cards that the camera agreed with, one after the other, that time ends early."""

    def __post_init__(self) -> None:
        counts = (self.absent_in_a_row, self.coverage_cards, self.single_source_minutes, self.agreed_in_a_row)
        times = (self.occupied_ms, self.empty_ms, self.deadline_ms, self.turn_ms)
        if min(*counts, *times) < 1 or not 0 <= self.coverage_percent <= 100:  # noqa: PLR2004 - per cent
            text = f"camera {self.device}: counts and times must be 1 or more, coverage_percent 0 to 100"
            raise ValueError(text)


@dataclass(frozen=True, slots=True)
class SecondReaderSetup:
    """A table's second witness where it is another reader at the same shoe: it knows cards and no places.

    Raises ``ValueError`` for numbers that cannot be meant.
    """

    device: str
    offset_ms: int = 500
    """The two readings of one card are at most so far apart; either may come first."""
    deadline_ms: int = 800
    """A card, or a reading, without its other half by then stays without; the settlement waits no longer."""
    absent_in_a_row: int = 3
    coverage_percent: int = 95
    coverage_cards: int = 100
    single_source_minutes: int = 30
    agreed_in_a_row: int = 10

    def __post_init__(self) -> None:
        counts = (self.absent_in_a_row, self.coverage_cards, self.single_source_minutes, self.agreed_in_a_row)
        if min(*counts, self.offset_ms) < 1 or not 0 <= self.coverage_percent <= 100:  # noqa: PLR2004 - per cent
            text = f"second reader {self.device}: counts and times must be 1 or more, coverage_percent 0 to 100"
            raise ValueError(text)
        if self.deadline_ms < self.offset_ms:
            text = f"second reader {self.device}: deadline_ms must not be under offset_ms, or no answer could come"
            raise ValueError(text)


WitnessSetup = CameraSetup | SecondReaderSetup
"""A table's second witness."""


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
    profile: RulingProfile = STUDIO_DEFAULT
    opens_itself: bool = False
    """Whether betting opens by itself as soon as the table is ready (R1)."""
    commits_itself: bool = False
    """Whether a result is committed without the dealer's *Confirm* when nothing speaks against it."""
    shoe_control: bool = False
    """Whether only counted packs are loaded, ended shoes are counted, and the shuffle's traces are looked for."""
    pack_hours: int = 24
    """How long a pack may be in use; then it is put away at the next round's end."""
    full_count_rounds: int = 200
    """After how many rounds a continuous shuffler's cards are all counted."""
    dead_table_minutes: int = 30
    """After how long without a card the profile's burn for a dead table is owed."""
    camera: CameraSetup | None = None
    """The second witness; ``None`` where there is none, or it is off."""
    second_reader: SecondReaderSetup | None = None
    """The second witness instead of a camera."""

    @property
    def witness(self) -> WitnessSetup | None:
        """The second witness, whichever it is."""
        return self.camera or self.second_reader

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
            (
                self.camera is not None and self.second_reader is not None,
                "a table has one second witness: leave out its camera or its second reader",
            ),
            (
                self.second_reader is not None and self.rules.shuffling is Shuffling.VIRTUAL,
                "a virtual shoe has no cards that a second reader could read: leave it out",
            ),
        ):
            if wrong:
                text = f"table {self.table}: {message}"
                raise ValueError(text)
