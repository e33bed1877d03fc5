"""The ruling profile: a table's standing answers to what can go wrong, so that no ruling is made ad hoc.

Each setting is one question that real tables had to answer (the cases C01 to C40), as a choice or a number. What
its values mean stands in docs/reference/ruling-profile.md; who signed it is no matter of the domain.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, get_type_hints


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

    Numbers are in the unit of their name; ``mispay_window`` is hours after the settlement,
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
    mispay_window: int = 24
    """Hours after its settlement in which a round can still be revised (C08)."""
    over_limit_bet: OverLimitBet = OverLimitBet.REFUSE
    two_person_threshold: int = 1_000_000
    """Minor units: a void that gives back more needs a second person (S8)."""
    proposal_seconds: int = 300
    """How long a proposal waits for a second person."""
    next_supervisor_seconds: int = 60
    """How long a suspension waits unclaimed before the next supervisor is called."""
    manager_seconds: int = 180
    """And before the manager is."""
    rotation_minutes: int = 60
    hole_exposed: HoleExposed = HoleExposed.PLAY_ON
    card_before_time: CardBeforeTime = CardBeforeTime.NEXT
    auto_void_seconds: int = 0
    """After this long without a supervisor a suspended round is voided by itself; 0 never."""
    rescan_tries: int = 2
    minimum_draw_interval_ms: int = 250
    burst_cards: int = 4
    """So many cards, each within the minimum draw interval, after a silence, are no dealer's."""
    burst_silence_ms: int = 5000
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
    def text(self) -> str:
        """The settings in canonical JSON: what the journal keeps, and :func:`profile_of_text` reads."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @property
    def hash(self) -> str:
        """SHA-256 of :attr:`text`, in hex."""
        return hashlib.sha256(self.text.encode()).hexdigest()


_AT_LEAST_ONE = (
    "rescan_tries",
    "burst_cards",
    "rotation_minutes",
    "phase_limit_seconds",
    "manual_entries_per_hour",
)

STUDIO_DEFAULT = RulingProfile()


@dataclass(frozen=True, slots=True)
class Approval:
    """Who approved a profile, when (ISO date) and under which reference; ``key`` is what its signature proves.

    ``key`` is the Ed25519 public key in hex, empty for a profile that nobody signed.
    """

    approved_by: str = ""
    approved_on: str = ""
    reference: str = ""
    key: str = ""


UNAPPROVED = Approval()


def profile_of(settings: Mapping[str, object]) -> RulingProfile:
    """Return the profile with these settings, the others at their defaults.

    Raises ``ValueError`` naming each setting that is unknown or has no such value.
    """
    hints = get_type_hints(RulingProfile)
    wrong = [f"{name} is no setting of a profile" for name in settings if name not in hints]
    values: dict[str, Any] = {}
    for name, value in settings.items():
        kind = hints.get(name)
        if kind is None:
            continue
        if issubclass(kind, StrEnum):
            values[name] = next((member for member in kind if member.value == value), None)
            if values[name] is None:
                wrong.append(f"{name} is one of {', '.join(kind)}, not {value!r}")
        elif type(value) is not kind:
            wrong.append(f"{name} is {'a whole number' if kind is int else 'text'}, not {value!r}")
        else:
            values[name] = value
    if wrong:
        raise ValueError("; ".join(wrong))
    return RulingProfile(**values)


def profile_of_text(text: str) -> RulingProfile:
    """Return the profile that :attr:`RulingProfile.text` was made of; raise ``ValueError`` for anything else."""
    settings = json.loads(text)
    if not isinstance(settings, dict):
        message = "a profile is an object of settings"
        raise ValueError(message)  # noqa: TRY004 - what was read is wrong, not the call
    return profile_of(settings)
