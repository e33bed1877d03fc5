"""What a void gives back: every stake on the table, by seat and bet, while the round is not settled (R15, S6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from studio.domain.bets import SIDE_BETS, Bet, BetKind
from studio.domain.shared_hand import Choice, SharedHand, members
from studio.domain.slots import HandId
from studio.domain.table import Round, RoundEnd, Table

_SECOND_SPLIT_LINE = 3


def can_void(table: Table) -> bool:
    """Tell whether the round can still be voided: after settlement nothing is."""
    current = table.round
    return current is not None and current.end in {RoundEnd.NOT_YET, RoundEnd.COMMITTED}


def refunds(table: Table) -> tuple[Bet, ...]:
    """Return every stake that lies on the table, per seat and bet: what a void gives back (R15, S6)."""
    current = table.round
    if current is None or not can_void(table):
        return ()
    placed = tuple(bet for batch in current.bets for bet in batch)
    if current.is_betting or not current.hands:
        return placed
    if current.shared is not None:
        return (*_shared_refunds(current, current.shared), *(bet for bet in placed if bet.kind in SIDE_BETS))
    return (
        *(Bet(hand.player, hand.id.seat, _kind(hand.id, BetKind.MAIN), hand.stake) for hand in current.hands),
        *(Bet(bet.player, bet.hand.seat, _kind(bet.hand, BetKind.BEHIND), bet.stake) for bet in current.behind),
        *(bet for bet in placed if bet.kind in SIDE_BETS),
        *_insurance_refunds(current),
    )


def refund_total(table: Table) -> int:
    """Return how much a void of the open round gives back in all, in minor units (S6)."""
    current = table.round
    if current is not None and current.shared is not None and not current.is_betting and can_void(table):
        return sum(amount for _, amount in refunds_by_kind(current, current.shared).values())
    return sum(bet.amount for bet in refunds(table))


def refunds_by_kind(current: Round, shared: SharedHand) -> dict[BetKind, tuple[int, int]]:
    """Return how many bets of each kind, and how much, a void of the shared hand gives back."""
    found: Counter[BetKind] = Counter()
    counts: Counter[BetKind] = Counter()
    for bet in _shared_refunds(current, shared):
        found[bet.kind] += bet.amount
        counts[bet.kind] += 1
    for batch in current.bets:
        for kind, amount in zip(batch.kinds, batch.amounts, strict=True):
            if kind in SIDE_BETS:
                found[kind] += amount
                counts[kind] += 1
    return {kind: (counts[kind], found[kind]) for kind in BetKind if counts[kind]}


def _shared_refunds(current: Round, shared: SharedHand) -> Iterator[Bet]:
    for hand in current.hands:
        kind = BetKind.SPLIT if hand.id.number == _SECOND_SPLIT_LINE else BetKind.MAIN
        for player, stake, _, doubled in members(shared, hand.id.number):
            yield Bet(player, 1, kind, stake << doubled)
    columns = zip(shared.players, shared.stakes, shared.surrendered, shared.insured, shared.answers, strict=True)
    for player, stake, surrendered, insured, answer in columns:
        if surrendered:
            yield Bet(player, 1, BetKind.MAIN, stake)
        if insured:
            yield Bet(player, 1, BetKind.INSURANCE, stake // 2)
        # A second stake is on the table as soon as the window took the answer.
        if answer in {Choice.DOUBLE, Choice.SPLIT}:
            yield Bet(player, 1, BetKind.SPLIT if answer == Choice.SPLIT else BetKind.MAIN, stake)


def _kind(hand: HandId, first: BetKind) -> BetKind:
    if hand.number == 1:
        return first
    return BetKind.SPLIT if first is BetKind.MAIN else BetKind.BEHIND_SPLIT


def _insurance_refunds(current: Round) -> tuple[Bet, ...]:
    owners = {(hand.id.seat, hand.player) for hand in current.hands}
    answers = current.insurance.answers if current.insurance else ()
    return tuple(
        Bet(player, seat, BetKind.INSURANCE if (seat, player) in owners else BetKind.BEHIND_INSURANCE, amount)
        for seat, player, amount in answers
        if amount
    )
