"""What every simulated reader is to the simulated table: sensors in, packets out, whatever its protocol.

A reader sees the cards that leave the shoe and says so in its protocol's bytes. It knows nothing of the stack, of
the studio's driver, of descriptors or clocks: every moment is an argument, monotonic nanoseconds. One class a
protocol; :class:`~hardware_sim.plain_reader.PlainReader` has what those share that count no cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from hardware_sim.faults import FAULTS, OF_THE_SERVER, Fault, FaultPanel
from studio.domain.cards import Card


@dataclass(frozen=True, slots=True)
class Packet:
    """The bytes of one frame, or of one copy of it; the cable spoils, doubles and loses packets as wholes.

    ``is_event``: it tells of a card or a sensor, so that the fault ``drop`` may choose it; a greeting or a
    heartbeat is none.
    """

    data: bytes
    is_event: bool = True


class SimulatedReader(Protocol):
    """A device at the exit of the shoe. After each call send what :meth:`packets` returns.

    ``ordinal`` counts the cards that passed since ``load`` began: the simulator's own count where the protocol
    tells neither.
    """

    load: int
    ordinal: int

    @property
    def seed(self) -> int:
        """The seed of all chance about this device: the same seed gives the same bytes."""
        ...

    @property
    def captions(self) -> Mapping[Fault, str]:
        """The faults that it can have, each with one line on what the studio makes of it."""
        ...

    @property
    def label(self) -> str:
        """What it calls itself to the host: its serial number, or its model where the protocol has none."""
        ...

    @property
    def boot(self) -> int:
        """The nonce of its last start; 0 where the protocol has none."""
        ...

    @property
    def state_name(self) -> str:
        """Its state in a word, for the control page."""
        ...

    @property
    def is_powered(self) -> bool:
        """Whether it has power."""
        ...

    def refusal(self) -> str | None:
        """Return why no card can leave the shoe now, as a part of a sentence, or None when one can."""
        ...

    # Time and bytes

    def packets(self) -> list[Packet]:
        """Return what is to be sent now, in order, and forget it."""
        ...

    def tick(self, now_ns: int) -> None:
        """Let time pass."""
        ...

    def next_deadline_ns(self) -> int | None:
        """Return when :meth:`tick` has something to do, if nothing else happens."""
        ...

    def host_bytes(self, data: bytes, now_ns: int) -> None:
        """Take what the host sent; no bytes raise."""
        ...

    def spoil(self, data: bytes, faults: FaultPanel) -> bytes:
        """Return what of the host's ``data`` arrives, spoilt by the faults of that direction."""
        ...

    # Power and load

    def power_on(self, now_ns: int) -> None:
        """Start, or start again after a power cut."""
        ...

    def power_off(self) -> None:
        """Cut the power, and with it the line: half a message of the host is worth nothing."""
        ...

    def load_shoe(self, decks: int, now_ns: int) -> bool:
        """Begin a new load of ``decks`` decks; return whether it could."""
        ...

    # Sensors

    def read_card(self, card: Card, quality: int, now_ns: int) -> int:
        """Read a card at the exit (``quality`` per cent); return its ordinal."""
        ...

    def read_foreign(self, chance: Random, quality: int, now_ns: int) -> int:
        """Read a mark that is no card of a deck, chosen by ``chance``; return the ordinal."""
        ...

    def fail_to_read(self, now_ns: int) -> int:
        """See a card pass without being able to read it; return its ordinal."""
        ...

    def lose_card(self) -> int:
        """Count a card of which nothing is ever told; return its ordinal."""
        ...

    def rescan(self, ordinal: int, card: Card | None, quality: int, now_ns: int) -> None:
        """Read the card that was not read as ``ordinal`` again; None if it still cannot be read."""
        ...

    def show_card(self, card: Card, now_ns: int) -> None:
        """Read a card that comes from no shoe; a shoe that tells by itself that it lives need not."""
        ...

    def free_exit(self, now_ns: int) -> None:
        """See the card that could not be read being taken away."""
        ...

    def see_cut_card(self, now_ns: int) -> None:
        """See the cut card come out."""
        ...

    def see_card_return(self, now_ns: int) -> None:
        """See the last card move back towards the shoe."""
        ...

    def see_empty(self, now_ns: int) -> None:
        """Find no card left."""
        ...

    def switch(self, fault: Fault, *, is_on: bool, now_ns: int) -> None:
        """Have or lose a fault of the device itself (lid, gate, jam …); any other is not its business."""
        ...


ANY_READER: Final = frozenset(
    {
        Fault.MISSED,
        Fault.IMPOSSIBLE_COPY,
        Fault.SHORT_SHOE,
        Fault.EXTRA_CARD,
        Fault.CARD_BEFORE_TIME,
        Fault.WRONG_BURN,
        Fault.WRONG_SEAT,
        Fault.BOXED_CARD,
        Fault.REBOOT,
        Fault.UNPLUG,
        Fault.SPLIT,
        Fault.MERGE,
        Fault.SILENCE,
        Fault.LATENCY,
    }
    | OF_THE_SERVER
)
"""What the shoe, the cable, the dealer and the server can do to any reader."""


def captions_of(faults: frozenset[Fault], changed: Mapping[Fault, str]) -> dict[Fault, str]:
    """Return the captions of ``faults`` and of those in ``changed``, whose words replace the catalogue's."""
    return {
        fault: changed.get(fault, spec.caption)
        for fault, spec in FAULTS.items()
        if fault in faults or fault in changed
    }
