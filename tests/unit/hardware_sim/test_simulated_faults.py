"""Every fault has a caption and does on the bytes what it says, between a real device and a scripted host."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import pytest

from hardware_sim.faults import FAULTS, Fault, FaultKind
from hardware_sim.pacing import Pace
from hardware_sim.shoe import Shoe
from hardware_sim.smartshoe.device import DeviceConfig
from hardware_sim.smartshoe.payloads import FOREIGN_CODES, ErrorCode, ResultCode, card_code
from hardware_sim.smartshoe.reader import SmartshoeReader
from hardware_sim.smartshoe.wire import DeviceType, Frame, FrameDecoder, HostType, encode_frame
from hardware_sim.table import Empty, Pulled, Reading, Refused, Rescanned, SimulatedTable
from studio.domain.cards import Card

MILLISECOND_NS = 1_000_000
DEALERS = [fault for fault, spec in FAULTS.items() if spec.kind is FaultKind.DEALER]


@dataclass
class ScriptedPort:
    """A port that records each write."""

    writes: list[bytes] = field(default_factory=list)
    is_plugged: bool = False
    losses: int = 0

    def plug(self) -> None:
        self.is_plugged = True

    def unplug(self) -> None:
        self.is_plugged = False
        self.losses += 1

    def write(self, data: bytes) -> None:
        self.writes.append(data)


class Studio:
    """A host that acknowledges everything, over a table on a clock of integers."""

    def __init__(self, seed: int = 1, decks: int = 8) -> None:
        self.now_ns = 0
        self.port = ScriptedPort()
        reader = SmartshoeReader(DeviceConfig(decks=decks, seed=seed))
        self.table = SimulatedTable(Shoe(seed, decks), reader, self.port, lambda: self.now_ns, Pace(0))
        self.acknowledges = True
        self.received: list[Frame] = []
        self.decoder = FrameDecoder()
        self._read = 0
        self.table.start()
        self.listen()

    def listen(self) -> None:
        """Read what has come and acknowledge it, until nothing more comes at this moment."""
        while self._read < len(self.port.writes):
            data = self.port.writes[self._read]
            self._read += 1
            for frame in self.decoder.feed(data):
                self.received.append(frame)
                if frame.wants_acknowledgement and self.acknowledges:
                    self.table.host_bytes(encode_frame(Frame(HostType.ACK, 0, frame.boot, bytes((frame.seq,)))))

    def command(self, kind: HostType, payload: bytes = b"") -> None:
        frame = Frame(kind, 9, self.table.device.boot, payload, wants_acknowledgement=True)
        self.table.host_bytes(encode_frame(frame))
        self.listen()

    def pass_time(self, milliseconds: int) -> None:
        end_ns = self.now_ns + milliseconds * MILLISECOND_NS
        while (deadline_ns := self.table.next_deadline_ns()) is not None and deadline_ns <= end_ns:
            self.now_ns = max(self.now_ns, deadline_ns)
            self.table.pump()
            self.listen()
        self.now_ns = end_ns
        self.table.pump()
        self.listen()

    def pull(self) -> Pulled:
        pulled = self.table.pull()
        assert isinstance(pulled, Pulled)
        self.listen()
        return pulled

    def fault(self, fault: Fault, *, is_on: bool = True) -> None:
        self.table.set_fault(fault, is_on=is_on)
        self.listen()

    def forget(self) -> None:
        self.received.clear()
        self._read = len(self.port.writes)

    def kinds(self) -> list[int]:
        """Return the types received, without heartbeats."""
        return [frame.type for frame in self.received if frame.type != DeviceType.HEARTBEAT]

    def cards(self) -> list[tuple[int, int]]:
        """Return ordinal and code of each distinct card received, in order, retransmissions left out."""
        payloads = [frame.payload for frame in self.received if frame.type == DeviceType.CARD]
        return list(dict.fromkeys((payload[0] << 8 | payload[1], payload[2]) for payload in payloads))


def as_read(*pulled: Pulled) -> list[tuple[int, int]]:
    return [(one.ordinal, card_code(one.card)) for one in pulled]


@pytest.fixture
def studio() -> Studio:
    studio = Studio()
    studio.forget()
    return studio


@pytest.mark.parametrize("fault", Fault)
def test_each_fault_has_a_caption_of_one_line(fault: Fault) -> None:
    caption = FAULTS[fault].caption
    assert caption.endswith(".")
    assert 30 < len(caption) < 120
    assert "\n" not in caption


@pytest.mark.parametrize("fault", Fault)
def test_each_fault_gives_the_same_bytes_for_the_same_seed_and_calls(fault: Fault) -> None:
    def play() -> list[bytes]:
        studio = Studio(seed=11, decks=1)
        studio.pull()
        studio.fault(fault)
        for _ in range(6):
            studio.table.pull()
            studio.table.rescan()
            studio.pass_time(700)
        studio.fault(fault, is_on=False)
        studio.pass_time(700)
        return studio.port.writes

    first = play()
    assert len(first) > 3
    assert first == play()


@pytest.mark.parametrize("fault", Fault)
def test_after_each_fault_is_taken_back_cards_are_read_again(fault: Fault) -> None:
    studio = Studio(seed=5)
    studio.fault(fault)
    studio.table.pull()
    studio.pass_time(2000)
    studio.fault(fault, is_on=False)
    studio.pass_time(2000)
    studio.command(HostType.STATUS)
    studio.pass_time(2000)
    studio.forget()
    pulled = studio.pull()
    studio.pass_time(1000)
    assert pulled.reading is Reading.READ
    assert studio.cards() == as_read(pulled)


def test_without_faults_cards_arrive_in_order(studio: Studio) -> None:
    pulled = [studio.pull() for _ in range(20)]
    assert studio.cards() == as_read(*pulled)
    assert [one.ordinal for one in pulled] == list(range(1, 21))
    assert not any(frame.retransmission for frame in studio.received)


def test_no_read_is_repaired_by_the_rescan(studio: Studio) -> None:
    studio.fault(Fault.NO_READ)
    pulled = studio.pull()
    assert (pulled.reading, studio.kinds()) == (Reading.UNREAD, [DeviceType.NOREAD])
    assert studio.table.rescan() == Rescanned(pulled.card, 1, is_read=True)
    studio.listen()
    assert studio.cards() == as_read(pulled)
    assert isinstance(studio.table.rescan(), Refused)


def test_an_unreadable_card_fails_each_rescan_until_it_is_given_up(studio: Studio) -> None:
    studio.fault(Fault.UNREADABLE)
    studio.pull()
    for _ in range(2):
        rescanned = studio.table.rescan()
        studio.listen()
        assert isinstance(rescanned, Rescanned)
        assert not rescanned.is_read
    assert studio.kinds() == [DeviceType.NOREAD, DeviceType.ERROR, DeviceType.ERROR]
    assert studio.received[-1].payload[0] == ErrorCode.CANNOT_READ
    studio.table.give_up_rescan()
    studio.listen()
    assert studio.table.unread == ()
    assert studio.kinds()[3:] == [DeviceType.CLEARED]
    assert studio.received[-1].payload[0] == ErrorCode.CANNOT_READ


def test_an_unknown_code_is_no_card_of_the_deck(studio: Studio) -> None:
    studio.fault(Fault.UNKNOWN_CODE)
    pulled = studio.pull()
    ((ordinal, code),) = studio.cards()
    assert (ordinal, pulled.reading) == (1, Reading.UNKNOWN_CODE)
    assert code in FOREIGN_CODES
    studio.table.rescan()
    studio.listen()
    assert studio.cards()[1:] == as_read(pulled)


def test_a_double_read_takes_two_ordinals(studio: Studio) -> None:
    studio.fault(Fault.DOUBLE_READ)
    code = card_code(studio.pull().card)
    assert studio.cards() == [(1, code), (2, code)]
    assert studio.table.shoe.dealt == 1
    assert studio.pull().ordinal == 3


def test_a_missed_card_leaves_a_gap_that_no_replay_fills(studio: Studio) -> None:
    studio.fault(Fault.MISSED)
    assert studio.pull().reading is Reading.MISSED
    seen = studio.pull()
    studio.command(HostType.REPLAY_FROM, b"\x00\x01")
    assert studio.cards() == as_read(seen)
    assert seen.ordinal == 2


def test_a_returned_card_is_told_after_the_card(studio: Studio) -> None:
    studio.fault(Fault.CARD_RETURN)
    studio.pull()
    assert studio.kinds() == [DeviceType.CARD, DeviceType.CARD_RETURN]


@pytest.mark.parametrize("dealt", [0, 5, 300])
def test_an_impossible_copy_is_one_more_than_the_decks(dealt: int) -> None:
    studio = Studio(decks=8)
    cards: Counter[Card] = Counter(studio.pull().card for _ in range(dealt))
    studio.fault(Fault.IMPOSSIBLE_COPY)
    for _ in range(9):
        cards[studio.pull().card] += 1
        if max(cards.values()) > 8:
            break
    assert max(cards.values()) == 9
    assert not studio.table.faults.is_on(Fault.IMPOSSIBLE_COPY)


def test_a_short_shoe_lacks_one_card() -> None:
    studio = Studio(decks=1)
    studio.fault(Fault.SHORT_SHOE)
    pulled = [studio.pull() for _ in range(51)]
    assert studio.table.pull() == Empty()
    assert len({one.card for one in pulled}) == 51


def test_an_early_cut_card_comes_before_the_next_card(studio: Studio) -> None:
    studio.fault(Fault.EARLY_CUT_CARD)
    pulled = studio.pull()
    assert pulled.cut_card
    assert studio.kinds() == [DeviceType.CUT_CARD, DeviceType.CARD]
    assert studio.received[0].payload == b"\x00\x00"


def test_a_late_cut_card_has_ten_cards_behind_it() -> None:
    studio = Studio(decks=1)
    studio.fault(Fault.LATE_CUT_CARD)
    came = [studio.pull().cut_card for _ in range(52)]
    assert came.index(True) == 42


def test_a_missing_cut_card_is_never_reported() -> None:
    studio = Studio(decks=1)
    studio.fault(Fault.MISSING_CUT_CARD)
    assert not any(studio.pull().cut_card for _ in range(52))
    assert DeviceType.CUT_CARD not in studio.kinds()


@pytest.mark.parametrize("fault", DEALERS)
def test_a_dealers_mistake_is_handed_to_the_dealer_once(studio: Studio, fault: Fault) -> None:
    studio.fault(fault)
    assert studio.table.faults.armed_for_dealer() == (fault,)
    assert studio.table.take_dealer_fault(fault)
    assert not studio.table.take_dealer_fault(fault)
    assert studio.kinds() == []


def test_an_open_lid_stops_the_cards(studio: Studio) -> None:
    studio.fault(Fault.LID_OPEN)
    assert studio.table.pull() == Refused("No card can be pulled: the lid is open.")
    studio.fault(Fault.LID_OPEN, is_on=False)
    assert [(frame.type, frame.payload) for frame in studio.received] == [
        (DeviceType.LID, b"\x01"),
        (DeviceType.LID, b"\x00"),
    ]


def test_a_stuck_gate_stays_closed_until_it_is_freed(studio: Studio) -> None:
    studio.fault(Fault.GATE_STUCK)
    assert studio.table.pull() == Refused("No card can be pulled: the gate is stuck closed.")
    studio.command(HostType.GATE_SET, b"\x01")
    assert [frame.payload[1] for frame in studio.received if frame.type == DeviceType.RESULT] == [
        ResultCode.HARDWARE
    ]
    studio.fault(Fault.GATE_STUCK, is_on=False)
    assert [kind for kind in studio.kinds() if kind != DeviceType.RESULT] == [DeviceType.ERROR, DeviceType.CLEARED]
    studio.pull()


def test_a_jam_is_told_and_cleared(studio: Studio) -> None:
    studio.fault(Fault.JAM)
    assert isinstance(studio.table.pull(), Refused)
    studio.fault(Fault.JAM, is_on=False)
    assert studio.kinds() == [DeviceType.JAM, DeviceType.CLEARED]


def test_a_reboot_says_hello_with_another_nonce(studio: Studio) -> None:
    before = studio.table.device.boot
    studio.pull()
    studio.fault(Fault.REBOOT)
    hello = studio.received[-1]
    assert hello.type == DeviceType.HELLO
    assert hello.boot != before
    assert studio.pull().ordinal == 2


def test_unplugging_takes_port_and_power_until_plugged_in_again(studio: Studio) -> None:
    studio.fault(Fault.UNPLUG)
    studio.pass_time(5000)
    assert (studio.port.is_plugged, studio.port.losses, studio.received) == (False, 1, [])
    assert isinstance(studio.table.pull(), Refused)
    assert isinstance(studio.table.rescan(), Refused)
    studio.fault(Fault.UNPLUG, is_on=False)
    assert studio.port.is_plugged
    assert studio.kinds() == [DeviceType.HELLO]


def test_a_swapped_reader_has_another_serial_number(studio: Studio) -> None:
    own = DeviceConfig().serial
    studio.fault(Fault.SWAPPED_READER)
    studio.fault(Fault.SWAPPED_READER, is_on=False)
    serials = [int.from_bytes(frame.payload[6:10], "big") for frame in studio.received]
    assert serials[0] != own
    assert serials[1] == own


def test_stuck_heartbeats_stop_while_cards_come(studio: Studio) -> None:
    studio.fault(Fault.STUCK_HEARTBEAT)
    studio.pass_time(3000)
    assert studio.received == []
    studio.pull()
    assert studio.kinds() == [DeviceType.CARD]


def test_a_clock_jump_shows_in_the_uptime_alone(studio: Studio) -> None:
    studio.fault(Fault.CLOCK_JUMP)
    studio.pass_time(500)
    (beat,) = studio.received
    assert int.from_bytes(beat.payload[:4], "big") == 3600


def test_a_dropped_event_comes_again(studio: Studio) -> None:
    studio.fault(Fault.DROP)
    pulled = studio.pull()
    assert studio.received == []
    studio.pass_time(150)
    (card,) = studio.received
    assert card.retransmission
    assert studio.cards() == as_read(pulled)


def test_split_bytes_give_the_same_cards(studio: Studio) -> None:
    studio.fault(Fault.SPLIT)
    start = len(studio.port.writes)
    pulled = [studio.pull(), studio.pull()]
    studio.pass_time(100)
    assert studio.cards() == as_read(*pulled)
    assert len(studio.port.writes) - start > 2


def test_merged_frames_come_in_one_write(studio: Studio) -> None:
    studio.pass_time(450)
    studio.forget()
    studio.fault(Fault.MERGE)
    pulled = studio.pull()
    studio.pass_time(100)
    assert [data.count(0) for data in studio.port.writes[-1:]] == [2]
    assert studio.cards() == as_read(pulled)


def test_duplicated_frames_are_the_same_frame_twice(studio: Studio) -> None:
    studio.fault(Fault.DUPLICATE)
    studio.pull()
    first, second = studio.received
    assert first == second


def test_flipped_bits_are_never_another_card() -> None:
    studio = Studio(seed=2)
    studio.forget()
    studio.fault(Fault.BIT_FLIP)
    pulled = []
    for _ in range(30):
        pulled.append(studio.pull())
        studio.pass_time(1000)
    assert studio.cards() == as_read(*pulled)
    assert studio.decoder.errors.total() > 5


def test_garbage_precedes_hello_and_is_no_frame(studio: Studio) -> None:
    studio.fault(Fault.GARBAGE)
    burst = studio.port.writes[-1]
    assert len(burst) == 40
    assert studio.kinds() == []
    studio.fault(Fault.REBOOT)
    assert len(studio.port.writes[-2]) == 40


def test_silence_ends_in_one_burst(studio: Studio) -> None:
    start = len(studio.port.writes)
    studio.fault(Fault.SILENCE)
    pulled = studio.pull()
    studio.pass_time(600)
    assert len(studio.port.writes) == start
    studio.fault(Fault.SILENCE, is_on=False)
    assert len(studio.port.writes) == start + 1
    assert studio.port.writes[start].count(0) > 3
    assert studio.cards() == as_read(pulled)


def test_a_long_silence_closes_the_gate(studio: Studio) -> None:
    studio.fault(Fault.SILENCE)
    studio.pull()
    studio.pass_time(1000)
    refused = studio.table.pull()
    assert isinstance(refused, Refused)
    assert "closed its gate" in refused.reason
    studio.fault(Fault.SILENCE, is_on=False)
    assert isinstance(studio.table.pull(), Pulled)


def test_latency_delays_and_keeps_the_order(studio: Studio) -> None:
    studio.fault(Fault.LATENCY)
    pulled = [studio.pull(), studio.pull()]
    studio.pass_time(399)
    assert studio.received == []
    studio.pass_time(1000)
    assert studio.cards() == as_read(*pulled)


def test_a_lost_acknowledgement_brings_the_event_again(studio: Studio) -> None:
    studio.fault(Fault.LOST_ACKNOWLEDGEMENT)
    studio.pull()
    studio.pass_time(400)
    cards = [frame for frame in studio.received if frame.type == DeviceType.CARD]
    assert [frame.retransmission for frame in cards] == [False, True]


def test_a_nak_storm_brings_resends_and_closes_the_gate(studio: Studio) -> None:
    studio.fault(Fault.NAK_STORM)
    studio.pull()
    studio.pass_time(400)
    assert studio.kinds() == [DeviceType.CARD] * 6
    assert len(studio.cards()) == 1
    assert isinstance(studio.table.pull(), Refused)
    studio.fault(Fault.NAK_STORM, is_on=False)
    studio.command(HostType.STATUS)
    assert isinstance(studio.table.pull(), Pulled)
