"""A pseudo-terminal that can be unplugged, and a listener that remembers: the bench of the transport's tests."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tty
from collections.abc import Callable
from pathlib import Path

from drivers.serial_port import LineSettings, PortState, SerialPort, Timing, parse_address
from studio.domain.instants import Instant

FAST = Timing(look_every=0.002, backoff_first=0.002, backoff_most=0.01, write_timeout=0.2)


class Pty:
    """The far end of a line: a pty under a stable link."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self._open: tuple[int, int] | None = None

    @property
    def master(self) -> int:
        assert self._open is not None
        return self._open[0]

    def plug(self) -> None:
        master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self._open = master, slave
        self.link.symlink_to(os.ttyname(slave))

    def unplug(self) -> None:
        if self._open is not None:
            self.link.unlink()
            for fd in self._open:
                os.close(fd)
            self._open = None

    def read(self) -> bytes:
        with contextlib.suppress(BlockingIOError):
            return os.read(self.master, 4096)
        return b""


class Recorder:
    """A listener, and what it was told."""

    def __init__(self) -> None:
        self.states: list[PortState] = []
        self.reasons: list[str] = []
        self.data = b""
        self.at: list[Instant] = []
        self.captured: list[tuple[str, bytes, Instant]] = []

    def on_port(self, state: PortState, reason: str, at: Instant) -> None:
        self.states.append(state)
        self.reasons.append(reason)
        self.at.append(at)

    def on_bytes(self, data: bytes, at: Instant) -> None:
        self.data += data
        self.at.append(at)

    def on_overflow(self, dropped_bytes: int, at: Instant) -> None:
        raise AssertionError((dropped_bytes, at))

    def capture(self, device: str, data: bytes, received: Instant) -> None:
        self.captured.append((device, data, received))

    def count(self, state: PortState) -> int:
        return self.states.count(state)


def make_port(recorder: Recorder, address: str, timing: Timing = FAST) -> SerialPort:
    return SerialPort(
        "shoe-1",
        parse_address(address),
        LineSettings(),
        listener=recorder,
        capture=recorder.capture,
        timing=timing,
    )


async def until(is_so: Callable[[], object], seconds: float = 10.0) -> None:
    """Wait for a condition, looking again and again."""
    async with asyncio.timeout(seconds):
        while not is_so():  # noqa: ASYNC110 - polls what other threads and the kernel change
            await asyncio.sleep(0.001)
