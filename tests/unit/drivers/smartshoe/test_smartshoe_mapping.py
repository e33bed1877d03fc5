from __future__ import annotations

import struct
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from smartshoe_peer import CARD, CARD_RETURN, CUT_CARD, EMPTY, LID, NOREAD, card, frame, heartbeat, hello

from drivers.smartshoe.facts import Missing, Unrecovered
from drivers.smartshoe.mapping import Decoder, device_events
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, EventKind

AT = Instant(1, 2)
STREAM = (
    hello()
    + card("8S", 1, 1)
    + card("KH", 2, 2)
    + heartbeat(2)
    + frame(NOREAD, b"\x00\x03", seq=3, flags=2)
    + card("AD", 3, 4)
    + frame(CUT_CARD, b"\x00\x03", seq=5, flags=2)
    + frame(CARD_RETURN, b"\x00\x03", seq=6, flags=2)
    + frame(LID, b"\x01", seq=7, flags=2)
    + frame(EMPTY, b"\x00\x03", seq=8, flags=2)
    + b"\xff\x01\x00"
    + card("TC", 5, 9)
)


def events_of(*chunks: bytes) -> list[DeviceEvent]:
    decoder = Decoder("shoe-1")
    return [event for chunk in chunks for event in decoder.feed(chunk, AT)]


def cards_of(stream: bytes) -> set[tuple[int | None, str]]:
    return {
        (event.ordinal, event.card.code)
        for event in events_of(stream)
        if event.kind is EventKind.CARD and event.card is not None
    }


@pytest.mark.parametrize(
    ("kind", "payload", "expected", "details"),
    [
        (0x21, b"\x00", EventKind.GATE, {"open": False}),
        (0x23, b"", EventKind.JAM, {}),
        (0x31, b"\x02", EventKind.ERROR_CLEARED, {"code": 2}),
        (0x84, b"\x04\x02", EventKind.INFO, {"command_seq": 4, "code": 2}),
    ],
)
def test_messages_that_no_vector_shows(
    kind: int, payload: bytes, expected: EventKind, details: dict[str, object]
) -> None:
    (event,) = events_of(frame(kind, payload, seq=1, flags=2))
    assert (event.kind, event.details, event.sequence) == (expected, {"boot": 0x5A, **details}, 1)
    assert event.raw == frame(kind, payload, seq=1, flags=2)


def test_a_byte_that_is_no_card_is_an_unknown_code_with_its_ordinal() -> None:
    (event,) = events_of(frame(CARD, struct.pack(">HBB", 4, 0x5F, 80), seq=1, flags=2))
    assert (event.kind, event.card, event.ordinal) == (EventKind.UNKNOWN_CODE, None, 4)
    assert event.details["code"] == 0x5F


def test_the_card_of_an_unknown_code_may_come_later() -> None:
    first = frame(CARD, struct.pack(">HBB", 4, 0x5F, 80), seq=1, flags=2)
    kinds = [event.kind for event in events_of(first, card("8S", 4, 2))]
    assert kinds == [EventKind.UNKNOWN_CODE, EventKind.CARD]


def test_another_card_under_the_same_ordinal_is_shown_and_suspect() -> None:
    first, second = events_of(card("8S", 1, 1), card("9S", 1, 2))
    assert (first.suspect, second.suspect, second.ordinal) == (False, True, 1)


def test_missed_ordinals_are_one_event_a_span_and_none_before_a_card_shows_the_gap() -> None:
    spans = (range(2, 4), range(7, 8))
    events = device_events("shoe-1", Unrecovered(7, spans, AT))
    assert [event.details for event in events] == [{"first": 2, "last": 3}, {"first": 7, "last": 7}]
    assert {(event.kind, event.load) for event in events} == {(EventKind.MISSED, 7)}
    assert device_events("shoe-1", Missing(7, spans, is_skipped=False, at=AT)) == []


def test_an_overflow_is_an_event() -> None:
    (event,) = events_of(b"\x99" * 500)
    assert event.kind is EventKind.OVERFLOW
    assert event.raw == b"\x99" * event.details["limit_bytes"]


def test_the_stream_used_below_says_much() -> None:
    assert len({event.kind for event in events_of(STREAM)}) == 9


def test_byte_by_byte_gives_the_same_events() -> None:
    assert events_of(*(bytes([byte]) for byte in STREAM)) == events_of(STREAM)


@settings(deadline=None)
@given(st.lists(st.integers(0, len(STREAM)), max_size=30))
def test_any_chunking_gives_the_same_events(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(STREAM)]
    chunks = [STREAM[start:end] for start, end in pairwise(edges)]
    assert events_of(*chunks) == events_of(STREAM)


@settings(deadline=None)
@given(st.lists(st.one_of(st.binary(max_size=100), st.sampled_from([STREAM, hello(), card("8S", 1, 1)]))))
def test_garbage_never_raises_and_what_is_whole_is_read(chunks: list[bytes]) -> None:
    decoder = Decoder("shoe-1")
    for chunk in chunks:
        decoder.feed(chunk, AT)
    assert any(event.card for event in decoder.feed(b"\x00" + card("QD", 60_000, 200), AT))


@settings(deadline=None)
@given(st.integers(0, 255), st.binary(max_size=64), st.integers(0, 3), st.integers(0, 255))
def test_any_frame_with_a_right_check_is_taken_or_counted(kind: int, payload: bytes, flags: int, seq: int) -> None:
    decoder = Decoder("shoe-1")
    events = decoder.feed(frame(kind, payload, seq=seq, flags=flags), AT)
    assert bool(events) != bool(decoder.protocol.errors)


def test_no_corruption_of_one_byte_gives_another_card() -> None:
    """Exhaustive: every substitution, deletion and insertion of a byte in a stream of cards."""
    stream = card("8S", 1, 1) + card("KH", 2, 2) + card("AD", 3, 3)
    sent = cards_of(stream)
    assert len(sent) == 3
    wrong = set()
    for position in range(len(stream) + 1):
        head, tail = stream[:position], stream[position:]
        wrong |= cards_of(head + tail[1:]) - sent
        for byte in range(256):
            wrong |= cards_of(head + bytes([byte]) + tail[1:]) - sent
            wrong |= cards_of(head + bytes([byte]) + tail) - sent
    assert wrong == set()
