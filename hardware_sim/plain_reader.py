"""What simulated readers share that count no cards and wait for no host: power, a clock, a queue of packets.

A protocol's class says what it tells of a card, of a card it could not read, of a mark that is no card; by default
it has neither cut-card nor motion sensors and never speaks by itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from random import Random

from hardware_sim.faults import Fault, FaultPanel
from hardware_sim.reader import Packet
from studio.domain.cards import Card


class PlainReader(ABC):
    """A :class:`~hardware_sim.reader.SimulatedReader` that only speaks, with ``packet_gap_ns`` between packets.

    ``start_ns`` after it got power it says what :meth:`start` returns; nobody has the port open any sooner.

    A card cannot leave the shoe while packets wait: a hand is slower than any of these lines.
    """

    def __init__(
        self, seed: int, captions: Mapping[Fault, str], label: str, *, packet_gap_ns: int = 0, start_ns: int = 0
    ) -> None:
        self.load = 1
        self.ordinal = 0
        self._seed = seed
        self._captions = captions
        self._label = label
        self._packet_gap_ns = packet_gap_ns
        self._start_ns = start_ns
        self._is_powered = False
        self._waiting: deque[tuple[int, Packet]] = deque()
        self._due: list[Packet] = []
        self._free_at_ns = 0

    # What a protocol must say

    @abstractmethod
    def card(self, card: Card) -> Sequence[bytes]:
        """Return the packets that tell of a card."""

    @abstractmethod
    def unread(self) -> Sequence[bytes]:
        """Return the packets that tell of a card which could not be read; none where the reader is silent then."""

    @abstractmethod
    def foreign(self, chance: Random) -> Sequence[bytes]:
        """Return the packets of a mark that is no card of a deck."""

    # What it may say

    def start(self) -> Sequence[bytes]:
        """Return what it says when it gets power."""
        return ()

    def cut_card(self) -> Sequence[bytes]:
        """Return what it says of the cut card."""
        return ()

    def card_return(self) -> Sequence[bytes]:
        """Return what it says of a card that moves back."""
        return ()

    def freed(self) -> Sequence[bytes]:
        """Return what it says when a card that could not be read is read after all or is taken away."""
        return ()

    # The reader as the table sees it

    @property
    def seed(self) -> int:
        """The seed of all chance about this device."""
        return self._seed

    @property
    def captions(self) -> Mapping[Fault, str]:
        """The faults that it can have, each with one line on what the studio makes of it."""
        return self._captions

    @property
    def label(self) -> str:
        """Its model."""
        return self._label

    @property
    def boot(self) -> int:
        """Always 0: these protocols tell no nonce."""
        return 0

    @property
    def state_name(self) -> str:
        """Its state in a word."""
        return "ready"

    @property
    def is_powered(self) -> bool:
        """Whether it has power."""
        return self._is_powered

    def refusal(self) -> str | None:
        """Return why no card can leave the shoe now, or None when one can."""
        if not self._is_powered:
            return "the reader has no power"
        return "the reader still tells of the last card" if self._waiting else None

    def packets(self) -> list[Packet]:
        """Return what is to be sent now, in order, and forget it."""
        packets, self._due = self._due, []
        return packets

    def tick(self, now_ns: int) -> None:
        """Let the packets go that are due."""
        while self._waiting and self._waiting[0][0] <= now_ns:
            self._due.append(self._waiting.popleft()[1])

    def next_deadline_ns(self) -> int | None:
        """Return when the next packet is due."""
        return self._waiting[0][0] if self._waiting else None

    def host_bytes(self, data: bytes, now_ns: int) -> None:  # noqa: B027 - nothing, by default
        """Ignore the host: the line has one direction."""

    def spoil(self, data: bytes, faults: FaultPanel) -> bytes:  # noqa: ARG002 - part of the interface
        """Return ``data``: no fault is about the host's bytes."""
        return data

    def power_on(self, now_ns: int) -> None:
        """Start, and forget what was not sent yet."""
        self._forget()
        self._is_powered = True
        self._free_at_ns = now_ns + self._start_ns
        self._say(self.start(), now_ns, is_event=False)

    def power_off(self) -> None:
        """Cut the power."""
        self._forget()
        self._is_powered = False

    def load_shoe(self, decks: int, now_ns: int) -> bool:  # noqa: ARG002 - it learns neither
        """Begin to count anew; the reader itself notices nothing."""
        if not self._is_powered or self._waiting:
            return False
        self.load += 1
        self.ordinal = 0
        return True

    def read_card(self, card: Card, quality: int, now_ns: int) -> int:  # noqa: ARG002 - not told
        """Read a card at the exit; return its ordinal."""
        self.ordinal += 1
        self._say(self.card(card), now_ns)
        return self.ordinal

    def read_foreign(self, chance: Random, quality: int, now_ns: int) -> int:  # noqa: ARG002 - not told
        """Read a mark that is no card of a deck; return the ordinal."""
        self.ordinal += 1
        self._say(self.foreign(chance), now_ns)
        return self.ordinal

    def fail_to_read(self, now_ns: int) -> int:
        """See a card pass without being able to read it; return its ordinal."""
        self.ordinal += 1
        self._say(self.unread(), now_ns)
        return self.ordinal

    def lose_card(self) -> int:
        """Count a card of which nothing is ever told; return its ordinal."""
        self.ordinal += 1
        return self.ordinal

    def rescan(self, ordinal: int, card: Card | None, quality: int, now_ns: int) -> None:  # noqa: ARG002 - not told
        """Read a card again; it looks like any other, as the reader counts nothing."""
        self._say(self.unread() if card is None else (*self.freed(), *self.card(card)), now_ns)

    def show_card(self, card: Card, now_ns: int) -> None:
        """Read a card that comes from no shoe: to the reader it is one like any other."""
        self._say(self.card(card), now_ns)

    def free_exit(self, now_ns: int) -> None:
        """See the card that could not be read being taken away."""
        self._say(self.freed(), now_ns)

    def see_cut_card(self, now_ns: int) -> None:
        """See the cut card come out."""
        self._say(self.cut_card(), now_ns)

    def see_card_return(self, now_ns: int) -> None:
        """See the last card move back towards the shoe."""
        self._say(self.card_return(), now_ns)

    def see_empty(self, now_ns: int) -> None:  # noqa: B027 - nothing, by default
        """Notice nothing: these readers do not see into the shoe."""

    def switch(self, fault: Fault, *, is_on: bool, now_ns: int) -> None:  # noqa: B027 - nothing, by default
        """Have no fault of its own."""

    def _say(self, packets: Sequence[bytes], now_ns: int, *, is_event: bool = True) -> None:
        if not self._is_powered:
            return
        for data in packets:
            due_ns = max(now_ns, self._free_at_ns)
            self._free_at_ns = due_ns + self._packet_gap_ns
            self._waiting.append((due_ns, Packet(data, is_event)))
        self.tick(now_ns)

    def _forget(self) -> None:
        self._waiting.clear()
        self._due.clear()
        self._free_at_ns = 0
