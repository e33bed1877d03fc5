"""Which events have been acknowledged, and under which sequence their newest copy came.

Sans-I/O. The rule it keeps (spec.md, "Acknowledging"): a fresh event is acknowledged when its reader says that
it is journalled, never before; a further copy of one that was is acknowledged at once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

_REMEMBERED: Final = 512
"""Twice the sequence numbers there are: a device has one event in flight, so one would nearly do."""


@dataclass(slots=True)
class Delivery:
    """An event that was handed on, with its newest copy; ``ordinal`` places it among the cards, if it has one."""

    boot: int
    sequence: int
    ordinal: int | None
    is_acknowledged: bool = False


class Acknowledgements:
    """The events of one load, by what they are and by the (boot, sequence) of each of their copies."""

    def __init__(self) -> None:
        self._by_copy: OrderedDict[tuple[int, int], Delivery] = OrderedDict()
        self._by_identity: dict[Hashable, Delivery] = {}

    def knows(self, identity: Hashable) -> bool:
        """Whether an event with this identity was handed on."""
        return identity in self._by_identity

    def opened(self, identity: Hashable, boot: int, sequence: int, ordinal: int | None) -> None:
        """Remember a fresh event, not yet acknowledged; an older one with this identity is forgotten."""
        delivery = Delivery(boot, sequence, ordinal)
        self._by_identity[identity] = delivery
        self._remember(delivery)

    def repeated(self, identity: Hashable, boot: int, sequence: int) -> bool:
        """Remember a further copy; return whether it is to be acknowledged at once."""
        delivery = self._by_identity[identity]
        delivery.boot, delivery.sequence = boot, sequence
        self._remember(delivery)
        return delivery.is_acknowledged

    def acknowledged(self, boot: int, sequence: int) -> tuple[int, int]:
        """Mark the event whose copy came as (boot, sequence); return the copy that the device waits for."""
        delivery = self._by_copy.get((boot, sequence))
        if delivery is None:
            return boot, sequence
        delivery.is_acknowledged = True
        return delivery.boot, delivery.sequence

    def is_acknowledged(self, boot: int, sequence: int) -> bool:
        """Whether the event whose copy came as (boot, sequence) has been acknowledged."""
        delivery = self._by_copy.get((boot, sequence))
        return delivery is not None and delivery.is_acknowledged

    def owes_before(self, ordinal: int) -> bool:
        """Whether the reader has still to acknowledge something that comes before card ``ordinal``."""
        return any(
            not delivery.is_acknowledged and (delivery.ordinal is None or delivery.ordinal < ordinal)
            for delivery in self._by_copy.values()
        )

    def begin_load(self) -> None:
        """Forget identities: the next load counts from 1 again. Copies may still be acknowledged."""
        self._by_identity.clear()

    def _remember(self, delivery: Delivery) -> None:
        self._by_copy[delivery.boot, delivery.sequence] = delivery
        self._by_copy.move_to_end((delivery.boot, delivery.sequence))
        if len(self._by_copy) > _REMEMBERED:
            self._by_copy.popitem(last=False)
