"""What happened in a table's settled rounds, counted so that it can be compared with what was to be expected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from studio.domain.hands import TWENTY_ONE, is_two_card_21, total
from studio.domain.rules import Peek, RuleSet
from studio.domain.side_bets import pair
from studio.odds.chances import BUST, DealerHand
from studio.ports.settled import SettledHand, SettledRound

_TWO = 2


@dataclass(slots=True)
class Observed:
    """Counts of settled rounds.

    ``drawn`` are the dealer's final hands by upcard value where the dealer drew. ``contests`` counts the rounds
    with hands that the dealer's hand decided, by the upcard's value and those hands' totals in order; ``won``,
    ``pushed`` and ``lost`` are what came of these hands.
    """

    rounds: int = 0
    positions: int = 0
    naturals: int = 0
    dealer_naturals: int = 0
    pairs: Counter[str] = field(default_factory=Counter)
    upcards: Counter[int] = field(default_factory=Counter)
    drawn: dict[int, Counter[DealerHand]] = field(default_factory=dict)
    contests: Counter[tuple[int, tuple[int, ...]]] = field(default_factory=Counter)
    won: int = 0
    pushed: int = 0
    lost: int = 0


def observe(rules: RuleSet, rounds: Iterable[SettledRound]) -> Observed:
    """Count settled rounds that were played under ``rules``."""
    seen = Observed()
    for one in rounds:
        seen.rounds += 1
        _first_cards(seen, one)
        upcard, final = one.dealer[0].value, min(total(one.dealer).points, BUST)
        if len(one.dealer) > _TWO:
            seen.drawn.setdefault(upcard, Counter())[final, len(one.dealer)] += 1
        natural = is_two_card_21(one.dealer)
        if natural and rules.peek is Peek.ACE_OR_TEN:
            continue  # R4: no hand was compared
        mine = sorted(total(hand.cards).points for hand in one.hands if _is_compared(hand))
        if mine:
            seen.contests[upcard, tuple(mine)] += 1
            _results(seen, mine, final, dealer_natural=natural)
    return seen


def _first_cards(seen: Observed, one: SettledRound) -> None:
    seen.upcards[one.dealer[0].value] += 1
    seen.dealer_naturals += is_two_card_21(one.dealer)
    for first in one.positions:
        seen.positions += 1
        seen.naturals += is_two_card_21(first)
        seen.pairs.update(pair(*first))


def _is_compared(hand: SettledHand) -> bool:
    """Tell whether the dealer's hand decided a hand: not surrendered, bust or a natural (R14)."""
    is_natural = not hand.from_split and is_two_card_21(hand.cards)
    return not (hand.surrendered or is_natural or total(hand.cards).points > TWENTY_ONE)


def _results(seen: Observed, mine: Iterable[int], final: int, *, dealer_natural: bool) -> None:
    for points in mine:
        if dealer_natural:
            seen.lost += 1
        elif final == BUST or points > final:
            seen.won += 1
        elif points == final:
            seen.pushed += 1
        else:
            seen.lost += 1
