"""A device whose resends ran out closes its gate and says no more by itself: the host must speak to it."""

from __future__ import annotations

import pytest
from smartshoe_peer import ACK, GATE, REPLAY_FROM, STATUS, card, frame, heartbeat, hello, host_frames

from drivers.smartshoe.facts import Fact, Received
from drivers.smartshoe.protocol import Phase, Protocol
from studio.domain.instants import Instant

MS = 1_000_000
STARTING, LOADING, READY, GATE_CLOSED, JAM, ERROR, EMPTY = range(7)


class Host:
    """A protocol that has heard HELLO; what it sends is kept by type."""

    def __init__(self) -> None:
        self.protocol = Protocol()
        self.now = Instant(0, 0)
        self.protocol.connected(self.now)
        self.journal(self.feed(hello()))
        self.sent()

    def feed(self, *wire: bytes) -> list[Fact]:
        return [fact for data in wire for fact in self.protocol.feed(data, self.now)]

    def journal(self, facts: list[Fact]) -> None:
        for fact in facts:
            assert isinstance(fact, Received)
            self.protocol.acknowledge(fact.frame.boot, fact.frame.sequence)

    def sent(self) -> list[tuple[int, bytes]]:
        return [(kind, payload) for kind, _, _, payload in host_frames(self.protocol.data_to_send())]

    def beat(self, ordinal: int, state: int, last_seq: int) -> list[tuple[int, bytes]]:
        """Let half a second pass and a heartbeat come; return what the host sends because of it."""
        self.now = Instant(self.now.monotonic_ns + 500 * MS, 0)
        self.feed(heartbeat(ordinal, state=state, last_seq=last_seq))
        return self.sent()


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.mark.parametrize("state", [GATE_CLOSED, JAM, ERROR, EMPTY])
def test_an_acknowledgement_that_was_lost_goes_out_again_with_each_heartbeat(host: Host, state: int) -> None:
    host.journal(host.feed(card("8S", 1, 7)))
    host.sent()
    assert host.beat(1, state, 7) == [(ACK, b"\x07")]
    assert host.beat(1, state, 7) == [(ACK, b"\x07")]


@pytest.mark.parametrize("state", [STARTING, LOADING, READY])
def test_a_device_that_starts_or_deals_is_left_alone(host: Host, state: int) -> None:
    host.journal(host.feed(card("8S", 1, 7)))
    host.sent()
    assert host.beat(1, state, 7) == []


def test_an_event_that_is_not_on_disk_yet_is_not_acknowledged_by_a_heartbeat(host: Host) -> None:
    facts = host.feed(card("8S", 1, 7))
    assert host.beat(1, GATE_CLOSED, 7) == []
    host.journal(facts)
    assert host.sent() == [(ACK, b"\x07")]


def test_an_event_that_never_came_is_asked_for_by_status(host: Host) -> None:
    host.journal(host.feed(card("8S", 1, 7)))
    host.sent()
    assert host.beat(2, GATE_CLOSED, 8) == [(STATUS, b"")]
    host.journal(host.feed(card("KH", 2, 8, flags=3)))
    assert host.sent() == [(ACK, b"\x08")]


def test_a_number_used_before_is_not_taken_for_an_acknowledged_one(host: Host) -> None:
    """SEQ counts modulo 256: one of 256 events ago says nothing about this one."""
    for ordinal in range(1, 257):
        host.journal(host.feed(card("8S" if ordinal % 2 else "KH", ordinal, ordinal % 256)))
    host.sent()
    assert host.beat(256, GATE_CLOSED, 1) == [(STATUS, b"")]


def test_hello_in_answer_to_status_does_not_hide_what_was_acknowledged(host: Host) -> None:
    host.journal(host.feed(card("8S", 1, 7)))
    host.journal(host.feed(hello(ordinal=1)))
    host.sent()
    assert host.beat(1, GATE_CLOSED, 7) == [(ACK, b"\x07")]


def test_a_gate_event_is_acknowledged_again_as_a_card_is(host: Host) -> None:
    host.journal(host.feed(frame(GATE, b"\x00", seq=3, flags=2)))
    host.sent()
    assert host.beat(0, GATE_CLOSED, 3) == [(ACK, b"\x03")]


def test_a_gap_that_heartbeats_tell_leaves_the_reader_ready(host: Host) -> None:
    host.feed(heartbeat(1), heartbeat(1))
    assert host.sent() == [(REPLAY_FROM, b"\x00\x01")]
    assert host.protocol.phase is Phase.RUNNING


def test_a_gap_that_hello_tells_does_not(host: Host) -> None:
    host.feed(hello(ordinal=1, boot=0x77))
    assert host.protocol.phase is Phase.REPLAYING
