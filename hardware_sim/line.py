"""The cable between a simulated device and the studio, with what can happen to bytes on it; sans-I/O.

It spoils packets whole, and knows nothing of what they say, of devices' states or of descriptors. Moments are
monotonic nanoseconds, given as arguments.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hardware_sim.faults import Fault, FaultPanel
from hardware_sim.reader import Packet
from hardware_sim.seeds import seeded

LATENCY_NS: Final = 400_000_000
MERGE_WINDOW_NS: Final = 100_000_000
SPLIT_GAP_NS: Final = 1_000_000
_FLIPPED_ONE_IN: Final = 3
_GARBAGE_BYTES: Final = 40
_MAX_WAITING: Final = 4096


@dataclass(frozen=True, slots=True)
class _Waiting:
    due_ns: int
    data: bytes
    is_joined: bool


class Line:
    """The way from the device to the studio; the panel's line faults apply as long as they are on."""

    def __init__(self, faults: FaultPanel, seed: int) -> None:
        self._faults = faults
        self._flips = seeded(seed, "bit flips")
        self._frames_on_noisy_line = 0
        self._cuts = seeded(seed, "splits")
        self._garbage = seeded(seed, "garbage")
        self._waiting: deque[_Waiting] = deque(maxlen=_MAX_WAITING)
        self._is_silent = False

    def send(self, packet: Packet, now_ns: int) -> None:
        """Put a packet of the device on the line."""
        if packet.is_event and self._faults.take(Fault.DROP):
            return
        for _ in range(2 if self._faults.is_on(Fault.DUPLICATE) else 1):
            self._enqueue(self._spoil(packet.data), now_ns)

    def send_garbage(self, now_ns: int) -> None:
        """Put random bytes on the line, as a device does while it starts."""
        self._enqueue(self._garbage.randbytes(_GARBAGE_BYTES), now_ns)

    def due(self, now_ns: int) -> list[bytes]:
        """Return what arrives now, one item per write."""
        was_silent = self._is_silent
        self._is_silent = self._faults.is_on(Fault.SILENCE)
        if self._is_silent:
            return []
        writes: list[bytes] = []
        is_joined = False
        while self._waiting and self._waiting[0].due_ns <= now_ns:
            waiting = self._waiting.popleft()
            if writes and ((is_joined and waiting.is_joined) or was_silent):
                writes[-1] += waiting.data
            else:
                writes.append(waiting.data)
            is_joined = waiting.is_joined
        return writes

    def next_deadline_ns(self) -> int | None:
        """Return when :meth:`due` has something to give, if no fault is switched before."""
        if self._faults.is_on(Fault.SILENCE) or not self._waiting:
            return None
        return self._waiting[0].due_ns

    def cut(self) -> None:
        """Lose everything that is under way: the cable was pulled."""
        self._waiting.clear()

    def _spoil(self, wire: bytes) -> bytes:
        if not self._faults.is_on(Fault.BIT_FLIP):
            return wire
        # Counted, not drawn by lot: chance alone would one day spoil every copy of an event.
        self._frames_on_noisy_line += 1
        if self._frames_on_noisy_line % _FLIPPED_ONE_IN:
            return wire
        place, bit = self._flips.randrange(len(wire)), self._flips.randrange(8)
        return wire[:place] + bytes((wire[place] ^ 1 << bit,)) + wire[place + 1 :]

    def _enqueue(self, data: bytes, now_ns: int) -> None:
        due_ns = now_ns + (LATENCY_NS if self._faults.is_on(Fault.LATENCY) else 0)
        last = self._waiting[-1] if self._waiting else None
        if last is not None:
            due_ns = max(due_ns, last.due_ns)  # bytes never overtake each other
        if self._faults.is_on(Fault.MERGE):
            if last is None or not last.is_joined:
                due_ns += MERGE_WINDOW_NS
            self._waiting.append(_Waiting(due_ns, data, is_joined=True))
        elif self._faults.is_on(Fault.SPLIT):
            for piece in self._split(data):
                self._waiting.append(_Waiting(due_ns, piece, is_joined=False))
                due_ns += SPLIT_GAP_NS
        else:
            self._waiting.append(_Waiting(due_ns, data, is_joined=False))

    def _split(self, data: bytes) -> list[bytes]:
        if len(data) == 1:
            return [data]
        count = self._cuts.randint(1, len(data) - 1)
        places = [0, *sorted(self._cuts.sample(range(1, len(data)), count)), len(data)]
        return [data[start:end] for start, end in pairwise(places)]
