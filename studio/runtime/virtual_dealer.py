"""The hand that deals a virtual shoe: it has a shuffle committed before each round and draws the card that is due.

The server is the dealer of such a table; nothing lies on a felt. The seed is in the journal, sealed, before the
first card is drawn, so that a restart goes on with the same order.
"""

from __future__ import annotations

import asyncio

from studio.domain.people import SYSTEM
from studio.domain.phases import Phase, expected_slot, phase
from studio.domain.shoe_commands import LoadShuffle
from studio.ports.clock import Clock
from studio.ports.devices import DrawnSource
from studio.ports.journal import JournalError
from studio.runtime.inbox import Submission
from studio.runtime.table_actor import TableActor

_RETRY_NS = 250_000_000


class VirtualDealer:
    """Deals one table from ``source``, a card every ``card_ns``; run it as a task."""

    def __init__(self, actor: TableActor, source: DrawnSource, clock: Clock, card_ns: int) -> None:
        self._actor = actor
        self._source = source
        self._clock = clock
        self._card_ns = card_ns
        self._changed = asyncio.Event()
        self._drawn_from: tuple[int, int] | None = None
        shoe = actor.table.shoe
        if shoe is not None and shoe.seed:
            source.restore(bytes.fromhex(shoe.seed), shoe.load, shoe.drawn)

    async def run(self) -> None:
        """Deal until cancelled."""
        stop = self._actor.watch(self._changed.set)
        try:
            while True:
                self._changed.clear()
                await self._act()
                await self._changed.wait()
        finally:
            stop()

    async def _act(self) -> None:
        table = self._actor.table
        if table.is_stopped:
            return
        if table.shoe is None and phase(table) is Phase.IDLE:
            await self._shuffle()
        elif table.round is not None and expected_slot(table.setup.rules, table.round) is not None:
            await self._draw()

    async def _shuffle(self) -> None:
        table = self._actor.table
        shuffle = await self._source.load(table.setup.table, table.rounds + 1)
        command = LoadShuffle(shuffle.load, shuffle.commitment, shuffle.seed.hex())
        while True:
            try:
                await self._actor.submit(Submission(command, SYSTEM, f"shuffle: round {table.rounds + 1}"))
            except JournalError:
                await self._clock.sleep_until(self._clock.now().monotonic_ns + _RETRY_NS)
            else:
                return

    async def _draw(self) -> None:
        """Draw the card that is due, once: the next only when this one is on record."""
        if self._place() == self._drawn_from:
            return
        await self._clock.sleep_until(self._clock.now().monotonic_ns + self._card_ns)
        table = self._actor.table
        still_due = table.round is not None and expected_slot(table.setup.rules, table.round) is not None
        if still_due and not table.is_stopped:
            self._drawn_from = self._place()
            await self._source.draw()

    def _place(self) -> tuple[int, int] | None:
        """Return where the shoe stands: its load and the cards drawn from it."""
        shoe = self._actor.table.shoe
        return None if shoe is None else (shoe.load, shoe.drawn)
