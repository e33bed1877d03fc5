"""A simulated smartshoe/1 shoe, sans-I/O: sensors and host bytes in, frames out.

Written from hardware.md alone. It reads the cards that pass its sensors and knows nothing of the stack they
come from, of the cable, of clocks (every moment is an argument, monotonic nanoseconds) or of the studio.

Theory of operation. HELLO is said at power-up and after each new load, and repeated until it is acknowledged
or the host asks for the status; until then no event leaves and the gate is closed, because a card of a load
that the host does not know of would be taken for another. Events are stored, then delivered one at a time.
When the resends run out the gate closes; any answer of the host starts them again, and the acknowledgement
opens the gate. A power cut forgets SEQ and picks another BOOT; load, ordinal and events are in storage.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hardware_sim.seeds import seeded
from hardware_sim.smartshoe.commands import (
    MAX_DECKS,
    Arm,
    ClearErrors,
    NewShoe,
    ReplayFrom,
    SetGate,
    SetLed,
    Status,
    parse_command,
)
from hardware_sim.smartshoe.condition import Condition
from hardware_sim.smartshoe.delivery import Delivery, LoggedEvent
from hardware_sim.smartshoe.gate import Gate, GateMove, GateReason
from hardware_sim.smartshoe.payloads import (
    Capability,
    ErrorCode,
    Hello,
    NakReason,
    ResultCode,
    ShoeState,
    card_code,
    card_payload,
    heartbeat_payload,
    ordinal_payload,
)
from hardware_sim.smartshoe.wire import DeviceType, Frame, FrameDecoder, HostType
from studio.domain.cards import Card

HELLO_PERIOD_NS: Final = 250_000_000
HEARTBEAT_PERIOD_NS: Final = 500_000_000
_SECOND_NS: Final = 1_000_000_000
_ALL_CAPABILITIES: Final = Capability(0b11_1111)


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """What is burnt into one simulated shoe.

    ``first_load`` and ``first_ordinal`` continue the count of an earlier run.
    """

    serial: int = 0x51A0_0001
    decks: int = 8
    first_load: int = 1
    first_ordinal: int = 0
    firmware: tuple[int, int] = (1, 0)
    capabilities: Capability = _ALL_CAPABILITIES
    seed: int = 0


class SmartShoe:
    """The device. Call :meth:`power_on`, then sensors, :meth:`host_bytes` and :meth:`tick`.

    After each call send what :meth:`output` returns, and tick again at :meth:`next_deadline_ns`. To be read, not
    set, from outside: ``load``, ``ordinal`` (cards since that load), ``decks``, ``boot`` (the nonce of the last
    power-up) and ``leds`` (colour code by LED number).
    """

    def __init__(self, config: DeviceConfig) -> None:
        self.serial = config.serial
        self._config = config
        self.decks = config.decks
        self.load = config.first_load
        self.ordinal = config.first_ordinal
        self._nonces = seeded(config.seed, "boot nonces")
        self.boot = 0
        self._delivery = Delivery()
        self._decoder = FrameDecoder()
        self._outgoing: list[Frame] = []
        self._condition = Condition()
        self._started_ns = 0
        self._uptime_offset_ns = 0
        self._next_heartbeat_ns = 0
        self._next_hello_ns: int | None = None
        self._is_hello_unanswered = False
        self._gate = Gate()
        self._last_command: tuple[int, ResultCode] | None = None
        self.leds: dict[int, int] = {}
        self.is_heartbeat_stopped = False

    @property
    def is_powered(self) -> bool:
        """Whether the device has power."""
        return self._condition.is_powered

    @property
    def state(self) -> ShoeState:
        """The state that the next heartbeat will tell."""
        return self._condition.state(is_greeting=self._is_greeting, is_gate_open=self._gate.is_open)

    def refusal(self) -> str | None:
        """Return why no card can leave the shoe now, as a sentence, or None when one can."""
        return self._condition.sentence() or self._gate.sentence()

    def next_deadline_ns(self) -> int | None:
        """Return when :meth:`tick` has something to do, if nothing else happens."""
        if not self._condition.is_powered:
            return None
        delivery = None if self._is_greeting else self._delivery.next_deadline_ns()
        deadlines = (self._next_heartbeat_ns, self._next_hello_ns, delivery)
        return min(deadline for deadline in deadlines if deadline is not None)

    def output(self) -> list[Frame]:
        """Return the frames to send, in order, and forget them."""
        frames, self._outgoing = self._outgoing, []
        return frames

    # Power

    def power_on(self, now_ns: int) -> None:
        """Start, or start again after a power cut, with another BOOT."""
        self.boot = self._nonces.choice([nonce for nonce in range(1, 256) if nonce != self.boot])
        self._delivery.restart()
        self._decoder = FrameDecoder()
        self._outgoing.clear()
        self._condition.is_powered = True
        self._started_ns = now_ns
        self._uptime_offset_ns = 0
        self._next_heartbeat_ns = now_ns + HEARTBEAT_PERIOD_NS
        self._last_command = None
        self._condition.was_heard = False
        self._gate.lose_power()
        self._greet(now_ns)

    def power_off(self) -> None:
        """Cut the power; what was not sent yet stays in storage."""
        self._condition.is_powered = False
        self._outgoing.clear()

    def tick(self, now_ns: int) -> None:
        """Let time pass: heartbeat, HELLO, resends."""
        if not self._condition.is_powered:
            return
        if self._next_hello_ns is not None and now_ns >= self._next_hello_ns:
            self._say_hello()
            self._next_hello_ns = now_ns + HELLO_PERIOD_NS
        if now_ns >= self._next_heartbeat_ns:
            self._beat(now_ns)
        self._deliver(now_ns)

    def jump_uptime(self, seconds: int) -> None:
        """Let the device's own clock leap, as a fault."""
        self._uptime_offset_ns += seconds * _SECOND_NS

    # Sensors

    def read_card(self, card: Card, quality: int, now_ns: int) -> int:
        """Read a card at the exit; return its ordinal."""
        return self.read_code(card_code(card), quality, now_ns)

    def read_code(self, code: int, quality: int, now_ns: int) -> int:
        """Read whatever byte the mark on a card decodes to; return the ordinal."""
        self.ordinal += 1
        self._clear(ErrorCode.CANNOT_READ, now_ns)
        self._log(DeviceType.CARD, card_payload(self.ordinal, code, quality), now_ns, self.ordinal)
        return self.ordinal

    def fail_to_read(self, now_ns: int) -> int:
        """See a card pass without being able to read it; return its ordinal."""
        self.ordinal += 1
        self._log(DeviceType.NOREAD, ordinal_payload(self.ordinal), now_ns, self.ordinal)
        return self.ordinal

    def rescan(self, ordinal: int, card: Card | None, quality: int, now_ns: int) -> None:
        """Read again, at the exit, the card that was not read as ``ordinal``; None if it still cannot be read."""
        if card is None:
            self._fail(ErrorCode.CANNOT_READ, now_ns)
        else:
            self._clear(ErrorCode.CANNOT_READ, now_ns)
            self._log(DeviceType.CARD, card_payload(ordinal, card_code(card), quality), now_ns, ordinal)

    def free_exit(self, now_ns: int) -> None:
        """See the card that could not be read being taken away."""
        self._clear(ErrorCode.CANNOT_READ, now_ns)

    def lose_card(self) -> int:
        """Count a card whose reading is lost inside the device for good; return its ordinal."""
        self.ordinal += 1
        return self.ordinal

    def see_cut_card(self, now_ns: int) -> None:
        """See the cut card come out."""
        self._log(DeviceType.CUT_CARD, ordinal_payload(self.ordinal), now_ns, self.ordinal)

    def see_card_return(self, now_ns: int) -> None:
        """See the last card move back towards the shoe."""
        self._log(DeviceType.CARD_RETURN, ordinal_payload(self.ordinal), now_ns, self.ordinal)

    def see_empty(self, now_ns: int) -> None:
        """Find no card left; told once a load."""
        if not self._condition.is_empty:
            self._condition.is_empty = True
            self._log(DeviceType.EMPTY, ordinal_payload(self.ordinal), now_ns, self.ordinal)

    def set_lid(self, *, is_open: bool, now_ns: int) -> None:
        """Open or close the lid."""
        if is_open != self._condition.is_lid_open:
            self._condition.is_lid_open = is_open
            self._log(DeviceType.LID, bytes((is_open,)), now_ns)

    def jam(self, now_ns: int) -> None:
        """Jam a card in the exit."""
        if not self._condition.is_jammed:
            self._condition.is_jammed = True
            self._log(DeviceType.JAM, b"", now_ns)

    def free_jam(self, now_ns: int) -> None:
        """Pull the jammed card free."""
        if self._condition.is_jammed:
            self._condition.is_jammed = False
            self._log(DeviceType.CLEARED, bytes((ErrorCode.JAM,)), now_ns)

    def new_load(self, decks: int, now_ns: int) -> ResultCode:
        """Begin a new load, by the button on the shoe or by NEW_SHOE.

        Refused (``NOT_NOW``) while an event of the old load is not acknowledged: its ordinal would be taken
        for one of the new load.
        """
        if not 1 <= decks <= MAX_DECKS:
            return ResultCode.BAD_ARGUMENT
        if not self._condition.is_powered or not self._delivery.is_idle:
            return ResultCode.NOT_NOW
        self.load = (self.load + 1) & 0xFFFF
        self.ordinal = 0
        self.decks = decks
        self._condition.is_empty = False
        self._greet(now_ns)
        return ResultCode.DONE

    def set_gate_stuck(self, *, is_stuck: bool, now_ns: int) -> None:
        """Let the gate fall closed and stick, or free it."""
        self._gate.set_stuck(is_stuck=is_stuck)
        self._settle_gate(now_ns)

    # The host

    def host_bytes(self, data: bytes, now_ns: int) -> None:
        """Take what the host sent; damaged frames are dropped, as the host resends what it wants answered."""
        if not self._condition.is_powered:
            return
        for frame in self._decoder.feed(data):
            self._on_frame(frame, now_ns)
        self._deliver(now_ns)

    def _on_frame(self, frame: Frame, now_ns: int) -> None:
        if frame.boot != self.boot and frame.type != HostType.STATUS:
            self._say_hello()  # the host speaks to an earlier life of this device
            return
        # A host that knows this BOOT has heard the first HELLO; that of a new load, only these prove.
        if not self._condition.was_heard or frame.type in (HostType.STATUS, HostType.REPLAY_FROM):
            self._end_greeting(now_ns)
        match frame.type:
            case HostType.ACK if len(frame.payload) == 1:
                self._on_acknowledgement(frame.payload[0], now_ns)
            case HostType.NAK if len(frame.payload) == 2:  # noqa: PLR2004 - seq and why
                if frame.payload[1] != NakReason.BUSY:
                    self._delivery.hurry(frame.payload[0], now_ns)
            case HostType.ACK | HostType.NAK:
                pass  # malformed: the resend asks again
            case _:
                self._retry_if_given_up(now_ns)
                self._on_command(frame, now_ns)

    def _on_acknowledgement(self, seq: int, now_ns: int) -> None:
        if seq == 0 and self._is_hello_unanswered:
            self._is_hello_unanswered = False
            self._end_greeting(now_ns)
            self._retry_if_given_up(now_ns)
        elif self._delivery.acknowledge(seq):
            self._move_gate(GateReason.SILENCE, stands=False, now_ns=now_ns)

    def _on_command(self, frame: Frame, now_ns: int) -> None:
        if frame.retransmission and self._last_command is not None and self._last_command[0] == frame.seq:
            result = self._last_command[1]
        else:
            result = self._obey(frame, now_ns)
        if frame.wants_acknowledgement:
            self._last_command = (frame.seq, result)
            self._send(DeviceType.RESULT, bytes((frame.seq, result)))
        if frame.type == HostType.STATUS:
            self._say_hello()

    def _obey(self, frame: Frame, now_ns: int) -> ResultCode:
        result = ResultCode.DONE
        match parse_command(frame):
            case Status():
                pass  # answered by HELLO
            case SetGate(is_open):
                result = self._obey_gate(GateReason.HOST, stands=not is_open, now_ns=now_ns)
            case Arm(is_armed):
                result = self._obey_gate(GateReason.DISARMED, stands=not is_armed, now_ns=now_ns)
            case SetLed(number, colour):
                self.leds[number] = colour
            case ReplayFrom(ordinal) if ordinal <= self.ordinal + 1:
                self._delivery.replay_from(self.load, ordinal)
            case ReplayFrom():
                result = ResultCode.BAD_ARGUMENT
            case ClearErrors():
                result = self._obey_clear(now_ns)
            case NewShoe(decks):
                result = self.new_load(decks, now_ns)
            case ResultCode() as refusal:
                result = refusal
        return result

    def _obey_gate(self, reason: GateReason, *, stands: bool, now_ns: int) -> ResultCode:
        self._move_gate(reason, stands=stands, now_ns=now_ns)
        return ResultCode.DONE if self._gate.is_open == self._gate.should_open else ResultCode.HARDWARE

    def _obey_clear(self, now_ns: int) -> ResultCode:
        if self._condition.is_jammed or self._condition.is_lid_open:
            return ResultCode.NOT_NOW
        for code in sorted(self._condition.errors):
            self._clear(code, now_ns)
        return ResultCode.DONE

    @property
    def _is_greeting(self) -> bool:
        return self._gate.has(GateReason.GREETING)

    def _greet(self, now_ns: int) -> None:
        self._say_hello()
        self._next_hello_ns = now_ns + HELLO_PERIOD_NS
        self._move_gate(GateReason.GREETING, stands=True, now_ns=now_ns)

    def _end_greeting(self, now_ns: int) -> None:
        self._condition.was_heard = True
        self._next_hello_ns = None
        self._move_gate(GateReason.GREETING, stands=False, now_ns=now_ns)

    def _retry_if_given_up(self, now_ns: int) -> None:
        if self._delivery.is_exhausted:
            self._delivery.retry(now_ns)

    def _move_gate(self, reason: GateReason, *, stands: bool, now_ns: int) -> None:
        self._gate.set_reason(reason, stands=stands)
        self._settle_gate(now_ns)

    def _settle_gate(self, now_ns: int) -> None:
        match self._gate.settle():
            case GateMove.NONE:
                pass
            case GateMove.UNREPORTED:
                self._clear(ErrorCode.TIME_OUT, now_ns)
            case GateMove.REPORTED:
                self._clear(ErrorCode.TIME_OUT, now_ns)
                self._log(DeviceType.GATE, bytes((self._gate.is_open,)), now_ns)
            case GateMove.STUCK:
                if ErrorCode.TIME_OUT not in self._condition.errors:
                    self._fail(ErrorCode.TIME_OUT, now_ns)

    def _say_hello(self) -> None:
        caps, firmware = self._config.capabilities, self._config.firmware
        hello = Hello(caps, self.decks, firmware, self.serial, self.load, self.ordinal)
        self._is_hello_unanswered = True
        self._send(DeviceType.HELLO, hello.payload(), wants_acknowledgement=True)

    def _beat(self, now_ns: int) -> None:
        missed_beats = (now_ns - self._next_heartbeat_ns) // HEARTBEAT_PERIOD_NS
        self._next_heartbeat_ns += (missed_beats + 1) * HEARTBEAT_PERIOD_NS
        if not self.is_heartbeat_stopped:
            uptime_seconds = (now_ns - self._started_ns + self._uptime_offset_ns) // _SECOND_NS
            payload = heartbeat_payload(uptime_seconds, self.state, self._delivery.last_seq, self.ordinal)
            self._send(DeviceType.HEARTBEAT, payload)

    def _send(self, frame_type: DeviceType, payload: bytes, *, wants_acknowledgement: bool = False) -> None:
        # Only events are numbered; HELLO wants an acknowledgement and carries 0 all the same.
        self._outgoing.append(Frame(frame_type, 0, self.boot, payload, wants_acknowledgement))

    def _log(self, frame_type: DeviceType, payload: bytes, now_ns: int, ordinal: int | None = None) -> None:
        self._delivery.add(LoggedEvent(frame_type, payload, self.load, ordinal))
        self._deliver(now_ns)

    def _fail(self, code: ErrorCode, now_ns: int) -> None:
        self._condition.errors.add(code)
        self._log(DeviceType.ERROR, bytes((code, 0)), now_ns)

    def _clear(self, code: ErrorCode, now_ns: int) -> None:
        if code in self._condition.errors:
            self._condition.errors.discard(code)
            self._log(DeviceType.CLEARED, bytes((code,)), now_ns)

    def _deliver(self, now_ns: int) -> None:
        if not self._condition.is_powered or self._is_greeting:
            return
        while (frame := self._delivery.due(self.boot, now_ns)) is not None:
            self._outgoing.append(frame)
        if self._delivery.is_exhausted and not self._gate.has(GateReason.SILENCE):
            self._move_gate(GateReason.SILENCE, stands=True, now_ns=now_ns)
