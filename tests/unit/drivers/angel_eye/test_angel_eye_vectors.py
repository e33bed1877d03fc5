"""The shared vectors of angel_eye: bytes as they arrive, and the events that they must give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from drivers.angel_eye.frames import Command, encode_command
from drivers.angel_eye.plugin import AngelEyePlugin
from studio.domain.instants import Instant
from studio.ports.devices import DecodingPlugin, DeviceEvent

VECTORS: list[dict[str, Any]] = [
    vector
    for vector in json.loads(
        (Path(__file__).parents[3] / "vectors" / "protocols.json").read_text(encoding="utf-8")
    )
    if vector["protocol"] == "angel_eye"
]
FROM_DEVICE = [vector for vector in VECTORS if "chunks" in vector]
HOST_FRAMES = {
    "host: lock": encode_command(Command.LOCK, 2),
    "host: unlock": encode_command(Command.LOCK, 1),
}


def at_ms(milliseconds: int) -> Instant:
    return Instant(milliseconds * 1_000_000, milliseconds * 1_000_000)


def described(event: DeviceEvent) -> dict[str, Any]:
    return {
        "kind": event.kind.value,
        "card": None if event.card is None else event.card.code,
        "suspect": event.suspect,
        **event.details,
    }


def test_all_vectors_are_run() -> None:
    assert len(FROM_DEVICE) + len(HOST_FRAMES) == len(VECTORS) == 15


@pytest.mark.parametrize("vector", FROM_DEVICE, ids=lambda vector: vector["name"])
def test_bytes_give_the_events_and_errors_of_the_vector(vector: dict[str, Any]) -> None:
    plugin: DecodingPlugin = AngelEyePlugin()
    decoder = plugin.decoder("shoe-1", vector.get("settings", {}))
    events = [event for chunk in vector["chunks"] for event in decoder.feed(bytes.fromhex(chunk), at_ms(0))]
    events += decoder.tick(at_ms(vector.get("after_ms", 0)))
    assert len(events) == len(vector["expect"])
    for event, expected in zip(events, vector["expect"], strict=True):
        got = described(event)
        assert {key: got.get(key) for key in expected} == expected
    assert vector.get("errors", {}).items() <= decoder.errors.items()


@pytest.mark.parametrize("vector", [v for v in VECTORS if "host_frame" in v], ids=lambda vector: vector["name"])
def test_the_host_sends_the_bytes_of_the_vector(vector: dict[str, Any]) -> None:
    assert HOST_FRAMES[vector["name"]] == bytes.fromhex(vector["host_frame"])
