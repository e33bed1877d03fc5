"""What a port's thread hands over to the event loop: in order, and bounded."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    import asyncio

    from studio.domain.instants import Instant

LIMIT_BYTES: Final = 1 << 20
"""Ninety seconds of a full line at 115,200 baud: only a loop that stands still gets there."""


class BytesListener(Protocol):
    """The part of a port's listener that takes data."""

    def on_bytes(self, data: bytes, at: Instant) -> None:
        """Take bytes that arrived at ``at``."""
        ...

    def on_overflow(self, dropped_bytes: int, at: Instant) -> None:
        """Learn that so many bytes were dropped here, from ``at`` on."""
        ...


class Mailbox:
    """Carries calls from one thread to ``loop``; bytes beyond ``limit_bytes`` are dropped and counted."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, listener: BytesListener, limit_bytes: int = LIMIT_BYTES
    ) -> None:
        self._loop = loop
        self._listener = listener
        self._limit_bytes = limit_bytes
        self._mutex = threading.Lock()
        self._waiting_bytes = 0
        self._dropped_bytes = 0

    def post_call(self, call: Callable[[], object]) -> None:
        """Have ``call`` made in the loop. A loop that has ended listens no more, and that is no error."""
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:
            if not self._loop.is_closed():
                raise

    def post_bytes(self, data: bytes, at: Instant) -> None:
        """Hand ``data`` over, or drop it where too much waits already."""
        with self._mutex:
            fits = self._waiting_bytes + len(data) <= self._limit_bytes
            is_first_drop = not fits and not self._dropped_bytes
            if fits:
                self._waiting_bytes += len(data)
            else:
                self._dropped_bytes += len(data)
        if fits:
            self.post_call(lambda: self._deliver(data, at))
        elif is_first_drop:
            self.post_call(lambda: self._tell_dropped(at))

    def _deliver(self, data: bytes, at: Instant) -> None:
        with self._mutex:
            self._waiting_bytes -= len(data)
        self._listener.on_bytes(data, at)

    def _tell_dropped(self, at: Instant) -> None:
        with self._mutex:
            dropped, self._dropped_bytes = self._dropped_bytes, 0
        self._listener.on_overflow(dropped, at)
