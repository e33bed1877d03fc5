"""Probes of the server's machine: free space, the wall clock, the recorder, the journal and its second copy.

Each implements :data:`studio.ports.conditions.Probe`. They know no table.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Protocol

import httpx

from studio.domain.anomalies import AnomalyKind
from studio.domain.instants import Instant
from studio.ports.conditions import Condition

_NS_PER_SECOND: Final = 1_000_000_000
_NS_PER_MS: Final = 1_000_000
_MIB: Final = 1 << 20
_STEADY_NS: Final = 10 * _NS_PER_SECOND
"""A clock that went on evenly for this long is taken to be right again."""
_ANSWER_SECONDS: Final = 2.0


def free_space(folder: Path) -> int:
    """Return the free bytes of the disk that a folder lies on."""
    return shutil.disk_usage(folder).free


class DiskProbe:
    """Finds the journal's disk nearly full: with the reserve the round in progress can still be recorded."""

    def __init__(self, folder: Path, reserve_mib: int, free: Callable[[Path], int] = free_space) -> None:
        self._folder = folder
        self._reserve_mib = reserve_mib
        self._free = free

    def __call__(self, _at: Instant) -> Condition:
        """Look at the free space."""
        try:
            free_mib = self._free(self._folder) // _MIB
        except OSError as error:
            return Condition(AnomalyKind.DISK_LOW, f"The disk of {self._folder} does not answer: {error.strerror}")
        if free_mib >= self._reserve_mib:
            return Condition(AnomalyKind.DISK_LOW)
        text = f"{free_mib} MiB are free, the reserve is {self._reserve_mib}: free space on the journal's disk"
        return Condition(AnomalyKind.DISK_LOW, text)


class ClockProbe:
    """Finds steps of the wall clock against the monotonic one."""

    def __init__(self, warn_ms: int, stop_ms: int) -> None:
        self._warn_ns = warn_ms * _NS_PER_MS
        self._stop_ns = stop_ms * _NS_PER_MS
        self._before: Instant | None = None
        self._since_ns = 0
        self._text = ""
        self._blocks = False

    def __call__(self, at: Instant) -> Condition:
        """Compare both clocks with the last time."""
        before, self._before = self._before or at, at
        step_ns = (at.wall_ns - before.wall_ns) - (at.monotonic_ns - before.monotonic_ns)
        if abs(step_ns) > self._warn_ns:
            self._since_ns = at.monotonic_ns
            self._blocks = self._blocks or abs(step_ns) > self._stop_ns
            self._text = f"It was moved by {step_ns / _NS_PER_SECOND:+.1f} s: check the time source"
        elif self._text and at.monotonic_ns - self._since_ns >= _STEADY_NS:
            self._text, self._blocks = "", False
        return Condition(AnomalyKind.CLOCK_JUMP, self._text, self._blocks)


class RecorderProbe:
    """Finds the recorder's heartbeat gone: a file that it touches, or an address that answers 200."""

    def __init__(self, target: str, seconds: int) -> None:
        self._target = target
        self._allowed_ns = seconds * _NS_PER_SECOND
        self._mark: object = None
        self._seen_ns: int | None = None

    def __call__(self, at: Instant) -> Condition:
        """Look for a new beat."""
        is_address = self._target.startswith(("http://", "https://"))
        if _answers(self._target) if is_address else self._has_moved():
            self._seen_ns = at.monotonic_ns
        if self._seen_ns is None:
            self._seen_ns = at.monotonic_ns  # a recorder gets its time at the start too
        silent_ns = at.monotonic_ns - self._seen_ns
        if silent_ns <= self._allowed_ns:
            return Condition(AnomalyKind.RECORDING_LOST)
        return Condition(AnomalyKind.RECORDING_LOST, f"No sign of life at {self._target}: start the recorder")

    def _has_moved(self) -> bool:
        try:
            found = Path(self._target).stat()
        except OSError:
            return False
        mark, self._mark = self._mark, (found.st_mtime_ns, found.st_size, found.st_ino)
        return self._mark != mark


class Copied(Protocol):
    """A second copy, as the probe sees it."""

    broken: str
    failure: str

    @property
    def lag_seconds(self) -> float:
        """For how long the oldest row that is not copied has been committed."""
        ...


class Patrolled(Protocol):
    """A journal that is read again while it is written, as the probe sees it."""

    broken: str
    failure: str


class JournalProbe:
    """Finds a row that is not as it was written, a journal that cannot be read, or the second copy lagging."""

    def __init__(self, patrol: Patrolled, copy: Copied | None, lag_seconds: int) -> None:
        self._patrol = patrol
        self._copy = copy
        self._lag_seconds = lag_seconds

    def __call__(self, _at: Instant) -> Condition:
        """Look at what the patrol and the copy have found."""
        return Condition(AnomalyKind.JOURNAL_BROKEN, next(self._found(), ""))

    def _found(self) -> Iterator[str]:
        patrol, copy = self._patrol, self._copy
        if broken := patrol.broken or (copy.broken if copy else ""):
            yield f"{broken}: run studio verify"
        if patrol.failure:
            yield f"The journal cannot be read again: {patrol.failure}"
        if copy is not None and copy.lag_seconds > self._lag_seconds:
            why = f" ({copy.failure})" if copy.failure else ""
            yield f"The second copy lags by over {self._lag_seconds} s{why}"


def _answers(address: str) -> bool:
    try:
        return httpx.get(address, timeout=_ANSWER_SECONDS).status_code == httpx.codes.OK
    except httpx.HTTPError:
        return False
