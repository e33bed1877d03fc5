"""Words to the service manager: ready, alive, stopping. A few lines on a datagram socket.

systemd gives the socket's address in ``NOTIFY_SOCKET`` and, with ``WatchdogSec=``, the time within which it wants
to hear ``WATCHDOG=1`` in ``WATCHDOG_USEC``; where there is none, nothing is said. A studio that does not run any
more does not say that it is alive, and is started anew.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from typing import Final

import structlog

from studio.ports.clock import Clock

_NS_PER_US: Final = 1_000
_ABSTRACT: Final = "@"

log = structlog.get_logger(__name__)


class Watchdog:
    """Tells the service manager that ``environment`` names; ``is_well`` says whether the studio still runs."""

    def __init__(self, environment: Mapping[str, str], is_well: Callable[[], bool], clock: Clock) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._within_ns = int(environment.get("WATCHDOG_USEC") or 0) * _NS_PER_US
        self._is_well = is_well
        self._clock = clock

    def ready(self) -> None:
        """Say that clients are served."""
        self._say("READY=1")

    def stopping(self) -> None:
        """Say that the studio ends in order."""
        self._say("STOPPING=1")

    async def run(self) -> None:
        """Say that the studio is alive, twice as often as it must, as long as it is; run it as a task."""
        if not self._address or not self._within_ns:
            return
        was_well = True
        while True:
            if is_well := self._is_well():
                self._say("WATCHDOG=1")
            elif was_well:
                log.error("not alive", text="a table does not run any more; the service manager will start anew")
            was_well = is_well
            await self._clock.sleep_until(self._clock.now().monotonic_ns + self._within_ns // 2)

    def _say(self, word: str) -> None:
        if not self._address:
            return
        # An abstract address begins with a zero byte, which the environment writes as @.
        address = f"\0{self._address[1:]}" if self._address.startswith(_ABSTRACT) else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as speaking:
                speaking.setblocking(False)
                speaking.sendto(word.encode(), address)
        except OSError as error:
            log.warning("the service manager does not hear", word=word, reason=str(error))
