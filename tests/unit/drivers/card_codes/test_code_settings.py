"""Wrong settings are refused with a sentence that says what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from drivers.barcode_line.plugin import BarcodeLinePlugin
from drivers.evdev.plugin import EvdevPlugin

PORT = {"port": "/dev/serial/by-id/usb-reader"}


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"map": {"0417": "8X"}}, "'map': '0417': '8X' is no card"),
        ({"map": {"0417": "8S third"}}, "must be a card, or a card and its deck's number"),
        ({"pattern": "(?P<card>.."}, "is no regular expression"),
        ({"pattern": "(..)"}, r"must have a group \(\?P<card>"),
        ({"symbologies": ["code129"]}, "code129: no symbology, there are aztec, "),
        ({"map": {"NR": "8S"}}, "'NR' stands in both map and no_read: it can mean one thing only"),
        ({"cut_codes": ["C\u00fcT"]}, "holds more than printable ASCII"),
        ({"gate_codes": ["GO"]}, "gate_codes are for duplicates"),
        ({"duplicates": "always"}, "'duplicates'"),
        ({"terminators": ["EOT"]}, "must be one of CR, LF, CRLF, ETX, TAB"),
        ({"terminators": ["41"]}, "control bytes in hex"),
        ({"terminators": []}, "'terminators'"),
        ({"start": "CRLF"}, "must be one of"),
        ({"start": "0D"}, "is a terminator too"),
        ({"ack": "yes"}, "'ack'"),
        ({"baud": 300}, "'baud'"),
        ({"no_read": ["x" * 65]}, "'no_read"),
    ],
)
def test_a_barcode_readers_settings(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        BarcodeLinePlugin().check("reader-1", {**PORT, **settings})


@pytest.mark.parametrize("port", ["/dev/input/event3", "input0", "/dev/input/by-id/../event3", "socket://host:1"])
def test_an_input_device_is_named_by_a_stable_link(port: str) -> None:
    with pytest.raises(ValueError, match="must be the reader's link under /dev/input/by-id/"):
        EvdevPlugin().check("reader-1", {"port": port})


def test_a_stand_in_may_lie_anywhere() -> None:
    settings = EvdevPlugin().check("reader-1", {"port": "/run/reader", "simulated": True})
    assert settings.address.path == "/run/reader"
