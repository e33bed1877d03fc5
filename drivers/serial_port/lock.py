"""One process owns a port, even while its device is unplugged.

pyserial's ``exclusive`` locks the open device, by whichever of its links it was opened; this lock covers the
address itself, so that two processes configured alike cannot race for a device that is plugged in again, and it
covers network ports too.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drivers.serial_port.address import Address


class PortInUseError(OSError):
    """Another source, in this process or another, owns the address; the text names the process."""


class PortLock:
    """An advisory lock on one address, held from :meth:`acquire` until :meth:`release` or the process's end."""

    def __init__(self, address: Address, folder: Path | None = None) -> None:
        digest = hashlib.sha256(address.place.encode()).hexdigest()[:16]
        self._address = address.text
        self._path = (folder or Path(tempfile.gettempdir())) / f"live-dealer-port-{digest}.lock"
        self._fd: int | None = None

    def acquire(self) -> None:
        """Take the lock; calling it again while it is held does nothing.

        Raises :class:`PortInUseError` if someone else has it, ``OSError`` if the lock file cannot be opened.
        """
        if self._fd is not None:
            return
        fd = _open_shared(self._path)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(fd, 32, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(fd)
            message = f"{self._address} is in use by process {owner}: stop it, or give this table another port"
            raise PortInUseError(message) from None
        except OSError:
            os.close(fd)
            raise
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)
        self._fd = fd

    def release(self) -> None:
        """Give the lock back. The file stays: removing it would let two owners in."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def _open_shared(path: Path) -> int:
    """Open the lock file for any user: first without O_CREAT, which a sticky folder refuses for others' files."""
    flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        return os.open(path, flags)
    except FileNotFoundError:
        fd = os.open(path, flags | os.O_CREAT, 0o666)
        os.fchmod(fd, 0o666)
        return fd
