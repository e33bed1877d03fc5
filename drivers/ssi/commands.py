"""What the host asks of the reader, one command at a time: parameters, then scanning on, then now and then again.

Sans-I/O. The parameters are temporary: a reader that lost its power has its own again, and no line tells. So
they are sent again as the sign of life, and a reader that restarted is put right by it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from drivers.ssi.packets import RETRANSMISSION, Opcode, encode

NO_BEEP: Final = 0xFF
PARAMETERS: Final = (
    (0x9F, 1),  # wait for an answer to each packet
    (0xEE, 1),  # packets, not bare text
    (0x5E, 1),  # say when nothing could be read
    (0xEC, 0),  # codes do not program the reader
)
_TRIES: Final = 3
_SET: Final = (Opcode.PARAM_SEND, bytes((NO_BEEP, *(byte for pair in PARAMETERS for byte in pair))))
_ENABLE: Final = (Opcode.SCAN_ENABLE, b"")


@dataclass(slots=True)
class Commands:
    """The commands of one connection; ``answer_ns`` is how long the reader may take to answer one.

    ``alive_ns`` is the time between two signs of life, ``None`` for none.
    """

    answer_ns: int
    alive_ns: int | None
    _queue: deque[tuple[int, bytes]] = field(default_factory=deque)
    _tries: int = 0
    _sent_ns: int | None = None
    _last_ns: int = 0

    @property
    def is_waiting(self) -> bool:
        """Whether a command was sent and not answered yet."""
        return self._sent_ns is not None

    def is_overdue(self, now_ns: int) -> bool:
        """Tell whether a command has gone without an answer for too long."""
        return self._sent_ns is not None and now_ns - self._sent_ns >= self.answer_ns

    def begin(self, now_ns: int) -> bytes:
        """Return the first command of a fresh connection."""
        self._queue = deque((_SET, _ENABLE))
        self._sent_ns = None
        return self._send(now_ns)

    def answered(self, now_ns: int) -> bytes:
        """The reader has taken the command: return the next, if there is one."""
        if not self.is_waiting:
            return b""
        self._queue.popleft()
        self._sent_ns = None
        return self._send(now_ns)

    def refused(self, now_ns: int) -> bytes:
        """The reader has not taken the command: return it again, or nothing when it has been tried enough."""
        return self._again(now_ns) if self.is_waiting else b""

    def tick(self, now_ns: int) -> bytes:
        """Return what is due: a command without an answer, or the sign of life."""
        if self._sent_ns is not None:
            return self._again(now_ns) if self.is_overdue(now_ns) else b""
        if self.alive_ns is None or now_ns - self._last_ns < self.alive_ns:
            return b""
        if not self._queue:
            self._queue.append(_SET)
        return self._send(now_ns)

    def _again(self, now_ns: int) -> bytes:
        if self._tries < _TRIES:
            return self._send(now_ns, status=RETRANSMISSION)
        # It may have restarted: when it is asked again, everything is.
        self._queue = deque((_SET, _ENABLE))
        self._sent_ns = None
        self._last_ns = now_ns
        return b""

    def _send(self, now_ns: int, *, status: int = 0) -> bytes:
        if not self._queue:
            return b""
        self._tries = self._tries + 1 if status else 1
        self._sent_ns = self._last_ns = now_ns
        opcode, data = self._queue[0]
        return encode(opcode, data, status=status)
