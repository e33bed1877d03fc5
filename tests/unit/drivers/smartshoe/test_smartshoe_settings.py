from __future__ import annotations

from typing import Any

import pytest

from drivers.smartshoe.plugin import SmartshoePlugin


def test_the_defaults_are_those_of_the_protocol() -> None:
    settings = SmartshoePlugin().check("shoe-1", {"port": "/dev/serial/by-id/usb-shoe"})
    assert (settings.serial, settings.baud, settings.simulated) == (None, 115_200, False)


def test_a_serial_number_is_taken_in_either_case() -> None:
    settings = SmartshoePlugin().check("shoe-1", {"port": "socket://127.0.0.1:4001", "serial": "00a1b2c3"})
    assert settings.serial == "00A1B2C3"


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({}, "'port' is missing"),
        ({"port": "/dev/shoe", "colour": 1}, "'colour' is no setting, there are port, simulated, baud, serial"),
        ({"port": "/dev/ttyUSB0"}, "'port': port /dev/ttyUSB0 names whichever"),
        ({"port": "/dev/shoe", "serial": "A1"}, "'serial' must be the eight hex digits"),
        ({"port": "/dev/shoe", "serial": 12345678}, "'serial': "),
        ({"port": "/dev/shoe", "baud": 0}, "'baud': "),
        ({"port": "/dev/shoe", "simulated": "yes"}, "'simulated': "),
    ],
)
def test_a_wrong_setting_is_refused_in_one_sentence(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match="settings of the smartshoe source 'shoe-1': ") as refusal:
        SmartshoePlugin().check("shoe-1", settings)
    assert says in str(refusal.value)
    assert "\n" not in str(refusal.value)
