from __future__ import annotations

import os
from pathlib import Path

import pytest

from drivers.serial_port.lock import PortInUseError, PortLock


def test_a_second_owner_is_told_which_process_has_the_port(tmp_path: Path) -> None:
    first, second = PortLock("/dev/shoe", tmp_path), PortLock("/dev/shoe", tmp_path)
    first.acquire()
    with pytest.raises(PortInUseError, match=f"/dev/shoe is in use by process {os.getpid()}"):
        second.acquire()
    first.release()


def test_a_released_lock_can_be_taken_by_another(tmp_path: Path) -> None:
    first, second = PortLock("/dev/shoe", tmp_path), PortLock("/dev/shoe", tmp_path)
    first.acquire()
    first.acquire()
    first.release()
    second.acquire()
    with pytest.raises(PortInUseError):
        first.acquire()
    second.release()


def test_other_addresses_have_other_locks(tmp_path: Path) -> None:
    first, second = PortLock("/dev/shoe-1", tmp_path), PortLock("/dev/shoe-2", tmp_path)
    first.acquire()
    second.acquire()
    first.release()
    second.release()


def test_a_refused_lock_leaves_no_descriptor_behind(tmp_path: Path) -> None:
    first = PortLock("/dev/shoe", tmp_path)
    first.acquire()
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        with pytest.raises(PortInUseError):
            PortLock("/dev/shoe", tmp_path).acquire()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    first.release()
