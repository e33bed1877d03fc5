"""The words to the service manager, heard on a socket like systemd's."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.adapters.clocks import ManualClock
from studio.adapters.watchdog import Watchdog

SECOND = 1_000_000_000


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        yield listening


def heard(manager: socket.socket) -> list[bytes]:
    words = []
    while True:
        try:
            words.append(manager.recv(100))
        except BlockingIOError:
            return words


def environment(manager: socket.socket, seconds: int = 10) -> dict[str, str]:
    return {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": str(seconds * 1_000_000)}


async def test_a_studio_that_runs_says_so_twice_as_often_as_it_must(manager: socket.socket) -> None:
    clock = ManualClock()
    task = asyncio.create_task(Watchdog(environment(manager), lambda: True, clock).run())
    await clock.advance(21 * SECOND)
    assert heard(manager) == [b"WATCHDOG=1"] * 5
    task.cancel()


async def test_a_studio_whose_table_died_is_silent(manager: socket.socket) -> None:
    clock, well = ManualClock(), [True]
    task = asyncio.create_task(Watchdog(environment(manager), lambda: well[0], clock).run())
    await clock.advance(SECOND)
    heard(manager)
    well[0] = False
    await clock.advance(60 * SECOND)
    assert heard(manager) == []
    task.cancel()


def test_ready_and_stopping_are_said(manager: socket.socket) -> None:
    watchdog = Watchdog(environment(manager), lambda: True, ManualClock())
    watchdog.ready()
    watchdog.stopping()
    assert heard(manager) == [b"READY=1", b"STOPPING=1"]


def test_an_abstract_address_is_understood() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0studio-watchdog-test")
        listening.setblocking(False)
        Watchdog({"NOTIFY_SOCKET": "@studio-watchdog-test"}, lambda: True, ManualClock()).ready()
        assert heard(listening) == [b"READY=1"]


async def test_without_a_service_manager_nothing_is_said_and_nothing_fails(tmp_path: Path) -> None:
    watchdog = Watchdog({}, lambda: True, ManualClock())
    watchdog.ready()
    await watchdog.run()
    Watchdog({"NOTIFY_SOCKET": str(tmp_path / "absent")}, lambda: True, ManualClock()).ready()
