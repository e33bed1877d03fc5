"""What goes into the simulation's kernel and what comes out: rules, strategy and dealing in numbers, and sums."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from studio.odds.kernel_shoe import Bytes


class KernelRules(NamedTuple):
    """What the kernel needs of a rule set. ``unit`` is one bet; with it every result is a whole number (M1)."""

    unit: int
    natural_wins: int
    """What a natural wins on one unit."""
    peek: bool
    dealer_always_draws: bool
    dealer_hits_soft_17: bool
    surrender: bool
    closes_at_21: bool
    double_after_split: bool
    most_hands: int
    split_aces_again: bool
    in_turn: bool


class KernelStrategy(NamedTuple):
    """A strategy table in numbers: codes by total or pair value, and upcard (rows and columns are the values).

    ``silence`` is the share of decisions that nobody answers, times 2**32: the hand then plays itself (R9).
    """

    hard: Bytes
    soft: Bytes
    pairs: Bytes
    silence: int


class Dealing(NamedTuple):
    """When the cards are shuffled: after ``rounds`` rounds, or once more than ``cut_at`` cards are out (S4).

    ``burns`` burns the first cards of each shoe (S2).
    """

    rounds: int
    cut_at: int
    burns: bool


class Code(IntEnum):
    """The codes of a strategy table."""

    NO_SPLIT = 0
    HIT = 1
    STAND = 2
    DOUBLE_OR_HIT = 3
    DOUBLE_OR_STAND = 4
    SPLIT = 5
    SURRENDER_OR_HIT = 6
    SURRENDER_OR_STAND = 7
    SURRENDER_OR_SPLIT = 8


class Move(IntEnum):
    """What is done with a hand."""

    HIT = 1
    STAND = 2
    DOUBLE = 3
    SPLIT = 4
    SURRENDER = 5


class Sum(IntEnum):
    """What a block of rounds adds up; money in the kernel's units, ``SHOE_…`` are sums over shoes of products.

    A hand is counted once in ``NATURAL``, ``WON``, ``PUSHED``, ``LOST``, ``BUST`` or ``SURRENDERED``.
    """

    ROUNDS = 0
    SHOES = 1
    NET = 2
    WAGERED = 3
    SHOE_NET_NET = 4
    SHOE_NET_ROUNDS = 5
    SHOE_ROUNDS_ROUNDS = 6
    SHOE_NET_WAGERED = 7
    SHOE_WAGERED_WAGERED = 8
    NET_SQUARED = 9
    NATURAL = 10
    WON = 11
    PUSHED = 12
    LOST = 13
    BUST = 14
    SURRENDERED = 15
    DOUBLES = 16
    SPLITS = 17
    DEALER_NATURALS = 18
    DEALER_BUSTS = 19
    CARDS = 20
    DECISIONS = 21
    SILENT = 22
    VOIDED = 23
