"""One opened line: the part that touches pyserial.

pyserial opens and configures (speed, modem lines, exclusivity, URLs). Reading and writing then go straight to
the descriptor, because pyserial waits with ``select``, which fails from descriptor 1024 on: a studio of a few
hundred ports passes that. It knows nothing of reconnecting.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import termios
from dataclasses import dataclass
from typing import Final, Protocol

import serial
import serial.rfc2217

from drivers.serial_port.address import Address

LOSSES: Final = (serial.SerialException, OSError, termios.error, TypeError)
"""All that an unplugged device has been seen to raise; ``is_open`` stays true in each case."""

_READ_BYTES: Final = 4096
_REMOTE_WAIT_SECONDS: Final = 0.05
_KEEPALIVE: Final = (
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 5),
    (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 2),
    (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3),
    (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 11_000),
)
"""A serial server that lost its power ends no connection: one that does not answer for 11 s is gone."""


@dataclass(frozen=True, slots=True)
class LineSettings:
    """Speed in baud, character format, and the modem lines as they are to be from the moment of opening."""

    baud: int = 115_200
    data_bits: int = 8
    parity: str = "N"
    stop_bits: float = 1
    dtr: bool = True
    rts: bool = True


class Line(Protocol):
    """An open line. All methods but :meth:`close` raise one of :data:`LOSSES` once the device is gone."""

    def read(self, wait_seconds: float, *, wants_write: bool) -> bytes:
        """Return what has arrived; ``b""`` after the wait, on a wake-up, or when a write is possible."""
        ...

    def write(self, data: bytes) -> int:
        """Hand over as many bytes as fit without waiting, and return how many."""
        ...

    def close(self) -> None:
        """Release every descriptor; never raises."""
        ...


def open_line(address: Address, settings: LineSettings, write_timeout: float, wake_fd: int) -> Line:
    """Open ``address``; ``wake_fd`` is an event descriptor that ends a waiting read.

    pyserial throws away what arrived before or during the opening, so a device must repeat its greeting.
    Raises one of :data:`LOSSES`, or ``ValueError`` for a setting that the port does not know.
    """
    port = serial.serial_for_url(
        address.text,
        do_not_open=True,
        exclusive=True,
        baudrate=settings.baud,
        bytesize=settings.data_bits,
        parity=settings.parity,
        stopbits=settings.stop_bits,
        timeout=0,
        # pyserial's RFC 2217 client refuses a write timeout; its socket has one of its own (5 s).
        write_timeout=None if address.is_rfc2217 else write_timeout,
    )
    # Before opening, so that a board which resets on these lines sees one defined edge at most.
    port.dtr = settings.dtr
    port.rts = settings.rts
    port.open()
    try:
        _keep_alive(port)
        if isinstance(port, serial.rfc2217.Serial):
            return _RemoteLine(port)
        _ask_for_low_latency(port)
        return _DescriptorLine(port, wake_fd)
    except BaseException:
        _close(port)
        raise


def _keep_alive(port: serial.SerialBase) -> None:
    """Have a connection's far end asked whether it is still there; a tty has none."""
    connection = getattr(port, "_socket", None)
    if isinstance(connection, socket.socket):
        for level, option, value in _KEEPALIVE:
            connection.setsockopt(level, option, value)


def _ask_for_low_latency(port: serial.SerialBase) -> None:
    """Drop the adapter's 16 ms latency timer where it has one; a pty or a socket has none."""
    switch = getattr(port, "set_low_latency_mode", None)
    if switch is not None:
        with contextlib.suppress(OSError, ValueError, termios.error):
            switch(True)


def _close(port: serial.SerialBase) -> None:
    # pyserial's socket port forgets its socket without closing it when the peer went first.
    left = getattr(port, "_socket", None)
    with contextlib.suppress(*LOSSES):
        port.close()
    if isinstance(left, socket.socket):
        left.close()


class _DescriptorLine:
    """A tty, a pty or a TCP socket: anything with a descriptor to poll."""

    def __init__(self, port: serial.SerialBase, wake_fd: int) -> None:
        self._port = port
        self._fd = port.fileno()
        os.set_blocking(self._fd, False)
        self._wake_fd = wake_fd
        self._poll = select.poll()
        self._poll.register(wake_fd, select.POLLIN)

    def read(self, wait_seconds: float, *, wants_write: bool) -> bytes:
        interest = select.POLLIN | (select.POLLOUT if wants_write else 0)
        self._poll.register(self._fd, interest)
        ready = dict(self._poll.poll(wait_seconds * 1000))
        if self._wake_fd in ready:
            clear_wake(self._wake_fd)
        if ready.get(self._fd, 0) & ~select.POLLOUT:
            return self._read_ready()
        return b""

    def _read_ready(self) -> bytes:
        try:
            data = os.read(self._fd, _READ_BYTES)
        except BlockingIOError:
            return b""
        if not data:
            message = "the device hung up"
            raise serial.SerialException(message)
        return data

    def write(self, data: bytes) -> int:
        try:
            return os.write(self._fd, data)
        except BlockingIOError:
            return 0

    def close(self) -> None:
        _close(self._port)


class _RemoteLine:
    """An RFC 2217 port: pyserial reads its socket in a thread of its own, so there is nothing to poll."""

    def __init__(self, port: serial.rfc2217.Serial) -> None:
        self._port = port
        self._port.timeout = _REMOTE_WAIT_SECONDS

    def read(self, wait_seconds: float, *, wants_write: bool) -> bytes:
        if wants_write:
            return b""
        self._port.timeout = min(wait_seconds, _REMOTE_WAIT_SECONDS)
        first = self._port.read(1)
        waiting: int = self._port.in_waiting if first else 0
        return bytes(first + self._port.read(waiting)) if waiting else bytes(first)

    def write(self, data: bytes) -> int:
        self._port.write(data)
        return len(data)

    def close(self) -> None:
        _close(self._port)


def clear_wake(fd: int) -> None:
    """Take back a wake-up, if there was one."""
    with contextlib.suppress(BlockingIOError):
        os.eventfd_read(fd)
