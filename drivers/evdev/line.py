"""An opened input device, taken from every other program: the part that touches the kernel."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import time
from typing import Final

from drivers.evdev.protocol import INPUT_EVENT
from drivers.serial_port.wire import clear_wake

_EVIOCGRAB: Final = 0x4004_4590
_EVIOCSCLOCKID: Final = 0x4004_45A0
_READ_BYTES: Final = 64 * INPUT_EVENT.size


class InputLine:
    """The device at ``path``, as a :class:`~drivers.serial_port.wire.Line`; ``wake_fd`` ends a waiting read.

    Raises ``OSError`` if it cannot be opened, or cannot be had alone and ``is_device``: what is not grabbed types
    into the consoles. A stand-in in a test is no input device and has nothing to grab.
    """

    def __init__(self, path: str, wake_fd: int, *, is_device: bool) -> None:
        self._wake_fd = wake_fd
        self._fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            if is_device:
                _take_alone(self._fd, path)
            self._poll = select.poll()
            self._poll.register(wake_fd, select.POLLIN)
            self._poll.register(self._fd, select.POLLIN)
        except BaseException:
            os.close(self._fd)
            raise

    def read(self, wait_seconds: float, *, wants_write: bool) -> bytes:  # noqa: ARG002 - nothing is ever written
        """Return what was typed; ``b""`` after the wait or on a wake-up; raise ``OSError`` once it is gone."""
        ready = dict(self._poll.poll(wait_seconds * 1000))
        if self._wake_fd in ready:
            clear_wake(self._wake_fd)
        if self._fd not in ready:
            return b""
        try:
            data = os.read(self._fd, _READ_BYTES)
        except BlockingIOError:
            return b""
        if not data:
            message = "the device hung up"
            raise OSError(message)
        return data

    def write(self, data: bytes) -> int:
        """Forget ``data``: a keyboard is only listened to."""
        return len(data)

    def close(self) -> None:
        """Give the device back."""
        os.close(self._fd)


def _take_alone(fd: int, path: str) -> None:
    if struct.calcsize("@llHHi") != INPUT_EVENT.size:
        message = f"{path}: this machine's input events have another size than those of a 64-bit Linux"
        raise OSError(message)
    try:
        fcntl.ioctl(fd, _EVIOCGRAB, 1)
        # So that a step of the wall clock is no gap between two keys.
        fcntl.ioctl(fd, _EVIOCSCLOCKID, struct.pack("@i", time.CLOCK_MONOTONIC))
    except OSError as error:
        reason = "it is no input device, or another program has grabbed it"
        message = f"{path} cannot be had alone ({error.strerror}): {reason}"
        raise OSError(message) from None
