"""Every situation of a player's hand in one game and shoe: what is unseen, what may come, what standing is worth.

The situations lie in one list, so that a strategy is worked out for all of them at once: first the hands that were
never split, then, for each pair, the hands that begin with one of its cards, with one such card known to be gone
(the other hand's), then with two, and so on (:mod:`studio.odds.splits`). Arrays have a row for each situation and
a column for each upcard. Where it is known that the dealer has no natural, every probability is conditional on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from studio.odds.composition import ACE, TEN, VALUES, Counts, Flags, Reals
from studio.odds.dealer import BUST, NATURAL, OUTCOMES, STANDS_ON, TWENTY_ONE, outcome_probabilities
from studio.odds.game import Game
from studio.odds.hands import BACKWARDS, INITIAL_CARDS, all_hands
from studio.odds.splits import split_terms

_KEY_BITS: Final = 5
"""A hand, with the cards known to be gone, has fewer than 32 of any value."""
LOST_BY_SURRENDER: Final = -0.5
"""Per unit bet (R11)."""
HIDDEN: Final = {ACE: TEN, TEN: ACE}
"""The hole card that makes a natural, by the upcard."""


@dataclass(frozen=True, slots=True)
class Split:
    """The situations of hands made from one pair, with one card of the pair gone and ``gone`` more."""

    pair: int
    gone: int
    root: int
    """The row of the hand of one card."""
    rows: slice


@dataclass(frozen=True)
class States:
    """The situations of one game and shoe."""

    game: Game
    shoe: Counts
    hand: Counts
    """The row in :func:`studio.odds.hands.all_hands`."""
    model: Counts
    """The row whose choice this one follows: the same hand after the first split; else itself."""
    next: Counts
    """``(rows, 10)``: the row after one more card of a value; the number of rows where that busts the hand."""
    unseen: Counts
    """``(rows, 10)``: the cards that are not known to be elsewhere, the upcard still among them."""
    splits: tuple[Split, ...]

    @cached_property
    def initial(self) -> Counts:
        """The rows of the hands of two cards that were never split."""
        never_split = len(self.hand) if not self.splits else self.splits[0].rows.start
        return np.flatnonzero(self.cards[:never_split] == INITIAL_CARDS)

    @cached_property
    def cards(self) -> Counts:
        """Return how many cards the hand has."""
        return all_hands().cards[self.hand]

    @cached_property
    def kind(self) -> Counts:
        """Return the hand's kind (:mod:`studio.odds.hands`)."""
        return all_hands().kind[self.hand]

    @cached_property
    def by_kind(self) -> tuple[Counts, ...]:
        """The rows of hands that can be played, by kind, each after those that it can lead to."""
        playable = self.cards >= INITIAL_CARDS
        return tuple(np.flatnonzero(playable & (self.kind == kind)) for kind in BACKWARDS)

    @cached_property
    def closed(self) -> Flags:
        """Whether the hand gets no further card: split aces (R7)."""
        closed = np.zeros(len(self.hand), dtype=np.bool_)
        for split in self.splits:
            closed[split.rows] = split.pair == ACE
        return closed

    @cached_property
    def may_double(self) -> Flags:
        """Whether the hand may be doubled: any of two cards, after a split where the game says so (R7)."""
        may: Flags = (self.cards == INITIAL_CARDS) & ~self.closed
        if not self.game.double_after_split:
            may[self.initial[-1] + 1 :] = False
        return may

    @cached_property
    def may_surrender(self) -> Flags:
        """``(rows, upcards)``: whether the hand may be given up: a first hand, against some upcards (R11)."""
        may = np.zeros((len(self.hand), len(VALUES)), dtype=np.bool_)
        may[self.initial] = [self.game.may_surrender(upcard) for upcard in range(len(VALUES))]
        return may

    @cached_property
    def draw(self) -> Reals:
        """``(rows, upcards, values)``: the probability that the next card is of a value."""
        draw = np.empty((len(self.hand), len(VALUES), len(VALUES)))
        for upcard in range(len(VALUES)):
            draw[:, upcard] = self._draw(upcard)
        return draw

    def _draw(self, upcard: int) -> Reals:
        cards = self._unseen_under(upcard).astype(np.float64)
        every = cards.sum(axis=1, keepdims=True)
        hidden = HIDDEN.get(upcard)
        if hidden is None or not self.game.natural_first:
            shares: Reals = cards / np.maximum(every, 1)
            return shares
        # One card, the hole card, is none of those that make a natural; any other is as probable as its number.
        naturals = cards[:, [hidden]]
        others = np.maximum(every - naturals, 1)
        probability: Reals = cards * np.maximum(others - 1, 0) / (np.maximum(every - 1, 1) * others)
        probability[:, [hidden]] = naturals / np.maximum(every - 1, 1)
        return probability

    def _unseen_under(self, upcard: int) -> Counts:
        unseen = self.unseen.copy()
        unseen[:, upcard] -= 1
        return np.maximum(unseen, 0)

    @cached_property
    def stand(self) -> Reals:
        """``(rows, upcards)``: the expectation of standing, per unit of the hand's stake."""
        known = self.shoe - self.unseen
        keys = (known << _KEY_BITS * np.arange(len(VALUES))).sum(axis=1)
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        points = all_hands().points[self.hand]
        stand = np.empty((len(self.hand), len(VALUES)))
        for upcard in range(len(VALUES)):
            unseen = self._unseen_under(upcard)[first]
            outcomes = outcome_probabilities(unseen, upcard, hits_soft_17=self.game.hits_soft_17)
            if self.game.natural_first:
                outcomes[:, NATURAL] = 0.0
                outcomes /= np.maximum(outcomes.sum(axis=1, keepdims=True), np.finfo(float).tiny)
            by_points = outcomes @ _STANDING.T
            stand[:, upcard] = by_points[place, points]
        return stand

    @cached_property
    def double(self) -> Reals:
        """``(rows, upcards)``: the expectation of doubling a hand of two cards, per unit of its stake before."""
        rows = np.flatnonzero(self.cards == INITIAL_CARDS)
        double = np.full(self.stand.shape, -np.inf)
        double[rows] = 2 * self.after_card(rows, np.vstack([self.stand, _bust_row()]))
        return double

    def after_card(self, rows: Counts, values: Reals) -> Reals:
        """Return the expectation after one card; ``values`` by row, and one more row for the bust hand."""
        found: Reals = np.einsum("ruv,rvu->ru", self.draw[rows], values[self.next[rows]])
        return found


def new_values(states: States) -> Reals:
    """Return room for the value of every row, and the bust hand's at the end."""
    values = np.zeros((len(states.hand) + 1, len(VALUES)))
    values[-1] = _bust_row()
    return values


def _bust_row() -> Reals:
    return np.full(len(VALUES), -1.0)


def _standing() -> Reals:
    """Return what standing on so many points wins against each outcome: ``(points, outcomes)``."""
    won = np.zeros((TWENTY_ONE + 1, len(OUTCOMES)))
    for points in range(TWENTY_ONE + 1):
        for outcome in range(NATURAL):
            won[points, outcome] = np.sign(points - (STANDS_ON + outcome))
    won[:, NATURAL] = -1
    won[:, BUST] = 1
    return won


_STANDING: Final = _standing()


def states_of(game: Game, shoe: Counts) -> States:
    """List the situations of a game with a shoe's composition."""
    hands = all_hands()
    unsplit = np.flatnonzero(hands.cards >= INITIAL_CARDS)
    members, models, gone = [unsplit], [np.arange(len(unsplit))], [np.zeros(len(VALUES), dtype=np.int64)]
    splits: list[Split] = []
    for pair in range(len(VALUES)) if game.split_hands > 1 else ():
        first = sum(map(len, members))
        begun = _begun_with(pair)
        for more in range(1 + max(term.gone for term in split_terms(game.most_hands(pair)))):
            row = sum(map(len, members))
            root = row + int(np.flatnonzero(hands.cards[begun] == 1)[0])
            splits.append(Split(pair, more, root, slice(row, row + len(begun))))
            members.append(begun)
            models.append(first + np.arange(len(begun)))
            gone.append((1 + more) * np.eye(len(VALUES), dtype=np.int64)[pair])
    hand = np.concatenate(members)
    known = np.concatenate([hands.counts[rows] + cards for rows, cards in zip(members, gone, strict=True)])
    return States(game, shoe, hand, np.concatenate(models), _next_rows(members), shoe - known, tuple(splits))


def _begun_with(pair: int) -> Counts:
    """Return the hands that can be made from one card of a split pair; split aces get one card each (R7)."""
    hands = all_hands()
    begun = hands.counts[:, pair] > 0
    if pair == ACE:
        begun &= hands.cards <= INITIAL_CARDS
    return np.flatnonzero(begun)


def _next_rows(members: Sequence[Counts]) -> Counts:
    """Return the row after each card; the last row of all, and one more, for the bust hand."""
    with_card = all_hands().with_card
    bust = sum(map(len, members))
    found, row = [], 0
    for rows in members:
        place = np.full(len(with_card) + 1, bust)  # the last is found by -1
        place[rows] = np.arange(row, row + len(rows))
        found.append(place[with_card[rows]])
        row += len(rows)
    return np.concatenate(found)
