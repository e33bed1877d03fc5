"""A serial port that is always being opened, read, or looked for, until it is closed.

One thread per port does all that can wait. It stamps what it reads, gives it to the raw capture and hands it
to the event loop; there the listener is called. It knows no protocol and never judges a byte.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import select
import threading
import time
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from drivers.serial_port.backoff import Backoff, Timing
from drivers.serial_port.lock import PortLock
from drivers.serial_port.mailbox import Mailbox
from drivers.serial_port.wire import LOSSES, Line, LineSettings, clear_wake, open_line
from studio.domain.instants import Instant

if TYPE_CHECKING:
    from drivers.serial_port.address import Address
    from studio.ports.devices import RawCapture

_LOG: Final = logging.getLogger(__name__)
_OUTGOING_LIMIT_BYTES: Final = 4096
_IDLE_WAIT_SECONDS: Final = 1.0


Opener: TypeAlias = Callable[[int], Line]
"""Opens the line, given the event descriptor that ends a waiting read; raises one of :data:`LOSSES`."""


class PortState(StrEnum):
    """What the transport knows: whether a line is open. An open line proves nothing about the device."""

    ABSENT = "absent"
    OPENING = "opening"
    OPEN = "open"
    LOST = "lost"


class PortListener(Protocol):
    """Whom a port tells; every call is made in the event loop, in the order things happened."""

    def on_port(self, state: PortState, reason: str, at: Instant) -> None:
        """The state or its reason changed; ``LOST`` comes exactly once for each open line that broke."""
        ...

    def on_bytes(self, data: bytes, at: Instant) -> None:
        """Bytes arrived; ``at`` is when the read returned."""
        ...

    def on_overflow(self, dropped_bytes: int, at: Instant) -> None:
        """The event loop was too slow, and this many bytes reached the raw capture only."""
        ...


class SerialPort:
    """One port, from :meth:`start` to :meth:`close`."""

    def __init__(  # noqa: PLR0913 - one argument for each thing it is given; there is no half-built port
        self,
        device: str,
        address: Address,
        settings: LineSettings,
        *,
        listener: PortListener,
        capture: RawCapture,
        timing: Timing | None = None,
        opener: Opener | None = None,
    ) -> None:
        self._device = device
        self._address = address
        self._settings = settings
        self._opener = opener or self._open_serial
        self._listener = listener
        self._capture = capture
        self._timing = timing or Timing()
        self._lock = PortLock(address)
        self._backoff = Backoff(self._timing.backoff_first, self._timing.backoff_most)
        self._thread = threading.Thread(target=self._run, name=f"port {device}", daemon=True)
        self._mutex = threading.Lock()
        self._outgoing = bytearray()
        self._is_open = False
        self._stopping = False
        self._reopening = False
        self._reported: tuple[PortState, str] | None = None
        self._wake_fd = -1
        self.capture_errors = 0
        """How often the raw capture raised; the reading went on without it."""

    def start(self) -> None:
        """Begin to look for the port; must be called inside the running event loop, once."""
        self._mailbox = Mailbox(asyncio.get_running_loop(), self._listener)
        self._ended = asyncio.Event()
        self._wake_fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._thread.start()

    def send(self, data: bytes) -> None:
        """Queue ``data`` and return at once; while no line is open it is forgotten, since a device was reset."""
        with self._mutex:
            if self._is_open and len(self._outgoing) + len(data) <= _OUTGOING_LIMIT_BYTES:
                self._outgoing += data
        self._wake()

    def reopen(self) -> None:
        """Close the line and open it again, because it is open but dead; this alone reports no ``LOST``."""
        self._reopening = True
        self._wake()

    async def close(self) -> None:
        """Stop the thread, release port and lock; calling it again is allowed.

        Takes as long as one opening in progress at most (a TCP connection: 5 s).
        """
        self._stopping = True
        self._wake()
        if self._wake_fd >= 0:
            await self._ended.wait()
        if self._wake_fd >= 0:
            self._thread.join()
            os.close(self._wake_fd)
            self._wake_fd = -1

    def _wake(self) -> None:
        if self._wake_fd >= 0:
            os.eventfd_write(self._wake_fd, 1)

    # From here on everything runs in the port's thread.

    def _run(self) -> None:
        try:
            while not self._stopping:
                line = self._try_to_open()
                if line is not None:
                    reason = self._converse(line)
                    if reason is not None:
                        self._report(PortState.LOST, reason)
                    self._pause(self._timing.look_every)
        except Exception:  # noqa: BLE001 - logged and reported: a silent thread would look like a quiet shoe
            _LOG.exception("the thread of port %s ended by a fault", self._device)
            self._report(PortState.LOST, "the port's thread ended by a fault: restart this source")
        finally:
            self._lock.release()
            self._mailbox.post_call(self._ended.set)

    def _try_to_open(self) -> Line | None:
        """Try once, and wait as long as is due when it fails."""
        path = self._address.path
        if path is not None and not os.path.exists(path):  # noqa: PTH110 - unlike Path.exists it never raises
            self._backoff.reset()
            self._report(PortState.ABSENT, f"nothing at {path}: plug the reader in, or change `port`")
            self._pause(self._timing.look_every)
            return None
        if self._reported is None or self._reported[0] is not PortState.OPENING:
            self._report(PortState.OPENING, f"opening {self._address.text}")
        self._reopening = False
        try:
            self._lock.acquire()
            line = self._opener(self._wake_fd)
        except (*LOSSES, ValueError, NotImplementedError) as error:
            self._report(PortState.OPENING, f"{self._address.text} does not open: {error}")
            self._pause(self._backoff.next_seconds())
            return None
        self._backoff.reset()
        return line

    def _open_serial(self, wake_fd: int) -> Line:
        return open_line(self._address, self._settings, self._timing.write_timeout, wake_fd)

    def _converse(self, line: Line) -> str | None:
        """Read and write until the line breaks; return why, or ``None`` if it was closed on purpose."""
        with self._mutex:
            self._outgoing.clear()
            self._is_open = True
        self._report(PortState.OPEN, f"{self._address.text} is open")
        try:
            self._exchange(line)
        except LOSSES as error:
            return f"{self._address.text} was lost: {error}"
        else:
            return None
        finally:
            self._is_open = False
            # At once: while we hold a dead descriptor, a replugged device comes back under another name.
            line.close()

    def _exchange(self, line: Line) -> None:
        refused_since: float | None = None
        while not (self._stopping or self._reopening):
            wait = _IDLE_WAIT_SECONDS if refused_since is None else self._timing.write_timeout / 4
            data = line.read(wait, wants_write=bool(self._outgoing))
            if data:
                self._hand_over(data)
            if not self._outgoing or self._write(line):
                refused_since = None
                continue
            now = time.monotonic()
            refused_since = refused_since or now
            if now - refused_since > self._timing.write_timeout:
                message = f"it took no byte for {self._timing.write_timeout:g} s"
                raise OSError(message)

    def _write(self, line: Line) -> bool:
        """Write what fits; return whether anything was taken."""
        with self._mutex:
            data = bytes(self._outgoing)
        taken = line.write(data)
        with self._mutex:
            del self._outgoing[:taken]
        return taken > 0

    def _hand_over(self, data: bytes) -> None:
        at = _now()
        try:
            self._capture(self._device, data, at)
        except Exception:  # noqa: BLE001 - a full disk must not stop the cards; the count shows in health
            if not self.capture_errors:
                _LOG.exception("the raw capture of %s failed", self._device)
            self.capture_errors += 1
        self._mailbox.post_bytes(data, at)

    def _report(self, state: PortState, reason: str) -> None:
        if self._reported == (state, reason):
            return
        self._reported = (state, reason)
        at = _now()
        self._mailbox.post_call(lambda: self._listener.on_port(state, reason, at))

    def _pause(self, seconds: float) -> None:
        """Wait, unless the port is being closed; other wake-ups do not shorten it."""
        until = time.monotonic() + seconds
        poll = select.poll()
        poll.register(self._wake_fd, select.POLLIN)
        while not self._stopping and (left := until - time.monotonic()) > 0:
            if poll.poll(left * 1000):
                with contextlib.suppress(OSError):
                    clear_wake(self._wake_fd)


def _now() -> Instant:
    return Instant(time.monotonic_ns(), time.time_ns())
