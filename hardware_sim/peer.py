"""One simulated reader by itself, for whoever tries a driver: cards in, bytes out, on a clock given from outside.

No table, shoe or fault: what happens to the bytes is the trial's business.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from hardware_sim.protocols import PROTOCOLS, ReaderOptions
from hardware_sim.reader import SimulatedReader
from hardware_sim.smartshoe.peer import ShoePeer
from studio.domain.cards import Card

_QUALITY_PERCENT: Final = 100


class ReaderPeer:
    """A reader with power, waiting for cards; every moment is an argument, monotonic nanoseconds."""

    def __init__(self, reader: SimulatedReader) -> None:
        self._reader = reader

    def start(self, now_ns: int) -> None:
        """Give it power."""
        self._reader.power_on(now_ns)

    @property
    def is_free(self) -> bool:
        """Whether the next card may come: the reader has told of the last one."""
        return self._reader.refusal() is None

    def card(self, card: Card, now_ns: int) -> None:
        """Let it read a card."""
        self._reader.read_card(card, _QUALITY_PERCENT, now_ns)

    def unread(self, now_ns: int) -> None:
        """Let a card pass that it cannot read."""
        self._reader.fail_to_read(now_ns)

    def foreign(self, seed: int, now_ns: int) -> None:
        """Let it read a mark that is no card."""
        self._reader.read_foreign(Random(seed), _QUALITY_PERCENT, now_ns)  # noqa: S311 - a test that can be repeated

    def cut_card(self, now_ns: int) -> None:
        """Let it see the cut card."""
        self._reader.see_cut_card(now_ns)

    def host_bytes(self, data: bytes, now_ns: int) -> None:
        """Let it hear the host."""
        self._reader.host_bytes(data, now_ns)

    def packets(self, now_ns: int) -> list[bytes]:
        """Return what it sends until ``now_ns``, a frame or a copy of one each."""
        self._reader.tick(now_ns)
        return [packet.data for packet in self._reader.packets()]

    def next_deadline_ns(self) -> int | None:
        """Return when it says more by itself."""
        return self._reader.next_deadline_ns()


class SimulatedPeers:
    """The simulated readers of one driver; found by the entry-point group ``studio.simulated_readers``."""

    def __init__(self, driver: str) -> None:
        protocol = PROTOCOLS[driver]
        self.settings: Mapping[str, Any] = protocol.settings
        """What the driver's configuration needs beside the port."""
        self._driver = driver
        self._shoe = protocol.shoe
        self._make: Callable[[ReaderOptions], SimulatedReader] = protocol.make

    def make(self, seed: int) -> ReaderPeer:
        """Return a reader without power."""
        return ReaderPeer(self._make(ReaderOptions(seed=seed)))

    def device_peer(self, *, decks: int, load: int, ordinal: int) -> ShoePeer:
        """Return an unplugged reader for scenarios; raise ``ValueError`` where it counts no cards."""
        if self._shoe is None:
            message = f"the simulated {self._driver} reader counts no cards, so no scenario is played with it"
            raise ValueError(message)
        return self._shoe(decks, load, ordinal)
