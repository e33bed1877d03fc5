"""Money as transfers between accounts, derived from events (rules.md M3).

Double entry: each transfer takes from one account what it gives to another, so all accounts always sum to zero.
Transfers come in columns like the bets they follow from: those of a hundred thousand players are a few legs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, compress, groupby
from operator import attrgetter, sub
from typing import Final, NamedTuple

from studio.domain.bets import BetBatch, BetKind, ResultBatch
from studio.domain.events import (
    BetsPlaced,
    BetsReturned,
    DecisionTaken,
    Event,
    FollowAnswered,
    HandsDied,
    InsuranceAnswered,
    RoundRevised,
    RoundSettled,
    RoundVoided,
    SharedDecisionsTaken,
    SharedInsuranceAnswered,
)
from studio.domain.table import Table

HOUSE: Final = "house"
CASHIER: Final = "cashier"
"""Where deposits come from; its balance is minus everything that was paid in."""
VIRTUAL_UNITS: Final = "XXX"
"""The currency of tables that play for virtual units (M4): ISO 4217's code for *no currency involved*.

A transfer has one currency, so units and money never meet: there is no way to convert, and none to pay out.
"""


_INSURED: Final = f"{BetKind.INSURANCE} bet"


def player_account(player: str) -> str:
    """Return the ledger account of a player."""
    return f"player:{player}"


def table_account(table: str) -> str:
    """Return the ledger account that holds the stakes lying on a table."""
    return f"table:{table}"


@dataclass(frozen=True, slots=True)
class Transfer:
    """``amount`` minor units of ``currency`` moved; ``cause`` says why (``bet``, ``win``, ``refund`` …)."""

    source: str
    target: str
    currency: str
    amount: int
    cause: str


class Leg(NamedTuple):
    """Transfers of one cause between an account and the accounts of ``players``, in columns of equal length.

    ``pays``: the players pay to the account; otherwise they are paid from it.
    """

    cause: str
    account: str
    pays: bool
    players: tuple[str, ...]
    amounts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TransferBatch:
    """The transfers of one event: the players' in legs, then those between other accounts.

    A transfer is numbered from 0 in the order of iteration; with the event's table and sequence that is its id.
    """

    currency: str
    legs: tuple[Leg, ...] = ()
    others: tuple[Transfer, ...] = ()

    def __iter__(self) -> Iterator[Transfer]:
        for cause, account, pays, players, amounts in self.legs:
            for player, amount in zip(map(player_account, players), amounts, strict=True):
                source, target = (player, account) if pays else (account, player)
                yield Transfer(source, target, self.currency, amount, cause)
        yield from self.others

    def __len__(self) -> int:
        return sum(len(leg.players) for leg in self.legs) + len(self.others)


def transfers(before: Table, event: Event) -> TransferBatch:
    """Return the money that ``event`` moves, given the table as it was before it."""
    currency, stakes = before.setup.limits.currency, table_account(before.setup.table)
    if isinstance(event, RoundSettled):
        return _payout(event.results, stakes, currency)
    if isinstance(event, RoundRevised):
        return TransferBatch(currency, tuple(_compensation(event)))
    legs = (
        Leg(cause, stakes, pays, *_moving(players, amounts))
        for cause, pays, players, amounts in _stakes(before, event)
    )
    return TransferBatch(currency, tuple(leg for leg in legs if leg.players))


_Stakes = Iterator[tuple[str, bool, Iterable[str], Iterable[int]]]
"""Cause, whether players pay, players, amounts."""


def _stakes(before: Table, event: Event) -> _Stakes:
    """Yield the stakes that come to the table or go back from it, amounts of 0 among them."""
    match event:
        case BetsPlaced(bets=bets):
            yield from _by_kind(bets, "bet", pays=True)
        case InsuranceAnswered(player=player, amount=amount):
            yield _INSURED, True, (player,), (amount,)
        case SharedInsuranceAnswered(players, amounts):
            yield _INSURED, True, players, amounts
        case DecisionTaken(hand=hand, added_stake=added, action=action) if added:
            yield str(action), True, (before.owner_of(hand.seat),), (added,)
        case SharedDecisionsTaken(_, players, _, actions, added_stakes):
            for action in sorted(set(actions)):
                by_it = [one is action for one in actions]
                yield str(action), True, compress(players, by_it), compress(added_stakes, by_it)
        case FollowAnswered(player=player, added_stake=added):
            yield "bet behind follows", True, (player,), (added,)
        case BetsReturned(bets=bets):
            yield from _by_kind(bets, "returned", pays=False)
        case RoundVoided(refunds=refunds) | HandsDied(refunds=refunds):
            yield from _by_kind(refunds, "refund", pays=False)
        case _:
            return


def _by_kind(bets: BetBatch, cause: str, *, pays: bool) -> _Stakes:
    for kind in sorted(set(bets.kinds)):
        of_kind = [one is kind for one in bets.kinds]
        yield f"{kind} {cause}", pays, compress(bets.players, of_kind), compress(bets.amounts, of_kind)


def _payout(results: ResultBatch, stakes: str, currency: str) -> TransferBatch:
    """Settle wagers: the stake goes back or to the house, winnings come from the house."""
    legs: list[Leg] = []
    lost: list[Transfer] = []
    for kind, run in groupby(results.groups, key=attrgetter("kind")):
        groups = tuple(run)
        players = tuple(chain.from_iterable(group.players for group in groups))
        staked = tuple(chain.from_iterable(group.stakes for group in groups))
        returned = tuple(chain.from_iterable(group.returned for group in groups))
        rows = zip(staked, returned, strict=True)
        back = tuple([stake if stake < paid else paid for stake, paid in rows])  # noqa: FURB136 - min() is slow
        won = tuple(map(sub, returned, back))
        legs.append(Leg(f"{kind} returned", stakes, False, *_moving(players, back)))
        legs.append(Leg(f"{kind} won", HOUSE, False, *_moving(players, won)))
        if (amount := sum(staked) - sum(back)) > 0:
            lost.append(Transfer(stakes, HOUSE, currency, amount, f"{kind} lost"))
    return TransferBatch(currency, tuple(leg for leg in legs if leg.players), tuple(lost))


def _compensation(event: RoundRevised) -> Iterator[Leg]:
    """A revision: what the house owes, and what it gets back as far as the balances bear it (C08)."""
    for cause, sign in (("revision paid", 1), ("revision taken back", -1)):
        rows = [(who, sign * amount) for who, amount in zip(event.players, event.moved, strict=True)]
        of_sign = [(who, amount) for who, amount in rows if amount > 0]
        if of_sign:
            players, amounts = zip(*of_sign, strict=True)
            yield Leg(cause, HOUSE, sign < 0, players, amounts)


def _moving(players: Iterable[str], amounts: Iterable[int]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Leave out the rows that move nothing."""
    column = tuple(amounts)
    return tuple(compress(players, column)), tuple(filter(None, column))
