"""A thread that keeps the newest frame of a source, opens it again when it breaks, and never makes anyone wait."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from studio.domain.instants import Instant
from vision.capture.sources import FrameSource, SourceError
from vision.image import Image
from vision.table.frames import Frame

_PAUSES_SECONDS: Final = (0.2, 0.5, 1.0, 2.0, 5.0)


@dataclass(frozen=True, slots=True)
class Grabbed:
    """The newest frame, or in ``reason`` why there is none; ``alive_ns`` is when the thread last came round."""

    frame: Frame | None = None
    reason: str = "opening"
    alive_ns: int = 0


class Grabber:
    """Reads for ever in a daemon thread; :attr:`newest` is replaced as a whole."""

    def __init__(self, opened: Callable[[], FrameSource]) -> None:
        self._opened = opened
        self.newest = Grabbed(alive_ns=time.monotonic_ns())
        self._number = 0
        self._arrived = threading.Event()
        self._thread = threading.Thread(target=self._run, name="grabber", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def wait(self, seconds: float) -> Grabbed:
        """Wait for the next frame, at most so long; return the newest state."""
        self._arrived.wait(seconds)
        self._arrived.clear()
        return self.newest

    def _run(self) -> None:
        failures = 0
        while True:
            source = None
            try:
                source = self._opened()
                while True:
                    self._take(source.read())
                    failures = 0
            except SourceError as error:
                self._tell(None, str(error))
            finally:
                if source is not None:
                    source.close()
            time.sleep(_PAUSES_SECONDS[min(failures, len(_PAUSES_SECONDS) - 1)])
            failures += 1

    def _take(self, got: Image | str) -> None:
        if isinstance(got, str):
            self._tell(None, got)
            return
        self._number += 1
        now = Instant(time.monotonic_ns(), time.time_ns())
        self._tell(Frame(got, self._number, now), "")

    def _tell(self, frame: Frame | None, reason: str) -> None:
        self.newest = Grabbed(frame, reason, time.monotonic_ns())
        self._arrived.set()
