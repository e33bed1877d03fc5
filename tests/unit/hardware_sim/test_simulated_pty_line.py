"""The pseudo-terminal, opened as a driver opens it."""

from __future__ import annotations

import asyncio
import os
import termios
from pathlib import Path

import pytest
import serial

from hardware_sim.pty_line import PtyLine


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - a count, not paths


async def test_bytes_pass_unchanged_both_ways(tmp_path: Path) -> None:
    every_byte = bytes(range(256))
    received = bytearray()
    has_all = asyncio.Event()

    def take(data: bytes) -> None:
        received.extend(data)
        if len(received) == len(every_byte):
            has_all.set()

    line = PtyLine(tmp_path / "shoe")
    line.listen(take)
    line.plug()
    with serial.Serial(str(line.link), 115200, timeout=2, exclusive=True) as port:
        line.write(every_byte)
        assert port.read(256) == every_byte
        port.write(every_byte)
        async with asyncio.timeout(5):
            await has_all.wait()
    assert received == every_byte
    line.unplug()


async def test_closing_and_opening_again_needs_no_new_plug(tmp_path: Path) -> None:
    line = PtyLine(tmp_path / "shoe")
    line.plug()
    for _ in range(3):
        with serial.Serial(str(line.link), timeout=2) as port:
            line.write(b"here")
            assert port.read(4) == b"here"
        await asyncio.sleep(0)
    line.unplug()


async def test_unplugging_shows_on_the_open_port_and_the_name_comes_back(tmp_path: Path) -> None:
    line = PtyLine(tmp_path / "shoe")
    line.plug()
    with serial.Serial(str(line.link), timeout=0.5) as port:
        line.unplug()
        assert not line.link.exists()
        with pytest.raises((serial.SerialException, OSError, termios.error)):
            port.read(1)
    line.plug()
    assert line.link.resolve().exists()
    line.unplug()


async def test_a_thousand_flaps_leak_no_descriptor(tmp_path: Path) -> None:
    line = PtyLine(tmp_path / "shoe")
    before = open_descriptors()
    for _ in range(1000):
        line.plug()
        line.unplug()
    assert open_descriptors() == before
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - names, after the last await


async def test_what_nobody_reads_is_lost_and_counted(tmp_path: Path) -> None:
    line = PtyLine(tmp_path / "shoe")
    line.write(b"nobody is there")
    line.plug()
    for _ in range(200):
        line.write(bytes(1000))
    assert line.lost_bytes > 0
    line.unplug()


def test_a_file_in_the_way_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "shoe"
    path.write_text("precious")
    with pytest.raises(ValueError, match="choose another path"):
        PtyLine(path)
    assert path.read_text() == "precious"
