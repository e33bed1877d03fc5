"""The running source: a session on a serial port, in the event loop. All decisions are the session's."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, Final

from drivers.serial_port import SerialPort
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, DeviceHealth, EventKind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from drivers.serial_port import Address, LineSettings, Opener, PortState, Timing
    from drivers.serial_reader.session import SerialSession
    from studio.ports.devices import RawCapture

TICK_SECONDS: Final = 0.1
QUEUE_LIMIT: Final = 1024
"""Events that may wait for their reader (and those of one read more); then bytes are refused, and the device sends
its events again."""


def system_now() -> Instant:
    """Return this moment on both clocks."""
    return Instant(time.monotonic_ns(), time.time_ns())


class SerialSource:
    """A ``CardSource``; :meth:`start` must be called in the event loop, once.

    ``opener`` opens the line in another way than a serial port's.
    """

    def __init__(  # noqa: PLR0913 - the composition of one source, called by the plug-in only
        self,
        session: SerialSession,
        device: str,
        address: Address,
        line: LineSettings,
        *,
        capture: RawCapture,
        simulated: bool,
        timing: Timing | None = None,
        now: Callable[[], Instant] = system_now,
        opener: Opener | None = None,
    ) -> None:
        self._session = session
        self._device = device
        self._now = now
        self._port = SerialPort(
            device, address, line, listener=self, capture=capture, timing=timing, opener=opener
        )
        self._events: deque[DeviceEvent] = deque()
        self._arrived = asyncio.Event()
        self._ticking: asyncio.TimerHandle | None = None
        self._refused_bytes = 0
        self._is_closed = False
        self.simulated = simulated
        """Whether the configuration declares this source a simulator."""

    @property
    def device(self) -> str:
        """The device id from the configuration."""
        return self._device

    def start(self) -> None:
        """Begin to look for the port."""
        self._port.start()
        self._tick()

    async def events(self) -> AsyncIterator[DeviceEvent]:
        """Yield events in order until :meth:`close`; for one reader at a time.

        An event without an ordinal (lid, gate, jam, error …) that the device wants acknowledged is acknowledged
        when the reader comes back for the next: callers owe :meth:`acknowledge` for those with an ordinal only.
        """
        while not self._is_closed:
            if not self._events:
                self._arrived.clear()
                await self._arrived.wait()
                continue
            event = self._events.popleft()
            yield event
            if event.ordinal is None:
                await self.acknowledge(event)

    async def acknowledge(self, event: DeviceEvent) -> None:
        """Tell the device that ``event`` is on disk; one that wants no acknowledgement is ignored."""
        self._session.acknowledge(event)
        self._send()

    def health(self) -> DeviceHealth:
        """Return the present condition."""
        health = self._session.health()
        if not self._port.capture_errors:
            return health
        errors = {**health.errors, "capture": self._port.capture_errors}
        return DeviceHealth(health.device, health.link, health.reason, errors, health.losses, health.last_frame)

    async def close(self) -> None:
        """Release the port; :meth:`events` ends."""
        self._is_closed = True
        self._arrived.set()
        if self._ticking is not None:
            self._ticking.cancel()
        await self._port.close()

    # The port's listener.

    def on_port(self, state: PortState, reason: str, at: Instant) -> None:
        """Take a change of the port."""
        self._deliver(self._session.on_port(state, reason, at))

    def on_bytes(self, data: bytes, at: Instant) -> None:
        """Take bytes, unless the reader of the events is too far behind."""
        if len(self._events) >= QUEUE_LIMIT:
            self._refused_bytes += len(data)
            return
        if self._refused_bytes:
            refused, self._refused_bytes = self._refused_bytes, 0
            self._deliver(self._session.overflow(refused, at))
        self._deliver(self._session.feed(data, at))

    def on_overflow(self, dropped_bytes: int, at: Instant) -> None:
        """Take the port's word that bytes were dropped."""
        self._deliver(self._session.overflow(dropped_bytes, at))

    def _tick(self) -> None:
        self._ticking = asyncio.get_running_loop().call_later(TICK_SECONDS, self._tick)
        self._deliver(self._session.tick(self._now()))
        if self._session.wants_reopen:
            self._session.wants_reopen = False
            self._port.reopen()

    def _deliver(self, events: Sequence[DeviceEvent]) -> None:
        if self._is_closed:
            return
        for event in events:
            if self._is_superseding(event):
                self._events.pop()
            self._events.append(event)
        if events:
            self._arrived.set()
        self._send()

    def _is_superseding(self, event: DeviceEvent) -> bool:
        """Whether a link event may replace the last one: only so does a full queue stay bounded."""
        is_full = len(self._events) >= QUEUE_LIMIT
        return is_full and event.kind is EventKind.LINK and self._events[-1].kind is EventKind.LINK

    def _send(self) -> None:
        data = self._session.data_to_send()
        if data:
            self._port.send(data)
