"""The shared vectors of smartshoe/1: bytes as they arrive, and the events that they must give."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from smartshoe_peer import ACK, REPLAY_FROM, host_frames

from drivers.smartshoe.frames import Frame, encode_frame
from drivers.smartshoe.mapping import Decoder
from drivers.smartshoe.messages import MessageType
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent

VECTORS: list[dict[str, Any]] = [
    vector
    for vector in json.loads(
        (Path(__file__).parents[3] / "vectors" / "protocols.json").read_text(encoding="utf-8")
    )
    if vector["protocol"] == "smartshoe"
]
HOST_FRAMES = {
    "host: acknowledge 1": Frame(MessageType.ACK, 0, 0x5A, b"\x01"),
    "host: gate closed": Frame(MessageType.GATE_SET, 1, 0x5A, b"\x00", wants_ack=True),
    "host: replay from ordinal 2": Frame(MessageType.REPLAY_FROM, 2, 0x5A, b"\x00\x02", wants_ack=True),
}
AT = Instant(1, 2)


def described(event: DeviceEvent) -> dict[str, Any]:
    return {
        "kind": event.kind.value,
        "card": None if event.card is None else event.card.code,
        "load": event.load,
        "ordinal": event.ordinal,
        "seq": event.sequence,
        "quality": event.quality,
        **event.details,
    }


def ids(vectors: list[dict[str, Any]]) -> list[str]:
    return [vector["name"] for vector in vectors]


FROM_DEVICE = [vector for vector in VECTORS if "chunks" in vector]
FROM_HOST = [vector for vector in VECTORS if "host_frame" in vector]


def test_all_vectors_are_run() -> None:
    assert len(FROM_DEVICE) + len(FROM_HOST) == len(VECTORS) == 24


@pytest.mark.parametrize("vector", FROM_DEVICE, ids=ids(FROM_DEVICE))
def test_bytes_give_the_events_acknowledgements_and_errors_of_the_vector(vector: dict[str, Any]) -> None:
    decoder = Decoder("shoe-1")
    events: list[DeviceEvent] = []
    for chunk in vector["chunks"]:
        events += decoder.feed(bytes.fromhex(chunk), AT)
    assert len(events) == len(vector["expect"])
    for event, expected in zip(events, vector["expect"], strict=True):
        got = described(event)
        assert {key: got.get(key) for key in expected} == expected
        assert event.received is AT
    sent = host_frames(decoder.protocol.data_to_send())
    acks = [payload[0] for kind, _, _, payload in sent if kind == ACK]
    assert acks == vector.get("acks", acks)
    card_acks = [sequence for sequence in acks if sequence]  # HELLO has sequence 0
    assert len(card_acks) == vector.get("acks_host", len(card_acks))
    asked = [f"replay from ordinal {int.from_bytes(p, 'big')}" for kind, _, _, p in sent if kind == REPLAY_FROM]
    if "host_sends" in vector:
        assert asked == [vector["host_sends"]]
    errors = Counter({cause.value: count for cause, count in decoder.protocol.errors.items()})
    assert errors.total() >= vector.get("errors_at_least", 0)
    if "errors_at_least" not in vector:
        assert errors == vector.get("errors", {})


@pytest.mark.parametrize("vector", FROM_HOST, ids=ids(FROM_HOST))
def test_the_host_sends_the_bytes_of_the_vector(vector: dict[str, Any]) -> None:
    assert encode_frame(HOST_FRAMES[vector["name"]]) == bytes.fromhex(vector["host_frame"])
