"""The stills of a table: sealed, bounded, and never a reason to stop."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from studio.adapters.sealing import KEY_BYTES, Sealer
from studio.adapters.stills import SealedStills, StillLimits
from studio.ports.stills import Still

KEY = bytes(KEY_BYTES)
STILL = Still(b"\xff\xd8 a picture of the hole card \xff\xd9", 0, 12)


def test_a_still_comes_back_as_it_was_and_nothing_of_it_is_readable_on_disk(tmp_path: Path) -> None:
    stills = SealedStills(tmp_path, Sealer(KEY))
    stills.keep("t1", "7-1", STILL)
    assert stills.open("t1", "7-1") == STILL
    assert stills.open("t2", "7-1") is None
    (file,) = (tmp_path / "t1").iterdir()
    assert b"picture" not in file.read_bytes()
    assert file.stat().st_mode & 0o077 == 0


def test_a_still_of_the_shoes_mouth_has_no_seat(tmp_path: Path) -> None:
    stills = SealedStills(tmp_path, Sealer(KEY))
    stills.keep("t1", "7-1", Still(b"x", None, 5))
    assert stills.open("t1", "7-1") == Still(b"x", None, 5)


def test_one_that_was_changed_or_moved_does_not_open(tmp_path: Path) -> None:
    stills = SealedStills(tmp_path, Sealer(KEY))
    stills.keep("t1", "7-1", STILL)
    (tmp_path / "t1" / "7-1.still").rename(tmp_path / "t1" / "7-2.still")
    with pytest.raises(ValueError, match="does not open"):
        stills.open("t1", "7-2")


def test_the_oldest_go_where_there_are_too_many_also_after_a_restart(tmp_path: Path) -> None:
    limits = StillLimits(table_bytes=1000)
    stills = SealedStills(tmp_path, Sealer(KEY), limits)
    for number in range(20):
        stills.keep("t1", f"7-{number}", Still(bytes(200), 1, number))
        os.utime(tmp_path / "t1" / f"7-{number}.still", (number, 10**9 + number))
    kept = {path.stem for path in (tmp_path / "t1").iterdir()}
    assert "7-19" in kept
    assert "7-0" not in kept
    assert sum(path.stat().st_size for path in (tmp_path / "t1").iterdir()) <= 1000
    again = SealedStills(tmp_path, Sealer(KEY), limits)
    again.keep("t1", "8-1", Still(bytes(200), 1, 1))
    assert {path.stem for path in (tmp_path / "t1").iterdir()} < {*kept, "8-1"}


def test_those_that_are_too_old_go(tmp_path: Path) -> None:
    SealedStills(tmp_path, Sealer(KEY)).keep("t1", "7-1", STILL)
    os.utime(tmp_path / "t1" / "7-1.still", (1, 1))
    stills = SealedStills(tmp_path, Sealer(KEY), StillLimits(seconds=60))
    stills.keep("t1", "7-2", STILL)
    assert stills.open("t1", "7-1") is None
    assert stills.open("t1", "7-2") == STILL


@pytest.mark.parametrize("frame", ["", "../7-1", "7", "a-1", "7-1.still", "7-1\0"])
def test_a_frame_that_is_none_is_counted_and_never_a_file(tmp_path: Path, frame: str) -> None:
    stills = SealedStills(tmp_path, Sealer(KEY))
    stills.keep("t1", frame, STILL)
    assert stills.lost == 1
    assert stills.open("t1", frame) is None
    assert not list(tmp_path.iterdir())


def test_a_disk_that_fails_costs_the_still_and_raises_nothing(tmp_path: Path) -> None:
    (tmp_path / "t1").write_text("no folder")
    stills = SealedStills(tmp_path, Sealer(KEY))
    stills.keep("t1", "7-1", STILL)
    assert stills.lost == 1
