"""What of a rule set decides the odds of the main bet: rules in, the few parameters of the calculation out.

A game may say more than a rule set can, so that published figures of other games can be recomputed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from studio.domain.rules import Layout, Peek, RuleSet, Surrender


class SurrenderTo(StrEnum):
    """Against which upcards a hand may be given up for half its bet, after a peek where there is one (R11)."""

    NOBODY = "nobody"
    TWO_TO_NINE = "two-to-nine"
    ANYTHING = "anything"


@dataclass(frozen=True, slots=True)
class Game:
    """The parameters of the calculation."""

    hits_soft_17: bool = False
    """R12."""
    natural_first: bool = True
    """A dealer's natural takes the original bet only. A peek sees to it (R4); without one, where only original
    bets are lost, the expectations are the same, since nothing else is at stake. Where it is false the whole
    stakes are lost, doubles and splits included (R13)."""
    double_after_split: bool = True
    split_hands: int = 2
    """The most hands of one position, 1 to 4."""
    split_aces_again: bool = False
    """Split aces get one card each in any case (R7)."""
    surrender: SurrenderTo = SurrenderTo.NOBODY
    natural_pays: float = 1.5

    def may_surrender(self, upcard: int) -> bool:
        """Tell whether a hand may be given up against an upcard's value index."""
        match self.surrender:
            case SurrenderTo.NOBODY:
                return False
            case SurrenderTo.TWO_TO_NINE:
                return upcard not in _ACE_OR_TEN
            case SurrenderTo.ANYTHING:
                return True

    def most_hands(self, pair: int) -> int:
        """Return how many hands a pair of a value index can become."""
        if pair == _ACE and not self.split_aces_again:
            return min(self.split_hands, _ONE_SPLIT)
        return self.split_hands


_ACE: Final = 0
"""Value indexes, as in :mod:`studio.odds.composition`, which would bring the arrays along."""
_ACE_OR_TEN: Final = frozenset({_ACE, 9})
_ONE_SPLIT: Final = 2


def game_of(rules: RuleSet) -> Game:
    """Return the parameters of a rule set."""
    is_shared = rules.layout is Layout.SHARED_HAND
    surrenders = rules.surrender is Surrender.BEFORE_ANY_ACTION
    return Game(
        hits_soft_17=rules.dealer_hits_soft_17,
        natural_first=rules.peek is Peek.ACE_OR_TEN,
        double_after_split=rules.double_after_split,
        # The lines of a shared hand are split once at most (I3).
        split_hands=min(rules.split_hands, _ONE_SPLIT) if is_shared else rules.split_hands,
        split_aces_again=rules.split_aces_again,
        surrender=SurrenderTo.TWO_TO_NINE if surrenders else SurrenderTo.NOBODY,
        natural_pays=rules.natural_pays.numerator / rules.natural_pays.denominator,
    )
