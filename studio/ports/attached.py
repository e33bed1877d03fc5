"""The devices of a table: each running source with what it is to the table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from studio.ports.devices import CardSource


class DeviceRole(StrEnum):
    """What a device is to its table."""

    READER = "reader"
    SECOND_READER = "second-reader"
    CAMERA = "camera"


@dataclass(frozen=True, slots=True)
class AttachedDevice:
    """A running source in its role; its condition is asked of it, never kept."""

    role: DeviceRole
    source: CardSource
