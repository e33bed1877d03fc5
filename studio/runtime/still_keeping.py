"""A camera whose stills are kept: the picture goes into its store, its hash goes on with the claim.

So the journal stays small, and its chain still says which picture a claim stands on.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from dataclasses import replace

from studio.ports.devices import CardSource, DeviceEvent, DeviceHealth, EventKind
from studio.ports.stills import Still, Stills


class StillKeeping:
    """A card source like ``source``, whose SLOT events have the SHA-256 of their still as ``raw``."""

    def __init__(self, source: CardSource, table: str, stills: Stills) -> None:
        self._source = source
        self._table = table
        self._stills = stills

    @property
    def device(self) -> str:
        """The device id from the configuration."""
        return self._source.device

    @property
    def simulated(self) -> bool:
        """Whether it reads a simulator."""
        return self._source.simulated

    async def events(self) -> AsyncIterator[DeviceEvent]:
        """Yield the source's events; a still is on its way to the disk before its claim is told."""
        async for event in self._source.events():
            if event.kind is not EventKind.SLOT or not event.raw:
                yield event
                continue
            seat = event.details.get("seat")
            still = Still(event.raw, None if seat is None else int(seat), event.received.monotonic_ns)
            await asyncio.to_thread(self._stills.keep, self._table, str(event.details.get("frame", "")), still)
            yield replace(event, raw=hashlib.sha256(event.raw).digest())

    async def acknowledge(self, event: DeviceEvent) -> None:
        """Pass it on."""
        await self._source.acknowledge(event)

    def health(self) -> DeviceHealth:
        """Return the source's condition."""
        return self._source.health()

    async def close(self) -> None:
        """Close the source."""
        await self._source.close()
