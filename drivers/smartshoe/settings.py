"""The settings of one smartshoe source, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pydantic import StringConstraints

from drivers.serial_reader import SerialSettings


class SmartshoeSettings(SerialSettings):
    """What a configuration may say of a smartshoe source; anything else is refused."""

    hints: ClassVar[Mapping[str, str]] = {
        "serial": "the eight hex digits that the reader says in HELLO, such as '00A1B2C3'"
    }

    serial: Annotated[str, StringConstraints(to_upper=True, pattern=r"^[0-9A-Fa-f]{8}$")] | None = None
    """The serial number that the reader must have, eight hex digits; without it the first reader is taken."""
