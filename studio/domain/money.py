"""Money as transfers between accounts, derived from events (rules.md M3).

Double entry: each transfer takes from one account what it gives to another, so all accounts always sum to zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from studio.domain.bets import BetKind, Result
from studio.domain.events import (
    BetsPlaced,
    BetsReturned,
    DecisionTaken,
    Event,
    FollowAnswered,
    InsuranceAnswered,
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


def transfers(before: Table, event: Event) -> tuple[Transfer, ...]:
    """Return the money that ``event`` moves, given the table as it was before it."""
    currency = before.setup.limits.currency
    stakes = table_account(before.setup.table)

    def stake(player: str, amount: int, kind: BetKind) -> Transfer:
        return Transfer(player_account(player), stakes, currency, amount, f"{kind} bet")

    match event:
        case BetsPlaced(bets=bets):
            return tuple(stake(bet.player, bet.amount, bet.kind) for bet in bets)
        case InsuranceAnswered(player=player, amount=amount) if amount:
            return (stake(player, amount, BetKind.INSURANCE),)
        case DecisionTaken(hand=hand, added_stake=added, action=action) if added:
            owner = before.owner_of(hand.seat)
            return (Transfer(player_account(owner), stakes, currency, added, str(action)),)
        case RoundSettled(results=results):
            return tuple(move for result in results for move in _payout(result, stakes, currency))
        case SharedInsuranceAnswered(players, amounts):
            paid = zip(players, amounts, strict=True)
            return tuple(stake(player, amount, BetKind.INSURANCE) for player, amount in paid if amount)
        case SharedDecisionsTaken(_, players, _, actions, added_stakes):
            rows = zip(players, actions, added_stakes, strict=True)
            return tuple(
                Transfer(player_account(player), stakes, currency, added, str(action))
                for player, action, added in rows
                if added
            )
        case FollowAnswered(player=player, added_stake=added) if added:
            return (Transfer(player_account(player), stakes, currency, added, "bet behind follows"),)
        case BetsReturned(bets=bets):
            return tuple(
                Transfer(stakes, player_account(bet.player), currency, bet.amount, f"{bet.kind} returned")
                for bet in bets
            )
        case RoundVoided(refunds=refunds):
            return tuple(
                Transfer(stakes, player_account(bet.player), currency, bet.amount, f"{bet.kind} refund")
                for bet in refunds
            )
        case _:
            return ()


def _payout(result: Result, stakes: str, currency: str) -> Iterator[Transfer]:
    """Yield what settles one wager: the stake goes back or to the house, winnings come from the house."""
    account = player_account(result.player)
    lost, won = result.stake - result.returned, result.returned - result.stake
    if back := min(result.returned, result.stake):
        yield Transfer(stakes, account, currency, back, f"{result.kind} returned")
    if lost > 0:
        yield Transfer(stakes, HOUSE, currency, lost, f"{result.kind} lost")
    if won > 0:
        yield Transfer(HOUSE, account, currency, won, f"{result.kind} won")
