"""The virtual shoe's dealer: whole rounds from a committed shuffle, through the real source, across a restart."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from support.actors import LiveActor, live_actor, until
from support.tables import a_setup, player

from drivers.virtual_shoe.plugin import VirtualShoePlugin
from drivers.virtual_shoe.shuffle import commitment, order
from studio.adapters.variants import load_variant
from studio.domain.events import CardDealt, ShuffleCommitted, ShuffleOpened
from studio.domain.phases import Phase, phase
from studio.domain.setup import TableSetup
from studio.ports.devices import Resume
from studio.runtime.ingest import Ingest
from studio.runtime.virtual_dealer import VirtualDealer

ANNA = player("anna")


def european() -> TableSetup:
    return a_setup(load_variant("european"), opens_itself=True, commits_itself=True)


@asynccontextmanager
async def dealt(path: Path) -> AsyncIterator[LiveActor]:
    async with live_actor(path, setup=european(), balances={"anna": 50_000}) as live:
        shoe = live.actor.table.shoe
        resume = Resume(shoe.load, shoe.drawn) if shoe else None
        source = VirtualShoePlugin().open("shoe-1", {"decks": 6}, resume=resume, capture=lambda *_: None)
        dealer = VirtualDealer(live.actor, source, live.clock, 0)
        ingest = Ingest(source, live.actor.submit, live.clock)
        tasks = [asyncio.create_task(ingest.run()), asyncio.create_task(dealer.run())]
        try:
            yield live
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await source.close()


E = TypeVar("E")


def all_of(live: LiveActor, kind: type[E]) -> list[E]:
    return [event for event in live.observer.events if isinstance(event, kind)]


async def play_to_the_end(live: LiveActor, opened: int) -> None:
    """Answer nothing; deadlines do."""
    for _ in range(200):
        if len(all_of(live, ShuffleOpened)) >= opened:
            return
        await asyncio.sleep(0.005)
        await live.wait(1)
    await until(lambda: len(all_of(live, ShuffleOpened)) >= opened)


async def test_rounds_are_dealt_from_a_shuffle_that_everybody_can_check(tmp_path: Path) -> None:
    async with dealt(tmp_path / "j") as live:
        await until(lambda: phase(live.actor.table) is Phase.BETTING)
        await live.bet(ANNA, 1, 1000)
        await play_to_the_end(live, 1)
        opened = all_of(live, ShuffleOpened)[0]
        cards = [event.card for event in all_of(live, CardDealt)]
        seed = bytes.fromhex(opened.seed)
        assert opened.commitment == commitment(seed, 6, "t1", 1)
        assert tuple(cards) == order(seed, 6)[: len(cards)]
        assert len(cards) >= 4
        await until(lambda: len(all_of(live, ShuffleCommitted)) == 2)
        assert live.wallet.totals() == {"EUR": 0}


async def test_a_restart_in_mid_round_goes_on_with_the_same_order_and_needs_no_felt(tmp_path: Path) -> None:
    async with dealt(tmp_path / "j") as live:
        await until(lambda: phase(live.actor.table) is Phase.BETTING)
        await live.bet(ANNA, 1, 1000)
        await live.wait(15)
        await until(lambda: phase(live.actor.table) is not Phase.DEALING)
        before = [event.card for event in all_of(live, CardDealt)]
    async with dealt(tmp_path / "j") as live:
        assert not live.actor.table.incidents
        await play_to_the_end(live, 1)
        opened = all_of(live, ShuffleOpened)[0]
        cards = [*before, *(event.card for event in all_of(live, CardDealt))]
        assert tuple(cards) == order(bytes.fromhex(opened.seed), 6)[: len(cards)]


async def test_the_seed_is_sealed_until_it_is_opened(tmp_path: Path) -> None:
    async with dealt(tmp_path / "j") as live:
        await until(lambda: phase(live.actor.table) is Phase.BETTING)
        shoe = live.actor.table.shoe
        assert shoe is not None
        await live.bet(ANNA, 1, 1000)
        written = _every_byte_in(tmp_path)
        assert shoe.commitment.encode() in written
        assert shoe.seed.encode() not in written
        assert bytes.fromhex(shoe.seed) not in written


def _every_byte_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())
