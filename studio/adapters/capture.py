"""The raw capture: every chunk of bytes that a transport read, sealed, in rotating files per device.

For forensics: it keeps what arrived before anyone interpreted it. The thread that reads the device never waits
for the disk: chunks go through a bounded queue to a writer of its own, and what finds it full is counted, in the
file too.

A file is a header line (JSON: format, device, file id), then records: four bytes of length, big-endian, and a
sealed value bound to file id and record number. It knows no protocol and no card.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import queue
import re
import struct
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from studio.adapters.codec import canonical
from studio.adapters.sealing import Sealer
from studio.domain.instants import Instant

_FORMAT: Final = "studio-capture-1"
_SUFFIX: Final = ".capture"
_LENGTH: Final = struct.Struct(">I")
_RECORD: Final = struct.Struct(">qqI")
"""Monotonic and wall time in nanoseconds, and the number of chunks lost just before."""
_DEVICE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CaptureRecord:
    """One chunk as it was read; ``lost_before`` chunks between the last record and this one could not be kept."""

    received: Instant
    data: bytes
    lost_before: int = 0


@dataclass(frozen=True, slots=True)
class CaptureLimits:
    """How much is kept: bytes a file, files a device, and chunks that may wait for the disk."""

    file_bytes: int = 16 * 1024 * 1024
    files: int = 8
    waiting_chunks: int = 4096


@dataclass(frozen=True, slots=True)
class _Chunk:
    device: str
    data: bytes
    received: Instant


class SealedCapture:
    """Implements :class:`studio.ports.devices.RawCapture` in the folder given. :meth:`close` drains it.

    The newest file of a device is ``<device>.0.capture``, older ones have higher numbers. ``on_lost`` hears the
    device of each chunk that could not be kept, in whatever thread that is.
    """

    def __init__(
        self,
        folder: Path,
        sealer: Sealer,
        limits: CaptureLimits = CaptureLimits(),
        on_lost: Callable[[str], None] = lambda _device: None,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        self._sealer = sealer
        self._limits = limits
        self._on_lost = on_lost
        self._lost: defaultdict[str, int] = defaultdict(int)
        self._lost_written: defaultdict[str, int] = defaultdict(int)
        self._counting = threading.Lock()
        self._queue: queue.Queue[_Chunk | None] = queue.Queue(limits.waiting_chunks)
        self._files: dict[str, _File] = {}
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="raw-capture", daemon=True)
        self._thread.start()

    @property
    def lost(self) -> Mapping[str, int]:
        """Chunks that could not be kept, by device, since this capture was opened."""
        with self._counting:
            return dict(self._lost)

    def __call__(self, device: str, data: bytes, received: Instant) -> None:
        """Hand a chunk over; it never waits. Raises ``ValueError`` for a device id that can be no file name."""
        if not _DEVICE.fullmatch(device):
            message = f"device id {device!r}: use letters, digits, - and _"
            raise ValueError(message)
        if self._closed:
            self._lose(device)
            return
        try:
            self._queue.put_nowait(_Chunk(device, data, received))
        except queue.Full:
            self._lose(device)

    def close(self) -> None:
        """Write what waits, then close the files. Calling it twice is allowed."""
        if self._closed:
            return
        self._closed = True
        self._queue.put(None)
        self._thread.join()

    def _lose(self, device: str) -> None:
        with self._counting:
            self._lost[device] += 1
        self._on_lost(device)

    def _run(self) -> None:
        while (chunk := self._queue.get()) is not None:
            self._keep(chunk)
        for file in self._files.values():
            os.close(file.descriptor)

    def _keep(self, chunk: _Chunk) -> None:
        """Write a chunk; a disk that fails costs the chunk, is counted, and never the reader."""
        device = chunk.device
        lost = self.lost.get(device, 0)
        record = CaptureRecord(chunk.received, chunk.data, lost - self._lost_written[device])
        try:
            self._file_of(device).write(record, self._sealer)
        except OSError as error:
            self._lose(device)
            _LOG.warning("raw capture of %s lost a chunk: %s", device, error)
        else:
            self._lost_written[device] = lost

    def _file_of(self, device: str) -> _File:
        """Return the file in use; where it is full, push the older ones up, drop the oldest, begin a new one."""
        file = self._files.get(device)
        if file is not None and file.size < self._limits.file_bytes:
            return file
        if file is not None:
            del self._files[device]
            os.close(file.descriptor)
        for number in reversed(range(self._limits.files - 1)):
            older = self._path(device, number)
            if older.exists():
                older.replace(self._path(device, number + 1))
        self._files[device] = _File(self._path(device, 0), device)
        return self._files[device]

    def _path(self, device: str, number: int) -> Path:
        return self._folder / f"{device}.{number}{_SUFFIX}"


class _File:
    """The file in use of one device; only whole records count towards its ``size``."""

    def __init__(self, path: Path, device: str) -> None:
        self.descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        self.size = 0
        self._id = os.urandom(8).hex()
        self._count = 0
        self._header = canonical({"format": _FORMAT, "device": device, "file": self._id}).encode() + b"\n"

    def write(self, record: CaptureRecord, sealer: Sealer) -> None:
        """Add a record; what a full disk leaves of it is overwritten by the next. Raises ``OSError``."""
        clear = _RECORD.pack(record.received.monotonic_ns, record.received.wall_ns, record.lost_before)
        sealed = sealer.seal(clear + record.data, _place(self._id, self._count))
        written = (b"" if self.size else self._header) + _LENGTH.pack(len(sealed)) + sealed
        if os.pwrite(self.descriptor, written, self.size) < len(written):
            os.ftruncate(self.descriptor, self.size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.size += len(written)
        self._count += 1


def read_capture(path: Path, key: bytes) -> Iterator[CaptureRecord]:
    """Yield the records of one file in the order they were read.

    Raises ``ValueError`` for a file that is no capture, at a record that was changed or moved, and, after the last
    whole record, where the file ends in the middle of one (the studio was stopped while it wrote).
    """
    sealer = Sealer(key)
    with path.open("rb") as stream:
        file = _file_id(stream.readline(), path)
        number = 0
        while head := stream.read(_LENGTH.size):
            length = _LENGTH.unpack(head)[0] if len(head) == _LENGTH.size else 0
            sealed = stream.read(length)
            if not length or len(sealed) < length:
                message = f"{path} ends in the middle of record {number}"
                raise ValueError(message)
            clear = sealer.open(sealed, _place(file, number))
            monotonic_ns, wall_ns, lost = _RECORD.unpack_from(clear)
            yield CaptureRecord(Instant(monotonic_ns, wall_ns), clear[_RECORD.size :], lost)
            number += 1


def _file_id(header: bytes, path: Path) -> str:
    try:
        read = json.loads(header)
    except ValueError:
        read = None
    if not isinstance(read, dict) or read.get("format") != _FORMAT:
        message = f"{path} is no capture file"
        raise ValueError(message)
    return str(read["file"])


def _place(file: str, number: int) -> str:
    return f"capture:{file}:{number}"
