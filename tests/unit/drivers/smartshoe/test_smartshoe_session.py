from __future__ import annotations

import pytest
from smartshoe_peer import ACK, LID, STATUS, card, frame, heartbeat, hello, host_frames

from drivers.serial_port import PortState
from drivers.smartshoe.session import Session
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, EventKind, LinkState, Resume

MS = 1_000_000


class Bench:
    """A session, its clock, and all that it delivered."""

    def __init__(self, *, serial: str | None = None, resume: Resume | None = None) -> None:
        self.session = Session("shoe-1", serial=serial, resume=resume)
        self.now = Instant(0, 0)
        self.events: list[DeviceEvent] = []

    def port(self, *states: PortState) -> None:
        for state in states:
            self.events += self.session.on_port(state, f"the port is {state}", self.now)

    def feed(self, *wire: bytes) -> None:
        for data in wire:
            self.now = Instant(self.now.monotonic_ns, self.now.wall_ns)
            self.events += self.session.feed(data, self.now)

    def after(self, milliseconds: int) -> None:
        for _ in range(milliseconds // 100):
            self.now = Instant(self.now.monotonic_ns + 100 * MS, 0)
            self.events += self.session.tick(self.now)

    def journal(self) -> None:
        for event in self.events:
            self.session.acknowledge(event)

    def wants_reopen(self) -> bool:
        return self.session.wants_reopen

    def links(self) -> list[str]:
        return [event.details["state"] for event in self.events if event.kind is EventKind.LINK]

    def cards(self) -> list[tuple[EventKind, int | None]]:
        kinds = (EventKind.CARD, EventKind.MISSED, EventKind.NO_READ)
        return [(event.kind, event.ordinal) for event in self.events if event.kind in kinds]


def opened(*, serial: str | None = None, resume: Resume | None = None) -> Bench:
    bench = Bench(serial=serial, resume=resume)
    bench.port(PortState.OPENING, PortState.OPEN)
    return bench


def ready() -> Bench:
    bench = opened()
    bench.feed(hello())
    bench.journal()
    return bench


def test_an_open_port_proves_nothing_only_hello_makes_it_ready() -> None:
    bench = Bench()
    bench.port(PortState.ABSENT, PortState.OPENING, PortState.OPEN)
    bench.feed(b"AT\r\n\x00", heartbeat(0))
    assert bench.links() == ["absent", "opening", "syncing"]
    bench.feed(hello())
    assert bench.links()[-1] == "ready"
    assert [event.kind for event in bench.events[-2:]] == [EventKind.HELLO, EventKind.LINK]


def test_it_is_ready_only_when_the_replay_is_done() -> None:
    bench = opened(resume=Resume(load=7, ordinal=1))
    bench.feed(hello(ordinal=3))
    bench.feed(card("8S", 2, 1))
    assert bench.links()[-1] == "syncing"
    assert "unheard" in bench.session.health().reason
    bench.feed(card("KH", 3, 2))
    assert bench.links()[-1] == "ready"
    assert bench.cards() == [(EventKind.CARD, 2), (EventKind.CARD, 3)]
    assert bench.session.health().reason == ""


def test_a_gap_that_is_filled_never_reaches_the_table() -> None:
    bench = ready()
    bench.feed(card("8S", 1, 1), card("KH", 3, 2))
    assert bench.cards() == [(EventKind.CARD, 1)]
    bench.feed(card("2C", 2, 3))
    assert bench.cards() == [(EventKind.CARD, number) for number in (1, 2, 3)]
    assert bench.session.link is LinkState.READY


def test_a_gap_that_stays_is_missed_after_a_second_and_the_cards_go_on() -> None:
    bench = ready()
    bench.feed(card("8S", 1, 1))
    bench.journal()
    bench.feed(card("KH", 3, 2))
    bench.after(900)
    assert bench.cards() == [(EventKind.CARD, 1)]
    bench.after(200)
    assert bench.cards()[1:] == [(EventKind.MISSED, None), (EventKind.CARD, 3)]
    (missed,) = (event for event in bench.events if event.kind is EventKind.MISSED)
    assert (missed.details, missed.load) == ({"first": 2, "last": 2}, 7)


def test_silence_is_stale_then_lost_once_and_asks_to_reopen() -> None:
    bench = ready()
    bench.after(1400)
    assert bench.links()[-1] == "ready"
    bench.after(100)
    assert bench.links()[-1] == "stale"
    bench.after(1400)
    assert not bench.wants_reopen()
    bench.after(5000)
    assert bench.wants_reopen()
    assert bench.links().count("lost") == 1
    assert bench.session.health().losses == 1
    bench.port(PortState.LOST)
    assert bench.links().count("lost") == 1


def test_a_heartbeat_ends_a_stale_link_and_garbage_does_not() -> None:
    bench = ready()
    bench.after(1600)
    bench.feed(b"\xff\x01\x00")
    assert bench.links()[-1] == "stale"
    bench.feed(heartbeat(0))
    assert bench.links()[-1] == "ready"
    bench.after(1400)
    assert bench.links()[-1] == "ready"


def test_bytes_of_a_line_already_given_up_are_counted_and_not_taken() -> None:
    bench = ready()
    bench.after(3000)
    bench.feed(card("8S", 1, 1))
    assert bench.cards() == []
    assert bench.session.health().errors == {"link_down": 1}


@pytest.mark.parametrize("state", ["syncing", "replaying", "ready", "stale", "lost", "refused"])
def test_an_unplug_in_any_state_is_lost_exactly_once(state: str) -> None:
    bench = opened(serial="00A1B2C3")
    match state:
        case "replaying":
            bench.feed(hello(ordinal=5))
        case "ready":
            bench.feed(hello())
        case "stale":
            bench.feed(hello())
            bench.after(1600)
        case "lost":
            bench.feed(hello())
            bench.after(3100)
        case "refused":
            bench.feed(hello(serial=0xBEEF))
        case _:
            pass
    bench.port(PortState.LOST, PortState.ABSENT)
    assert bench.links().count("lost") == bench.session.health().losses == 1
    assert bench.links()[-1] == "absent"


@pytest.mark.parametrize("states", [[], [PortState.ABSENT], [PortState.OPENING]])
def test_what_was_never_open_is_never_lost(states: list[PortState]) -> None:
    bench = Bench()
    bench.port(*states, PortState.LOST)
    assert bench.links().count("lost") == 0


def test_a_silent_open_port_is_asked_and_reopened_but_was_never_there_to_lose() -> None:
    bench = opened()
    bench.after(9900)
    assert not bench.wants_reopen()
    statuses = [frame for frame in host_frames(bench.session.data_to_send()) if frame[0] == STATUS]
    assert len(statuses) == 20
    bench.after(100)
    assert bench.wants_reopen()
    assert "lost" not in bench.links()


def test_the_stream_is_partial_after_a_reconnect_until_it_is_replayed() -> None:
    bench = ready()
    bench.feed(card("8S", 1, 1))
    bench.journal()
    bench.port(PortState.LOST, PortState.ABSENT, PortState.OPENING, PortState.OPEN)
    bench.feed(hello(ordinal=2, boot=0x77))
    assert bench.links()[-5:] == ["lost", "absent", "opening", "syncing", "syncing"]
    bench.feed(card("KH", 2, 1, boot=0x77))
    assert bench.links()[-1] == "ready"
    assert bench.cards() == [(EventKind.CARD, 1), (EventKind.CARD, 2)]


def test_the_swapped_reader_is_named_and_none_of_its_cards_is_taken() -> None:
    bench = opened(serial="00A1B2C3")
    bench.session.data_to_send()
    bench.feed(hello(serial=0xBEEF), card("8S", 1, 1), frame(LID, b"\x01", seq=2, flags=2))
    health = bench.session.health()
    assert health.link is LinkState.SYNCING
    assert "0000BEEF" in health.reason
    assert "00A1B2C3" in health.reason
    assert health.errors == {"wrong_reader": 2}
    assert {event.kind for event in bench.events} == {EventKind.LINK}
    assert all(kind != ACK for kind, *_ in host_frames(bench.session.data_to_send()))


def test_a_reason_that_changes_is_told_and_one_that_stays_is_not() -> None:
    bench = Bench()
    for reason in ("opening", "in use by process 1", "in use by process 1"):
        bench.events += bench.session.on_port(PortState.OPENING, reason, bench.now)
    assert [event.details["reason"] for event in bench.events] == ["opening", "in use by process 1"]


def test_an_overflow_is_told_and_counted() -> None:
    bench = ready()
    (event,) = bench.session.overflow(300, bench.now)
    assert (event.kind, event.details) == (EventKind.OVERFLOW, {"dropped_bytes": 300})
    assert bench.session.health().errors == {"overflow": 1}


def test_events_that_came_from_no_frame_need_no_acknowledgement() -> None:
    bench = ready()
    bench.session.data_to_send()
    (overflow,) = bench.session.overflow(1, bench.now)
    bench.session.acknowledge(overflow)
    assert bench.session.data_to_send() == b""


def test_health_says_when_the_last_whole_frame_came() -> None:
    bench = ready()
    at = bench.now
    bench.after(300)
    bench.feed(b"\xff\x01\x00")
    health = bench.session.health()
    assert (health.last_frame, health.errors) == (at, {"cobs": 1})
