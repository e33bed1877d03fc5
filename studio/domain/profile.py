"""The ruling profile: a table's standing answers to what can go wrong, so that no ruling is made ad hoc.

Each setting is one question that real tables had to answer (the cases C01 to C40), as a choice or a number. What
its values mean stands in docs/reference/ruling-profile.md; who signed it is no matter of the domain.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from enum import StrEnum


class UnbetSeat(StrEnum):
    """C02: a seat without a bet got a card."""

    DEAD_HAND = "dead-hand"
    """Its cards are out of play."""
    SHIFT = "shift"
    """The cards keep their order and belong to the next hands in it."""
    WITHDRAW = "withdraw"
    """The same, and a seat that this touches may withdraw with its bets back."""


class OneCardHand(StrEnum):
    """C03: a hand has one card when play starts."""

    DEAL_AFTER = "deal-after"
    DEAD_HAND = "dead-hand"


class NoCardHand(StrEnum):
    """C04: a hand with a bet got no card at all."""

    DEAD_HAND = "dead-hand"
    DEAL_AFTER = "deal-after"
    VOID = "void"


class ExtraHand(StrEnum):
    """C02: one hand more was dealt than there are bets."""

    BURN = "burn"
    SHIFT = "shift"
    VOID = "void"


class ExposedCard(StrEnum):
    """C11: a card drawn in error and seen by the players."""

    NEXT = "next"
    BURN = "burn"
    OFFER = "offer"
    """The next hand is asked; :class:`RefusedCard` says what a refusal means."""
    VOID = "void"


class RefusedCard(StrEnum):
    """C11, C12: the next hand refuses an exposed card that it was offered."""

    BURN = "burn"
    NO_MORE_CARDS = "no-more-cards"
    """The hand stands, and the card is offered on: to the next hand, to the dealer, else it is burned."""


class DealerOverdraw(StrEnum):
    """C13: the dealer drew on 17 or more."""

    BURN = "burn"
    VOID = "void"


class MissedDealerCard(StrEnum):
    """C01: the dealer left themselves out of the first deal."""

    DEAL_AFTER = "deal-after"
    VOID = "void"


class MisplacedCard(StrEnum):
    """C05: a card lies at another hand than the one it was drawn for."""

    MOVE = "move"
    """It is moved where it belongs."""
    STAY = "stay"
    """It stays where it lies, and belongs to that hand."""
    VOID = "void"


class BadScan(StrEnum):
    """C07: a card was misread, and rescans did not repair it."""

    RESCAN = "rescan"
    VOID = "void"
    KEEP_NATURALS = "keep-naturals"
    """Known naturals stay in play, every other hand is dead and has its bets back."""


class InsufficientCards(StrEnum):
    """S7: what may be done when a shoe runs empty in mid-round."""

    VOID = "void"
    LOAD_DISCARDS = "load-discards"


class CutCardTiming(StrEnum):
    """S4: what a cut card before any card of the next round means."""

    NEXT_ROUND_IS_LAST = "next-round-is-last"
    RESHUFFLE_FIRST = "reshuffle-first"


class BurnOn(StrEnum):
    """C22: when a card is burned besides the burn of a new shoe (S2)."""

    SHUFFLE = "shuffle"
    """Never."""
    RELIEF = "relief"
    """When another dealer takes the table."""
    ALL = "all"
    """Then, before a table that lay still goes on, and after an exposed or misdealt card."""


class FlawedCard(StrEnum):
    """C20: a card is torn, marked or damaged."""

    DISCARD = "discard"
    """It is out of play and the next card takes its place."""
    SUBSTITUTE = "substitute"
    """A card of the same face replaces it; the hand keeps its value."""
    SHOE_CHANGE = "shoe-change"
    """The round is void and the shoe is changed."""


class Fault(StrEnum):
    """C38: a technical fault before the result."""

    RESOLVE_ELSE_VOID = "resolve-else-void"
    VOID = "void"


class OverLimitBet(StrEnum):
    """A bet over the maximum (M7)."""

    REFUSE = "refuse"
    LOWER = "lower"
    """As much as the maximum allows is taken, and the player is told."""


class HoleExposed(StrEnum):
    """C35: the hole card was seen before its time."""

    PLAY_ON = "play-on"
    VOID = "void"


class CardBeforeTime(StrEnum):
    """C06: a card came out before its time and nobody saw its face."""

    NEXT = "next"
    BURN = "burn"


@dataclass(frozen=True, slots=True)
class RulingProfile:
    """A table's rulings and thresholds; raises ``ValueError`` for a number out of its range.

    Numbers are in the unit of their name; ``mispay_window`` is minutes after the settlement,
    ``cut_card_tolerance`` and ``round_reserve`` are cards, ``two_person_threshold`` is minor units.
    """

    name: str = "studio-default"
    unbet_seat: UnbetSeat = UnbetSeat.DEAD_HAND
    one_card_hand: OneCardHand = OneCardHand.DEAL_AFTER
    no_card_hand: NoCardHand = NoCardHand.DEAD_HAND
    extra_hand: ExtraHand = ExtraHand.BURN
    exposed_card: ExposedCard = ExposedCard.NEXT
    refused_card: RefusedCard = RefusedCard.BURN
    dealer_overdraw: DealerOverdraw = DealerOverdraw.BURN
    missed_dealer_card: MissedDealerCard = MissedDealerCard.DEAL_AFTER
    misplaced_card: MisplacedCard = MisplacedCard.MOVE
    bad_scan: BadScan = BadScan.RESCAN
    insufficient_cards: InsufficientCards = InsufficientCards.VOID
    cut_card_timing: CutCardTiming = CutCardTiming.NEXT_ROUND_IS_LAST
    burn_on: BurnOn = BurnOn.SHUFFLE
    flawed_card: FlawedCard = FlawedCard.DISCARD
    fault: Fault = Fault.RESOLVE_ELSE_VOID
    mispay_window: int = 1440
    over_limit_bet: OverLimitBet = OverLimitBet.REFUSE
    two_person_threshold: int = 1_000_000
    rotation_minutes: int = 60
    hole_exposed: HoleExposed = HoleExposed.PLAY_ON
    card_before_time: CardBeforeTime = CardBeforeTime.NEXT
    auto_void_seconds: int = 0
    """After this long without a supervisor a suspended round is voided by itself; 0 never."""
    rescan_tries: int = 2
    minimum_draw_interval_ms: int = 250
    quiet_after_burn_ms: int = 3000
    cut_card_tolerance: int = 26
    round_reserve: int = 52
    resume_grace_ms: int = 5000
    """A stopped deadline goes on with what was left of it, and never less than this (E1)."""
    phase_limit_seconds: int = 300
    """How long the dealer may take over one step before the cue; twice as long, and the supervisor is called."""
    manual_entries_per_hour: int = 6

    def __post_init__(self) -> None:
        for name in _AT_LEAST_ONE:
            if getattr(self, name) < 1:
                text = f"profile {self.name}: {name} must be 1 or more"
                raise ValueError(text)
        for field in self.__dataclass_fields__:
            value = getattr(self, field)
            if isinstance(value, int) and value < 0:
                text = f"profile {self.name}: {field} must not be negative"
                raise ValueError(text)

    @property
    def hash(self) -> str:
        """SHA-256 of the settings in canonical JSON, in hex."""
        text = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


_AT_LEAST_ONE = ("rescan_tries", "rotation_minutes", "phase_limit_seconds", "manual_entries_per_hour")

STUDIO_DEFAULT = RulingProfile()
