"""The books after each round of a lock-step table: ledger, balances and cards, each against what others know.

The balances are read from the file, the results from the events, the cards from whoever dealt them. It raises
``AssertionError`` where they differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing

from drivers.virtual_shoe.shuffle import commitment, order
from hardware_sim.shoe import Shoe as StackOfCards
from studio.adapters.sqlite_ledger import totals
from studio.adapters.sqlite_store import open_read_only
from studio.domain.bets import BetKind, ResultBatch
from studio.domain.events import (
    CardBurned,
    CardDealt,
    CardsReturned,
    Event,
    RoundClosed,
    RoundSettled,
    RoundVoided,
    ShoeLoaded,
    ShuffleCommitted,
    ShuffleOpened,
)
from studio.domain.instants import Instant
from studio.domain.money import player_account, table_account
from studio.domain.shoe import EMPTY_INVENTORY, Shoe, counted
from studio.domain.table import Table
from support.actors import NotingObserver
from support.lockstep import LockStepTable
from support.lockstep_cards import LeftShoe


class RoundAudit(NotingObserver):
    """Observes a table; :meth:`check` after each step does nothing until a round was closed."""

    def __init__(self) -> None:
        super().__init__()
        self.rounds = 0
        self.cards = 0
        self.staked = 0
        self.shoes = 0
        self.seen: Counter[type] = Counter()
        """How often each kind of event happened."""
        self.kinds: Counter[BetKind] = Counter()
        self.most_hands = 0
        """The most hands that one seat came to."""
        self.most_seats = 0
        """The most seats that one player had in a round."""
        self._balances: dict[str, int] = {}
        self._counted = EMPTY_INVENTORY
        self._inventory = EMPTY_INVENTORY
        """Copies out since the shoe was last full, counted from the events, as of the last card."""
        self._shoe: Shoe | None = None
        """The studio's shoe as of the last card."""
        self._loads: dict[str, int] = {}
        self._last_card: LeftShoe | None = None
        self._checked = 0
        self._closed = 0

    def __str__(self) -> str:
        settled, voided = self.seen[RoundSettled], self.seen[RoundVoided]
        wagers = ", ".join(f"{kind} {count}" for kind, count in sorted(self.kinds.items()))
        return (
            f"{self.rounds} rounds ({settled} settled, {voided} voided), {self.shoes} loads, {self.cards} cards, "
            f"{self.staked} minor units staked ({wagers})"
        )

    def happened(self, before: Table, event: Event, after: Table, at: Instant) -> None:
        """Count the event; note the shoe as it was with the last card out."""
        super().happened(before, event, after, at)
        self.seen[type(event)] += 1
        match event:
            case CardDealt(card=card) | CardBurned(card=card):
                self._counted = counted(self._counted, card)
                self._inventory, self._shoe = self._counted, after.shoe
            case ShoeLoaded() | ShuffleCommitted() | CardsReturned():
                self._counted = EMPTY_INVENTORY
                if isinstance(event, ShuffleCommitted):
                    self._loads[event.commitment] = event.load
            case RoundClosed():
                self._closed += 1
            case _:
                pass

    def begin(self, table: LockStepTable) -> None:
        """Take the balances as they are: between two rounds, whenever somebody has paid in."""
        self._balances = _balances(table)

    def check(self, table: LockStepTable, left: list[LeftShoe] | None, stack: StackOfCards | None) -> bool:
        """Check the round just closed, if one was; of a server's shoe ``left`` and ``stack`` are ``None``.

        Return whether there was one; ``left`` is then empty.
        """
        if self._closed == self.rounds:
            return False
        assert self._closed == self.rounds + 1, "two rounds were closed between two checks"
        events, self._checked = self.events[self._checked :], len(self.events)
        self.rounds += 1
        self._check_money(table, events)
        recorded = [
            LeftShoe(event.sighting.load, event.sighting.ordinal or 0, event.card)
            for event in events
            if isinstance(event, CardDealt | CardBurned)
        ]
        self._check_cards(recorded, self._opened(table, events) if left is None else left)
        assert self._shoe is not None
        assert self._shoe.seen == self._inventory
        assert self._shoe.out == sum(self._inventory)
        if stack is not None:
            assert (self._shoe.out, self._shoe.left) == (stack.dealt, stack.left)
        if left is not None:
            left.clear()
        return True

    def _check_money(self, table: LockStepTable, events: Iterable[Event]) -> None:
        """Each balance moved by its player's results alone, nothing lies on the table, accounts sum to zero."""
        net: Counter[str] = Counter()
        for event in events:
            if isinstance(event, RoundSettled):  # what is returned or refunded goes back in full: nobody's net
                self._count(event.results)
                for result in event.results:
                    net[result.player] += result.returned - result.stake
        before, self._balances = self._balances, _balances(table)
        moved = {account: self._balances[account] - before.get(account, 0) for account in self._balances}
        players = {account: amount for account, amount in moved.items() if account.startswith(player_account(""))}
        assert players == {account: net[account.removeprefix(player_account(""))] for account in players}
        assert set(map(player_account, net)) <= players.keys()
        assert self._balances.get(table_account(table.setup.table), 0) == 0, "stakes were left on the table"

    def _count(self, results: ResultBatch) -> None:
        self.staked += sum(result.stake for result in results)
        self.kinds.update(result.kind for result in results)
        self.most_hands = max(self.most_hands, *(result.hand for result in results))
        seats = Counter(result.player for result in results if result.kind is BetKind.MAIN)
        self.most_seats = max(self.most_seats, *seats.values())

    def _check_cards(self, recorded: Sequence[LeftShoe], left: Sequence[LeftShoe]) -> None:
        """Each card that left the shoe is on record once, in its order, without a gap."""
        assert list(recorded) == list(left)
        for card in recorded:
            last, self._last_card = self._last_card, card
            if last is None or last.load != card.load:
                assert card.ordinal == 1, f"{card} is the first of its load"
                assert last is None or last.load < card.load, f"{card} after {last}"
                self.shoes += 1
            else:
                assert card.ordinal == last.ordinal + 1, f"{card} after {last}"
        self.cards += len(recorded)

    def _opened(self, table: LockStepTable, events: Iterable[Event]) -> list[LeftShoe]:
        """Return the cards that the round's opened seed promises, as many as were dealt; check the promise."""
        (opened,) = [event for event in events if isinstance(event, ShuffleOpened)]
        dealt = sum(isinstance(event, CardDealt) for event in events)
        seed, decks = bytes.fromhex(opened.seed), table.setup.rules.decks
        assert opened.commitment == commitment(seed, decks, table.setup.table, opened.round)
        load = self._loads.pop(opened.commitment)
        return [LeftShoe(load, place, card) for place, card in enumerate(order(seed, decks)[:dealt], start=1)]


def _balances(table: LockStepTable) -> dict[str, int]:
    """Return every account of the table's currency as it is on disk; no currency is out of balance."""
    with closing(open_read_only(table.path)) as connection:
        assert not any(totals(connection).values()), "the ledger does not sum to zero"
        rows = connection.execute(
            "SELECT account, amount FROM balances WHERE currency = ?", (table.setup.limits.currency,)
        )
        return dict(rows.fetchall())
