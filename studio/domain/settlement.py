"""Settlement: every wager of a finished round against the dealer's hand (rules.md R11 to R14, C3 to C5)."""

from __future__ import annotations

from collections.abc import Iterator

from studio.domain import side_bets
from studio.domain.bets import SIDE_BETS, BetKind, Result, ResultBatch, results_of
from studio.domain.hands import is_two_card_21, total
from studio.domain.phases import is_natural
from studio.domain.rules import Odds, RuleSet
from studio.domain.shared_hand import NOT_ON_LINE, SharedHand, members
from studio.domain.table import Hand, Play, Round

_INSURANCE_PAYS = Odds(2, 1)
_SECOND_SPLIT_LINE = 3


def settle(rules: RuleSet, current: Round) -> ResultBatch:
    """Return what each wager gets back; the round's cards must be complete."""
    return results_of(*_results(rules, current))


def _results(rules: RuleSet, current: Round) -> Iterator[Result]:
    if current.shared is not None:
        yield from _shared_results(rules, current, current.shared)
        yield from _side_bets(rules, current)
        return
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


def _shared_results(rules: RuleSet, current: Round, shared: SharedHand) -> Iterator[Result]:
    """Settle the lines by groups of players who keep the same cards; hand numbers are each player's own."""
    for hand in current.hands:
        number = 2 if hand.id.number == _SECOND_SPLIT_LINE else 1
        kind = BetKind.SPLIT if number > 1 else BetKind.MAIN
        line = shared.line(hand.id.number)
        held = {kept: hand._replace(cards=hand.cards[:kept]) for kept in {*line.kept} - {NOT_ON_LINE}}
        odds = {kept: _rate(rules, current, one) for kept, one in held.items()}
        for player, stake, kept, doubled in members(shared, hand.id.number):
            whole = stake << doubled
            won, per = odds[kept]
            yield Result(player, 1, number, kind, whole, whole * won // per)
    yield from _shared_rest(current, shared)


def _rate(rules: RuleSet, current: Round, hand: Hand) -> tuple[int, int]:
    """Return what comes back as a fraction of the stake; exact for every stake that M1 allows."""
    unit = 2 * rules.natural_pays.denominator
    return returned_on(rules, current, hand, unit), unit


def _shared_rest(current: Round, shared: SharedHand) -> Iterator[Result]:
    """Settle surrenders and insurance of the shared hand."""
    won = is_two_card_21(current.dealer)
    columns = zip(shared.players, shared.stakes, shared.surrendered, shared.insured, strict=True)
    for player, stake, surrendered, insured in columns:
        if surrendered:
            yield Result(player, 1, 1, BetKind.MAIN, stake, stake // 2)
        if insured:
            amount = stake // 2
            returned = amount + _INSURANCE_PAYS.of(amount) if won else 0
            yield Result(player, 1, 0, BetKind.INSURANCE, amount, returned)


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
