"""Expected against observed: how probable a table's results are under its rules, with exact tails.

Every line takes its draws as independent and from a full shoe. Two things are left out by that: within one shoe
the cards that are gone change the next ones a little, and the hands that the dealer draws against have taken some.
For results the hands of a round are taken together, since one dealer's hand decides them all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from studio.domain.rules import Peek, RuleSet
from studio.odds import chances
from studio.odds.chances import BUST, DealerHand
from studio.odds.observed import Observed, observe
from studio.odds.tails import Distribution, Draw, binomial, sum_of
from studio.ports.settled import SettledRound

_VALUES: Final = range(1, 11)
_TEN: Final = 10
_TWO: Final = 2
_MOST_NAMED_CARDS: Final = 7
_STANDS_ON: Final = 17
_TWENTY_ONE: Final = 21


@dataclass(frozen=True, slots=True)
class Line:
    """One comparison: ``observed`` of ``trials``, against ``expected`` on average.

    ``at_most`` and ``at_least`` are the probabilities of as few or fewer and of as many or more, ``two_sided`` of
    being as far off either way.
    """

    what: str
    trials: int
    observed: int
    expected: float
    at_most: float
    at_least: float
    two_sided: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """All comparisons of some rounds.

    ``least`` is the smallest ``two_sided`` of the lines, times their number and 1 at most: with so many lines one
    that is rare by itself is to be expected.
    """

    rounds: int
    first_round: int | None
    last_round: int | None
    lines: tuple[Line, ...]
    least: float


def statistics(rules: RuleSet, rounds: Iterable[SettledRound]) -> Statistics:
    """Return the comparisons for settled rounds played under ``rules``, without lines that had no trial."""
    known = tuple(rounds)
    numbers = [one.number for one in known]
    lines = tuple(line for line in compare(rules, observe(rules, known)) if line.trials)
    least = min((line.two_sided for line in lines), default=1.0) * max(len(lines), 1)
    return Statistics(len(known), min(numbers, default=None), max(numbers, default=None), lines, min(1.0, least))


def compare(rules: RuleSet, seen: Observed) -> Iterator[Line]:
    """Yield the comparison of each count, those without a trial among them."""
    decks = rules.decks
    natural = chances.natural(decks)
    yield _line("player-naturals", seen.positions, seen.naturals, binomial(seen.positions, natural))
    yield _line("dealer-naturals", seen.rounds, seen.dealer_naturals, binomial(seen.rounds, natural))
    for name, value in (("aces-up", 1), ("tens-up", _TEN)):
        probability = chances.upcard(decks, value)
        yield _line(name, seen.rounds, seen.upcards[value], binomial(seen.rounds, probability))
    for kind, probability in chances.pairs(decks).items():
        yield _line(f"pairs-{kind}", seen.positions, seen.pairs[kind], binomial(seen.positions, probability))
    yield from _dealer_lines(rules, seen)
    yield from _result_lines(rules, seen)


def _line(what: str, trials: int, observed: int, chance: Distribution) -> Line:
    return Line(
        what,
        trials,
        observed,
        chance.mean,
        chance.at_most(observed),
        chance.at_least(observed),
        chance.two_sided(observed),
    )


def _dealer_lines(rules: RuleSet, seen: Observed) -> Iterator[Line]:
    """Compare the dealer's final hands, of those in which the dealer drew.

    Whether the dealer must draw depends on the players' hands and the hole card; given that a card was drawn, the
    upcard alone decides what is to be expected.
    """
    drawn = {value: _given_drawn(rules, value) for value in _VALUES}

    def line(what: str, fits: Callable[[DealerHand], bool]) -> Line:
        draws: list[tuple[Draw, int]] = []
        observed = 0
        for value, hands in seen.drawn.items():
            probability = min(1.0, sum(chance for hand, chance in drawn[value].items() if fits(hand)))
            draws.append(((1 - probability, probability), hands.total()))
            observed += sum(count for hand, count in hands.items() if fits(hand))
        return _line(what, sum(hands.total() for hands in seen.drawn.values()), observed, sum_of(draws))

    for final in range(_STANDS_ON, _TWENTY_ONE + 1):
        yield line(f"dealer-drew-to-{final}", lambda hand, final=final: hand[0] == final)  # type: ignore[misc]
    yield line("dealer-drew-and-bust", lambda hand: hand[0] == BUST)
    for cards in range(_TWO + 1, _MOST_NAMED_CARDS):
        yield line(f"dealer-bust-with-{cards}-cards", lambda hand, cards=cards: hand == (BUST, cards))  # type: ignore[misc]
    yield line(
        f"dealer-bust-with-{_MOST_NAMED_CARDS}-or-more-cards",
        lambda hand: hand[0] == BUST and hand[1] >= _MOST_NAMED_CARDS,
    )


def _given_drawn(rules: RuleSet, upcard: int) -> Mapping[DealerHand, float]:
    """Return the dealer's hands of three cards and more, given that there are so many."""
    hands = chances.dealer_hands(rules.decks, upcard, hits_soft_17=rules.dealer_hits_soft_17)
    longer = {hand: chance for hand, chance in hands.items() if hand[1] > _TWO}
    whole = sum(longer.values())
    return {hand: chance / whole for hand, chance in longer.items()}


def _result_lines(rules: RuleSet, seen: Observed) -> Iterator[Line]:
    """Compare the results of hands that the dealer's hand decided, given the upcard and the hands' totals."""
    finals = {value: _finals(rules, value) for value in _VALUES}
    hands = sum(len(mine) * count for (_, mine), count in seen.contests.items())

    def chance(fits: Callable[[int, int], bool]) -> Distribution:
        alike: Counter[tuple[float, ...]] = Counter()
        for (upcard, mine), count in seen.contests.items():
            draw = [0.0] * (len(mine) + 1)
            for final, probability in finals[upcard].items():
                draw[sum(fits(points, final) for points in mine)] += probability
            alike[tuple(draw)] += count
        return sum_of(alike.items())

    yield _line("hands-won", hands, seen.won, chance(lambda mine, final: final == BUST or mine > final))
    yield _line("hands-pushed", hands, seen.pushed, chance(lambda mine, final: mine == final))
    yield _line("hands-lost", hands, seen.lost, chance(lambda mine, final: mine < final != BUST))


_NATURAL: Final = 23
"""A final total that beats every hand and is no bust."""


def _finals(rules: RuleSet, upcard: int) -> Mapping[int, float]:
    """Return the dealer's final totals; no natural after a peek, without one it beats every hand (R13)."""
    finals: defaultdict[int, float] = defaultdict(float)
    for (final, cards), chance in chances.dealer_hands(
        rules.decks, upcard, hits_soft_17=rules.dealer_hits_soft_17
    ).items():
        is_natural = (final, cards) == (_TWENTY_ONE, _TWO)
        if not is_natural:
            finals[final] += chance
        elif rules.peek is Peek.NONE:
            finals[_NATURAL] += chance
    whole = sum(finals.values())
    return {final: chance / whole for final, chance in finals.items()}
