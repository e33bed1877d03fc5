"""The simulated device's conduct, on a clock of integers."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from hardware_sim.smartshoe.delivery import LOG_LENGTH, RESEND_NS
from hardware_sim.smartshoe.device import HEARTBEAT_PERIOD_NS, DeviceConfig, SmartShoe
from hardware_sim.smartshoe.payloads import ErrorCode, NakReason, ResultCode, ShoeState, card_code
from hardware_sim.smartshoe.wire import DeviceType, Frame, HostType, encode_frame
from studio.domain.cards import DECK, Card, parse_card

EIGHT = parse_card("8S")
KING = parse_card("KH")


@dataclass
class Bench:
    """A device and a host who does only what a test tells it to."""

    device: SmartShoe = field(default_factory=lambda: SmartShoe(DeviceConfig(seed=4)))
    now_ns: int = 0
    host_seq: int = 0

    def frames(self, *kinds: DeviceType) -> list[Frame]:
        """Take the output; heartbeats and what ``kinds`` does not name are left out."""
        frames = [frame for frame in self.device.output() if frame.type != DeviceType.HEARTBEAT]
        return [frame for frame in frames if not kinds or frame.type in kinds]

    def host(self, kind: HostType, payload: bytes = b"", *, boot: int | None = None, again: bool = False) -> None:
        is_command = kind >= HostType.STATUS
        self.host_seq += is_command and not again
        seq = self.host_seq if is_command else 0
        frame = Frame(kind, seq, self.device.boot if boot is None else boot, payload, is_command, again)
        self.device.host_bytes(encode_frame(frame), self.now_ns)

    def ack(self, seq: int) -> None:
        self.host(HostType.ACK, bytes((seq,)))

    def pass_time(self, nanoseconds: int) -> None:
        end_ns = self.now_ns + nanoseconds
        while (deadline_ns := self.device.next_deadline_ns()) is not None and deadline_ns <= end_ns:
            self.now_ns = deadline_ns
            self.device.tick(self.now_ns)
        self.now_ns = end_ns
        self.device.tick(end_ns)

    def read(self, card: Card = EIGHT) -> int:
        return self.device.read_code(card_code(card), 98, self.now_ns)

    def result(self) -> ResultCode:
        (frame,) = self.frames(DeviceType.RESULT)
        assert frame.payload[0] == self.host_seq
        return ResultCode(frame.payload[1])


@pytest.fixture
def started() -> Bench:
    """Return a device that is on and whose HELLO was acknowledged."""
    bench = Bench()
    bench.device.power_on(0)
    bench.ack(0)
    bench.frames()
    return bench


def test_hello_repeats_until_it_is_acknowledged() -> None:
    bench = Bench()
    bench.device.power_on(0)
    bench.pass_time(2_000_000_000)
    hellos = bench.frames(DeviceType.HELLO)
    assert len(hellos) > 5
    assert {(hello.seq, hello.wants_acknowledgement) for hello in hellos} == {(0, True)}
    bench.ack(0)
    bench.pass_time(2_000_000_000)
    assert bench.frames(DeviceType.HELLO) == []


def test_status_from_a_host_that_knows_no_nonce_is_answered_by_hello() -> None:
    bench = Bench()
    bench.device.power_on(0)
    bench.frames()
    bench.host(HostType.STATUS, boot=0)
    assert [frame.type for frame in bench.frames()] == [DeviceType.RESULT, DeviceType.HELLO]
    bench.pass_time(2_000_000_000)
    assert bench.frames() == []
    assert bench.device.refusal() is None


def test_no_card_leaves_before_the_host_has_answered() -> None:
    bench = Bench()
    assert bench.device.refusal() == "the shoe has no power, so its gate is closed"
    bench.device.power_on(0)
    starting = (bench.device.state, bench.device.refusal())
    bench.ack(0)
    ready = (bench.device.state, bench.device.refusal())
    assert starting == (ShoeState.STARTING, "the host has not answered HELLO yet")
    assert ready == (ShoeState.READY, None)


def test_heartbeats_come_every_half_second_unnumbered(started: Bench) -> None:
    started.read()
    started.ack(1)
    started.device.output()
    started.pass_time(4 * HEARTBEAT_PERIOD_NS)
    beats = started.device.output()
    assert [beat.type for beat in beats] == [DeviceType.HEARTBEAT] * 4
    assert {(beat.seq, beat.wants_acknowledgement) for beat in beats} == {(0, False)}
    assert beats[-1].payload == bytes((0, 0, 0, 2, ShoeState.READY, 1, 0, 1))


def test_one_event_is_in_flight_until_acknowledged(started: Bench) -> None:
    started.read(EIGHT)
    started.read(KING)
    (first,) = started.frames()
    assert (first.seq, first.payload) == (1, bytes((0, 1, 0x38, 98)))
    started.ack(7)
    assert started.frames() == []
    started.ack(1)
    (second,) = started.frames()
    assert (second.seq, second.payload) == (2, bytes((0, 2, 0x4D, 98)))


def test_five_resends_then_the_gate_closes(started: Bench) -> None:
    started.read()
    started.pass_time(5 * RESEND_NS)
    sent = started.frames()
    assert [frame.retransmission for frame in sent] == [False] + [True] * 5
    assert len({(frame.seq, frame.payload) for frame in sent}) == 1
    assert started.device.refusal() is None
    started.pass_time(RESEND_NS)
    assert "closed its gate" in (started.device.refusal() or "")
    assert started.device.state is ShoeState.GATE_CLOSED
    started.pass_time(20 * RESEND_NS)
    assert started.frames() == []


def test_the_gate_opens_when_the_host_asks_and_acknowledges_again(started: Bench) -> None:
    started.read()
    started.pass_time(10 * RESEND_NS)
    started.frames()
    started.host(HostType.STATUS)
    (resent,) = started.frames(DeviceType.CARD)
    assert resent.retransmission
    assert started.device.refusal() is not None
    started.ack(resent.seq)
    assert started.device.refusal() is None
    (closed,) = started.frames(DeviceType.GATE)
    started.ack(closed.seq)
    (opened,) = started.frames(DeviceType.GATE)
    assert (closed.payload, opened.payload) == (b"\x00", b"\x01")


def test_a_late_acknowledgement_opens_the_gate_too(started: Bench) -> None:
    started.read()
    started.pass_time(10 * RESEND_NS)
    started.ack(1)
    assert started.device.refusal() is None


def test_a_refused_event_is_resent_at_once_unless_the_host_is_busy(started: Bench) -> None:
    started.read()
    started.frames()
    started.host(HostType.NAK, bytes((1, NakReason.BUSY)))
    assert started.frames() == []
    started.host(HostType.NAK, bytes((1, NakReason.CHECK)))
    (resent,) = started.frames()
    assert resent.retransmission


def test_replay_keeps_ordinals_and_marks_retransmissions(started: Bench) -> None:
    for seq, card in enumerate((EIGHT, KING, EIGHT), start=1):
        started.read(card)
        started.ack(seq)
    started.frames()
    started.host(HostType.REPLAY_FROM, b"\x00\x02")
    result, first = started.frames()
    assert (result.type, result.payload[1]) == (DeviceType.RESULT, ResultCode.DONE)
    started.ack(first.seq)
    (second,) = started.frames()
    started.ack(second.seq)
    assert started.frames() == []
    assert [(frame.seq, frame.retransmission, frame.payload[:3]) for frame in (first, second)] == [
        (4, True, bytes((0, 2, 0x4D))),
        (5, True, bytes((0, 3, 0x38))),
    ]


def test_replay_gives_back_512_events(started: Bench) -> None:
    for number in range(LOG_LENGTH + 10):
        started.read(DECK[number % 52])
        started.ack((number + 1) % 256)
    started.frames()
    started.host(HostType.REPLAY_FROM, b"\x00\x01")
    replayed = 0
    while frames := started.frames(DeviceType.CARD):
        replayed += len(frames)
        started.ack(frames[0].seq)
    assert replayed == LOG_LENGTH == 512


def test_the_sequence_wraps_without_confusing_hello_and_event_zero(started: Bench) -> None:
    for number in range(256):
        started.read()
        assert started.frames(DeviceType.CARD)[-1].seq == (number + 1) % 256
        if number < 255:
            started.ack(number + 1)
    started.host(HostType.STATUS)
    started.ack(0)  # for the HELLO
    started.frames()
    started.pass_time(RESEND_NS)
    (resent,) = started.frames()
    started.ack(resent.seq)
    started.read()
    assert [frame.seq for frame in started.frames()] == [1]


def test_a_replay_from_a_card_not_yet_dealt_is_a_bad_argument(started: Bench) -> None:
    started.host(HostType.REPLAY_FROM, b"\x00\x01")
    assert started.result() is ResultCode.DONE
    started.host(HostType.REPLAY_FROM, b"\x00\x02")
    assert started.result() is ResultCode.BAD_ARGUMENT


def test_a_reboot_takes_another_nonce_and_keeps_load_ordinal_and_the_unacknowledged_card(started: Bench) -> None:
    before = started.device.boot
    started.read()
    started.frames()
    started.device.power_on(started.now_ns)
    (hello,) = started.frames()
    assert hello.boot == started.device.boot != before
    assert hello.payload[-4:] == bytes((0, 1, 0, 1))
    started.ack(0)
    (card,) = started.frames()
    assert (card.seq, card.retransmission, card.payload[:3]) == (1, False, bytes((0, 1, 0x38)))


def test_an_acknowledgement_for_an_earlier_life_counts_for_nothing(started: Bench) -> None:
    before = started.device.boot
    started.device.power_on(started.now_ns)
    started.frames()
    started.host(HostType.ACK, b"\x00", boot=before)
    assert started.device.refusal() is not None
    assert [frame.type for frame in started.frames()] == [DeviceType.HELLO]


def test_a_new_shoe_starts_its_ordinals_again_and_says_hello(started: Bench) -> None:
    started.read()
    started.host(HostType.NEW_SHOE, b"\x06")
    assert started.result() is ResultCode.NOT_NOW
    started.ack(1)
    started.host(HostType.NEW_SHOE, b"\x06")
    hello, result = started.frames()
    assert (hello.type, hello.payload[3], hello.payload[-4:]) == (DeviceType.HELLO, 6, bytes((0, 2, 0, 0)))
    assert result.payload[1] == ResultCode.DONE
    assert started.device.state is ShoeState.LOADING
    started.ack(0)
    assert started.read() == 1


def test_a_repeated_command_is_answered_again_and_not_done_twice(started: Bench) -> None:
    started.host(HostType.NEW_SHOE, b"\x08")
    started.host(HostType.NEW_SHOE, b"\x08", again=True)
    assert [frame.payload[1] for frame in started.frames(DeviceType.RESULT)] == [ResultCode.DONE] * 2
    assert started.device.load == 2


def test_the_host_closes_and_opens_the_gate(started: Bench) -> None:
    started.host(HostType.GATE_SET, b"\x00")
    gate, result = started.frames()
    assert (result.payload[1], gate.type, gate.payload) == (ResultCode.DONE, DeviceType.GATE, b"\x00")
    assert started.device.refusal() == "the host closed the gate"
    started.ack(gate.seq)
    started.host(HostType.GATE_SET, b"\x01")
    assert started.device.refusal() is None


def test_a_stuck_gate_is_told_at_once_and_answers_with_a_hardware_fault(started: Bench) -> None:
    started.device.set_gate_stuck(is_stuck=True, now_ns=0)
    (error,) = started.frames()
    assert (error.type, error.payload[0]) == (DeviceType.ERROR, ErrorCode.TIME_OUT)
    assert started.device.state is ShoeState.ERROR
    started.ack(error.seq)
    started.host(HostType.GATE_SET, b"\x01")
    assert started.result() is ResultCode.HARDWARE
    assert started.device.refusal() == "the gate is stuck closed"
    started.device.set_gate_stuck(is_stuck=False, now_ns=0)
    assert [frame.type for frame in started.frames()] == [DeviceType.CLEARED]
    assert started.device.refusal() is None


def test_a_gate_freed_while_the_host_wants_it_closed_stays_closed(started: Bench) -> None:
    started.device.set_gate_stuck(is_stuck=True, now_ns=0)
    started.host(HostType.GATE_SET, b"\x00")
    started.device.set_gate_stuck(is_stuck=False, now_ns=0)
    assert started.device.refusal() == "the host closed the gate"


@pytest.mark.parametrize(
    ("kind", "payload", "expected"),
    [
        (HostType.LED_SET, b"\x01\x04", ResultCode.DONE),
        (HostType.LED_SET, b"\x01\x05", ResultCode.BAD_ARGUMENT),
        (HostType.GATE_SET, b"\x02", ResultCode.BAD_ARGUMENT),
        (HostType.NEW_SHOE, b"\x00", ResultCode.BAD_ARGUMENT),
        (HostType.ARM, b"\x00", ResultCode.DONE),
        (HostType.CLEAR_ERROR, b"", ResultCode.DONE),
    ],
)
def test_commands_are_answered(started: Bench, kind: HostType, payload: bytes, expected: ResultCode) -> None:
    started.host(kind, payload)
    assert started.result() is expected


def test_an_unknown_command_is_said_to_be_unknown(started: Bench) -> None:
    frame = Frame(0x99, 1, started.device.boot, b"", wants_acknowledgement=True)
    started.device.host_bytes(encode_frame(frame), 0)
    assert [sent.payload for sent in started.frames()] == [bytes((1, ResultCode.UNKNOWN))]


def test_a_rescan_carries_the_ordinal_of_the_card_not_read(started: Bench) -> None:
    ordinal = started.device.fail_to_read(0)
    started.device.rescan(ordinal, None, 98, 0)
    started.device.rescan(ordinal, KING, 98, 0)
    said = []
    for seq in range(1, 5):
        said += started.frames()
        started.ack(seq)
    assert [(frame.type, frame.payload) for frame in said] == [
        (DeviceType.NOREAD, bytes((0, 1))),
        (DeviceType.ERROR, bytes((ErrorCode.CANNOT_READ, 0))),
        (DeviceType.CLEARED, bytes((ErrorCode.CANNOT_READ,))),
        (DeviceType.CARD, bytes((0, 1, 0x4D, 98))),
    ]
    assert started.read() == 2


def test_cut_card_return_and_empty_carry_the_last_ordinal(started: Bench) -> None:
    started.read()
    started.device.see_cut_card(0)
    started.device.see_card_return(0)
    started.device.see_empty(0)
    started.device.see_empty(0)
    said = []
    for seq in range(1, 6):
        said += started.frames()
        started.ack(seq)
    assert [(frame.type, frame.payload) for frame in said[1:]] == [
        (DeviceType.CUT_CARD, bytes((0, 1))),
        (DeviceType.CARD_RETURN, bytes((0, 1))),
        (DeviceType.EMPTY, bytes((0, 1))),
    ]
    assert started.device.state is ShoeState.EMPTY


def test_jam_and_lid_stop_cards_and_cannot_be_cleared_from_afar(started: Bench) -> None:
    started.device.jam(0)
    assert started.device.refusal() == "a card is jammed in the exit"
    assert started.device.state is ShoeState.JAM
    started.host(HostType.CLEAR_ERROR)
    assert started.result() is ResultCode.NOT_NOW
    started.device.free_jam(0)
    started.device.set_lid(is_open=True, now_ns=0)
    assert started.device.refusal() == "the lid is open"
    started.device.set_lid(is_open=False, now_ns=0)
    assert started.device.refusal() is None
