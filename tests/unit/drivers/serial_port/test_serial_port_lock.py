from __future__ import annotations

import os
from pathlib import Path

import pytest

from drivers.serial_port import parse_address
from drivers.serial_port.lock import PortInUseError, PortLock


def test_a_second_owner_is_told_which_process_has_the_port(tmp_path: Path) -> None:
    first, second = PortLock(parse_address("/dev/shoe"), tmp_path), PortLock(parse_address("/dev/shoe"), tmp_path)
    first.acquire()
    with pytest.raises(PortInUseError, match=f"/dev/shoe is in use by process {os.getpid()}"):
        second.acquire()
    first.release()


def test_a_released_lock_can_be_taken_by_another(tmp_path: Path) -> None:
    first, second = PortLock(parse_address("/dev/shoe"), tmp_path), PortLock(parse_address("/dev/shoe"), tmp_path)
    first.acquire()
    first.acquire()
    first.release()
    second.acquire()
    with pytest.raises(PortInUseError):
        first.acquire()
    second.release()


def test_other_addresses_have_other_locks(tmp_path: Path) -> None:
    first, second = (
        PortLock(parse_address("/dev/shoe-1"), tmp_path),
        PortLock(parse_address("/dev/shoe-2"), tmp_path),
    )
    first.acquire()
    second.acquire()
    first.release()
    second.release()


@pytest.mark.parametrize(
    "other",
    [
        "socket://localhost:5000",
        "socket://LOCALHOST.:5000",
        "socket://shoe.localhost:5000",
        "socket://127.1:5000",
        "socket://2130706433:5000",
        "socket://0.0.0.0:5000",
        "socket://[::1]:5000",
        "socket://[0:0:0:0:0:0:0:1]:5000",
        "socket://[::ffff:127.0.0.1]:5000",
        "rfc2217://127.0.0.1:5000",
    ],
)
def test_one_serial_server_has_one_lock_however_it_is_written(other: str, tmp_path: Path) -> None:
    first = PortLock(parse_address("socket://127.0.0.1:5000"), tmp_path)
    second = PortLock(parse_address(other), tmp_path)
    first.acquire()
    with pytest.raises(PortInUseError, match="is in use by process"):
        second.acquire()
    first.release()


@pytest.mark.parametrize(
    "other", ["socket://127.0.0.1:5001", "socket://127.0.0.2:5000", "socket://10.0.7.3:5000", "socket://shoe:5000"]
)
def test_another_serial_server_has_another_lock(other: str, tmp_path: Path) -> None:
    first = PortLock(parse_address("socket://127.0.0.1:5000"), tmp_path)
    second = PortLock(parse_address(other), tmp_path)
    first.acquire()
    second.acquire()
    first.release()
    second.release()


def test_a_refused_lock_leaves_no_descriptor_behind(tmp_path: Path) -> None:
    first = PortLock(parse_address("/dev/shoe"), tmp_path)
    first.acquire()
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        with pytest.raises(PortInUseError):
            PortLock(parse_address("/dev/shoe"), tmp_path).acquire()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    first.release()
