"""The settings of one smartshoe source, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from drivers.serial_port import parse_address


class SmartshoeSettings(BaseModel):
    """What a configuration may say of a smartshoe source; anything else is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    port: str
    """A stable path, ``socket://host:port`` or ``rfc2217://host:port``."""
    serial: Annotated[str, StringConstraints(to_upper=True, pattern=r"^[0-9A-Fa-f]{8}$")] | None = None
    """The serial number that the reader must have, eight hex digits; without it the first reader is taken."""
    baud: Annotated[int, Field(ge=1200, le=4_000_000)] = 115_200
    """The speed of a serial line; a network port has its own."""
    simulated: bool = False
    """Declares that a simulator answers at this port; a live profile refuses it."""

    @field_validator("port")
    @classmethod
    def _port_is_stable(cls, port: str) -> str:
        return parse_address(port).text


def parse_settings(device: str, settings: Mapping[str, Any]) -> SmartshoeSettings:
    """Check ``settings``; raise ``ValueError`` with a sentence that names each wrong setting."""
    try:
        return SmartshoeSettings.model_validate(dict(settings))
    except ValidationError as error:
        faults = "; ".join(_sentence(fault["loc"], fault["type"], fault["msg"]) for fault in error.errors())
        message = f"settings of the smartshoe source {device!r}: {faults}"
        raise ValueError(message) from None


def _sentence(location: tuple[int | str, ...], kind: str, text: str) -> str:
    name = ".".join(map(str, location))
    known = ", ".join(SmartshoeSettings.model_fields)
    match kind:
        case "extra_forbidden":
            return f"{name!r} is no setting, there are {known}"
        case "missing":
            return f"{name!r} is missing"
        case "string_pattern_mismatch":
            return f"{name!r} must be the eight hex digits that the reader says in HELLO, such as '00A1B2C3'"
        case _:
            return f"{name!r}: {text.removeprefix('Value error, ')}"
