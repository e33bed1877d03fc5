"""What a simulated dealer does next, by the dealer's view alone: pure functions, one act at a time.

It knows the words of the view (instruction codes, buttons, incidents) and nothing of shoes, time or networks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from hardware_sim.faults import Fault

BURN_CODES: Final = frozenset({"burn-show", "burn"})
CARD_CODES: Final = BURN_CODES | {"card-to-seat", "card-to-dealer", "hole-card", "turn-hole-and-draw"}
"""Instructions that ask for one card."""

RESCAN_CODE: Final = "rescan"
BOXED_CODE: Final = "draw-boxed"
COUNT_CODE: Final = "count"
WHOLE_COUNT_CODE: Final = "count-pack"
_READER_CODE: Final = "wait-reader"

_LEFT_TO_THE_CLOCK: Final = frozenset({"close-betting"})
_FELT_CHECKED_KINDS: Final = frozenset({"crash-recovery"})
_CLEARED_KINDS: Final = frozenset({"scanner-down", "wrong-mode"})
_GO_ON: Final = "go-on"
_RESOLVE: Final = "resolve-incident"

_ABOUT_A_CARD: Final = frozenset(
    {
        "unknown-code",
        "no-read",
        "hole-unread",
        "stale-burst",
        "duplicate-read",
        "impossible-copy",
        "card-before-time",
        "extra-card",
        "wrong-burn",
        "reverse-movement",
        "shoe-empty",
    }
)
"""Incidents that a card in the dealer's hand can open."""

_UNREAD: Final = frozenset({"unknown-code", "no-read", "hole-unread"})
_BETWEEN_CARDS: Final = frozenset({"insurance", "decisions", "commit"})
_BEFORE_CARDS: Final = frozenset({"betting"})
_DEALING: Final = "dealing"
_AT_A_SEAT: Final = "Seat"


@dataclass(frozen=True, slots=True)
class Pull:
    """Draw one card from the shoe; ``is_burn`` when it is burned."""

    is_burn: bool = False


@dataclass(frozen=True, slots=True)
class CountCards:
    """Draw every card that is left, one after another, for the count; nothing needs to be waited for."""


@dataclass(frozen=True, slots=True)
class Rescan:
    """Pass the card that was not read over the exit reader again."""


@dataclass(frozen=True, slots=True)
class Press:
    """Press a button of the console."""

    command: str
    arguments: Mapping[str, Any]
    is_whole_count: bool = False
    """Whether it begins a count of all cards, which are a load of their own."""

    @property
    def needs_new_cards(self) -> bool:
        """Whether it says that cards have been put into the shoe."""
        is_loaded = self.command == "confirm-shoe-step" and self.arguments.get("step") == "loaded"
        return is_loaded or self.is_whole_count

    @property
    def hands_over(self) -> bool:
        """Whether the dealer leaves the table to the next one."""
        return self.command == "sign-off"

    @property
    def says_cards_are_back(self) -> bool:
        """Whether it says that the felt is clear and the shuffler has all cards."""
        return self.command == "return-cards"

    @property
    def closes_an_incident(self) -> bool:
        """Whether it says that all is well again."""
        return self.command == _RESOLVE


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing is the dealer's to do: players, the clock or the supervisor are next."""


@dataclass(frozen=True, slots=True)
class ShowCard:
    """Pass a card from outside the shoe over the reader, so that it says something: no shoe is in play."""


Act: TypeAlias = Pull | CountCards | Rescan | ShowCard | Press | Wait


def next_act(view: Mapping[str, Any]) -> Act:
    """Return the one thing that a dealer's view asks for."""
    code = view["instruction"]["code"]
    primary = view["primary"]
    if code == RESCAN_CODE:
        return Rescan()
    if primary is not None and primary["command"] not in _LEFT_TO_THE_CLOCK:
        return Press(primary["command"], primary["arguments"], is_whole_count=code == WHOLE_COUNT_CODE)
    for incident in view["incidents"]:
        if _is_dealers_to_close(incident):
            arguments = {"incident": incident["number"], "way_out": _GO_ON, "reason": "cause-gone"}
            return Press(_RESOLVE, arguments)
    if code == BOXED_CODE:
        return Pull()
    if view["table"]["stopped"]:
        return Wait()
    if code == COUNT_CODE:
        return CountCards()
    if code == _READER_CODE and view["table"]["shoe"] is None:
        return ShowCard()
    if code not in CARD_CODES:
        return Wait()
    return Pull(is_burn=code in BURN_CODES)


def is_card_unread(view: Mapping[str, Any]) -> bool:
    """Return whether an incident about a card that was not read is open."""
    return any(incident["kind"] in _UNREAD for incident in view["incidents"])


def mistake_due(view: Mapping[str, Any], armed: Collection[Fault], *, has_just_burned: bool) -> Fault | None:
    """Return the armed mistake that the moment invites, if any.

    An extra card while players are asked or the result stands; a card before its time while bets are open; one
    burned too many right after the burn was finished. In the deal, the card laid last lies at another seat, or
    the one that is due is seen face up in the shoe: the dealer reports both (:data:`REPORTS`).
    """
    if not armed or view["table"]["stopped"]:
        return None
    phase, is_due = view["table"]["phase"], view["instruction"]["code"] in CARD_CODES
    moments = {
        Fault.WRONG_BURN: has_just_burned and not is_due,
        Fault.EXTRA_CARD: phase in _BETWEEN_CARDS and not is_due,
        Fault.CARD_BEFORE_TIME: phase in _BEFORE_CARDS and not is_due,
        Fault.WRONG_SEAT: phase == _DEALING and is_due and _was_last_laid_at_a_seat(view),
        Fault.BOXED_CARD: phase == _DEALING and is_due,
    }
    return next((fault for fault, has_come in moments.items() if has_come and fault in armed), None)


REPORTS: Final[Mapping[Fault, Press]] = MappingProxyType(
    {
        Fault.WRONG_SEAT: Press("report-misdeal", {"tile": "wrong-seat"}),
        Fault.BOXED_CARD: Press("report-boxed-card", {}),
    }
)
"""Of the mistakes those that cost no card: the button that the dealer presses when they show."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What a view says of the cards that came out, to tell whether one more has been noticed."""

    shoe: str
    dealt: int
    draw: int
    incidents: frozenset[int]

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> Trace:
        """Return the trace of a dealer's view."""
        shoe = view["table"]["shoe"] or {"id": "", "dealt": 0}
        return cls(
            shoe["id"],
            shoe["dealt"],
            max((card["draw"] for card in view["last_cards"]), default=0),
            frozenset(each["number"] for each in view["incidents"] if each["kind"] in _ABOUT_A_CARD),
        )

    def shows_one_more(self, later: Trace) -> bool:
        """Return whether ``later`` shows a card, or an incident about one, that this trace does not."""
        return (
            later.shoe != self.shoe
            or later.dealt > self.dealt
            or later.draw > self.draw
            or not later.incidents <= self.incidents
        )


def _was_last_laid_at_a_seat(view: Mapping[str, Any]) -> bool:
    """Return whether this round's newest card lies at a seat."""
    if not any(hand["cards"] for seat in view["table"]["seats"] for hand in seat["hands"]):
        return False
    newest: str = max(view["last_cards"], key=lambda card: card["draw"])["place"]
    return newest.startswith(_AT_A_SEAT)


def _is_dealers_to_close(incident: Mapping[str, Any]) -> bool:
    kind = incident["kind"]
    may_go_on = kind in _FELT_CHECKED_KINDS or (kind in _CLEARED_KINDS and incident["cleared"])
    return may_go_on and _GO_ON in incident["ways_out"]
