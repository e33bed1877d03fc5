"""The host's side of an Angel Eye shoe, sans-I/O: bytes and time in, device events out.

It joins the cutter, the vote and the mapping, and knows nothing of ports and settings' files.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from drivers.angel_eye.frames import LONGEST_FRAME, Cause, Command, Dropped, Frame, FrameCutter, encode_command
from drivers.angel_eye.mapping import device_events
from drivers.angel_eye.vote import Damaged, Discarded, Vote
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, EventKind

_MAYBE_A_FRAME: Final = 4
"""So many bytes without a frame may have been a card; fewer are noise, and counted only."""
_ENQ: Final = 0x05
_ACK: Final = 0x06
_NAK: Final = 0x15
_ANSWER_NS: Final = 1_000_000_000


class AngelEyeParser:
    """One shoe's protocol; no input raises. See :class:`drivers.serial_reader.Parser` for what each part is."""

    def __init__(
        self,
        device: str,
        *,
        copies: int = 3,
        window_ms: int = 400,
        accept_outside_game: bool = False,
        commands: bool = False,
    ) -> None:
        self.errors: Counter[str] = Counter()
        self.answers = 0
        """How many events the shoe has told."""
        self._device = device
        self._window_ns = window_ms * 1_000_000
        self._accepts_outside_game = accept_outside_game
        self._allows_commands = commands
        self._cutter = FrameCutter()
        self._vote = Vote(copies, self._window_ns)
        self._is_heard = False
        self._last_byte: Instant | None = None
        self._run = bytearray()
        self._open_damage: bytearray | None = None
        self._outgoing = bytearray()
        self._asked_at: Instant | None = None

    def connected(self, now: Instant) -> None:  # noqa: ARG002 - part of the interface
        """Begin anew on a fresh line: half a frame of the old one is worth nothing."""
        self._cutter.reset()
        self._vote.reset()
        self._end_run()
        self._is_heard = False
        self._last_byte = self._asked_at = None
        self._outgoing.clear()

    def feed(self, data: bytes, at: Instant) -> list[DeviceEvent]:
        """Return the events that ``data``, which arrived at ``at``, completes, in order of arrival."""
        events = self.tick(at)
        if data:
            self._last_byte = at
        for piece in self._cutter.feed(data):
            events += self._take(piece, at) if isinstance(piece, Dropped) else self._take_frame(piece, at)
        return events

    def tick(self, now: Instant) -> list[DeviceEvent]:
        """Do what is due at ``now``; return the events it makes."""
        events = self._told(now)
        last = self._last_byte
        if (
            self._cutter.is_waiting
            and last is not None
            and now.monotonic_ns - last.monotonic_ns >= self._window_ns
        ):
            for piece in self._cutter.give_up():
                events += self._take(piece, last) if isinstance(piece, Dropped) else self._take_frame(piece, last)
            events += self._told(now)
        if self._asked_at is not None and now.monotonic_ns - self._asked_at.monotonic_ns >= _ANSWER_NS:
            self._asked_at = None
            self.errors[Cause.UNANSWERED.value] += 1
        return events

    def data_to_send(self) -> bytes:
        """Return what must be sent now, and forget it."""
        data = bytes(self._outgoing)
        self._outgoing.clear()
        return data

    def command(self, command: Command, number: int, now: Instant) -> None:
        """Ask the shoe for something; its answer comes as ``info``.

        Raises ``ValueError`` where the configuration allows no commands, or for a number that has not two digits.
        """
        if not self._allows_commands:
            message = f"{self._device} only listens: set commands = true in its settings to let it be commanded"
            raise ValueError(message)
        self._outgoing += encode_command(command, number)
        self._asked_at = now

    def _take_frame(self, frame: Frame, at: Instant) -> list[DeviceEvent]:
        self._end_run()
        self._is_heard = True
        self._vote.frame(frame, at)
        return self._told(at)

    def _take(self, dropped: Dropped, at: Instant) -> list[DeviceEvent]:
        if self._asked_at is not None and not self._run and dropped.value in {_ACK, _NAK}:
            self._asked_at = None
            details = {"answer": "done" if dropped.value == _ACK else "refused"}
            return [DeviceEvent(self._device, EventKind.INFO, at, bytes((dropped.value,)), details=details)]
        if dropped.value == _ENQ or not self._run or len(self._run) >= LONGEST_FRAME:
            self._end_run()
            self.errors[dropped.cause.value] += 1
        self._run.append(dropped.value)
        if self._open_damage is not None:
            self._open_damage.append(dropped.value)
        elif len(self._run) >= _MAYBE_A_FRAME:
            self._open_damage = self._vote.damage(bytes(self._run), at, is_fresh=not self._is_heard)
        return []

    def _end_run(self) -> None:
        self._run.clear()
        self._open_damage = None

    def _told(self, now: Instant) -> list[DeviceEvent]:
        events: list[DeviceEvent] = []
        for result in self._vote.due(now):
            self.answers += not isinstance(result, (Damaged, Discarded))
            events += device_events(self._device, result, accept_outside_game=self._accepts_outside_game)
        if self._vote.outvoted:
            self.errors[Cause.OUTVOTED.value] += self._vote.outvoted
            self._vote.outvoted = 0
        return events
