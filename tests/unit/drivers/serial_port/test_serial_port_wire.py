from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
import serial.rfc2217
from serial_bench import Pty

from drivers.serial_port import LineSettings, parse_address
from drivers.serial_port.wire import LOSSES, Line, open_line


@pytest.fixture
def wake_fd() -> Iterator[int]:
    fd = os.eventfd(0, os.EFD_NONBLOCK)
    yield fd
    os.close(fd)


@pytest.fixture
def pty(tmp_path: Path) -> Iterator[Pty]:
    pty = Pty(tmp_path / "shoe")
    pty.plug()
    yield pty
    pty.unplug()


def test_a_pty_has_no_low_latency_mode_and_opens_all_the_same(pty: Pty, wake_fd: int) -> None:
    line = open_line(parse_address(str(pty.link)), LineSettings(), 1.0, wake_fd)
    os.write(pty.master, b"abc")
    assert line.read(1.0, wants_write=False) == b"abc"
    assert line.write(b"xyz") == 3
    assert pty.read() == b"xyz"
    line.close()


def test_a_wake_up_ends_a_waiting_read(pty: Pty, wake_fd: int) -> None:
    line = open_line(parse_address(str(pty.link)), LineSettings(), 1.0, wake_fd)
    os.eventfd_write(wake_fd, 1)
    assert line.read(60.0, wants_write=False) == b""
    assert line.read(60.0, wants_write=True) == b""
    line.close()


def test_unplugging_raises_a_loss_and_closing_releases_everything(pty: Pty, wake_fd: int) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    line = open_line(parse_address(str(pty.link)), LineSettings(), 1.0, wake_fd)
    pty.unplug()
    with pytest.raises(LOSSES):
        line.read(1.0, wants_write=False)
    line.close()
    line.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before - 2


def test_modem_lines_and_timeouts_are_set_before_opening(monkeypatch: pytest.MonkeyPatch, wake_fd: int) -> None:
    seen: dict[str, object] = {}

    def remember(port: serial.Serial) -> None:
        seen.update(
            dtr=port.dtr,
            rts=port.rts,
            exclusive=port.exclusive,
            write_timeout=port.write_timeout,
            timeout=port.timeout,
            baud=port.baudrate,
        )
        raise serial.SerialException

    monkeypatch.setattr(serial.Serial, "open", remember)
    with pytest.raises(serial.SerialException):
        open_line(parse_address("/dev/shoe"), LineSettings(baud=9600, dtr=False), 0.7, wake_fd)
    assert seen == {
        "dtr": False,
        "rts": True,
        "exclusive": True,
        "write_timeout": 0.7,
        "timeout": 0,
        "baud": 9600,
    }


def test_a_port_that_cannot_be_polled_is_closed_again(
    pty: Pty, wake_fd: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_port: object) -> int:
        raise OSError

    monkeypatch.setattr(serial.Serial, "fileno", refuse)
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(OSError):  # noqa: PT011 - any OSError is a loss
        open_line(parse_address(str(pty.link)), LineSettings(), 1.0, wake_fd)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


# pyserial's client names its thread by methods that Python has deprecated.
@pytest.mark.filterwarnings("ignore:set:DeprecationWarning")
def test_an_rfc2217_port_speaks_both_ways_and_its_end_is_a_loss(wake_fd: int) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    inner = serial.serial_for_url("loop://", timeout=0)

    def serve() -> None:
        connection, _ = listener.accept()
        connection.settimeout(0.02)
        # Its types name the client's class where any port and any writer will do.
        manager = serial.rfc2217.PortManager(inner, _Writer(connection))  # type: ignore[arg-type]
        with connection:
            while True:
                try:
                    data = connection.recv(1024)
                except TimeoutError:
                    continue
                for byte in manager.filter(data):
                    if byte == b"Q" or not data:
                        return
                    connection.sendall(b"".join(manager.escape(byte.upper())))
                if not data:
                    return

    server = threading.Thread(target=serve)
    server.start()
    line = open_line(
        parse_address(f"rfc2217://127.0.0.1:{listener.getsockname()[1]}"), LineSettings(), 1.0, wake_fd
    )
    assert line.write(b"abc") == 3
    got = b""
    deadline = time.monotonic() + 10
    while len(got) < 3 and time.monotonic() < deadline:
        got += line.read(0.5, wants_write=False)
    assert got == b"ABC"
    assert line.read(0.5, wants_write=True) == b""
    line.write(b"Q")
    with pytest.raises(LOSSES):
        _read_for_ever(line)
    line.close()
    server.join()
    listener.close()
    inner.close()


def _read_for_ever(line: Line) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        line.read(0.5, wants_write=False)


class _Writer:
    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def write(self, data: bytes) -> None:
        self._connection.sendall(data)
