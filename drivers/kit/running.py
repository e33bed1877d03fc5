"""A driver that really runs: its source on a pseudo-terminal, read as the studio reads it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from drivers.kit.wire import PtyPeer
from studio.ports.devices import CardSource, DeviceEvent, EventKind

if TYPE_CHECKING:
    from drivers.kit.rig import DriverCase
    from studio.domain.cards import Card
    from studio.domain.instants import Instant

_PATIENCE_SECONDS: Final = 30.0


class Running:
    """A source and the device at its port. What it said is in :attr:`events`, while :attr:`is_reading`."""

    def __init__(self, source: CardSource, line: PtyPeer) -> None:
        self.source = source
        self.line = line
        self.events: list[DeviceEvent] = []
        self.is_reading = asyncio.Event()
        self.is_reading.set()

    async def read(self) -> None:
        """Read events and acknowledge them until the source is closed."""
        async for event in self.source.events():
            await self.is_reading.wait()
            self.events.append(event)
            await self.source.acknowledge(event)

    def links(self) -> list[str]:
        """Return the states of the link, in order."""
        return [str(event.details["state"]) for event in self.events if event.kind is EventKind.LINK]

    def cards(self) -> list[Card]:
        """Return every card that was told, sure or not."""
        return [event.card for event in self.events if event.kind is EventKind.CARD and event.card is not None]

    async def deal(self, card: Card) -> None:
        """Let the device read a card as soon as it can."""
        await self.until(lambda: self.line.peer.is_free)
        self.line.peer.card(card, time.monotonic_ns())

    async def until(self, is_so: Callable[[], object]) -> None:
        """Wait for what threads and the kernel change; raise ``TimeoutError`` where it never comes."""
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while not is_so():  # noqa: ASYNC110 - polls what other threads and the kernel change
                await asyncio.sleep(0.005)


@asynccontextmanager
async def running(case: DriverCase, folder: Path, *, seed: int = 1) -> AsyncIterator[Running]:
    """Run the driver of ``case`` against its peer at a port below ``folder``; unplugged at first."""
    link = folder / "port"
    settings = {**case.settings, "port": str(link), "simulated": True}
    source = case.plugin.open("reader", settings, resume=None, capture=_forget)
    line = PtyPeer(case.peer(seed), link)
    run = Running(source, line)
    reading = asyncio.create_task(run.read())
    try:
        yield run
    finally:
        run.is_reading.set()
        await source.close()
        await asyncio.wait_for(reading, _PATIENCE_SECONDS)
        line.unplug()


def _forget(device: str, data: bytes, received: Instant) -> None:
    """Take raw bytes as a capture does that keeps nothing."""
