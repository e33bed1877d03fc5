"""The raw capture: everything read, sealed, bounded, and losses counted (system.md, one card)."""

from __future__ import annotations

import errno
import itertools
import os
import stat
from pathlib import Path

import pytest
from journal_entries import KEY

from studio.adapters.capture import CaptureLimits, CaptureRecord, SealedCapture, read_capture
from studio.adapters.sealing import Sealer
from studio.domain.instants import Instant
from studio.ports.devices import RawCapture


def at(number: int) -> Instant:
    return Instant(number, 1_000 + number)


def captured(folder: Path, *chunks: bytes, limits: CaptureLimits | None = None) -> Path:
    capture = SealedCapture(folder, Sealer(KEY), limits or CaptureLimits())
    for number, chunk in enumerate(chunks):
        capture("shoe-1", chunk, at(number))
    capture.close()
    assert capture.lost == {}
    return folder / "shoe-1.0.capture"


def test_every_chunk_comes_back_with_its_instants(tmp_path: Path) -> None:
    path = captured(tmp_path, b"\x01QH", b"", bytes(1_000))

    assert list(read_capture(path, KEY)) == [
        CaptureRecord(at(0), b"\x01QH"),
        CaptureRecord(at(1), b""),
        CaptureRecord(at(2), bytes(1_000)),
    ]


def test_no_byte_read_is_in_clear_and_only_the_owner_may_read(tmp_path: Path) -> None:
    path = captured(tmp_path, b"queen of hearts")

    assert b"queen" not in path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_devices_have_files_of_their_own(tmp_path: Path) -> None:
    capture: RawCapture = SealedCapture(tmp_path, Sealer(KEY))
    capture("left", b"L", at(1))
    capture("right", b"R", at(2))
    assert isinstance(capture, SealedCapture)
    capture.close()
    capture.close()

    assert [record.data for record in read_capture(tmp_path / "left.0.capture", KEY)] == [b"L"]
    assert [record.data for record in read_capture(tmp_path / "right.0.capture", KEY)] == [b"R"]


def test_files_rotate_and_their_number_is_bounded(tmp_path: Path) -> None:
    limits = CaptureLimits(file_bytes=400, files=3)
    captured(tmp_path, *(bytes([number]) * 100 for number in range(20)), limits=limits)

    kept = [
        [record.data[0] for record in read_capture(tmp_path / f"shoe-1.{number}.capture", KEY)]
        for number in (2, 1, 0)
    ]
    assert sorted(file.name for file in tmp_path.iterdir()) == [f"shoe-1.{number}.capture" for number in range(3)]
    assert all(file.stat().st_size < 400 + 200 for file in tmp_path.iterdir())
    assert list(itertools.chain(*kept)) == list(range(20 - sum(map(len, kept)), 20))


def test_a_new_start_begins_a_new_file(tmp_path: Path) -> None:
    captured(tmp_path, b"before")
    captured(tmp_path, b"after")

    assert [record.data for record in read_capture(tmp_path / "shoe-1.0.capture", KEY)] == [b"after"]
    assert [record.data for record in read_capture(tmp_path / "shoe-1.1.capture", KEY)] == [b"before"]


def test_a_device_id_is_no_path(tmp_path: Path) -> None:
    capture = SealedCapture(tmp_path, Sealer(KEY))
    with pytest.raises(ValueError, match="use letters, digits"):
        capture("../shoe", b"x", at(1))
    capture.close()


def test_chunks_lost_to_a_full_disk_are_counted_in_the_file_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_write, disk = os.pwrite, iter(["ok", "error", "short", "ok"])

    def pwrite(descriptor: int, data: bytes, offset: int) -> int:
        match next(disk):
            case "error":
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            case "short":
                return real_write(descriptor, data[: len(data) // 2], offset)
            case _:
                return real_write(descriptor, data, offset)

    monkeypatch.setattr(os, "pwrite", pwrite)
    capture = SealedCapture(tmp_path, Sealer(KEY))
    for number in range(4):
        capture("shoe-1", bytes([number]), at(number))
    capture.close()

    assert capture.lost == {"shoe-1": 2}
    assert list(read_capture(tmp_path / "shoe-1.0.capture", KEY)) == [
        CaptureRecord(at(0), b"\x00"),
        CaptureRecord(at(3), b"\x03", lost_before=2),
    ]


def test_the_reader_never_waits_for_a_disk_that_stands_still(tmp_path: Path) -> None:
    fifo = tmp_path / "shoe-1.0.capture"
    os.mkfifo(fifo)  # opening it blocks the capture's writer until somebody reads
    capture = SealedCapture(tmp_path, Sealer(KEY), CaptureLimits(files=1, waiting_chunks=5))
    for number in range(20):
        capture("shoe-1", bytes([number]), at(number))

    assert capture.lost["shoe-1"] in {14, 15}  # the writer may have taken one out of the queue
    reading = os.open(fifo, os.O_RDONLY)
    capture.close()
    os.close(reading)


def test_a_chunk_after_the_end_is_counted(tmp_path: Path) -> None:
    capture = SealedCapture(tmp_path, Sealer(KEY))
    capture.close()
    capture("shoe-1", b"late", at(1))

    assert capture.lost == {"shoe-1": 1}


def test_a_changed_or_moved_record_is_found(tmp_path: Path) -> None:
    path = captured(tmp_path, b"a" * 30, b"b" * 30)
    header, rest = path.read_bytes().split(b"\n", 1)
    half = len(rest) // 2

    for broken in (rest[half:] + rest[:half], rest[:20] + bytes([rest[20] ^ 1]) + rest[21:]):
        path.write_bytes(header + b"\n" + broken)
        with pytest.raises(ValueError, match="does not open"):
            list(read_capture(path, KEY))


@pytest.mark.parametrize("cut", [1, 40, 110])
def test_a_torn_end_is_said_after_the_last_whole_record(tmp_path: Path, cut: int) -> None:
    path = captured(tmp_path, b"a" * 30, b"b" * 50)
    path.write_bytes(path.read_bytes()[:-cut])

    records = read_capture(path, KEY)
    assert next(records).data == b"a" * 30
    with pytest.raises(ValueError, match="ends in the middle of record 1"):
        next(records)


@pytest.mark.parametrize("content", [b"", b"notes\n", b"[1]\n", b'{"format":"other"}\n'])
def test_what_is_no_capture_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.capture"
    path.write_bytes(content)

    with pytest.raises(ValueError, match="is no capture file"):
        list(read_capture(path, KEY))
