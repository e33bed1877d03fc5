"""Device events as JSON objects: the form of the shared vectors, for people and for programs."""

from __future__ import annotations

import json
from typing import Any

from studio.ports.devices import DeviceEvent


def described(event: DeviceEvent) -> dict[str, Any]:
    """Return an event's kind, then what else it says; what it does not say is left out.

    ``raw`` is what the driver calls the code that is no card; the bytes behind the event are ``bytes``, in hex.
    """
    told: dict[str, Any] = {"kind": event.kind.value}
    if event.card is not None:
        told["card"] = event.card.code
    counts = {"load": event.load, "ordinal": event.ordinal, "seq": event.sequence, "quality": event.quality}
    told |= {key: value for key, value in counts.items() if value is not None}
    if event.suspect:
        told["suspect"] = True
    told.update(event.details)
    if event.raw:
        told["bytes"] = event.raw.hex()
    return told


def event_line(event: DeviceEvent) -> str:
    """Return an event as a line of JSON."""
    return json.dumps(described(event), default=str) + "\n"
