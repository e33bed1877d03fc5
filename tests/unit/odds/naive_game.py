"""Blackjack played out card by card over every order of a small shoe; slow, plain, and without any trick.

Cards are values 1 (ace) to 10. Nothing is shared with the analyser: the hole card is dealt as the fourth card and
carried along, hands are played one after the other, and a strategy sees only what a player sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

Shoe = tuple[int, ...]
"""How many cards of the values 1 to 10 are left."""
Hand = tuple[int, ...]
Todo = tuple[tuple[Hand, int, bool], ...]
"""Hands to be played: (cards, the pair card that it was split from or 0, whether it gets no further card)."""
Done = tuple[tuple[int, int], ...]
"""Hands that are closed: (points, stake)."""
Policy = Callable[[Hand, int, int], str]
"""(own cards, upcard, the pair card that the hand was split from or 0) -> hit, stand, double, split, surrender."""


@dataclass(frozen=True)
class Rules:
    hits_soft_17: bool = False
    peek: bool = True
    original_bets_only: bool = False
    """Without a peek: a dealer's natural takes the first bet and leaves what was added."""
    double_after_split: bool = True
    split_hands: int = 2
    split_aces_again: bool = False
    surrender_upcards: frozenset[int] = frozenset()
    natural_pays: float = 1.5


def points(hand: Hand) -> int:
    low = sum(hand)
    return low + 10 if 1 in hand and low + 10 <= 21 else low


def is_soft(hand: Hand) -> bool:
    return points(hand) > sum(hand)


def draws(left: Shoe) -> Iterator[tuple[int, float, Shoe]]:
    """Yield each value that can come next, its probability, and what is left then."""
    every = sum(left)
    if not every:
        message = "the shoe of this test is too small"
        raise ValueError(message)
    for value, count in enumerate(left, start=1):
        if count:
            yield value, count / every, (*left[: value - 1], count - 1, *left[value:])


@dataclass
class NaiveGame:
    rules: Rules
    policy: Policy
    found: dict[object, tuple[float, float]] = field(default_factory=dict)

    def whole(self, shoe: Shoe) -> tuple[float, float]:
        """Return the expected gain and stake of a round."""
        gain = stake = 0.0
        for first, p1, left1 in draws(shoe):
            for upcard, p2, left2 in draws(left1):
                for second, p3, left3 in draws(left2):
                    won, staked = self.hand((first, second), upcard, left3)
                    gain += p1 * p2 * p3 * won
                    stake += p1 * p2 * p3 * staked
        return gain, stake

    def hand(self, hand: Hand, upcard: int, left: Shoe) -> tuple[float, float]:
        """Return gain and stake of one first hand, over every hole card."""
        gain = stake = 0.0
        for hole, probability, rest in draws(left):
            won, staked = self.with_hole(hand, upcard, hole, rest)
            gain += probability * won
            stake += probability * staked
        return gain, stake

    def with_hole(self, hand: Hand, upcard: int, hole: int, left: Shoe) -> tuple[float, float]:
        dealer_natural = {upcard, hole} == {1, 10}
        if sorted(hand) == [1, 10]:
            return (0.0 if dealer_natural else self.rules.natural_pays), 1.0
        if self.rules.peek and dealer_natural:
            return -1.0, 1.0
        if self.policy(hand, upcard, 0) == "surrender" and upcard in self.rules.surrender_upcards:
            return -0.5, 1.0
        return self.play(((hand, 0, False),), (), upcard, hole, left)

    def play(self, todo: Todo, done: Done, upcard: int, hole: int, left: Shoe) -> tuple[float, float]:
        """Play the hands that are to be played, then the dealer's."""
        if not todo:
            return self.settle(done, upcard, hole, left), float(sum(stake for _, stake in done))
        (hand, pair, closed), others = todo[0], todo[1:]
        if len(hand) == 1:
            return self.average(
                left,
                lambda card, rest: self.play(
                    (((*hand, card), pair, pair == 1), *others), done, upcard, hole, rest
                ),
            )
        if closed and not self.may_split(hand, pair, len(todo) + len(done)):
            return self.play(others, (*done, (points(hand), 1)), upcard, hole, left)
        match self.act(hand, upcard, pair, len(todo) + len(done), closed=closed):
            case "stand":
                return self.play(others, (*done, (points(hand), 1)), upcard, hole, left)
            case "split":
                return self.split(hand[0], others, done, upcard, hole, left)
            case "double":
                return self.average(
                    left,
                    lambda card, rest: self.play(others, (*done, (points((*hand, card)), 2)), upcard, hole, rest),
                )
            case _:
                return self.average(
                    left, lambda card, rest: self.hit((*hand, card), pair, others, done, upcard, hole, rest)
                )

    def hit(  # noqa: PLR0913, PLR0917 - the felt, part by part
        self, hand: Hand, pair: int, others: Todo, done: Done, upcard: int, hole: int, left: Shoe
    ) -> tuple[float, float]:
        if points(hand) > 21:
            return self.play(others, (*done, (points(hand), 1)), upcard, hole, left)
        return self.play(((hand, pair, False), *others), done, upcard, hole, left)

    def split(  # noqa: PLR0913, PLR0917 - the felt, part by part
        self, card: int, others: Todo, done: Done, upcard: int, hole: int, left: Shoe
    ) -> tuple[float, float]:
        """R6: both hands receive their second card at once, the first hand first."""

        def second(to_first: int, rest: Shoe) -> tuple[float, float]:
            return self.average(
                rest,
                lambda to_second, later: self.play(
                    (((card, to_first), card, card == 1), ((card, to_second), card, card == 1), *others),
                    done,
                    upcard,
                    hole,
                    later,
                ),
            )

        return self.average(left, second)

    def average(self, left: Shoe, then: Callable[[int, Shoe], tuple[float, float]]) -> tuple[float, float]:
        gain = stake = 0.0
        for card, probability, rest in draws(left):
            won, staked = then(card, rest)
            gain += probability * won
            stake += probability * staked
        return gain, stake

    def may_split(self, hand: Hand, pair: int, hands: int) -> bool:
        if len(hand) != 2 or hand[0] != hand[1] or hands >= self.rules.split_hands:
            return False
        return pair != 1 or self.rules.split_aces_again

    def act(self, hand: Hand, upcard: int, pair: int, hands: int, *, closed: bool) -> str:
        """Ask the strategy; a pair made from a pair that was split is split again while that is allowed."""
        if self.may_split(hand, pair, hands) and (pair or self.policy(hand, upcard, 0) == "split"):
            return "split"
        if closed:
            return "stand"
        action = self.policy(hand, upcard, pair)
        if action == "double" and (len(hand) > 2 or (pair and not self.rules.double_after_split)):
            message = f"the strategy doubles {hand} where it may not"
            raise AssertionError(message)
        return action

    def settle(self, done: Done, upcard: int, hole: int, left: Shoe) -> float:
        if self.rules.original_bets_only and {upcard, hole} == {1, 10}:
            return -1.0
        gain = 0.0
        for outcome, probability in dealer(upcard, hole, left, self.rules.hits_soft_17).items():
            gain += probability * sum(stake * result(own, outcome) for own, stake in done)
        return gain


class FirstHandGame(NaiveGame):
    """What a bet behind gets that never follows a split: it stays on the first hand (B9)."""

    def settle(self, done: Done, upcard: int, hole: int, left: Shoe) -> float:
        """Settle the hand that was played first."""
        return super().settle(done[:1], upcard, hole, left)


def result(own: int, dealer_has: int) -> int:
    """Compare points; the dealer's natural is 0 here, a bust anything over 21."""
    if own > 21 or dealer_has == 0:
        return -1
    if dealer_has > 21:
        return 1
    return (own > dealer_has) - (own < dealer_has)


@cache
def dealer(upcard: int, hole: int, left: Shoe, hits_soft_17: bool) -> dict[int, float]:  # noqa: FBT001 - cached
    if {upcard, hole} == {1, 10}:
        return {0: 1.0}
    found: dict[int, float] = {}
    _dealer_draws((upcard, hole), left, 1.0, hits_soft_17, found)
    return found


def _dealer_draws(
    hand: Hand,
    left: Shoe,
    chance: float,
    hits_soft_17: bool,  # noqa: FBT001 - as above
    found: dict[int, float],
) -> None:
    has = points(hand)
    if has > 17 or (has == 17 and not (hits_soft_17 and is_soft(hand))):
        found[has] = found.get(has, 0.0) + chance
        return
    for card, probability, rest in draws(left):
        _dealer_draws((*hand, card), rest, chance * probability, hits_soft_17, found)


def first_best(options: dict[str, float]) -> str:
    """Return the first option that is best but for rounding."""
    return max(options, key=lambda action: round(options[action], 12))


@dataclass
class NaiveOptimum:
    """The best play of one hand by what its player knows: own cards, a pair card gone, the upcard, the peek."""

    rules: Rules
    shoe: Shoe
    found: dict[object, tuple[float, str]] = field(default_factory=dict)

    def policy(self, hand: Hand, upcard: int, pair: int) -> str:
        """Return the best action; for a hand of a split pair, with the pair's other card gone."""
        if pair:
            return self.best(hand, upcard, pair)[1]
        options = self.options(hand, upcard, 0)
        if hand[0] == hand[1] and len(hand) == 2 and self.rules.split_hands > 1:
            options["split"] = self.split(hand[0], upcard)
        if upcard in self.rules.surrender_upcards and len(hand) == 2:
            options["surrender"] = -0.5
        return first_best(options)

    def split(self, card: int, upcard: int, game: NaiveGame | None = None) -> float:
        """Return what a split is worth, given no natural where there is a peek, by playing it out."""
        game = game or NaiveGame(self.rules, self.policy_of_split_hands)
        gain = chance = 0.0
        for hole, probability, rest in draws(self.left((card, card), upcard, 0)):
            if not (self.nothing_more_is_lost and {upcard, hole} == {1, 10}):
                gain += probability * game.split(card, (), (), upcard, hole, rest)[0]
                chance += probability
        return gain / chance if chance else 0.0

    def policy_of_split_hands(self, hand: Hand, upcard: int, pair: int) -> str:
        return self.best(hand, upcard, pair)[1]

    def best(self, hand: Hand, upcard: int, pair: int) -> tuple[float, str]:
        key = (tuple(sorted(hand)), upcard, pair)
        if key not in self.found:
            options = self.options(hand, upcard, pair)
            action = first_best(options)
            self.found[key] = options[action], action
        return self.found[key]

    def options(self, hand: Hand, upcard: int, pair: int) -> dict[str, float]:
        options = {"stand": self.stand(hand, upcard, pair), "hit": self.after_card(hand, upcard, pair, self.go_on)}
        if len(hand) == 2 and (not pair or self.rules.double_after_split):
            options["double"] = 2 * self.after_card(hand, upcard, pair, self.stand)
        return options

    def go_on(self, hand: Hand, upcard: int, pair: int) -> float:
        return self.best(hand, upcard, pair)[0]

    def after_card(self, hand: Hand, upcard: int, pair: int, then: Callable[[Hand, int, int], float]) -> float:
        worth: dict[int, float] = {}
        total = weight = 0.0
        for _, probability, rest in self.holes(hand, upcard, pair):
            weight += probability
            for card, chance, _ in draws(rest):
                if card not in worth:
                    longer = (*hand, card)
                    worth[card] = -1.0 if points(longer) > 21 else then(longer, upcard, pair)
                total += probability * chance * worth[card]
        return total / weight if weight else 0.0

    def stand(self, hand: Hand, upcard: int, pair: int) -> float:
        total = weight = 0.0
        for hole, probability, rest in self.holes(hand, upcard, pair):
            weight += probability
            for outcome, chance in dealer(upcard, hole, rest, self.rules.hits_soft_17).items():
                total += probability * chance * result(points(hand), outcome)
        return total / weight if weight else 0.0

    def holes(self, hand: Hand, upcard: int, pair: int) -> Iterator[tuple[int, float, Shoe]]:
        for hole, probability, rest in draws(self.left(hand, upcard, pair)):
            if not (self.nothing_more_is_lost and {upcard, hole} == {1, 10}):
                yield hole, probability, rest

    @property
    def nothing_more_is_lost(self) -> bool:
        """Whether a natural takes the first bet however the hand is played: then play is for the other cases."""
        return self.rules.peek or self.rules.original_bets_only

    def left(self, hand: Hand, upcard: int, pair: int) -> Shoe:
        gone = (*hand, upcard, *((pair,) if pair else ()))
        return tuple(count - gone.count(value) for value, count in enumerate(self.shoe, start=1))
