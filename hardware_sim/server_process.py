"""The studio's server as a simulation harms it: killed, on a disk that takes nothing, by a clock that is off.

It works from outside on the process whose id is in a file, as only a process of the same user can. The studio has
no part in it, but for the clock: a simulated studio reads from a file how far its wall clock is off.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
from pathlib import Path
from typing import Final

CLOCK_AHEAD_SECONDS: Final = 600
"""Far more than any clock is set by in passing, and less than a dealer's time at a table."""

_NOTHING: Final = 0


class ServerProcess:
    """The process of ``pid_file``; while there is none, nothing happens to it. ``clock_file`` is its clock's."""

    def __init__(self, pid_file: Path, clock_file: Path | None = None) -> None:
        self._pid_file = pid_file
        self._clock_file = clock_file

    @property
    def has_clock(self) -> bool:
        """Whether its wall clock can be moved."""
        return self._clock_file is not None

    @property
    def is_disk_full(self) -> bool:
        """Whether no file takes anything of it; a process that was started anew has a good disk."""
        with contextlib.suppress(OSError, ValueError):
            return resource.prlimit(self._pid(), resource.RLIMIT_FSIZE)[0] == _NOTHING
        return False

    @property
    def is_clock_ahead(self) -> bool:
        """Whether its wall clock is off."""
        return self._clock_file is not None and self._clock_file.exists()

    def kill(self) -> None:
        """Kill it (SIGKILL)."""
        with contextlib.suppress(OSError, ValueError):
            os.kill(self._pid(), signal.SIGKILL)

    def set_disk_full(self, *, is_full: bool) -> None:
        """Let every write of it to a file fail (its limit on the size of files, 0), or none."""
        with contextlib.suppress(OSError, ValueError):
            _, most = resource.prlimit(self._pid(), resource.RLIMIT_FSIZE)
            resource.prlimit(self._pid(), resource.RLIMIT_FSIZE, (_NOTHING if is_full else most, most))

    def set_clock_ahead(self, *, is_ahead: bool) -> None:
        """Put its wall clock ten minutes ahead, or right; it reads it within a moment."""
        if self._clock_file is None:
            return
        if is_ahead:
            # By rename, so that half a number is never read.
            draft = self._clock_file.with_suffix(".draft")
            draft.write_text(str(CLOCK_AHEAD_SECONDS), encoding="ascii")
            draft.replace(self._clock_file)
        else:
            self._clock_file.unlink(missing_ok=True)

    def _pid(self) -> int:
        return int(self._pid_file.read_text(encoding="ascii"))
