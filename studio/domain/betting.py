"""Seats and bets: which are taken, and why the others are not (rules.md R1, B0 to B6, M1, M2, M7, P4, S9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain

from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.bets import SIDE_BETS, Bet, BetKind, Placement, batch_of
from studio.domain.commands import LeaveSeat, PlaceBets, SetFollowing, TakeSeat
from studio.domain.events import BetsPlaced, BetsReturned, Event, FollowingSet, SeatEnd, SeatLeft, SeatTaken
from studio.domain.phases import is_betting
from studio.domain.profile import OverLimitBet
from studio.domain.rules import Layout, Money, UnderMinimum
from studio.domain.table import Following, Round, RoundEnd, Table


@dataclass(slots=True)
class _Taken:
    """What lies on the table while a batch is answered, bet by bet."""

    main: dict[int, tuple[str, int]]
    others: dict[tuple[BetKind, int, str], int]
    holders: dict[int, str]
    bets: list[Bet] = field(default_factory=list)
    seated: list[SeatTaken] = field(default_factory=list)

    def on(self, bet: Bet) -> int:
        """Return what the player has there already."""
        return self.others.get((bet.kind, bet.seat, bet.player), 0)

    def seats_of(self, player: str) -> tuple[int, ...]:
        return tuple(seat for seat, holder in self.holders.items() if holder == player)

    def take(self, bet: Bet) -> None:
        self.bets.append(bet)
        self.others[bet.kind, bet.seat, bet.player] = self.on(bet) + bet.amount
        if bet.kind is BetKind.MAIN:
            self.main[bet.seat] = (bet.player, self.on(bet))


def _taken(table: Table, current: Round, players: frozenset[str] = frozenset()) -> _Taken:
    """Gather what lies there; of the shared hand's very many bets only those of ``players``: no others matter."""
    found = _Taken({}, {}, {one.seat: one.player for one in table.seats})
    is_shared = table.setup.rules.layout is Layout.SHARED_HAND
    for batch in current.bets:
        if is_shared and players.isdisjoint(batch.players):
            continue
        for bet in batch:
            found.take(bet)
    found.bets.clear()
    return found


def _betting_refusal(table: Table, at_ns: int) -> Rejected | None:
    """Return why no bet can be placed at all just now."""
    current = table.round
    if current is None or current.end is not RoundEnd.NOT_YET or not is_betting(current):
        return Rejected("betting-closed", "Betting is closed; wait for the next round")
    if table.is_stopped:
        return Rejected("table-stopped", "The table is stopped; the bet can be placed when it goes on")
    if current.betting_deadline_ns is not None and at_ns >= current.betting_deadline_ns:
        return Rejected("betting-closed", "The bet came after the deadline; nothing was charged")
    return None


def place_bets(table: Table, command: PlaceBets, at_ns: int) -> Answer:
    """Answer each placing on its own; what is taken becomes one event."""
    refusal = _betting_refusal(table, at_ns)
    current = table.round
    if refusal is not None or current is None:
        return refusal or Rejected("betting-closed", "Betting is closed; wait for the next round")
    taken = _taken(table, current, frozenset(bet.player for one in command.placements for bet in one.bets))
    items: list[Rejected | None] = []
    for placement in command.placements:
        reason = _placement_refusal(table, taken, placement, command.trial)
        items.append(reason)
        if reason is None:
            for bet in placement.bets:
                _sit(table, taken, bet)
                taken.take(bet)
    events: tuple[Event, ...] = tuple(taken.seated)
    if taken.bets:
        events += (BetsPlaced(batch_of(*taken.bets)),)
    return Accepted(events, tuple(items))


def _sit(table: Table, taken: _Taken, bet: Bet) -> None:
    """B1: a main bet takes a free seat."""
    if table.setup.rules.layout is Layout.SEATS and bet.kind is BetKind.MAIN and bet.seat not in taken.holders:
        taken.holders[bet.seat] = bet.player
        taken.seated.append(SeatTaken(bet.seat, bet.player))


def _placement_refusal(
    table: Table, taken: _Taken, placement: Placement, trial: frozenset[str]
) -> Rejected | None:
    if not placement.funded:
        # What the bet itself would be refused for says more than the balance does.
        reasons = (_refusal(table, taken, bet, is_trial=bet.player in trial) for bet in placement.bets)
        uncovered = Rejected("insufficient-balance", "The balance does not cover this bet")
        return next((reason for reason in reasons if reason is not None), uncovered)
    for bet in placement.bets:
        reason = _refusal(table, taken, bet, is_trial=bet.player in trial)
        if reason is not None:
            return reason
    return None


def _refusal(table: Table, taken: _Taken, bet: Bet, *, is_trial: bool) -> Rejected | None:
    rules, limits = table.setup.rules, table.setup.limits
    if not 1 <= bet.seat <= rules.seats:
        return Rejected("no-such-seat", f"Seats are 1 to {rules.seats}")
    whole = taken.on(bet) + bet.amount
    for wrong, code, text in (
        (
            bet.amount < 1 or bet.amount % limits.increment,
            "not-an-increment",
            f"Bet a multiple of {limits.increment}",
        ),
        (whole < limits.minimum, "under-minimum", f"The minimum is {limits.minimum}"),
        (whole > limits.maximum, "over-maximum", f"The maximum is {limits.maximum}"),
    ):
        if wrong:
            return Rejected(code, text)
    match bet.kind:
        case BetKind.MAIN:
            return _main_refusal(table, taken, bet, is_trial=is_trial)
        case BetKind.BEHIND:
            return _behind_refusal(table, taken, bet)
        case BetKind.PAIR | BetKind.BUST | BetKind.LUCKY_THREE | BetKind.POKER_THREE:
            return _side_refusal(table, taken, bet)
        case _:
            return Rejected("kind-not-offered", f"A bet of kind {bet.kind} follows from play; it cannot be placed")


def _main_refusal(table: Table, taken: _Taken, bet: Bet, *, is_trial: bool) -> Rejected | None:
    if table.setup.rules.layout is Layout.SHARED_HAND:
        return None
    if table.setup.rules.layout is Layout.SINGLE_HAND:
        owner = taken.main.get(bet.seat)
        taken_by_other = owner is not None and owner[0] != bet.player
        return Rejected("seat-taken", "Another player is playing this hand") if taken_by_other else None
    if bet.seat in taken.seats_of(bet.player):
        return None
    return _seat_refusal(table, taken.holders, bet.player, bet.seat, is_trial=is_trial)


def _behind_refusal(table: Table, taken: _Taken, bet: Bet) -> Rejected | None:
    if not table.setup.rules.bet_behind:
        return Rejected("kind-not-offered", "This game has no bets behind")
    holder = taken.holders.get(bet.seat)
    if holder is None:
        return Rejected("seat-not-taken", "Bet behind a seat that somebody holds")
    if holder == bet.player:
        return Rejected("own-seat", "You cannot bet behind yourself")
    return None


def _side_refusal(table: Table, taken: _Taken, bet: Bet) -> Rejected | None:
    rules = table.setup.rules
    if SIDE_BETS[bet.kind] not in rules.side_bets:
        return Rejected("kind-not-offered", f"This game has no {SIDE_BETS[bet.kind]} bet")
    if side_bet_rounds_left(table, bet.kind) == 0:
        return Rejected("side-bet-closed", f"The {SIDE_BETS[bet.kind]} bet is closed for the rest of this shoe")
    if rules.layout is Layout.SEATS and bet.seat not in taken.holders:
        return Rejected("seat-not-taken", "Place this bet on a seat that somebody holds")
    return None


def side_bet_rounds_left(table: Table, kind: BetKind) -> int | None:
    """Return for how many rounds, this one included, a side bet is open in this shoe (S9); ``None`` for ever."""
    rule = table.setup.rules.side_bets.get(SIDE_BETS[kind])
    if rule is None:
        return 0
    if rule.rounds_per_shoe is None or table.shoe is None:
        return rule.rounds_per_shoe
    is_open = table.round is not None and is_betting(table.round)
    begun = table.shoe.rounds - (1 if is_open else 0)
    return max(0, rule.rounds_per_shoe - begun)


def _seat_refusal(
    table: Table, holders: Mapping[int, str], player: str, seat: int, *, is_trial: bool
) -> Rejected | None:
    """B0, B5: a free seat, not too many, and no trial accounts where the money is real."""
    rules = table.setup.rules
    if rules.layout is not Layout.SEATS:
        return Rejected("no-seats", "This game has no seats to take")
    if not 1 <= seat <= rules.seats:
        return Rejected("no-such-seat", f"Seats are 1 to {rules.seats}")
    if seat in holders:
        return Rejected("seat-taken", "Another player holds this seat; choose a free one")
    if is_trial and rules.money is Money.CURRENCY:
        return Rejected("trial-account", "Trial and play-money accounts may not sit; bet behind a seat")
    if sum(holder == player for holder in holders.values()) >= rules.seats_per_player:
        return Rejected("too-many-seats", f"A player may hold {rules.seats_per_player} seats")
    return None


def take_seat(table: Table, command: TakeSeat) -> Answer:
    """Sit a player down (B0)."""
    holders = {one.seat: one.player for one in table.seats}
    if holders.get(command.seat) == command.player:
        return Accepted()
    refusal = _seat_refusal(table, holders, command.player, command.seat, is_trial=command.is_trial)
    return refusal or Accepted((SeatTaken(command.seat, command.player),))


def leave_seat(table: Table, command: LeaveSeat) -> Answer:
    """Give a seat back between its bets; what others bet on it goes back (B1)."""
    if (command.seat, command.player) not in {(one.seat, one.player) for one in table.seats}:
        return Rejected("not-your-seat", "You do not hold this seat")
    current = table.round
    if current is not None and current.end is RoundEnd.NOT_YET and command.seat in current.main_bets():
        return Rejected("bet-in-play", "The seat's bet is in play; leave after the round")
    left = SeatLeft(command.seat, command.player, SeatEnd.LEFT)
    placed = chain.from_iterable(current.bets) if current is not None and is_betting(current) else ()
    orphans = tuple(bet for bet in placed if bet.seat == command.seat)
    return Accepted((left, BetsReturned(batch_of(*orphans))) if orphans else (left,))


def set_following(table: Table, command: SetFollowing) -> Answer:
    """Keep a player's standing answers to follow questions."""
    if not table.setup.rules.bet_behind:
        return Rejected("kind-not-offered", "This game has no bets behind")
    wanted = Following(command.player, command.double, command.split)
    if wanted in table.following:
        return Accepted()
    return Accepted((FollowingSet(command.player, command.double, command.split),))


class Planner:
    """Says what each placing of a batch comes to, one after the other: raised (M2), mirrored on two seats (B4).

    Ask :meth:`plan` with the balance as it is by then, and :meth:`take` what was covered.
    """

    def __init__(self, table: Table) -> None:
        self._rules, self._limits = table.setup.rules, table.setup.limits
        self._lowers = table.setup.profile.over_limit_bet is OverLimitBet.LOWER
        self._changes_nothing = table.round is None or self._rules.layout is Layout.SHARED_HAND
        self._taken = (
            _Taken({}, {}, {}) if table.round is None or self._changes_nothing else _taken(table, table.round)
        )

    def plan(self, bet: Bet, available: int) -> Placement:
        """Return what a bet comes to with ``available`` minor units left; not yet funded."""
        over = self._taken.on(bet) + bet.amount - self._limits.maximum
        if self._lowers and 0 < over < bet.amount:
            lowered = self._planned(bet._replace(amount=bet.amount - over), available)
            return lowered._replace(note="lowered-to-maximum")
        return self._planned(bet, available)

    def _planned(self, bet: Bet, available: int) -> Placement:
        if self._changes_nothing or bet.kind is not BetKind.MAIN or bet.amount < 1:
            return Placement((bet,))
        whole = self._taken.on(bet) + bet.amount
        if self._rules.under_minimum is UnderMinimum.RAISE and whole < self._limits.minimum:
            raised = bet._replace(amount=bet.amount + self._limits.minimum - whole)
            return Placement((raised,), note="raised-to-minimum")
        seats = sorted({*self._taken.seats_of(bet.player), bet.seat})
        if self._rules.layout is not Layout.SEATS or len(seats) == 1:
            return Placement((bet,))
        before = {seat: self._taken.on(bet._replace(seat=seat)) for seat in seats}
        return _mirrored(bet, before, available, self._limits.increment)

    def take(self, placement: Placement) -> None:
        """Count a covered placing, so that the batch's next one is planned after it."""
        if self._changes_nothing:
            return
        for bet in placement.bets:
            self._taken.take(bet)
            if bet.kind is BetKind.MAIN:
                self._taken.holders.setdefault(bet.seat, bet.player)


def _mirrored(bet: Bet, before: dict[int, int], available: int, increment: int) -> Placement:
    """B4: all seats of a player carry the same bet; what the balance does not cover is shared equally.

    What lies on a seat already stays: where the balance cannot bring the other one up to it, nothing is covered.
    """
    asked = max(before[bet.seat] + bet.amount, *before.values())
    affordable = (available + sum(before.values())) // len(before) // increment * increment
    each = max(min(asked, affordable), *before.values())
    bets = tuple(bet._replace(seat=seat, amount=each - has) for seat, has in before.items() if each > has)
    if not bets:
        return Placement((bet,))
    if each < asked:
        return Placement(bets, note="shared-between-seats")
    return Placement(bets, note="" if bet in bets else "mirrored")
