"""The parameters of the four games, copied by hand from the table of rules.md section 1.

Kept apart from the data files of the product on purpose: a wrong value there must show as a difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Shortage = Literal["hit", "hit-to-11", "refuse"]
"""What a double or a split becomes when the balance no longer covers it (R10)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One game. ``shortage_*`` is R10; ``most_hands`` counts the hands of a position after all its splits."""

    decks: int
    seats: int
    seats_per_player: int
    shared_hand: bool
    real_shoe: bool
    dealer_peeks: bool
    dealer_always_draws: bool
    insurance: bool
    surrender: bool
    closes_at_21: bool
    most_hands: int
    all_naturals_end: bool
    shortage_double: Shortage
    shortage_split: Shortage
    bets_behind: bool
    side_bets: tuple[str, ...]


RULES: Final[dict[str, Rules]] = {
    "deluxe": Rules(
        decks=8,
        seats=7,
        seats_per_player=2,
        shared_hand=False,
        real_shoe=True,
        dealer_peeks=True,
        dealer_always_draws=False,
        insurance=True,
        surrender=True,
        closes_at_21=True,
        most_hands=2,
        all_naturals_end=True,
        shortage_double="hit",
        shortage_split="hit-to-11",
        bets_behind=True,
        side_bets=("pair",),
    ),
    "infinite": Rules(
        decks=8,
        seats=1,
        seats_per_player=1,
        shared_hand=True,
        real_shoe=True,
        dealer_peeks=True,
        dealer_always_draws=False,
        insurance=True,
        surrender=True,
        closes_at_21=True,
        most_hands=2,
        all_naturals_end=False,
        shortage_double="hit-to-11",
        shortage_split="hit-to-11",
        bets_behind=False,
        side_bets=("pair", "bust", "lucky3", "poker3"),
    ),
    # A European table may use a real shoe (then S1 to S7 hold), so a burn and a cut card are read here too.
    "european": Rules(
        decks=6,
        seats=7,
        seats_per_player=1,
        shared_hand=False,
        real_shoe=True,
        dealer_peeks=False,
        dealer_always_draws=True,
        insurance=False,
        surrender=False,
        closes_at_21=False,
        most_hands=4,
        all_naturals_end=False,
        shortage_double="refuse",
        shortage_split="refuse",
        bets_behind=False,
        side_bets=(),
    ),
    "continuous": Rules(
        decks=8,
        seats=1,
        seats_per_player=1,
        shared_hand=False,
        real_shoe=False,
        dealer_peeks=True,
        dealer_always_draws=False,
        insurance=True,
        surrender=False,
        closes_at_21=False,
        most_hands=2,
        all_naturals_end=False,
        shortage_double="refuse",
        shortage_split="refuse",
        bets_behind=False,
        side_bets=(),
    ),
}
