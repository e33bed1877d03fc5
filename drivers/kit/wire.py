"""A peer on a real pseudo-terminal, so that the real driver opens a real port: plugged, unplugged, written to.

Linux facts: a fresh pty echoes and turns CR into LF, so it is set raw first; one end of the slave stays open, or
the master reads EIO whenever nobody has the port open; closing the master is the unplug.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
import tty
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from drivers.kit.rig import Peer

_PUMP_SECONDS: Final = 0.005
_READ_BYTES: Final = 65_536


class PtyPeer:
    """A peer at ``link``; :meth:`plug` must be called in the running event loop."""

    def __init__(self, peer: Peer, link: Path) -> None:
        self.peer = peer
        self.link = link
        self._ends: tuple[int, int] | None = None
        self._waiting = bytearray()
        self._pumping: asyncio.Task[None] | None = None

    def plug(self) -> None:
        """Make the port appear and start the device."""
        master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self._ends = (master, slave)
        self.link.symlink_to(os.ttyname(slave))
        self._waiting.clear()
        self.peer.start(time.monotonic_ns())
        asyncio.get_running_loop().add_reader(master, self._hear)
        self._pumping = asyncio.create_task(self._pump())

    def unplug(self) -> None:
        """Make the port vanish; twice is allowed."""
        if self._ends is None or self._pumping is None:
            return
        self._pumping.cancel()
        asyncio.get_running_loop().remove_reader(self._ends[0])
        self.link.unlink(missing_ok=True)
        for end in reversed(self._ends):
            os.close(end)
        self._ends = None

    def say(self, data: bytes) -> None:
        """Put bytes on the line as if the device had sent them."""
        self._waiting += data
        self._write()

    async def _pump(self) -> None:
        while True:
            self._say_what_is_due()
            await asyncio.sleep(_PUMP_SECONDS)

    def _say_what_is_due(self) -> None:
        for packet in self.peer.packets(time.monotonic_ns()):
            self._waiting += packet
        self._write()

    def _write(self) -> None:
        if self._ends is not None and self._waiting:
            with contextlib.suppress(BlockingIOError):
                del self._waiting[: os.write(self._ends[0], self._waiting)]

    def _hear(self) -> None:
        if self._ends is None:
            return
        with contextlib.suppress(BlockingIOError, OSError):
            self.peer.host_bytes(os.read(self._ends[0], _READ_BYTES), time.monotonic_ns())
            self._say_what_is_due()
