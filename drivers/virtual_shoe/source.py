"""The running virtual shoe: deals the cards of :mod:`.shuffle` as device events when it is asked to.

It has no port, no thread and no state on disk. It knows nothing of rounds in play: when to shuffle, to draw and
to open a commitment is the caller's decision, and keeping the seed sealed the caller's duty.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Any

from drivers.virtual_shoe.shuffle import SEED_BYTES, commitment, order
from studio.domain.cards import Card
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, DeviceHealth, EventKind, LinkState, Resume, Shuffle

_QUALITY = 100
_REASON = "the server shuffles and deals"


def system_now() -> Instant:
    """Return this moment on both clocks."""
    return Instant(time.monotonic_ns(), time.time_ns())


def fresh_seed() -> bytes:
    """Return 32 bytes from the operating system's cryptographic generator."""
    return secrets.token_bytes(SEED_BYTES)


class VirtualShoeSource:
    """A ``DrawnSource`` of ``decks`` decks, ready at once; ``resume`` is the last card that the journal holds."""

    simulated = False
    """It is no simulator but a card source that a variant declares (system.md, principle 12)."""

    def __init__(
        self,
        device: str,
        decks: int,
        *,
        resume: Resume | None = None,
        now: Callable[[], Instant] = system_now,
        new_seed: Callable[[], bytes] = fresh_seed,
    ) -> None:
        self._device = device
        self._decks = decks
        self._now = now
        self._new_seed = new_seed
        self._order: tuple[Card, ...] | None = None
        self._load = resume.load if resume else 0
        self._ordinal = resume.ordinal if resume else 0
        self._events: deque[DeviceEvent] = deque()
        self._arrived = asyncio.Event()
        self._last: Instant | None = None
        self._is_closed = False
        self._hello()
        self._deliver(EventKind.LINK, details={"state": LinkState.READY.value, "reason": _REASON})

    @property
    def device(self) -> str:
        """The device id from the configuration."""
        return self._device

    async def load(self, table: str, round_number: int) -> Shuffle:
        """Shuffle a fresh shoe for a round of a table; see :class:`~studio.ports.devices.DrawnSource`."""
        seed = self._new_seed()
        promise = commitment(seed, self._decks, table, round_number)
        self._take(seed, self._load + 1, 0)
        return Shuffle(promise, seed, self._load)

    def restore(self, seed: bytes, load: int, ordinal: int) -> None:
        """Go on with a shoe of which ``ordinal`` cards are out; see :class:`~studio.ports.devices.DrawnSource`."""
        if load < 1:
            message = f"{self._device}: loads are numbered from 1, {load} is none"
            raise ValueError(message)
        if (load, ordinal) < (self._load, self._ordinal):
            message = (
                f"{self._device}: card {ordinal} of load {load} comes before card {self._ordinal} of load "
                f"{self._load}, which is out: restore the newest load that the journal holds"
            )
            raise ValueError(message)
        self._take(seed, load, ordinal)

    async def draw(self) -> None:
        """Deal the next card; see :class:`~studio.ports.devices.DrawnSource`."""
        if self._is_closed:
            return
        if self._order is None:
            message = f"{self._device}: no shoe is loaded: load or restore one before drawing"
            raise RuntimeError(message)
        if self._ordinal == len(self._order):
            self._deliver(EventKind.EMPTY, load=self._load, ordinal=self._ordinal)
            return
        card = self._order[self._ordinal]
        self._ordinal += 1
        self._deliver(EventKind.CARD, card=card, load=self._load, ordinal=self._ordinal, quality=_QUALITY)

    async def events(self) -> AsyncIterator[DeviceEvent]:
        """Yield events in order until :meth:`close`; for one reader at a time."""
        while not self._is_closed:
            if self._events:
                yield self._events.popleft()
                continue
            self._arrived.clear()
            await self._arrived.wait()

    async def acknowledge(self, event: DeviceEvent) -> None:
        """Do nothing: the seed in the journal brings back any card that never came to be recorded."""

    def health(self) -> DeviceHealth:
        """Return the present condition: always ready."""
        return DeviceHealth(self._device, LinkState.READY, "", {}, 0, self._last)

    async def close(self) -> None:
        """End :meth:`events`; calling it twice is allowed."""
        self._is_closed = True
        self._arrived.set()

    def _take(self, seed: bytes, load: int, ordinal: int) -> None:
        cards = order(seed, self._decks)
        if not 0 <= ordinal <= len(cards):
            message = f"{self._device}: a shoe of {len(cards)} cards has no place {ordinal}"
            raise ValueError(message)
        self._order, self._load, self._ordinal = cards, load, ordinal
        self._hello()

    def _hello(self) -> None:
        self._deliver(EventKind.HELLO, load=self._load, ordinal=self._ordinal, details={"decks": self._decks})

    def _deliver(self, kind: EventKind, **content: Any) -> None:  # noqa: ANN401 - DeviceEvent() checks the names
        if self._is_closed:
            return
        self._last = self._now()
        self._events.append(DeviceEvent(self._device, kind, self._last, **content))
        self._arrived.set()
