"""The opened device: what cannot be grabbed is not used, what is unplugged is lost."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.evdev.line import InputLine
from drivers.evdev.plugin import EvdevPlugin
from hardware_sim.evdev.reader import keystrokes
from hardware_sim.pty_line import PtyLine
from studio.domain.instants import Instant
from studio.ports.devices import LinkState


@pytest.fixture
def wake_fd() -> Iterator[int]:
    fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
    yield fd
    os.close(fd)


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - a count, not paths


async def test_what_is_no_input_device_cannot_be_had_alone_and_leaves_nothing_open(
    tmp_path: Path, wake_fd: int
) -> None:
    stand_in = PtyLine(tmp_path / "reader")
    stand_in.plug()
    before = open_descriptors()
    with pytest.raises(OSError, match=r"cannot be had alone .*: it is no input device, or another program"):
        InputLine(str(stand_in.link), wake_fd, is_device=True)
    assert open_descriptors() == before
    stand_in.unplug()


async def test_a_stand_in_is_read_woken_and_lost(tmp_path: Path, wake_fd: int) -> None:
    stand_in = PtyLine(tmp_path / "reader")
    stand_in.plug()
    line = InputLine(str(stand_in.link), wake_fd, is_device=False)
    keys = keystrokes("8S", 10**9)
    stand_in.write(keys)
    assert line.read(5, wants_write=False) == keys
    os.eventfd_write(wake_fd, 1)
    assert line.read(5, wants_write=False) == b""
    assert line.write(b"nothing is ever sent") == 20
    stand_in.unplug()
    with pytest.raises(OSError, match=r"hung up|Input/output error"):
        line.read(5, wants_write=False)
    line.close()


async def test_a_device_that_is_not_there_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    settings = {"port": "/dev/input/by-id/usb-nobody-has-this-event-kbd"}

    def ignore(device: str, data: bytes, received: Instant) -> None:
        """Stand in for the raw capture."""

    source = EvdevPlugin().open("reader-1", settings, resume=None, capture=ignore)
    async with asyncio.timeout(10):
        async for event in source.events():
            assert event.details["state"] == LinkState.ABSENT.value
            assert "usb-nobody-has-this" in event.details["reason"]
            break
    await source.close()
