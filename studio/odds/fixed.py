"""The best fixed table: one decision for each hard total, soft total and pair against each upcard.

A cell decides for every hand of its total that is reached when the table itself is played: first hands, hands of
more cards, hands made by splits, each weighted by the exact probability of being reached. One total after another
is set to the codes that are worth most, from those that end hands to those that lead to them, then the pairs, and
all again until nothing changes. No card leads back to a total, so each step raises the expectation of the whole
table; at the end no change of a single cell improves it.

Where codes are worth the same, because the hands that tell them apart are never reached, the one is taken that is
best for all hands of the total as though all were drawn to; then the one that is best where neither doubling nor
surrender is allowed; then the first of ``S H D d R Rs``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from studio.odds.composition import VALUES, Counts, Flags, Reals
from studio.odds.deal import Deal
from studio.odds.hands import KINDS, SOFT_KIND
from studio.odds.optimum import Choice, Played
from studio.odds.splitting import second_cards, split_values
from studio.odds.states import LOST_BY_SURRENDER, States, new_values
from studio.odds.strategy import HARD, PAIR_CODES, PAIRS, SOFT, TOTAL_CODES, UPCARDS, Cells, StrategyTable

_NO_DIFFERENCE: Final = 1e-14
_MOST_SWEEPS: Final = 100
_WITHOUT: Final = {"D": "H", "d": "S", "R": "H", "Rs": "S"}
"""What a code comes to where neither doubling nor surrender is allowed."""
_FALLBACK: Final = np.array([TOTAL_CODES.index(_WITHOUT.get(code, code)) for code in TOTAL_CODES])
_HIT: Final = TOTAL_CODES.index("H")
_DOUBLES: Final = np.array([code in {"D", "d"} for code in TOTAL_CODES])
_GIVES_UP: Final = np.array([code in {"R", "Rs"} for code in TOTAL_CODES])
_WHOLE, _SPLIT, _GIVE_UP = range(len(PAIR_CODES))


class FixedTable:
    """A table while it is improved: codes by kind of total and by pair, against each upcard."""

    def __init__(self, states: States, deal: Deal) -> None:
        self._states = states
        self._deal = deal
        self._is_pair = deal.pair >= 0
        self._pair_rows = states.initial[self._is_pair]
        self._totals = np.zeros((KINDS, len(VALUES)), dtype=np.int64)
        self._pairs = np.zeros((len(VALUES), len(VALUES)), dtype=np.int64)
        self._values = new_values(states)
        self._choices = np.full(states.stand.shape, Choice.HIT, dtype=np.int64)
        self._chance = deal.probability * (1 - deal.dealer_natural if states.game.natural_first else 1.0)
        self._chance[deal.is_natural] = 0.0  # nothing is decided
        self._drawn_to = self._onwards(self._first_weights(np.ones(self._chance.shape, dtype=np.bool_)))

    @property
    def table(self) -> StrategyTable:
        """The table with its names."""
        return StrategyTable(
            hard=_named(HARD, TOTAL_CODES, self._totals[[int(row) for row in HARD]]),
            soft=_named(SOFT, TOTAL_CODES, self._totals[[SOFT_KIND + int(row) for row in SOFT]]),
            pairs=_named(PAIRS, PAIR_CODES, self._pairs[[VALUES.index(row) for row in PAIRS]]),
        )

    @property
    def played(self) -> Played:
        """How hands that are not split are played."""
        return Played(self._states, self._choices, self._values)

    @property
    def first_choices(self) -> Counts:
        """The :class:`Choice` of each first hand, ``(55, 10)``."""
        choices = self._choices[self._states.initial]
        codes = self._pairs[self._deal.pair[self._is_pair]]
        own = np.where(codes == _SPLIT, Choice.SPLIT, choices[self._is_pair])
        choices[self._is_pair] = np.where(codes == _GIVE_UP, Choice.SURRENDER, own)
        choices[self._deal.is_natural] = Choice.STAND
        return choices

    def improve(self) -> bool:
        """Set every cell once to what is worth most against the others; return whether any changed."""
        before = self._totals.copy(), self._pairs.copy()
        weights = self._reached()
        for rows in self._states.by_kind:
            if len(rows):
                self._improve_total(rows, weights[rows], self._drawn_to[rows])
        if self._states.splits:
            self._improve_pairs()
        return not (np.array_equal(before[0], self._totals) and np.array_equal(before[1], self._pairs))

    def _improve_total(self, rows: Counts, weights: Reals, drawn_to: Reals) -> None:
        worth, plain = self._worth(rows)
        codes = _first_best(
            *(
                (weight * each).sum(axis=1)
                for weight, each in ((weights, worth), (drawn_to, worth), (drawn_to, plain))
            )
        )
        self._totals[self._states.kind[rows[0]]] = codes
        self._values[rows] = worth[codes, :, np.arange(len(VALUES))].T
        self._choices[rows] = self._chosen(rows, codes)

    def _worth(self, rows: Counts) -> tuple[Reals, Reals]:
        """Return what each code is worth, ``(codes, rows, upcards)``, and that without double and surrender."""
        states = self._states
        stand = states.stand[rows]
        hit = np.where(states.closed[rows, None], stand, states.after_card(rows, self._values))
        plain = np.where((_FALLBACK == _HIT)[:, None, None], hit, stand)
        doubled = np.where(self._doubled(rows)[:, :, None], states.double[rows], plain)
        surrenders = _GIVES_UP[:, None, None] & states.may_surrender[rows]
        return np.where(surrenders, LOST_BY_SURRENDER, doubled), plain

    def _doubled(self, rows: Counts) -> Flags:
        doubled: Flags = _DOUBLES[:, None] & self._states.may_double[rows]
        return doubled

    def _chosen(self, rows: Counts, codes: Counts) -> Counts:
        """Return the choice that each row makes by the codes of its total."""
        states = self._states
        hits = (_FALLBACK == _HIT)[codes] & ~states.closed[rows, None]
        plain = np.where(hits, Choice.HIT, Choice.STAND)
        doubled = np.where(self._doubled(rows)[codes].T, Choice.DOUBLE, plain)
        chosen: Counts = np.where(_GIVES_UP[codes] & states.may_surrender[rows], Choice.SURRENDER, doubled)
        return chosen

    def _improve_pairs(self) -> None:
        """Set each pair's cell; where a surrender is worth as much either way, by what is best without one."""
        states, rows = self._states, self._pair_rows
        pairs = self._deal.pair[self._is_pair]
        whole = self._values[rows]
        split = split_values(states, self._values)[pairs]
        given_up = np.where(states.may_surrender[rows], LOST_BY_SURRENDER, split)
        _, plain = self._worth(rows)
        codes = self._totals[states.kind[rows]]
        whole_plain = np.where(
            self._choices[rows] == Choice.SURRENDER, np.take_along_axis(plain, codes[None], axis=0)[0], whole
        )
        self._pairs[pairs] = _first_best(np.stack([whole, split, given_up]), np.stack([whole_plain, split, split]))

    # How often a hand is reached

    def _reached(self) -> Reals:
        """Return how often each row is reached by the table, ``(rows + 1, upcards)``."""
        codes = self._pairs[self._deal.pair]
        weights = self._first_weights(~self._is_pair[:, None] | (codes == _WHOLE))
        splits = np.zeros(self._pairs.shape)
        pairs = self._deal.pair[self._is_pair]
        gives_up = self._states.may_surrender[self._pair_rows] & (self._pairs[pairs] == _GIVE_UP)
        splits[pairs] = self._chance[self._is_pair] * ((self._pairs[pairs] != _WHOLE) & ~gives_up)
        for pair, rows, each in second_cards(self._states):
            weights[rows] += splits[pair] * each
        return self._onwards(weights)

    def _first_weights(self, played: Flags) -> Reals:
        weights = np.zeros(self._values.shape)
        weights[self._states.initial] = self._chance * played
        return weights

    def _onwards(self, weights: Reals) -> Reals:
        """Add to each row the weight of those that draw to it."""
        states = self._states
        for rows in reversed(states.by_kind):
            drawn = weights[rows] * (self._choices[rows] == Choice.HIT)
            for value in range(len(VALUES)):
                weights[states.next[rows, value]] += drawn * states.draw[rows, :, value]
        return weights


def best_table(states: States, deal: Deal) -> FixedTable:
    """Return the best fixed table; raise ``RuntimeError`` if there is no end to its improvement."""
    table = FixedTable(states, deal)
    for _ in range(_MOST_SWEEPS):
        if not table.improve():
            return table
    message = f"the fixed table still changes after {_MOST_SWEEPS} sweeps"
    raise RuntimeError(message)


def _first_best(*scores: Reals) -> Counts:
    """Return the best code by the first score, by the next ones among those that are equal, then the lowest."""
    left = np.ones(scores[0].shape, dtype=np.bool_)
    for score in scores:
        best = np.where(left, score, -np.inf).max(axis=0)
        left &= score >= best - _NO_DIFFERENCE
    codes: Counts = left.argmax(axis=0)
    return codes


def _named(rows: Sequence[str], names: Sequence[str], codes: Counts) -> Cells:
    return {
        row: {upcard: names[cells[VALUES.index(upcard)]] for upcard in UPCARDS}
        for row, cells in zip(rows, codes.tolist(), strict=True)
    }
