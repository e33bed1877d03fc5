"""What a protocol is to the studio: a parser without a port. Bytes and time in, device events and bytes out."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent


class Parser(Protocol):
    """One device's protocol, sans-I/O; no input raises, and the same bytes in any chunks give the same events.

    Call :meth:`feed` with what arrives and :meth:`tick` a few times a second, and after each call send what
    :meth:`data_to_send` returns. Every byte ends as an event or in :attr:`errors`.
    """

    @property
    def errors(self) -> Counter[str]:
        """What was not taken, by cause (``check``, ``length``, ``overflow`` …)."""
        ...

    @property
    def answers(self) -> int:
        """How often the device has shown that it lives and speaks this protocol.

        A frame that still waits for the vote of its copies has not.
        """
        ...

    def connected(self, now: Instant) -> None:
        """Begin anew on a fresh line: half a frame of the old one is worth nothing."""
        ...

    def feed(self, data: bytes, at: Instant) -> list[DeviceEvent]:
        """Return the events that ``data``, which arrived at ``at``, completes, in order of arrival."""
        ...

    def tick(self, now: Instant) -> list[DeviceEvent]:
        """Do what is due at ``now``; return the events it makes."""
        ...

    def data_to_send(self) -> bytes:
        """Return what must be sent now, and forget it; a protocol that only listens sends nothing."""
        ...
