"""The settings of one smartshoe source, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import StringConstraints

from drivers.serial_reader import SerialSettings, check_settings

_HINTS: Final = {"serial": "the eight hex digits that the reader says in HELLO, such as '00A1B2C3'"}


class SmartshoeSettings(SerialSettings):
    """What a configuration may say of a smartshoe source; anything else is refused."""

    serial: Annotated[str, StringConstraints(to_upper=True, pattern=r"^[0-9A-Fa-f]{8}$")] | None = None
    """The serial number that the reader must have, eight hex digits; without it the first reader is taken."""


def parse_settings(device: str, settings: Mapping[str, Any]) -> SmartshoeSettings:
    """Check ``settings``; raise ``ValueError`` with a sentence that names each wrong setting."""
    return check_settings(SmartshoeSettings, "smartshoe", device, settings, _HINTS)
