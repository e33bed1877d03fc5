"""The shared vectors of the readers of printed codes: bytes as they arrive, and the events that they must give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent

_FILE = Path(__file__).parents[1] / "vectors" / "protocols.json"
MS = 1_000_000


class Feeding(Protocol):
    def feed(self, data: bytes, at: Instant) -> list[DeviceEvent]: ...


def vectors_of(protocol: str) -> list[dict[str, Any]]:
    """Return all vectors of a protocol, in the order of the file."""
    vectors = json.loads(_FILE.read_text(encoding="utf-8"))
    return [vector for vector in vectors if vector["protocol"] == protocol]


def instant(ms: float) -> Instant:
    """Return the instant ``ms`` after the clocks began."""
    return Instant(int(ms * MS), int(ms * MS) + 10**18)


def fed(parser: Feeding, vector: dict[str, Any]) -> list[DeviceEvent]:
    """Return the events of a vector's chunks, read ``gap_ms`` apart."""
    events: list[DeviceEvent] = []
    for number, chunk in enumerate(vector["chunks"]):
        events += parser.feed(bytes.fromhex(chunk), instant(1000 + number * vector.get("gap_ms", 0)))
    return events


def described(event: DeviceEvent) -> dict[str, Any]:
    """Return an event by the vectors' names."""
    card = None if event.card is None else event.card.code
    return {"kind": event.kind.value, "card": card, "suspect": event.suspect, **event.details}


def check(events: list[DeviceEvent], vector: dict[str, Any]) -> None:
    """Assert that ``events`` are those of the vector, on the keys that it gives."""
    got = [described(event) for event in events]
    assert [one["kind"] for one in got] == [one["kind"] for one in vector["expect"]]
    for one, expected in zip(got, vector["expect"], strict=True):
        assert {key: one.get(key) for key in expected} == expected
