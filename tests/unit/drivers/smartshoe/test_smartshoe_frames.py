from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from smartshoe_peer import card, frame

from drivers.smartshoe.frames import (
    MAX_ENCODED_BYTES,
    BadFrame,
    Cause,
    Frame,
    FrameReader,
    cobs_decode,
    cobs_encode,
    crc16_genibus,
    decode_frame,
    encode_frame,
)


def test_the_check_value_of_the_crc_is_that_of_the_specification() -> None:
    assert crc16_genibus(b"123456789") == 0xD64E


@settings(deadline=None)
@given(st.binary(max_size=253))
def test_cobs_leaves_no_zero_and_is_undone(data: bytes) -> None:
    encoded = cobs_encode(data)
    assert 0 not in encoded
    assert cobs_decode(encoded) == data


@settings(deadline=None)
@given(
    st.builds(
        Frame,
        type=st.integers(0, 255),
        sequence=st.integers(0, 255),
        boot=st.integers(0, 255),
        payload=st.binary(max_size=64),
        wants_ack=st.booleans(),
        retransmission=st.booleans(),
    )
)
def test_a_frame_survives_the_wire_and_an_independent_encoder_agrees(sent: Frame) -> None:
    flags = 2 * sent.wants_ack + sent.retransmission
    wire = frame(sent.type, sent.payload, seq=sent.sequence, boot=sent.boot, flags=flags)
    assert encode_frame(sent) == wire
    assert len(wire) <= MAX_ENCODED_BYTES + 1
    (got,) = FrameReader().feed(wire)
    assert isinstance(got, Frame)
    assert got.is_copy_of(sent)
    assert (got.wants_ack, got.retransmission, got.raw) == (sent.wants_ack, sent.retransmission, wire)


@pytest.mark.parametrize(
    ("wire", "cause"),
    [
        (b"\xff\x13\x00", Cause.COBS),
        (b"\x03\x01\x02\x00", Cause.LENGTH),
        (card("8S", 1, 1).replace(b"\x04\x06", b"\x05\x06"), Cause.LENGTH),
        (card("8S", 1, 1).replace(b"\x38", b"\x39"), Cause.CRC),
    ],
)
def test_what_is_no_frame_is_told_by_its_cause(wire: bytes, cause: Cause) -> None:
    assert FrameReader().feed(wire) == [BadFrame(cause, wire)]


def test_another_version_is_refused_though_its_check_is_right() -> None:
    body = bytes([0x22, 0x10, 1, 0x5A, 0])
    coded = cobs_encode(body + crc16_genibus(body).to_bytes(2, "big"))
    assert decode_frame(coded) == BadFrame(Cause.VERSION, coded + b"\x00")


def test_empty_frames_are_idle_time() -> None:
    reader = FrameReader()
    assert reader.feed(b"\x00\x00\x00") == []
    assert [type(item) for item in reader.feed(b"\x00" + card("8S", 1, 1))] == [Frame]


def test_a_run_without_delimiter_is_reported_once_and_the_next_frame_is_read() -> None:
    reader = FrameReader()
    found = [item for _ in range(100) for item in reader.feed(b"\xaa" * 1000)]
    assert found == [BadFrame(Cause.OVERFLOW, b"\xaa" * MAX_ENCODED_BYTES)]
    assert len(reader._partial) <= MAX_ENCODED_BYTES
    assert [type(item) for item in reader.feed(b"\x00" + card("8S", 1, 1))] == [Frame]


def test_the_longest_frame_is_no_overflow() -> None:
    (got,) = FrameReader().feed(frame(0x10, b"\x55" * 64))
    assert isinstance(got, Frame)


@settings(deadline=None)
@given(st.lists(st.binary(max_size=120), max_size=20))
def test_no_bytes_raise_or_grow_the_buffer(chunks: list[bytes]) -> None:
    reader = FrameReader()
    for chunk in chunks:
        reader.feed(chunk)
        assert len(reader._partial) <= MAX_ENCODED_BYTES


def test_a_reset_forgets_half_a_frame() -> None:
    reader = FrameReader()
    whole = card("8S", 1, 1)
    reader.feed(whole[:5])
    reader.reset()
    assert [type(item) for item in reader.feed(whole)] == [Frame]
