"""The shared vectors of ``evdev``: the kernel's times count, and those of arrival where there are none."""

from __future__ import annotations

from typing import Any

import pytest
from support.code_vectors import check, instant, vectors_of
from support.key_events import dropped, key

from drivers.evdev.plugin import EvdevPlugin
from studio.ports.devices import DeviceEvent

VECTORS = vectors_of("evdev")


def test_all_vectors_are_run() -> None:
    assert len(VECTORS) == 5
    assert {name for vector in VECTORS for name in vector} <= {"protocol", "name", "key_events", "expect"}


@pytest.mark.parametrize("stamped", [True, False], ids=["stamped", "by arrival"])
@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_key_events_give_the_events_of_the_vector(vector: dict[str, Any], *, stamped: bool) -> None:
    parser = EvdevPlugin().decoder("reader-1", {})
    events: list[DeviceEvent] = []
    ms = 1000
    for one in vector["key_events"]:
        match one:
            case ["wait_ms", pause]:
                ms += pause
                continue
            case ["syn_dropped"]:
                data = dropped(ms if stamped else 0)
            case _:
                data = key(one[0], one[1], ms if stamped else 0)
        events += parser.feed(data, instant(1000 if stamped else ms))
        ms += 2
    check(events, vector)
