"""The simulator's wire against the protocol's vectors, which neither it nor the driver wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware_sim.smartshoe.payloads import (
    Capability,
    Hello,
    ShoeState,
    card_code,
    card_payload,
    heartbeat_payload,
    ordinal_payload,
)
from hardware_sim.smartshoe.wire import (
    MAX_PAYLOAD,
    Damage,
    DeviceType,
    Frame,
    FrameDecoder,
    HostType,
    cobs_decode,
    cobs_encode,
    crc16_genibus,
    encode_frame,
)
from studio.domain.cards import DECK, parse_card

_ALL = json.loads((Path(__file__).parents[3] / "vectors" / "protocols.json").read_text())
VECTORS: list[dict[str, Any]] = [vector for vector in _ALL if vector["protocol"] == "smartshoe"]
CLEAN = [vector for vector in VECTORS if "chunks" in vector and not {"errors", "errors_at_least"} & vector.keys()]
HOST_FRAMES = {vector["name"]: bytes.fromhex(vector["host_frame"]) for vector in VECTORS if "host_frame" in vector}


def wire_of(vector: dict[str, Any]) -> list[bytes]:
    stream = b"".join(bytes.fromhex(chunk) for chunk in vector["chunks"])
    return [block + b"\0" for block in stream.split(b"\0") if block]


ORDINAL_ONLY = {
    "no_read": DeviceType.NOREAD,
    "card_return": DeviceType.CARD_RETURN,
    "cut_card": DeviceType.CUT_CARD,
    "empty": DeviceType.EMPTY,
}


def hello_payload(event: dict[str, Any]) -> bytes:
    major, minor = event["firmware"].split(".")
    return Hello(
        capabilities=Capability(event["caps"]),
        decks=event["decks"],
        firmware=(int(major), int(minor)),
        serial=int(event["serial"], 16),
        load=event["load"],
        ordinal=event["ordinal"],
    ).payload()


def device_payload(event: dict[str, Any]) -> tuple[DeviceType, bytes]:
    match event:
        case {"kind": "hello"}:
            encoded = DeviceType.HELLO, hello_payload(event)
        case {"kind": "card", "card": card, "ordinal": ordinal}:
            # Where a vector leaves the quality out, its bytes have these.
            quality = event.get("quality", 97 if card == "KH" else 98)
            encoded = DeviceType.CARD, card_payload(ordinal, card_code(parse_card(card)), quality)
        case {"kind": "lid", "open": is_open}:
            encoded = DeviceType.LID, bytes((is_open,))
        case {"kind": "error", "code": code, "sub": sub}:
            encoded = DeviceType.ERROR, bytes((code, sub))
        case {"kind": "heartbeat", "uptime_s": uptime, "state": state, "last_seq": seq, "ordinal": ordinal}:
            encoded = DeviceType.HEARTBEAT, heartbeat_payload(uptime, ShoeState(state), seq, ordinal)
        case {"kind": kind, "ordinal": ordinal}:
            encoded = ORDINAL_ONLY[kind], ordinal_payload(ordinal)
        case _:
            pytest.fail(f"the vectors have a new kind of event: {event}")
    return encoded


@pytest.mark.parametrize("vector", CLEAN, ids=lambda vector: str(vector["name"]))
def test_each_event_is_encoded_as_its_vector_has_it(vector: dict[str, Any]) -> None:
    boot = 0x5A
    blocks = wire_of(vector)
    for event in (event for event in vector["expect"] if event["kind"] != "missed"):
        boot = event.get("boot", boot)
        frame_type, payload = device_payload(event)
        wants = frame_type is not DeviceType.HEARTBEAT
        copies = {
            encode_frame(Frame(frame_type, event.get("seq", 0), boot, payload, wants, retransmission))
            for retransmission in (False, True)
        }
        assert copies & set(blocks), f"{event} is not among the vector's frames"


@pytest.mark.parametrize("vector", CLEAN, ids=lambda vector: str(vector["name"]))
def test_each_vector_survives_decoding_and_encoding(vector: dict[str, Any]) -> None:
    decoder = FrameDecoder()
    blocks = wire_of(vector)
    frames = decoder.feed(b"".join(blocks))
    assert [encode_frame(frame) for frame in frames] == blocks
    assert not decoder.errors


def test_host_frames_are_decoded() -> None:
    frames = {name: FrameDecoder().feed(wire) for name, wire in HOST_FRAMES.items()}
    assert frames == {
        "host: acknowledge 1": [Frame(HostType.ACK, 0, 0x5A, b"\x01")],
        "host: gate closed": [Frame(HostType.GATE_SET, 1, 0x5A, b"\x00", wants_acknowledgement=True)],
        "host: replay from ordinal 2": [
            Frame(HostType.REPLAY_FROM, 2, 0x5A, b"\x00\x02", wants_acknowledgement=True)
        ],
    }


def test_the_check_has_its_published_check_value() -> None:
    assert crc16_genibus(b"123456789") == 0xD64E


def test_cards_have_the_bytes_the_specification_names() -> None:
    assert card_code(parse_card("8S")) == 0x38
    assert card_code(parse_card("KH")) == 0x4D
    assert len({card_code(card) for card in DECK}) == 52


@given(st.binary(max_size=600))
def test_stuffing_has_no_zero_and_loses_nothing(data: bytes) -> None:
    encoded = cobs_encode(data)
    assert 0 not in encoded
    assert cobs_decode(encoded) == data


@given(st.integers(0, 255), st.integers(0, 255), st.binary(max_size=MAX_PAYLOAD), st.integers(1, 20))
def test_any_chunking_gives_the_same_frames(seq: int, boot: int, payload: bytes, size: int) -> None:
    frame = Frame(HostType.LED_SET, seq, boot, payload, wants_acknowledgement=True)
    stream = encode_frame(frame) * 2
    decoder = FrameDecoder()
    chunks = [stream[start : start + size] for start in range(0, len(stream), size)]
    assert [got for chunk in chunks for got in decoder.feed(chunk)] == [frame, frame]


def test_every_flipped_bit_is_refused_and_counted() -> None:
    wire = encode_frame(Frame(HostType.ACK, 0, 0x5A, b"\x01"))
    for place in range(len(wire) - 1):
        for bit in range(8):
            decoder = FrameDecoder()
            damaged = wire[:place] + bytes((wire[place] ^ 1 << bit,)) + wire[place + 1 :]
            assert decoder.feed(damaged) == []
            assert decoder.errors.total() >= 1


def test_an_endless_block_is_bounded_and_counted() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(b"\x01" * 10_000 + b"\0") == []
    assert decoder.errors == {Damage.OVERFLOW: 1}


def test_a_payload_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="64 at most"):
        encode_frame(Frame(HostType.ACK, 0, 0, bytes(65)))
