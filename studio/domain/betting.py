"""Bets: which are taken, and why the others are not (rules.md R1, M1, M2, M7)."""

from __future__ import annotations

from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.bets import Bet, BetKind, batch_of
from studio.domain.commands import PlaceBets
from studio.domain.events import BetsPlaced
from studio.domain.phases import is_betting
from studio.domain.setup import TableSetup
from studio.domain.table import RoundEnd, Table


def place_bets(table: Table, command: PlaceBets, at_ns: int) -> Answer:
    """Answer each bet of the batch on its own; those taken become one event."""
    current = table.round
    if current is None or current.end is not RoundEnd.NOT_YET or not is_betting(current):
        return Rejected("betting-closed", "Betting is closed; wait for the next round")
    if table.is_stopped:
        return Rejected("table-stopped", "The table is stopped; the bet can be placed when it goes on")
    deadline_ns = current.betting_deadline_ns
    if deadline_ns is not None and at_ns >= deadline_ns:
        return Rejected("betting-closed", "The bet came after the deadline; nothing was charged")
    seats = current.main_bets()
    taken: list[Bet] = []
    items: list[Rejected | None] = []
    for bet, funded in zip(command.bets, command.funded, strict=True):
        reason = _refusal(table.setup, seats.get(bet.seat), bet, funded=funded)
        items.append(reason)
        if reason is None:
            taken.append(bet)
            before = seats.get(bet.seat)
            seats[bet.seat] = bet._replace(amount=bet.amount + (before.amount if before else 0))
    return Accepted((BetsPlaced(batch_of(*taken)),) if taken else (), tuple(items))


def _refusal(setup: TableSetup, before: Bet | None, bet: Bet, *, funded: bool) -> Rejected | None:
    limits = setup.limits
    whole = bet.amount + (before.amount if before else 0)
    for wrong, code, text in (
        (bet.kind is not BetKind.MAIN, "kind-not-offered", "This table takes main bets only"),
        (not 1 <= bet.seat <= setup.rules.seats, "no-such-seat", f"Seats are 1 to {setup.rules.seats}"),
        (
            before is not None and before.player != bet.player,
            "seat-taken",
            "Another player bets on this seat; choose a free one",
        ),
        (
            bet.amount < 1 or bet.amount % limits.increment != 0,
            "not-an-increment",
            f"Bet a multiple of {limits.increment}",
        ),
        (whole < limits.minimum, "under-minimum", f"The minimum is {limits.minimum}"),
        (whole > limits.maximum, "over-maximum", f"The maximum on a seat is {limits.maximum}"),
        (not funded, "insufficient-balance", "The balance does not cover this bet"),
    ):
        if wrong:
            return Rejected(code, text)
    return None
