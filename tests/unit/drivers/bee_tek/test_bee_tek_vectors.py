"""The shared vectors of bee_tek: bytes as they arrive, and the events that they must give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from drivers.bee_tek.plugin import BeeTekPlugin
from studio.domain.instants import Instant
from studio.ports.devices import DecodingPlugin, DeviceEvent

VECTORS: list[dict[str, Any]] = [
    vector
    for vector in json.loads(
        (Path(__file__).parents[3] / "vectors" / "protocols.json").read_text(encoding="utf-8")
    )
    if vector["protocol"] == "bee_tek"
]


def described(event: DeviceEvent) -> dict[str, Any]:
    return {
        "kind": event.kind.value,
        "card": None if event.card is None else event.card.code,
        "suspect": event.suspect,
        **event.details,
    }


def test_all_vectors_are_run() -> None:
    assert len([vector for vector in VECTORS if "chunks" in vector]) == len(VECTORS) == 10


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_bytes_give_the_events_and_errors_of_the_vector(vector: dict[str, Any]) -> None:
    plugin: DecodingPlugin = BeeTekPlugin()
    decoder = plugin.decoder("shoe-1", vector.get("settings", {}))
    events = [event for chunk in vector["chunks"] for event in decoder.feed(bytes.fromhex(chunk), Instant(0, 0))]
    after = Instant(vector.get("after_ms", 0) * 1_000_000, 0)
    events += decoder.tick(after)
    assert len(events) == len(vector["expect"])
    for event, expected in zip(events, vector["expect"], strict=True):
        got = described(event)
        assert {key: got.get(key) for key in expected} == expected
    assert vector.get("errors", {}) == decoder.errors
