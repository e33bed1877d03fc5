"""What the capture process says, one JSON object a line, and how the plug-in reads it.

``link``: ``state`` and ``reason``. ``slot``: a claim. ``picture``: the newest picture with the slots drawn on it.
``heartbeat``: counters. ``answer``: to a request by its ``id``. Pictures are JPEG in base 64.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any, Final

import cv2

from studio.domain.cards import parse_card
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent, EventKind, LinkState
from vision.image import Image
from vision.table.slots import SlotSeen

MOST_LINE_BYTES: Final = 8 * 1024 * 1024
STILL_QUALITY: Final = 82
_PERCENT: Final = 100


def line(kind: str, **content: Any) -> bytes:  # noqa: ANN401 - JSON
    """Return a message as its line."""
    return json.dumps({"kind": kind, **content}, separators=(",", ":")).encode() + b"\n"


def jpeg(image: Image, quality: int = STILL_QUALITY) -> bytes:
    """Return a picture as JPEG."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()


def base64_of(data: bytes) -> str:
    """Return bytes as base 64."""
    return base64.b64encode(data).decode("ascii")


def slot_line(seen: SlotSeen, load: int, ordinal: int) -> bytes:
    """Return the message of a claim, the ``ordinal``-th of the process that began as ``load``."""
    return line(
        "slot",
        load=load,
        ordinal=ordinal,
        seat=seen.seat,
        hand=seen.hand,
        position=seen.position,
        seen=seen.seen,
        card=seen.card.code if seen.card else "",
        confidence=round(seen.confidence, 4),
        reason=seen.reason,
        outline=[] if seen.outline is None else [[round(x, 1), round(y, 1)] for x, y in seen.outline.tolist()],
        frames=list(seen.frames),
        monotonic_ns=seen.at.received.monotonic_ns,
        wall_ns=seen.at.received.wall_ns,
        still=base64_of(jpeg(seen.still)),
    )


def parse_line(data: bytes) -> Mapping[str, Any]:
    """Return a message; raise ``ValueError`` for what is none."""
    message = json.loads(data)
    if not isinstance(message, dict) or not isinstance(message.get("kind"), str):
        text = "a line of the capture process is no message"
        raise ValueError(text)  # noqa: TRY004 - wrong data, not a wrong call
    return message


def slot_event(device: str, message: Mapping[str, Any]) -> DeviceEvent:
    """Return the event of a claim; raise ``ValueError`` or ``KeyError`` for a message that is none."""
    load, ordinal, seat = int(message["load"]), int(message["ordinal"]), message["seat"]
    details: dict[str, Any] = {
        "seen": str(message["seen"]),
        "frame": f"{load}-{ordinal}",
        "frames": tuple(message["frames"]),
        "outline": tuple((float(x), float(y)) for x, y in message["outline"]),
        "reason": str(message["reason"]),
    }
    if seat is not None:
        details |= {"seat": int(seat), "hand": int(message["hand"]), "position": int(message["position"])}
    code = str(message["card"])
    return DeviceEvent(
        device,
        EventKind.SLOT,
        Instant(int(message["monotonic_ns"]), int(message["wall_ns"])),
        raw=base64.b64decode(message["still"], validate=True),
        card=parse_card(code) if code and details["seen"] == "read" else None,
        load=load,
        ordinal=ordinal,
        quality=round(_PERCENT * float(message["confidence"])),
        details=details,
    )


def link_event(device: str, state: LinkState, reason: str, at: Instant) -> DeviceEvent:
    """Return the event of a link's state."""
    return DeviceEvent(device, EventKind.LINK, at, details={"state": state.value, "reason": reason})
