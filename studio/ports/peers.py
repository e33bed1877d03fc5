"""The two ends of a reader's line as pure byte machines: a driver's half, and a simulated reader's.

Neither waits nor opens anything; time is passed in. Whoever holds both carries the bytes between them.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from studio.domain.cards import Card
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, Resume


class HostPeer(Protocol):
    """A driver's half: the device's bytes in, its events and the host's bytes out."""

    def connected(self, at: Instant) -> list[DeviceEvent]:
        """Begin on a fresh line; return the link events that this makes."""
        ...

    def disconnected(self, reason: str, at: Instant) -> list[DeviceEvent]:
        """The line is gone."""
        ...

    def feed(self, data: bytes, at: Instant) -> list[DeviceEvent]:
        """Take bytes; return the events they complete, in order."""
        ...

    def tick(self, now: Instant) -> list[DeviceEvent]:
        """Do what is due; a few times a second is enough."""
        ...

    def acknowledge(self, event: DeviceEvent) -> None:
        """``event`` is recorded: tell the device, if it waits for that."""
        ...

    def data_to_send(self) -> bytes:
        """Return what must be sent now, and forget it."""
        ...


@runtime_checkable
class HostPeerPlugin(Protocol):
    """A card source's plug-in (``studio.card_sources``) that also gives its driver's half alone."""

    def host_peer(self, device: str, *, resume: Resume | None) -> HostPeer:
        """Return the half for one device."""
        ...


class DevicePeer(Protocol):
    """A simulated reader: what hands do to it in, its bytes out. Every moment is monotonic nanoseconds.

    A card that cannot leave now raises ``ValueError`` with why.
    """

    def plug(self, at_ns: int) -> None:
        """Plug the cable in, which gives it its power."""
        ...

    def unplug(self) -> None:
        """Pull the cable."""
        ...

    def restart(self, at_ns: int) -> None:
        """Cut the power for a moment."""
        ...

    def new_load(self, at_ns: int) -> None:
        """Put fresh cards in, counted anew; raise ``ValueError`` where it takes none now."""
        ...

    def read_card(self, card: Card, at_ns: int) -> None:
        """A card leaves and is read."""
        ...

    def read_code(self, code: str, at_ns: int) -> None:
        """A card leaves with a mark that is no card; raise ``ValueError`` for a code that it cannot say."""
        ...

    def miss_card(self, at_ns: int) -> None:
        """A card leaves and cannot be read."""
        ...

    def rescan(self, ordinal: int, card: Card | None, at_ns: int) -> None:
        """Pass the card of ``ordinal`` over the exit again; ``None``: it cannot be read this time either."""
        ...

    def see_cut_card(self, at_ns: int) -> None:
        """The cut card comes out."""
        ...

    def set_condition(self, condition: str, *, is_on: bool, at_ns: int) -> None:
        """Let a condition begin or end; raise ``ValueError`` for one that this reader does not have.

        They are ``reverse-movement``, ``shoe-empty``, ``lid`` (open), ``jam`` and ``gate`` (stuck).
        """
        ...

    def take(self, data: bytes, at_ns: int) -> None:
        """Take what the host sent."""
        ...

    def give(self, at_ns: int) -> bytes:
        """Return what it sends by now, and forget it."""
        ...

    def next_deadline_ns(self) -> int | None:
        """Return when it has something to say by itself; ``None`` without power."""
        ...


class SimulatorPlugin(Protocol):
    """What an entry point of the group ``studio.simulated_readers`` gives, called with its driver's name."""

    def device_peer(self, *, decks: int, load: int, ordinal: int) -> DevicePeer:
        """Return an unplugged reader of ``decks`` that has counted up to ``ordinal`` cards of ``load``.

        Raises ``ValueError`` where it counts no cards.
        """
        ...
