"""The settings of one keyboard-wedge reader, checked."""

from __future__ import annotations

import posixpath
from typing import Final

from pydantic import Field, model_validator

from drivers.card_codes import CodeSettings
from drivers.serial_port import Address
from drivers.serial_reader import PortSettings

_STABLE: Final = ("/dev/input/by-id/", "/dev/input/by-path/")


class EvdevSettings(PortSettings, CodeSettings):
    """What a configuration may say of a reader that types; anything else is refused.

    A ``port`` is a link under ``/dev/input/by-id/``, or by-path where the reader has no serial number; one that is
    ``simulated`` need be no input device, and may lie anywhere.
    """

    gap_ms: int = Field(default=100, ge=10, le=1000)
    """A longer pause between two keys of a code means that a person types."""
    abandon_ms: int = Field(default=2000, ge=200, le=10_000)
    """A code that has not ended so long after its last key never will."""

    @model_validator(mode="after")
    def _port_is_stable(self) -> EvdevSettings:
        path = posixpath.normpath(self.port)
        if not self.port.startswith("/") or (not self.simulated and not path.startswith(_STABLE)):
            message = (
                f"port {self.port!r} must be the reader's link under /dev/input/by-id/ (see "
                "`ls -l /dev/input/by-id`), or under /dev/input/by-path/ if it has no serial number: "
                "event numbers change with each start"
            )
            raise ValueError(message)
        return self

    @property
    def address(self) -> Address:
        """Where the device is."""
        path = posixpath.normpath(self.port)
        return Address(path, path)
