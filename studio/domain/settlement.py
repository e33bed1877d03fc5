"""Settlement: every wager of a finished round against the dealer's hand (rules.md R11 to R14, C3 to C5)."""

from __future__ import annotations

from collections.abc import Iterator

from studio.domain.bets import BetKind, Result, ResultBatch, results_of
from studio.domain.hands import is_two_card_21, total
from studio.domain.phases import is_natural
from studio.domain.rules import Odds, RuleSet
from studio.domain.table import Hand, Play, Round

_INSURANCE_PAYS = Odds(2, 1)


def settle(rules: RuleSet, current: Round) -> ResultBatch:
    """Return what each wager gets back; the round's cards must be complete."""
    return results_of(*_results(rules, current))


def _results(rules: RuleSet, current: Round) -> Iterator[Result]:
    dealer_natural = is_two_card_21(current.dealer)
    for hand in current.hands:
        kind = BetKind.SPLIT if hand.id.number > 1 else BetKind.MAIN
        yield Result(
            hand.player,
            hand.id.seat,
            hand.id.number,
            kind,
            hand.stake,
            returned_on(rules, current, hand),
        )
    if current.insurance:
        for seat, player, amount in current.insurance.answers:
            if amount:
                returned = amount + _INSURANCE_PAYS.of(amount) if dealer_natural else 0
                yield Result(player, seat, 1, BetKind.INSURANCE, amount, returned)


def returned_on(rules: RuleSet, current: Round, hand: Hand) -> int:
    """Return what a hand's stake comes back as: 0 when lost, the stake on a push, more when won (R14)."""
    if hand.play is Play.SURRENDERED:
        return hand.stake // 2
    mine, dealers = total(hand.cards), total(current.dealer)
    if mine.is_bust:
        return 0
    natural, dealer_natural = is_natural(hand), is_two_card_21(current.dealer)
    if natural != dealer_natural:
        return hand.stake + rules.natural_pays.of(hand.stake) if natural else 0
    if dealers.is_bust or mine.points > dealers.points:
        return hand.stake * 2
    return hand.stake if mine.points == dealers.points else 0
