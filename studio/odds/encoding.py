"""A rule set and a strategy table as the numbers that the kernel computes with."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from studio.domain.cards import DECK
from studio.domain.rules import DealerDraws, Layout, Peek, RuleSet, SplitDeal, Surrender
from studio.odds.kernel_shoe import Bytes
from studio.odds.kernel_values import Code, KernelRules, KernelStrategy
from studio.odds.strategy import StrategyTable

_CODES: Final[Mapping[str, Code]] = MappingProxyType(
    {
        "-": Code.NO_SPLIT,
        "H": Code.HIT,
        "S": Code.STAND,
        "D": Code.DOUBLE_OR_HIT,
        "d": Code.DOUBLE_OR_STAND,
        "P": Code.SPLIT,
        "R": Code.SURRENDER_OR_HIT,
        "Rs": Code.SURRENDER_OR_STAND,
        "Rp": Code.SURRENDER_OR_SPLIT,
    }
)
_VALUES: Final[Mapping[str, int]] = MappingProxyType(
    {"A": 1, "T": 10} | {str(value): value for value in range(2, 10)}
)
_HIGHEST: Final = 21
_TEN: Final = 10
_HANDS_OF_A_SHARED_HAND: Final = 2


def kernel_rules(rules: RuleSet) -> KernelRules:
    """Return what the kernel needs of ``rules``; its unit is the smallest bet whose results are whole (M1)."""
    pays = rules.natural_pays
    is_shared = rules.layout is Layout.SHARED_HAND  # I3: one split, both lines get their card at once
    return KernelRules(
        unit=2 * pays.denominator,
        natural_wins=pays.of(2 * pays.denominator),
        peek=rules.peek is Peek.ACE_OR_TEN,
        dealer_always_draws=rules.dealer_draws is DealerDraws.ALWAYS,
        dealer_hits_soft_17=rules.dealer_hits_soft_17,
        surrender=rules.surrender is Surrender.BEFORE_ANY_ACTION,
        closes_at_21=rules.closes_at_21,
        double_after_split=rules.double_after_split,
        most_hands=min(rules.split_hands, _HANDS_OF_A_SHARED_HAND) if is_shared else rules.split_hands,
        split_aces_again=rules.split_aces_again and not is_shared,
        in_turn=rules.split_deal is SplitDeal.IN_TURN and not is_shared,
    )


def kernel_strategy(table: StrategyTable, silence: float = 0.0) -> KernelStrategy:
    """Return ``table`` in numbers; ``silence`` is the share of decisions that nobody answers (R9), 0 to 1.

    Raises ``ValueError`` for a share outside of that.
    """
    if not 0 <= silence <= 1:
        message = f"the share of unanswered decisions is {silence}; write a number from 0 to 1"
        raise ValueError(message)
    return KernelStrategy(
        _cells(table.hard, _HIGHEST),
        _cells(table.soft, _HIGHEST),
        _cells(table.pairs, _TEN),
        round(silence * 2**32),
    )


def full_shoe(decks: int) -> Bytes:
    """Return the values of ``decks`` decks of 52, aces as 1 (C1)."""
    return np.array(sorted(card.value for card in DECK) * decks, np.uint8)


def _cells(rows: Mapping[str, Mapping[str, str]], highest: int) -> Bytes:
    cells = np.zeros((highest + 1, _TEN + 1), np.uint8)
    for key, row in rows.items():
        for upcard, code in row.items():
            cells[_VALUES.get(key) or int(key), _VALUES[upcard]] = _CODES[code]
    return cells
