"""The pages of the readers: each setting has its row, what is shown loads, golden bytes are what they say."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

import pytest
from doc_pages import ROOT, page

from drivers.angel_eye.frames import Command, encode_command
from drivers.angel_eye.plugin import AngelEyePlugin
from drivers.barcode_line.plugin import BarcodeLinePlugin
from drivers.bee_tek.plugin import BeeTekPlugin
from drivers.card_codes import CodeSettings
from drivers.evdev.plugin import EvdevPlugin
from drivers.serial_reader import SerialPlugin
from drivers.ssi.plugin import SsiPlugin
from studio.domain.instants import Instant
from studio.ports.devices import DeviceEvent

PLUGINS: Mapping[str, SerialPlugin[Any]] = {
    "angel_eye": AngelEyePlugin(),
    "barcode_line": BarcodeLinePlugin(),
    "bee_tek": BeeTekPlugin(),
    "evdev": EvdevPlugin(),
    "ssi": SsiPlugin(),
}
GOLDEN = re.compile(r"^((?:[0-9A-F]{2} )+) *(.+)$", re.MULTILINE)


def golden(driver: str) -> list[tuple[str, str]]:
    text = (ROOT / "drivers" / driver / "spec.md").read_text(encoding="utf-8")
    return [
        (bytes_, meaning)
        for block in re.findall(r"^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        for bytes_, meaning in GOLDEN.findall(block)
    ]


def described(event: DeviceEvent) -> str:
    what = event.card or event.details.get("code", event.details.get("raw"))
    words = [event.kind.value, "" if what is None else str(what), "suspect" if event.suspect else ""]
    return " ".join(word for word in words if word)


@pytest.mark.parametrize("driver", PLUGINS)
def test_every_setting_has_its_row_with_its_default(driver: str) -> None:
    text = page(f"reference/readers/{driver}.md").text
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|", text, re.MULTILINE))
    elsewhere = CodeSettings.model_fields if "barcode_line.md#settings" in text else {}
    assert all(f"`{name}`" in text for name in elsewhere)
    defaults = {
        name: "required" if field.is_required() else f"`{field.get_default(call_default_factory=True)}`".lower()
        for name, field in PLUGINS[driver].settings.model_fields.items()
        if name not in elsewhere
    }
    assert {name: row.replace('"', "'").lower() for name, row in rows.items()} == defaults


@pytest.mark.parametrize("driver", PLUGINS)
def test_the_settings_shown_load(driver: str) -> None:
    (shown,) = page(f"reference/readers/{driver}.md").fences("toml")
    reader = tomllib.loads(shown.text)["tables"]["reader"]
    assert reader["driver"] == driver
    PLUGINS[driver].check(reader["device"], reader["settings"])


@pytest.mark.parametrize(
    ("driver", "least"), [("angel_eye", 11), ("bee_tek", 5), ("barcode_line", 5), ("ssi", 4), ("evdev", 1)]
)
def test_golden_bytes_give_what_stands_beside_them(driver: str, least: int) -> None:
    lines = golden(driver)
    assert len(lines) >= least
    for line, meaning in lines:
        data = bytes.fromhex(line)
        if driver == "angel_eye" and data[0] == 0x02:
            command, number = meaning.split()
            assert encode_command(Command(command), int(number)) == data
            continue
        copies = 3 if driver == "angel_eye" else 1
        decoder = PLUGINS[driver].decoder("shoe-1", {})
        events = [event for _ in range(copies) for event in decoder.feed(data, Instant(0, 0))]
        assert [described(event) for event in events] == [meaning]
