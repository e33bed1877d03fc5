"""Rounds of each variant through driver, engine and ledger, with the books checked after every one.

In one process, on the manual clock: a simulated shoe's bytes through the driver's session, ingest's translation,
the table and the ledger on a file; the european table deals from the server's own shoe. ``STUDIO_ROUNDS=10000
pytest -s tests/system/test_rounds.py`` is the long form.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import structlog
from support.lockstep import OPENING_BALANCE, LockStepTable, folded
from support.lockstep_cards import ServerShoe, WiredShoe
from support.round_audit import RoundAudit
from support.tables import a_setup

from studio.adapters.variants import load_variant
from studio.domain.bets import BetKind
from studio.domain.events import (
    ActionPlanned,
    BetsReturned,
    CardsReturned,
    CardUnread,
    CutCardSeen,
    Event,
    FollowAnswered,
    InsuranceAnswered,
    SharedDecisionsTaken,
    SharedInsuranceAnswered,
    ShoeClosed,
    ShuffleOpened,
)
from studio.domain.money import VIRTUAL_UNITS, player_account
from studio.domain.rules import Shuffling
from studio.domain.setup import Limits, TableSetup
from studio.domain.table import Table

ROUNDS = int(os.environ.get("STUDIO_ROUNDS", "15"))
_MORE_ROUNDS = 100
"""How much longer a course may go on that has not seen everything yet."""
_POOR = 2_000
_POOR_BELOW = 500


@dataclass(frozen=True, slots=True)
class Course:
    """A table to play at, how many play, and what must have happened for the course to prove anything."""

    setup: TableSetup
    players: int
    seed: int
    events: frozenset[type[Event]]
    kinds: frozenset[BetKind]
    hands: int = 2
    seats: int = 1

    def is_rich(self, audit: RoundAudit) -> bool:
        """Tell whether all of it has been seen."""
        wide = audit.most_hands >= self.hands and audit.most_seats >= self.seats
        return wide and self.events <= audit.seen.keys() and self.kinds <= audit.kinds.keys()


_DELUXE = Course(
    a_setup(cut_position=300),
    players=5,
    seed=20,
    events=frozenset(
        {ActionPlanned, BetsReturned, CardUnread, CutCardSeen, FollowAnswered, InsuranceAnswered, ShoeClosed}
    ),
    kinds=frozenset({BetKind.SPLIT, BetKind.INSURANCE, BetKind.BEHIND, BetKind.BEHIND_INSURANCE, BetKind.PAIR}),
    seats=2,
)
_INFINITE = Course(
    a_setup(load_variant("infinite"), cut_position=360),
    players=8,
    seed=12,
    events=frozenset({CutCardSeen, SharedDecisionsTaken, SharedInsuranceAnswered, ShoeClosed}),
    kinds=frozenset(
        {
            BetKind.SPLIT,
            BetKind.INSURANCE,
            BetKind.PAIR,
            BetKind.BUST,
            BetKind.LUCKY_THREE,
            BetKind.POKER_THREE,
        }
    ),
)
_EUROPEAN = Course(
    a_setup(
        load_variant("european"),
        limits=Limits(VIRTUAL_UNITS, 100, 1_000_000, 2),
        opens_itself=True,
        commits_itself=True,
    ),
    players=6,
    seed=13,
    events=frozenset({ActionPlanned, ShuffleOpened}),
    kinds=frozenset({BetKind.SPLIT}),
    hands=3,
)
_CONTINUOUS = Course(
    a_setup(load_variant("continuous"), cut_position=0, opens_itself=True),
    players=3,
    seed=23,
    events=frozenset({CardsReturned, InsuranceAnswered}),
    kinds=frozenset({BetKind.SPLIT}),
)


@pytest.fixture
def _quiet() -> Iterator[None]:
    """Keep the log of so many rounds to warnings, so that the campaign's figures can be read."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    yield
    structlog.reset_defaults()


@pytest.mark.usefixtures("_quiet")
@pytest.mark.parametrize(
    "course", [_DELUXE, _INFINITE, _EUROPEAN, _CONTINUOUS], ids=lambda one: one.setup.rules.variant
)
@pytest.mark.timeout(60 + 2 * ROUNDS)
async def test_every_balance_and_every_card_is_right_after_every_round(course: Course, tmp_path: Path) -> None:
    balances = {f"p{number}": _POOR if number % 2 else OPENING_BALANCE for number in range(course.players)}
    audit = RoundAudit()
    is_virtual = course.setup.rules.shuffling is Shuffling.VIRTUAL
    table = LockStepTable(
        tmp_path / "journal.sqlite",
        course.seed,
        ServerShoe if is_virtual else WiredShoe,
        setup=course.setup,
        balances=balances,
        observer=audit,
    )
    await table.open()
    audit.begin(table)
    left, stack = (table.cards.left, table.cards.shoe) if isinstance(table.cards, WiredShoe) else (None, None)
    while audit.rounds < ROUNDS or (not course.is_rich(audit) and audit.rounds < ROUNDS + _MORE_ROUNDS):
        for move in (table.wait, table.act):
            await move()
            if audit.check(table, left, stack):
                await _pay_in(table, tuple(balances), audit.rounds)
                audit.begin(table)
    events = table.events()
    await table.close()

    assert events == audit.events, "the file holds other events than were published"
    assert folded(Table(table.setup), events) == table.actor.table
    assert course.is_rich(audit), f"the course is too poor to prove anything: {audit}, {audit.seen}"
    print(f"\n{course.setup.rules.variant}: {audit}; refused: {dict(sorted(table.players.refused.items()))}")  # noqa: T201 - the campaign's figures


async def _pay_in(table: LockStepTable, players: Sequence[str], round_: int) -> None:
    """Let the poor come again: they run out of money in the middle of rounds, not for good."""
    for name in players:
        if table.wallet.available(player_account(name)) < _POOR_BELOW:
            await table.wallet.deposit(name, _POOR, f"{name}:{round_}", table.clock.now())
