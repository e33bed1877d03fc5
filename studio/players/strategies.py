"""How automated players play: own cards, the upcard and the legal actions in, one action out (rules.md 8).

Pure functions over data. They know nothing of the table, the shoe, other hands or the hole card, and none of
them ever insures.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from studio.domain.cards import parse_card
from studio.domain.hands import total

Strategy = Callable[[Sequence[str], str, Collection[str]], str]
"""(own cards' codes, the upcard's code, legal actions) -> one of the legal actions."""

_UPCARDS: Final = "23456789TA"
_EASY_STANDS_AT: Final = 17

_PREFERENCES: Final[dict[str, tuple[str, ...]]] = {
    "H": ("hit",),
    "S": ("stand",),
    "D": ("double", "hit"),
    "d": ("double", "stand"),
    "R": ("surrender", "hit"),
    "P": ("split",),
    ".": (),
}
"""What each letter of the tables asks for, best first; a dot leaves the pair to the tables of totals."""

# Columns are the upcard: 2 3 4 5 6 7 8 9 T A. Source: the usual table for 8 decks, dealer stands on soft 17,
# double after split, late surrender, dealer peeks.
_HARD: Final[dict[int, str]] = {
    4: "HHHHHHHHHH",
    5: "HHHHHHHHHH",
    6: "HHHHHHHHHH",
    7: "HHHHHHHHHH",
    8: "HHHHHHHHHH",
    9: "HDDDDHHHHH",
    10: "DDDDDDDDHH",
    11: "DDDDDDDDDH",
    12: "HHSSSHHHHH",
    13: "SSSSSHHHHH",
    14: "SSSSSHHHHH",
    15: "SSSSSHHHRH",
    16: "SSSSSHHRRR",
    17: "SSSSSSSSSS",
    18: "SSSSSSSSSS",
    19: "SSSSSSSSSS",
    20: "SSSSSSSSSS",
    21: "SSSSSSSSSS",
}
_SOFT: Final[dict[int, str]] = {
    12: "HHHHHHHHHH",
    13: "HHHDDHHHHH",
    14: "HHHDDHHHHH",
    15: "HHDDDHHHHH",
    16: "HHDDDHHHHH",
    17: "HDDDDHHHHH",
    18: "SddddSSHHH",
    19: "SSSSSSSSSS",
    20: "SSSSSSSSSS",
    21: "SSSSSSSSSS",
}
_PAIRS: Final[dict[int, str]] = {
    1: "PPPPPPPPPP",
    2: "PPPPPP....",
    3: "PPPPPP....",
    4: "...PP.....",
    5: "..........",
    6: "PPPPP.....",
    7: "PPPPPP....",
    8: "PPPPPPPPPP",
    9: "PPPPP.PP..",
    10: "..........",
}
"""By the value of one of the two cards, the ace being 1."""


def play_easy(cards: Sequence[str], upcard: str, legal: Collection[str]) -> str:  # noqa: ARG001 - a Strategy
    """A1: draw below 17, stand otherwise, whatever the dealer shows."""
    points = total([parse_card(code) for code in cards]).points
    return first_legal(("hit",) if points < _EASY_STANDS_AT else ("stand",), legal)


def play_normal(cards: Sequence[str], upcard: str, legal: Collection[str]) -> str:
    """A2: the usual basic-strategy table by pair, hard or soft total, and upcard.

    Raises ``ValueError`` for a code that is no card, a bust hand or no legal action.
    """
    own = [parse_card(code) for code in cards]
    column = _UPCARDS.index("T" if parse_card(upcard).value == 10 else upcard[0])  # noqa: PLR2004 - ten-valued
    points, soft = total(own)
    rows = _SOFT if soft else _HARD
    if points not in rows:
        message = f"a hand of {points} points has nothing to decide: {' '.join(cards)}"
        raise ValueError(message)
    preferences = _PREFERENCES[rows[points][column]]
    is_pair = len(own) == 2 and own[0].value == own[1].value  # noqa: PLR2004 - a pair is two cards
    if is_pair:
        preferences = (*_PREFERENCES[_PAIRS[own[0].value][column]], *preferences)
    return first_legal(preferences, legal)


STRATEGIES: Final[dict[str, Strategy]] = {"easy": play_easy, "normal": play_normal}
"""The automated players' strategies by the name in a people file (A1, A2); the hard one is asked of the studio."""


def first_legal(preferences: Sequence[str], legal: Collection[str]) -> str:
    """Return the first preference that is legal, else stand or hit; raise ``ValueError`` where neither is."""
    for action in (*preferences, "stand", "hit"):
        if action in legal:
            return action
    message = f"none of the legal actions is known here: {', '.join(legal) or 'there are none'}"
    raise ValueError(message)
