"""A camera's stills on their way: the picture to the store, its hash to the journal."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Sequence

from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, DeviceHealth, EventKind, LinkState
from studio.ports.stills import Still
from studio.runtime.still_keeping import StillKeeping

AT = Instant(5, 6)


class Source:
    """A source of these events."""

    device = "cam-1"
    simulated = True

    def __init__(self, events: Sequence[DeviceEvent]) -> None:
        self._events = events
        self.is_closed = False

    async def events(self) -> AsyncIterator[DeviceEvent]:
        for event in self._events:
            yield event

    async def acknowledge(self, event: DeviceEvent) -> None:
        raise AssertionError(event)

    def health(self) -> DeviceHealth:
        return DeviceHealth("cam-1", LinkState.READY, "", {}, 0, None)

    async def close(self) -> None:
        self.is_closed = True


class Shelf:
    """Stills in memory."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], Still] = {}

    def keep(self, table: str, frame: str, still: Still) -> None:
        self.kept[table, frame] = still

    def open(self, table: str, frame: str) -> Still | None:
        return self.kept.get((table, frame))


async def test_the_picture_is_kept_under_its_frame_and_the_claim_carries_its_hash() -> None:
    seen = DeviceEvent(
        "cam-1", EventKind.SLOT, AT, raw=b"jpeg", details={"seat": 0, "position": 2, "frame": "7-3"}
    )
    mouth = DeviceEvent("cam-1", EventKind.SLOT, AT, raw=b"other", details={"frame": "7-4"})
    link = DeviceEvent("cam-1", EventKind.LINK, AT, details={"state": "ready"})
    shelf, source = Shelf(), Source([seen, mouth, link])
    keeping = StillKeeping(source, "t1", shelf)
    told = [event async for event in keeping.events()]
    assert shelf.kept == {("t1", "7-3"): Still(b"jpeg", 0, 5), ("t1", "7-4"): Still(b"other", None, 5)}
    assert [event.raw for event in told] == [
        hashlib.sha256(b"jpeg").digest(),
        hashlib.sha256(b"other").digest(),
        b"",
    ]
    assert told[2] is link
    assert keeping.health().link is LinkState.READY
    await keeping.close()
    assert source.is_closed
