"""Settlement: every wager of a finished round against the dealer's hand (rules.md R11 to R14, C3 to C5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import compress, repeat
from operator import floordiv, lshift, mul

from studio.domain import side_bets
from studio.domain.bets import SIDE_BETS, BetKind, Result, ResultBatch, ResultGroup, results_of, totals_by_kind
from studio.domain.hands import is_two_card_21, total
from studio.domain.phases import is_natural
from studio.domain.rules import Odds, RuleSet
from studio.domain.shared_hand import DRAWING, NOT_ON_LINE, SharedHand
from studio.domain.table import Hand, Play, Round

_INSURANCE_PAYS = Odds(2, 1)
_SECOND_SPLIT_LINE = 3


def settle(rules: RuleSet, current: Round) -> ResultBatch:
    """Return what each wager gets back; the round's cards must be complete.

    The shared hand is settled column by column: a hundred thousand players take a fraction of a second.
    """
    if current.shared is None:
        hands: Iterable[ResultGroup] = results_of(*_results(rules, current)).groups
    else:
        hands = _shared_results(rules, current, current.shared)
    groups = (*hands, *_side_bets(rules, current))
    return ResultBatch(tuple(group for group in groups if len(group)))


def _results(rules: RuleSet, current: Round) -> Iterator[Result]:
    for hand in current.hands:
        kind = BetKind.SPLIT if hand.id.number > 1 else BetKind.MAIN
        returned = returned_on(rules, current, hand, hand.stake)
        yield Result(hand.player, hand.id.seat, hand.id.number, kind, hand.stake, returned)
    for bet in current.behind:
        kind = BetKind.BEHIND_SPLIT if bet.hand.number > 1 else BetKind.BEHIND
        returned = returned_on(rules, current, current.hand(bet.hand), bet.stake)
        yield Result(bet.player, bet.hand.seat, bet.hand.number, kind, bet.stake, returned)
    yield from _insurance(current)


def _shared_results(rules: RuleSet, current: Round, shared: SharedHand) -> Iterator[ResultGroup]:
    """Settle the lines, surrenders and insurance; hand numbers are each player's own."""
    for hand in current.hands:
        yield _line_results(rules, current, shared, hand)
    gave_up = shared.surrendered
    stakes = tuple(compress(shared.stakes, gave_up))
    losers = tuple(compress(shared.players, gave_up))
    yield ResultGroup(1, 1, BetKind.MAIN, losers, stakes, _each(floordiv, stakes, 2))
    amounts = _each(floordiv, tuple(compress(shared.stakes, shared.insured)), 2)
    factor = 1 + _INSURANCE_PAYS.of(1) if is_two_card_21(current.dealer) else 0
    insured = tuple(compress(shared.players, shared.insured))
    yield ResultGroup(1, 0, BetKind.INSURANCE, insured, amounts, _each(mul, amounts, factor))


def _line_results(rules: RuleSet, current: Round, shared: SharedHand, hand: Hand) -> ResultGroup:
    """Settle one line: what comes back is a rate of the stake, the same for all who keep the same cards."""
    line = shared.line(hand.id.number)
    unit = 2 * rules.natural_pays.denominator  # exact for every stake that M1 allows
    rates = [0] * (DRAWING + 1)
    for kept in {*line.kept} - {NOT_ON_LINE}:
        rates[kept] = returned_on(rules, current, hand._replace(cards=hand.cards[:kept]), unit)
    # NOT_ON_LINE is 0, so the column itself says who is on the line.
    players, kept_by = tuple(compress(shared.players, line.kept)), bytes(compress(line.kept, line.kept))
    stakes = tuple(map(lshift, compress(shared.stakes, line.kept), compress(line.doubled, line.kept)))
    returned = _each(floordiv, tuple(map(mul, stakes, map(rates.__getitem__, kept_by))), unit)
    number = 2 if hand.id.number == _SECOND_SPLIT_LINE else 1
    return ResultGroup(1, number, BetKind.SPLIT if number > 1 else BetKind.MAIN, players, stakes, returned)


def _each(operation: Callable[[int, int], int], column: tuple[int, ...], by: int) -> tuple[int, ...]:
    return tuple(map(operation, column, repeat(by)))


def _insurance(current: Round) -> Iterator[Result]:
    dealer_natural = is_two_card_21(current.dealer)
    owners = {(hand.id.seat, hand.player) for hand in current.hands}
    for seat, player, amount in current.insurance.answers if current.insurance else ():
        if amount:
            kind = BetKind.INSURANCE if (seat, player) in owners else BetKind.BEHIND_INSURANCE
            returned = amount + _INSURANCE_PAYS.of(amount) if dealer_natural else 0
            yield Result(player, seat, 0, kind, amount, returned)


def _side_bets(rules: RuleSet, current: Round) -> Iterator[ResultGroup]:
    bets = totals_by_kind(current.bets) if current.shared is None else current.shared.bets
    for kind, key in SIDE_BETS.items():
        for seat, lying in bets[kind].items():
            pays = rules.side_bets[key].pays
            factor = max((1 + pays[name] for name in combinations(kind, current, seat)), default=0)
            stakes = tuple(lying.values())
            yield ResultGroup(seat, 0, kind, tuple(lying), stakes, _each(mul, stakes, factor))


def combinations(kind: BetKind, current: Round, seat: int) -> tuple[str, ...]:
    """Return the combinations that a side bet on a seat makes with the cards dealt (section 6)."""
    # A split moves a card: the position's first two are then the first of its two oldest hands. The shared hand
    # keeps its unsplit line.
    hands = sorted((hand for hand in current.hands if hand.id.seat == seat), key=lambda hand: hand.id.number)
    moved = len(hands) > 1 and current.shared is None
    first = [hand.cards[0] for hand in hands[:2]] if moved else list(hands[0].cards[:2])
    match kind:
        case BetKind.PAIR:
            return tuple(side_bets.pair(*first))
        case BetKind.BUST:
            return tuple(side_bets.bust_bonus(current.dealer))
        case BetKind.LUCKY_THREE:
            return tuple(side_bets.lucky_three((*first, current.dealer[0])))
        case BetKind.POKER_THREE:
            return tuple(side_bets.poker_three((*first, current.dealer[0])))
        case _:
            return ()


def returned_on(rules: RuleSet, current: Round, hand: Hand, stake: int) -> int:
    """Return what a stake on a hand comes back as: 0 when lost, itself on a push, more when won (R14)."""
    if hand.play is Play.SURRENDERED:
        return stake // 2
    mine, dealers = total(hand.cards), total(current.dealer)
    if mine.is_bust:
        return 0
    natural, dealer_natural = is_natural(hand), is_two_card_21(current.dealer)
    if natural != dealer_natural:
        return stake + rules.natural_pays.of(stake) if natural else 0
    if dealers.is_bust or mine.points > dealers.points:
        return stake * 2
    return stake if mine.points == dealers.points else 0
