"""The simulation's kernel: whole rounds of one hand by a fixed strategy, compiled to machine code.

Plain arithmetic on small arrays, and no knowledge of how it is run: :mod:`studio.odds.simulation` gives it blocks
of rounds. Its rules are those of the engine (rules.md R2 to R14), written a second time; that both do the same
with every card and every unit is checked by :mod:`studio.odds.engine_check`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from studio.odds.compiled import compiled
from studio.odds.kernel_shoe import Bytes, Counter, Ints, KernelShoe, Trace, draw, random_32
from studio.odds.kernel_values import Code, Dealing, KernelRules, KernelStrategy, Move, Sum

# The columns of a hand's row. Numba takes globals that are plain numbers for constants.
_SUM, _ACE, _SIZE, _FIRST, _SECOND, _STAKE, _STATE, _SPLIT, _NUMBER, _AUTOMATIC = range(10)
_COLUMNS: Final = 10
_MOST_HANDS: Final = 4
_OPEN, _STOOD, _DOUBLED, _SURRENDERED = range(4)

_NO_SPLIT: Final = int(Code.NO_SPLIT)
_DOUBLE_OR_HIT: Final = int(Code.DOUBLE_OR_HIT)
_DOUBLE_OR_STAND: Final = int(Code.DOUBLE_OR_STAND)
_P: Final = int(Code.SPLIT)
_R: Final = int(Code.SURRENDER_OR_HIT)
_RS: Final = int(Code.SURRENDER_OR_STAND)
_RP: Final = int(Code.SURRENDER_OR_SPLIT)
_CODE_HIT: Final = int(Code.HIT)
_HIT, _STAND, _DOUBLE, _SPLIT_UP, _GIVE_UP = (int(move) for move in Move)

_TOTAL_SUMS: Final = len(Sum)
_NET_SQUARED: Final = int(Sum.NET_SQUARED)
_NATURAL: Final = int(Sum.NATURAL)
_WON: Final = int(Sum.WON)
_PUSHED: Final = int(Sum.PUSHED)
_LOST: Final = int(Sum.LOST)
_BUST: Final = int(Sum.BUST)
_GIVEN_UP: Final = int(Sum.SURRENDERED)
_DOUBLES: Final = int(Sum.DOUBLES)
_SPLITS: Final = int(Sum.SPLITS)
_DEALER_NATURALS: Final = int(Sum.DEALER_NATURALS)
_DEALER_BUSTS: Final = int(Sum.DEALER_BUSTS)
_CARDS: Final = int(Sum.CARDS)
_DECISIONS: Final = int(Sum.DECISIONS)
_SILENT: Final = int(Sum.SILENT)
_VOIDED: Final = int(Sum.VOIDED)


@compiled
def _begin(row: Ints, card: int, number: int, stake: int, is_split: int) -> None:
    """Write a hand of one card."""
    row[_SUM] = card
    row[_ACE] = 1 if card == 1 else 0
    row[_SIZE] = 1
    row[_FIRST] = card
    row[_SECOND] = 0
    row[_STAKE] = stake
    row[_STATE] = _OPEN
    row[_SPLIT] = is_split
    row[_NUMBER] = number
    row[_AUTOMATIC] = 0


@compiled
def _give(row: Ints, shoe: KernelShoe, trace: Trace | None) -> None:
    """Draw a card for a hand."""
    card = draw(shoe, row[_NUMBER], trace)
    row[_SUM] += card
    if card == 1:
        row[_ACE] = 1
    row[_SIZE] += 1
    if row[_SIZE] == 2:  # noqa: PLR2004 - its second card
        row[_SECOND] = card


@compiled
def _points(row: Ints) -> int:
    """Return a hand's total (C1)."""
    if row[_ACE] and row[_SUM] <= 11:  # noqa: PLR2004 - an ace more is 21 at most
        return int(row[_SUM] + 10)
    return int(row[_SUM])


@compiled
def _can_split(rules: KernelRules, row: Ints, count: int) -> bool:
    """Tell whether a hand of two cards may be split."""
    if row[_SIZE] != 2 or row[_FIRST] != row[_SECOND] or count >= rules.most_hands:  # noqa: PLR2004 - two cards
        return False
    return not (row[_SPLIT] and row[_FIRST] == 1 and not rules.split_aces_again)


@compiled
def _code(strategy: KernelStrategy, row: Ints, upcard: int, can_split: bool) -> int:  # noqa: FBT001 - compiled
    """Return the table's code for a hand."""
    if can_split:
        code = strategy.pairs[row[_FIRST], upcard]
        if code != _NO_SPLIT:
            return int(code)
    if row[_ACE] and row[_SUM] <= 11:  # noqa: PLR2004 - soft
        return int(strategy.soft[row[_SUM] + 10, upcard])
    return int(strategy.hard[row[_SUM], upcard])


@compiled
def _move_of(rules: KernelRules, row: Ints, upcard: int, code: int) -> int:
    """Return what a code comes to with what is legal (R7, R11)."""
    if code in {_R, _RS, _RP}:
        in_time = row[_SIZE] == 2 and not row[_SPLIT]  # noqa: PLR2004 - its first two cards
        if rules.surrender and in_time and upcard not in {1, 10}:
            return _GIVE_UP
        return _HIT if code == _R else _STAND if code == _RS else _SPLIT_UP
    if code in {_DOUBLE_OR_HIT, _DOUBLE_OR_STAND}:
        if row[_SIZE] == 2 and (rules.double_after_split or not row[_SPLIT]):  # noqa: PLR2004 - two cards
            return _DOUBLE
        return _HIT if code == _DOUBLE_OR_HIT else _STAND
    if code == _P:
        return _SPLIT_UP
    return _HIT if code == _CODE_HIT else _STAND


@compiled
def _choose(  # noqa: PLR0913, PLR0917 - compiled
    rules: KernelRules,
    strategy: KernelStrategy,
    shoe: KernelShoe,
    row: Ints,
    upcard: int,
    count: int,
    sums: Ints,
) -> int:
    """Return what is done with an open hand; after one decision without an answer it plays itself (R9)."""
    is_split_ace = row[_SPLIT] and row[_FIRST] == 1
    if not row[_AUTOMATIC]:
        sums[_DECISIONS] += 1
        if strategy.silence and int(random_32(shoe.counter)) < strategy.silence:
            sums[_SILENT] += 1
            row[_AUTOMATIC] = 1
    if row[_AUTOMATIC]:
        return _HIT if _points(row) <= 11 and not is_split_ace else _STAND  # noqa: PLR2004 - R9
    can_split = _can_split(rules, row, count)
    code = _code(strategy, row, upcard, can_split)
    if is_split_ace and code not in {_P, _RP}:
        return _STAND
    return _move_of(rules, row, upcard, code)


@compiled
def _is_closed(rules: KernelRules, row: Ints, count: int) -> bool:
    """Tell whether nothing more is asked of a hand (R6, R7)."""
    if row[_STATE] != _OPEN:
        return True
    points = _points(row)
    is_natural = row[_SIZE] == 2 and not row[_SPLIT]  # noqa: PLR2004 - at 21
    if points > 21 or (points == 21 and (rules.closes_at_21 or is_natural)):  # noqa: PLR2004 - R7
        return True
    return bool(row[_SPLIT] and row[_FIRST] == 1 and not _can_split(rules, row, count))


@compiled
def _split(hands: Ints, place: int, count: int, stake: int) -> None:
    """Make two hands of one; the new one is played right after it (R6)."""
    for later in range(count, place + 1, -1):
        for column in range(_COLUMNS):
            hands[later, column] = hands[later - 1, column]
    first, second = hands[place, _FIRST], hands[place, _SECOND]
    _begin(hands[place], first, hands[place, _NUMBER], stake, 1)
    _begin(hands[place + 1], second, count + 1, stake, 1)


@compiled
def _play_hands(  # noqa: PLR0913, PLR0917 - compiled
    rules: KernelRules,
    strategy: KernelStrategy,
    shoe: KernelShoe,
    hands: Ints,
    upcard: int,
    sums: Ints,
    trace: Trace | None,
) -> int:
    """Play the position's hands in their order; return how many they are in the end."""
    place, count = 0, 1
    while place < count:
        row = hands[place]
        if row[_SIZE] == 1:
            _give(row, shoe, trace)
        if _is_closed(rules, row, count):
            place += 1
            continue
        asked, silent = sums[_DECISIONS], sums[_SILENT]
        move = _choose(rules, strategy, shoe, row, upcard, count, sums)
        if trace is not None and sums[_DECISIONS] > asked:
            trace.actions[trace.sizes[1], 0] = row[_NUMBER]
            trace.actions[trace.sizes[1], 1] = move if sums[_SILENT] == silent else 0
            trace.sizes[1] += 1
        if move == _HIT:
            _give(row, shoe, trace)
        elif move == _STAND:
            row[_STATE] = _STOOD
        elif move == _DOUBLE:
            row[_STATE] = _DOUBLED
            row[_STAKE] *= 2
            sums[_DOUBLES] += 1
            _give(row, shoe, trace)
        elif move == _GIVE_UP:
            row[_STATE] = _SURRENDERED
        else:
            _split(hands, place, count, rules.unit)
            count += 1
            sums[_SPLITS] += 1
            _give(row, shoe, trace)
            if not rules.in_turn:
                _give(hands[place + 1], shoe, trace)
    return count


@compiled
def _is_natural(row: Ints) -> bool:
    """Tell whether a hand is a natural (C3)."""
    return bool(row[_SIZE] == 2 and row[_SUM] == 11 and row[_ACE] and not row[_SPLIT])  # noqa: PLR2004 - ace, ten


@compiled
def _play_dealer(rules: KernelRules, shoe: KernelShoe, hands: Ints, count: int, trace: Trace | None) -> None:
    """Draw to 16 where that can change a result (R12)."""
    is_needed = rules.dealer_always_draws
    for place in range(count):
        row = hands[place]
        is_needed |= row[_STATE] != _SURRENDERED and row[_SUM] <= 21 and not _is_natural(row)  # noqa: PLR2004 - C5
    if not is_needed:
        return
    dealer = hands[_MOST_HANDS]
    while True:
        points = _points(dealer)
        hits_soft = points == 17 and dealer[_SUM] < 17 and rules.dealer_hits_soft_17  # noqa: PLR2004 - R12
        if points >= 17 and not hits_soft:  # noqa: PLR2004 - R12
            return
        _give(dealer, shoe, trace)


@compiled
def _returned(rules: KernelRules, row: Ints, dealer: Ints, sums: Ints) -> int:
    """Return what comes back for a hand, and count how it ended (R14)."""
    stake = int(row[_STAKE])
    if row[_STATE] == _SURRENDERED:
        sums[_GIVEN_UP] += 1
        return stake // 2
    if row[_SUM] > 21:  # noqa: PLR2004 - C5
        sums[_BUST] += 1
        return 0
    natural, dealer_natural = _is_natural(row), _is_natural(dealer)
    if natural and not dealer_natural:
        sums[_NATURAL] += 1
        return stake + rules.natural_wins
    mine, theirs = _points(row), _points(dealer)
    if theirs > 21 or mine > theirs:  # noqa: PLR2004 - C5
        sums[_WON] += 1
        return 2 * stake
    if mine == theirs and natural == dealer_natural:
        sums[_PUSHED] += 1
        return stake
    sums[_LOST] += 1
    return 0


@compiled
def play_round(  # noqa: PLR0913, PLR0917 - compiled
    rules: KernelRules,
    strategy: KernelStrategy,
    shoe: KernelShoe,
    hands: Ints,
    sums: Ints,
    trace: Trace | None,
) -> tuple[int, int]:
    """Play one round of one hand and return (net, wagered) in the kernel's units.

    ``hands`` is working memory of :func:`felt`, ``sums`` counts by :class:`Sum`; a ``trace`` is written from its
    beginning. Insurance is never taken.
    """
    if trace is not None:
        trace.sizes[:] = 0
    out = shoe.at[0]
    dealer = hands[_MOST_HANDS]
    _begin(hands[0], draw(shoe, 1, trace), 1, rules.unit, 0)
    upcard = draw(shoe, 0, trace)
    _begin(dealer, upcard, 0, 0, 0)
    _give(hands[0], shoe, trace)
    _give(dealer, shoe, trace)
    count = 1
    if _is_natural(dealer):
        sums[_DEALER_NATURALS] += 1
    if not (rules.peek and _is_natural(dealer)):
        count = _play_hands(rules, strategy, shoe, hands, upcard, sums, trace)
        _play_dealer(rules, shoe, hands, count, trace)
    if dealer[_SUM] > 21:  # noqa: PLR2004 - C5
        sums[_DEALER_BUSTS] += 1
    net, wagered = 0, 0
    for place in range(count):
        wagered += hands[place, _STAKE]
        net += _returned(rules, hands[place], dealer, sums) - hands[place, _STAKE]
    sums[_CARDS] += shoe.at[0] - out
    sums[_NET_SQUARED] += net * net
    return net, wagered


@compiled
def play_block(  # noqa: PLR0913, PLR0917 - compiled
    rules: KernelRules,
    strategy: KernelStrategy,
    cards: Bytes,
    dealing: Dealing,
    first_counter: Counter,
    rounds: int,
) -> Ints:
    """Play ``rounds`` rounds from a new shoe on and return the sums by :class:`Sum`.

    ``cards`` are a shoe's values in any order, ``first_counter`` (one number) where the random numbers begin; both
    are left as they are. A round that empties the shoe is voided and counted as such only (S7).
    """
    sums = np.zeros(_TOTAL_SUMS, np.int64)
    kept = np.zeros(_TOTAL_SUMS, np.int64)
    hands = np.zeros((_MOST_HANDS + 1, _COLUMNS), np.int64)
    shoe = KernelShoe(cards.copy(), np.zeros(2, np.int64), first_counter.copy())
    played = 0
    while played < rounds:
        shoe.at[0] = 0
        shoe.at[1] = 0
        if dealing.burns:
            for _ in range(draw(shoe, 0, None)):
                draw(shoe, 0, None)
        net, wagered, number = 0, 0, 0
        while played < rounds and number < dealing.rounds and shoe.at[0] <= dealing.cut_at:
            if dealing.rounds > 1:
                kept[:] = sums
            won, staked = play_round(rules, strategy, shoe, hands, sums, None)
            if shoe.at[1]:
                sums[:] = kept
                sums[_VOIDED] += 1
                break
            net += won
            wagered += staked
            number += 1
            played += 1
        _add_shoe(sums, net, wagered, number)
    return sums


@compiled
def _add_shoe(sums: Ints, net: int, wagered: int, rounds: int) -> None:
    """Add what one shoe brought, to the first nine of :class:`Sum`; the spread is computed from the products."""
    sums[0] += rounds
    sums[1] += 1
    sums[2] += net
    sums[3] += wagered
    sums[4] += net * net
    sums[5] += net * rounds
    sums[6] += rounds * rounds
    sums[7] += net * wagered
    sums[8] += wagered * wagered


def felt() -> Ints:
    """Return the working memory of :func:`play_round`."""
    return np.zeros((_MOST_HANDS + 1, _COLUMNS), np.int64)
