"""The host's side of smartshoe/1, sans-I/O: bytes in, facts out, bytes to send (spec.md).

Call :meth:`Protocol.feed` with what arrives, :meth:`Protocol.tick` a few times a second, and after each call
send what :meth:`Protocol.data_to_send` returns. Time comes with each call; nothing here waits, and no input
raises. It knows no port, no device event and no table.

Theory of operation. After :meth:`Protocol.connected` the host asks STATUS until HELLO comes (WAITING). HELLO
says which device it is (a wrong one: REFUSED, and nothing of it is taken or acknowledged), which load is in
and how far it has counted. What was counted and is not here is asked for by REPLAY_FROM (REPLAYING), then the
stream is whole (RUNNING). A gap between two cards, or heartbeats that count further than we do, ask for
replay too. Facts leave in the order in which they came; ``ordering`` puts cards in order above this.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, assert_never

from drivers.smartshoe.acknowledgements import Acknowledgements
from drivers.smartshoe.facts import Fact, Missing, Overflowed, Received, Unrecovered
from drivers.smartshoe.frames import BadFrame, Cause, Frame, FrameReader, encode_frame
from drivers.smartshoe.load_record import LoadRecord, Verdict
from drivers.smartshoe.messages import (
    Capability,
    CardRead,
    CardReturned,
    CutCard,
    Empty,
    Heartbeat,
    Hello,
    Malformed,
    MessageType,
    NoRead,
    Result,
    parse_message,
)
from drivers.smartshoe.replay import Replay, Step

if TYPE_CHECKING:
    from drivers.smartshoe.messages import DeviceMessage
    from studio.domain.instants import Instant
    from studio.ports.devices import Resume

STATUS_EVERY_NS: Final = 500_000_000
_DEALING_STATES: Final = frozenset({0, 1, 2})
"""States of a device that starts, is being loaded or is ready. One that waits unheard has its gate closed."""
_HEARTBEATS_AHEAD: Final = 2
"""One heartbeat may count a card that is still in flight; two in a row mean that it went past us."""


class Phase(Enum):
    """How far the host has come with the device."""

    WAITING = auto()
    REFUSED = auto()
    REPLAYING = auto()
    RUNNING = auto()


class Protocol:
    """One device, over any number of connections.

    ``serial`` is the serial number that HELLO must give, eight hex digits, or ``None`` to take the first that
    comes and no other after it. ``resume`` is where the journal stands. ``hello_first=False`` takes cards
    without a HELLO, for recordings that begin in the middle.
    """

    def __init__(
        self, *, serial: str | None = None, resume: Resume | None = None, hello_first: bool = True
    ) -> None:
        self._serial = serial
        self._resume = resume
        self._hello_first = hello_first
        self._reader = FrameReader()
        self._outgoing = bytearray()
        self._command_sequence = 0
        self._record = LoadRecord()
        self._acknowledgements = Acknowledgements()
        self._hello: tuple[Frame, Hello] | None = None
        self._last_event: Frame | None = None
        self._newest: tuple[int, int] | None = None
        self._replay: Replay | None = None
        self._status_ns: int | None = None
        self._heartbeats_ahead = 0
        self.phase = Phase.WAITING
        self.refusal = ""
        """Why the phase is REFUSED, as a sentence that says what to do."""
        self.errors: Counter[Cause] = Counter()
        """What was not taken, by cause."""
        self.last_frame: Instant | None = None
        """When the last frame arrived that passed every check."""

    @property
    def missing(self) -> list[int]:
        """The ordinals that a replay is to bring, in order."""
        return sorted(self._record.missing)

    def connected(self, now: Instant) -> None:
        """Begin anew on a fresh line: whatever was there before, the device may have been reset."""
        self.disconnected()
        self._outgoing.clear()
        self._ask_status(now)

    def disconnected(self) -> None:
        """The line is gone; what is missing stays missing until the next HELLO."""
        self._reader.reset()
        self._wait_for_hello()

    def data_to_send(self) -> bytes:
        """Return what must be sent now, and forget it."""
        data = bytes(self._outgoing)
        self._outgoing.clear()
        return data

    def acknowledge(self, boot: int, sequence: int) -> None:
        """The event that came as (boot, sequence) is journalled: tell the device."""
        self._send_ack(*self._acknowledgements.acknowledged(boot, sequence))

    def feed(self, data: bytes, at: Instant) -> list[Fact]:
        """Take bytes that arrived at ``at``; return what is new in them, in order."""
        facts: list[Fact] = []
        for item in self._reader.feed(data):
            match item:
                case Frame():
                    self.last_frame = at
                    self._on_frame(item, at, facts)
                case BadFrame(cause, raw):
                    self.errors[cause] += 1
                    if cause is Cause.OVERFLOW:
                        facts.append(Overflowed(raw, at))
                case _:
                    assert_never(item)
        return facts

    def tick(self, now: Instant) -> list[Fact]:
        """Do what is due at ``now`` on an open line; return what that decides."""
        facts: list[Fact] = []
        if self.phase in (Phase.WAITING, Phase.REFUSED):
            self._ask_status_again(now)
        if self._replay is not None:
            owes = self._acknowledgements.owes_before(min(self._record.missing))
            match self._replay.step(now.monotonic_ns, reader_owes=owes):
                case Step.WAIT:
                    pass
                case Step.RESEND:
                    self._replay.sent_ns = now.monotonic_ns
                    self._send_replay(self._replay, retransmission=True)
                case Step.ASK_AGAIN:
                    self._start_replay(now, self._replay.progress_ns)
                case Step.GIVE_UP:
                    self._give_up(now, facts)
        return facts

    # Frames

    def _on_frame(self, frame: Frame, at: Instant, facts: list[Fact]) -> None:
        message = parse_message(frame)
        if isinstance(message, Malformed):
            self.errors[message.cause] += 1
            if frame.wants_ack and self._listens_to(frame):
                self._send(MessageType.NAK, bytes((frame.sequence, message.nak)), boot=frame.boot)
        elif isinstance(message, Hello):
            self._on_hello(frame, message, at, facts)
        elif not self._listens_to(frame):
            self._on_unexpected(at)
        elif isinstance(message, Heartbeat):
            facts.append(Received(message, frame, self._record.load, at))
            self._compare_count(message.ordinal, at, facts)
            self._answer_if_it_waits(frame, message, at)
        elif isinstance(message, Result):
            facts.append(Received(message, frame, self._record.load, at))
            if self._replay is not None:
                self._replay.on_result(message)
        elif isinstance(message, CardRead | NoRead):
            self._on_card(frame, message, at, facts)
        else:
            self._on_event(frame, message, at, facts)

    def _listens_to(self, frame: Frame) -> bool:
        if not self._hello_first:
            return True
        is_synced = self.phase in (Phase.REPLAYING, Phase.RUNNING)
        return is_synced and self._hello is not None and self._hello[0].boot == frame.boot

    def _on_unexpected(self, at: Instant) -> None:
        """Count a frame of a device that has not said HELLO; unacknowledged, it will come again."""
        match self.phase:
            case Phase.WAITING:
                self.errors[Cause.NO_HELLO] += 1
            case Phase.REFUSED:
                self.errors[Cause.WRONG_READER] += 1
            case Phase.REPLAYING | Phase.RUNNING:
                # It was restarted and we missed its HELLO; the load may be another now.
                self.errors[Cause.BOOT] += 1
                self._wait_for_hello()
                self._ask_status(at)
            case _:
                assert_never(self.phase)

    def _on_card(self, frame: Frame, message: CardRead | NoRead, at: Instant, facts: list[Fact]) -> None:
        self._newest = (frame.boot, frame.sequence)
        record = self._record
        code = message.code if isinstance(message, CardRead) else None
        skipped = record.skip_to(message.ordinal)
        if skipped:
            facts.append(Missing(record.load, (skipped,), is_skipped=True, at=at))
        verdict = record.judge(message.ordinal, code)
        identity = (MessageType.CARD, message.ordinal, code)
        if verdict is Verdict.REPEAT:
            self._on_repeat(identity, frame)
            return
        self._opened(identity, frame, message.ordinal)
        if verdict is Verdict.CONFLICT:
            self.errors[Cause.CONFLICT] += 1
        facts.append(Received(message, frame, record.load, at, verdict))
        self._progress(at, facts)

    def _on_event(self, frame: Frame, message: DeviceMessage, at: Instant, facts: list[Fact]) -> None:
        self._newest = (frame.boot, frame.sequence)
        ordinal = message.ordinal if isinstance(message, CutCard | CardReturned | Empty) else None
        identity = (frame.type, ordinal)
        in_flight = self._last_event is not None and frame.is_copy_of(self._last_event)
        replayed = ordinal is not None and self._replay is not None
        if (in_flight or replayed) and self._acknowledgements.knows(identity):
            self._on_repeat(identity, frame)
            return
        if frame.wants_ack:
            self._last_event = frame
        self._opened(identity, frame, ordinal)
        facts.append(Received(message, frame, self._record.load, at))

    def _opened(self, identity: tuple[int | None, ...], frame: Frame, ordinal: int | None) -> None:
        if frame.wants_ack:
            self._acknowledgements.opened(identity, frame.boot, frame.sequence, ordinal)

    def _on_repeat(self, identity: tuple[int | None, ...], frame: Frame) -> None:
        """Acknowledge a further copy at once, unless the first is still being journalled."""
        if frame.wants_ack and self._acknowledgements.repeated(identity, frame.boot, frame.sequence):
            self._send_ack(frame.boot, frame.sequence)

    def _answer_if_it_waits(self, frame: Frame, heartbeat: Heartbeat, at: Instant) -> None:
        """Speak to a device whose resends ran out: it has closed its gate and says no more by itself."""
        if heartbeat.state in _DEALING_STATES:
            return
        if self._newest != (frame.boot, heartbeat.last_sequence):
            self._ask_status_again(at)  # its last event never came here: it sends it anew
        elif self._acknowledgements.is_acknowledged(frame.boot, heartbeat.last_sequence):
            self._send_ack(frame.boot, heartbeat.last_sequence)

    # HELLO and counting

    def _wait_for_hello(self) -> None:
        self.phase = Phase.WAITING
        self._replay = None
        self._heartbeats_ahead = 0

    def _on_hello(self, frame: Frame, hello: Hello, at: Instant, facts: list[Fact]) -> None:
        refusal = self._why_refused(frame, hello)
        if refusal:
            self._wait_for_hello()
            self.phase, self.refusal = Phase.REFUSED, refusal
            return
        identity = (MessageType.HELLO, hello.load)
        if frame.retransmission and self._listens_to(frame) and self._hello and frame.is_copy_of(self._hello[0]):
            self._on_repeat(identity, frame)
            return
        self._serial = hello.serial_text
        self._hello = (frame, hello)
        self._heartbeats_ahead = 0
        if hello.load != self._record.load:
            self._begin_load(hello.load, at, facts)
        self._opened(identity, frame, None)
        facts.append(Received(hello, frame, hello.load, at))
        self.phase = Phase.REPLAYING
        self._catch_up(hello.ordinal, at, facts)

    def _why_refused(self, frame: Frame, hello: Hello) -> str:
        if self._serial is not None and hello.serial_text != self._serial:
            return (
                f"reader {hello.serial_text} answers where {self._serial} is expected: "
                "plug the right reader in, or change `serial`"
            )
        if self._hello is not None and self._hello[0].boot == frame.boot:
            return ""  # an older copy may count less; a device that was not restarted forgets nothing
        if hello.load == self._record.load:
            counted = self._record.next_ordinal - 1
        elif self._resume is not None and hello.load == self._resume.load and self._record.load is None:
            counted = self._resume.ordinal
        else:
            return ""
        if hello.ordinal < counted:
            return (
                f"reader {hello.serial_text} counts {hello.ordinal} cards in load {hello.load} where {counted} "
                "are recorded, so it has lost its memory: load the shoe anew (NEW_SHOE) to go on"
            )
        return ""

    def _begin_load(self, load: int, at: Instant, facts: list[Fact]) -> None:
        if self._record.load is None and self._record.next_ordinal:
            self._record.load = load  # a recording that began before its HELLO
            return
        if self._record.missing:
            self._give_up(at, facts)
        journalled = 0
        if self._resume is not None and self._resume.load == load:
            journalled = self._resume.ordinal
        self._resume = None
        self._record = LoadRecord(load, journalled, journalled + 1)
        self._acknowledgements.begin_load()
        self._last_event = None

    def _compare_count(self, ordinal: int, at: Instant, facts: list[Fact]) -> None:
        """Find cards that went past us, from what a heartbeat counts."""
        if self._hello is None or self._replay is not None:
            return
        if ordinal < self._record.next_ordinal:
            self._heartbeats_ahead = 0
            if ordinal < self._record.next_ordinal - 1:
                self._ask_status_again(at)  # a new load whose HELLO we missed
            return
        self._heartbeats_ahead += 1
        if self._heartbeats_ahead >= _HEARTBEATS_AHEAD:
            self._heartbeats_ahead = 0
            self._catch_up(ordinal, at, facts)

    def _catch_up(self, ordinal: int, at: Instant, facts: list[Fact]) -> None:
        spans = self._record.reach(ordinal)
        if spans:
            facts.append(Missing(self._record.load, spans, is_skipped=False, at=at))
        self._replay = None
        self._progress(at, facts)

    # Replay

    def _progress(self, at: Instant, facts: list[Fact]) -> None:
        """Begin a replay where something is missing, end it where nothing is."""
        if not self._record.missing:
            self._replay = None
            self._end_replaying()
        elif self._replay is not None:
            self._replay.progress_ns = at.monotonic_ns
        elif self._hello is None or Capability.REPLAY in self._hello[1].caps:
            self._start_replay(at, at.monotonic_ns)
        else:
            self._give_up(at, facts)

    def _start_replay(self, now: Instant, progress_ns: int) -> None:
        self._command_sequence = (self._command_sequence + 1) % 256
        first = min(self._record.missing)
        self._replay = Replay(self._command_sequence, first, now.monotonic_ns, progress_ns)
        self._send_replay(self._replay, retransmission=False)

    def _give_up(self, now: Instant, facts: list[Fact]) -> None:
        self._replay = None
        facts.append(Unrecovered(self._record.load, self._record.abandon(), now))
        self._end_replaying()

    def _end_replaying(self) -> None:
        if self.phase is Phase.REPLAYING:
            self.phase = Phase.RUNNING

    # Sending

    def _send_replay(self, replay: Replay, *, retransmission: bool) -> None:
        self._send(
            MessageType.REPLAY_FROM,
            replay.first.to_bytes(2, "big"),
            sequence=replay.sequence,
            retransmission=retransmission,
        )

    def _ask_status_again(self, now: Instant) -> None:
        if self._status_ns is None or now.monotonic_ns - self._status_ns >= STATUS_EVERY_NS:
            self._ask_status(now)

    def _ask_status(self, now: Instant) -> None:
        self._status_ns = now.monotonic_ns
        self._send(MessageType.STATUS, b"")

    def _send_ack(self, boot: int, sequence: int) -> None:
        self._send(MessageType.ACK, bytes((sequence,)), boot=boot)

    def _send(
        self,
        kind: MessageType,
        payload: bytes,
        *,
        boot: int | None = None,
        sequence: int | None = None,
        retransmission: bool = False,
    ) -> None:
        """Queue a frame; one with a ``sequence`` wants an answer, the others carry 0."""
        if boot is None:
            boot = self._hello[0].boot if self._hello is not None else 0
        self._outgoing += encode_frame(
            Frame(kind, sequence or 0, boot, payload, sequence is not None, retransmission)
        )
