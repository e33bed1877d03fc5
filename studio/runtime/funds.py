"""Funds: reserved before the core decides, so that it only sees whether an amount is covered."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from studio.domain.answers import Rejected
from studio.domain.bets import Placement
from studio.domain.betting import Planner
from studio.domain.changes import Change
from studio.domain.commands import (
    AnswerFollow,
    AnswerInsurance,
    Command,
    Decide,
    OpenBetting,
    PlaceBets,
)
from studio.domain.correction_commands import ApproveProposal, ReviseRound, Settled
from studio.domain.money import player_account
from studio.domain.playing import added_stake, follow_stake, insurance_amount
from studio.domain.proposals import find
from studio.domain.revising import differences, revised_results
from studio.domain.shared_commands import (
    Choosing,
    DecideAll,
    InsureAll,
    Insuring,
)
from studio.domain.shared_play import shared_cost, shared_stake
from studio.domain.table import Table
from studio.ports.wallet import Reservation, Wallet


@dataclass(slots=True)
class Funds:
    """The reservations of one command; release them once it is decided and written."""

    wallet: Wallet
    reservations: list[Reservation] = field(default_factory=list)

    def cover(self, player: str, amount: int) -> bool:
        """Reserve an amount and tell whether the balance covers it; nothing is always covered."""
        if amount <= 0:
            return True
        reservation = self.wallet.reserve(player_account(player), amount)
        if reservation is None:
            return False
        self.reservations.append(reservation)
        return True

    def available(self, player: str) -> int:
        """Return what a player could still stake."""
        return self.wallet.available(player_account(player))

    def release(self) -> None:
        """End the reservations."""
        for reservation in self.reservations:
            self.wallet.release(reservation)


def fund(table: Table, command: Command, funds: Funds) -> Command:
    """Return the command with what the balances say of it, their amounts reserved."""
    match command:
        case OpenBetting():
            minimum = table.setup.limits.minimum
            seated = {one.player for one in table.seats}
            return OpenBetting(frozenset(who for who in seated if funds.available(who) < minimum))
        case PlaceBets(placements):
            planner = Planner(table)
            return replace(command, placements=tuple(_place(planner, one, funds) for one in placements))
        case AnswerInsurance(player, seat, take):
            cost = insurance_amount(table, seat, player) if take else 0
            return replace(command, funded=funds.cover(player, cost))
        case AnswerFollow(player, _, follow):
            return replace(command, funded=funds.cover(player, follow_stake(table, player) if follow else 0))
        case Decide(player, _, action):
            return replace(command, funded=funds.cover(player, added_stake(table, action)))
        case DecideAll(_, choices):
            return replace(command, choices=tuple(_choose(table, one, funds) for one in choices))
        case ReviseRound(changes=changes, settled=Settled() as settled):
            return replace(command, settled=_bearable(settled, changes, funds))
        case ApproveProposal(proposal=number, settled=Settled() as settled):
            proposal = find(table, number)
            changes = () if isinstance(proposal, Rejected) else proposal.act.changes
            return replace(command, settled=_bearable(settled, changes, funds))
        case InsureAll(answers):
            return replace(command, answers=tuple(_insure(table, one, funds) for one in answers))
        case _:
            return command


def _bearable(settled: Settled, changes: tuple[Change, ...], funds: Funds) -> Settled:
    """Reserve of each balance what a revision takes back, as far as it goes."""
    results = revised_results(settled, changes)
    if isinstance(results, Rejected):
        return settled
    owing = {who: -amount for who, amount in differences(settled.results, results).items() if amount < 0}
    borne = ((who, max(0, min(amount, funds.available(who)))) for who, amount in owing.items())
    return settled._replace(bearable=tuple(row for row in borne if funds.cover(*row)))


def _place(planner: Planner, placement: Placement, funds: Funds) -> Placement:
    """Plan what one placing comes to by the balance as it is by then, and reserve it."""
    if len(placement.bets) != 1:
        return placement._replace(funded=False)
    bet = placement.bets[0]
    planned = planner.plan(bet, funds.available(bet.player))
    planned = planned._replace(funded=funds.cover(bet.player, sum(one.amount for one in planned.bets)))
    if planned.funded:
        planner.take(planned)
    return planned


def _choose(table: Table, choice: Choosing, funds: Funds) -> Choosing:
    shared = table.round.shared if table.round else None
    cost = shared_cost(shared, choice.player, choice.action) if shared else 0
    return choice._replace(funded=funds.cover(choice.player, cost))


def _insure(table: Table, answer: Insuring, funds: Funds) -> Insuring:
    shared = table.round.shared if table.round else None
    cost = shared_stake(shared, answer.player) // 2 if shared and answer.take else 0
    return answer._replace(funded=funds.cover(answer.player, cost))
