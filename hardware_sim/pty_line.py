"""A pseudo-terminal under a stable name, as a serial port that can be unplugged.

It moves bytes and knows nothing of what they mean. Linux facts (hardware.md): a fresh pty echoes and turns CR
into LF, so it is set raw before anything; without one slave descriptor kept open the master reads EIO whenever
nobody has the port open; closing the master is the unplug.
"""

from __future__ import annotations

import asyncio
import os
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Final

_READ_BYTES: Final = 4096


class PtyLine:
    """The port. :meth:`listen` says who gets what the host writes, on the event loop that :meth:`plug` ran in.

    Raises ``ValueError`` when something other than a symbolic link lies at ``link``.
    """

    def __init__(self, link: Path) -> None:
        if link.exists() and not link.is_symlink():
            message = f"{link} exists and is no symbolic link: choose another path for the port"
            raise ValueError(message)
        self.link = link
        self.lost_bytes = 0
        self._on_bytes: Callable[[bytes], None] = lambda _: None
        self._master: int | None = None
        self._slave: int | None = None

    @property
    def is_plugged(self) -> bool:
        """Whether the port exists."""
        return self._master is not None

    def listen(self, on_bytes: Callable[[bytes], None]) -> None:
        """Give the host's bytes to ``on_bytes`` from now on; before, they are read and lost."""
        self._on_bytes = on_bytes

    def plug(self) -> None:
        """Make the port appear; must be called on a running event loop. Twice is allowed."""
        if self._master is not None:
            return
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._publish(os.ttyname(self._slave))
        asyncio.get_running_loop().add_reader(self._master, self._read)

    def unplug(self) -> None:
        """Make the port vanish, for those who have it open as well. Twice is allowed."""
        if self._master is None or self._slave is None:
            return
        asyncio.get_running_loop().remove_reader(self._master)
        self.link.unlink(missing_ok=True)
        os.close(self._slave)
        os.close(self._master)
        self._master = self._slave = None

    def write(self, data: bytes) -> None:
        """Send; what no reader has made room for is lost and counted, as on a wire."""
        if self._master is None:
            return
        try:
            sent = os.write(self._master, data)
        except BlockingIOError:
            sent = 0
        self.lost_bytes += len(data) - sent

    def _read(self) -> None:
        if self._master is None:
            return
        try:
            data = os.read(self._master, _READ_BYTES)
        except BlockingIOError:
            return
        self._on_bytes(data)

    def _publish(self, device: str) -> None:
        # By rename, so that nobody ever sees a name without a port.
        self.link.parent.mkdir(parents=True, exist_ok=True)
        draft = self.link.with_name(f".{self.link.name}.{os.getpid()}")
        draft.unlink(missing_ok=True)
        draft.symlink_to(device)
        draft.replace(self.link)
