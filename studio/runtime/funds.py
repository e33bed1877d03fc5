"""Funds: reserved before the core decides, so that it only sees whether an amount is covered."""

from __future__ import annotations

from dataclasses import dataclass, replace

from studio.domain.commands import AnswerInsurance, Command, Decide, PlaceBets
from studio.domain.money import player_account
from studio.domain.playing import added_stake, insurance_amount
from studio.domain.table import Table
from studio.ports.wallet import Reservation, Wallet


@dataclass(frozen=True, slots=True)
class FundedCommand:
    """A command that knows what is covered, and the reservations to release once it is decided and written."""

    command: Command
    reservations: tuple[Reservation, ...] = ()

    def release(self, wallet: Wallet) -> None:
        """End the reservations."""
        for reservation in self.reservations:
            wallet.release(reservation)


def reserve_funds(table: Table, command: Command, wallet: Wallet) -> FundedCommand:
    """Reserve what a command would cost and tell it whether that is covered."""
    match command:
        case PlaceBets(bets):
            found = tuple(_reserve(wallet, bet.player, bet.amount) for bet in bets)
            funded = tuple(one is not None for one in found)
            return FundedCommand(replace(command, funded=funded), tuple(one for one in found if one))
        case AnswerInsurance(player, seat, take):
            amount = insurance_amount(table, seat) if take else 0
        case Decide(player, _, action):
            amount = added_stake(table, action)
        case _:
            return FundedCommand(command)
    if amount == 0:
        return FundedCommand(replace(command, funded=True))
    reservation = _reserve(wallet, player, amount)
    held = () if reservation is None else (reservation,)
    return FundedCommand(replace(command, funded=reservation is not None), held)


def _reserve(wallet: Wallet, player: str, amount: int) -> Reservation | None:
    return wallet.reserve(player_account(player), amount) if amount > 0 else None
