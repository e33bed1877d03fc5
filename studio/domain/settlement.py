"""Settlement: every wager of a finished round against the dealer's hand (rules.md R11 to R14, C3 to C5)."""

from __future__ import annotations

from collections.abc import Iterator

from studio.domain import side_bets
from studio.domain.bets import SIDE_BETS, BetKind, Result, ResultBatch, results_of
from studio.domain.hands import is_two_card_21, total
from studio.domain.phases import is_natural
from studio.domain.rules import Odds, RuleSet
from studio.domain.table import Hand, Play, Round

_INSURANCE_PAYS = Odds(2, 1)


def settle(rules: RuleSet, current: Round) -> ResultBatch:
    """Return what each wager gets back; the round's cards must be complete."""
    return results_of(*_results(rules, current))


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
    yield from _side_bets(rules, current)


def _insurance(current: Round) -> Iterator[Result]:
    dealer_natural = is_two_card_21(current.dealer)
    owners = {(hand.id.seat, hand.player) for hand in current.hands}
    for seat, player, amount in current.insurance.answers if current.insurance else ():
        if amount:
            kind = BetKind.INSURANCE if (seat, player) in owners else BetKind.BEHIND_INSURANCE
            returned = amount + _INSURANCE_PAYS.of(amount) if dealer_natural else 0
            yield Result(player, seat, 0, kind, amount, returned)


def _side_bets(rules: RuleSet, current: Round) -> Iterator[Result]:
    for kind, key in SIDE_BETS.items():
        for (seat, player), amount in current.totals(kind).items():
            pays = rules.side_bets[key].pays
            won = max((pays[name] for name in combinations(kind, current, seat)), default=None)
            yield Result(player, seat, 0, kind, amount, 0 if won is None else amount * (1 + won))


def combinations(kind: BetKind, current: Round, seat: int) -> tuple[str, ...]:
    """Return the combinations that a side bet on a seat makes with the cards dealt (section 6)."""
    # A split moves a card: the position's first two are the first of its hands, in the order they were made.
    hands = sorted((hand for hand in current.hands if hand.id.seat == seat), key=lambda hand: hand.id.number)
    first = [hand.cards[0] for hand in hands[:2]] if len(hands) > 1 else list(hands[0].cards[:2])
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
