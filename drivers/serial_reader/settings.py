"""The settings that every reader at a port has, and how those of any driver are checked."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from drivers.serial_port import Address, LineSettings, parse_address


class PortSettings(BaseModel):
    """What a configuration says of any reader at a port; a driver adds its own. Anything else is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    hints: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """By the name of a setting what its value must look like, for those that a pattern checks."""

    port: str
    """Where the device is, by a name that stays."""
    simulated: bool = False
    """Declares that a simulator answers at this port; a live profile refuses it."""

    @property
    def address(self) -> Address:
        """Where the device is, checked."""
        return parse_address(self.port)

    @property
    def line(self) -> LineSettings:
        """The character format of the line."""
        return LineSettings()


class SerialSettings(PortSettings):
    """What a configuration says of a serial reader: a stable path, ``socket://`` or ``rfc2217://host:port``."""

    baud: int = Field(default=115_200, ge=1200, le=4_000_000)
    """The speed of a serial line; a network port has its own."""

    @field_validator("port")
    @classmethod
    def _port_is_stable(cls, port: str) -> str:
        return parse_address(port).text

    @property
    def line(self) -> LineSettings:
        """The character format of the line: 8N1 at ``baud``."""
        return LineSettings(baud=self.baud)


_Settings = TypeVar("_Settings", bound=PortSettings)


def check_settings(model: type[_Settings], driver: str, device: str, settings: Mapping[str, Any]) -> _Settings:
    """Return ``settings`` as ``model``; raise ``ValueError`` with a sentence that names each wrong setting."""
    try:
        return model.model_validate(dict(settings))
    except ValidationError as error:
        known = ", ".join(model.model_fields)
        faults = "; ".join(
            _sentence(fault["loc"], fault["type"], fault["msg"], known, model.hints) for fault in error.errors()
        )
        message = f"settings of the {driver} source {device!r}: {faults}"
        raise ValueError(message) from None


def _sentence(location: tuple[int | str, ...], kind: str, text: str, known: str, hints: Mapping[str, str]) -> str:
    name = ".".join(map(str, location))
    match kind:
        case "extra_forbidden":
            return f"{name!r} is no setting, there are {known}"
        case "missing":
            return f"{name!r} is missing"
        case "string_pattern_mismatch" if name in hints:
            return f"{name!r} must be {hints[name]}"
        case _:
            return f"{name!r}: {text.removeprefix('Value error, ')}"
