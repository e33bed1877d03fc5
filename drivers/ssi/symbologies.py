"""The names of the codes that an SSI reader tells by number, as the AIM prefixes name them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_NAMES: Final[Mapping[int, str]] = MappingProxyType(
    {
        0x01: "code39",
        0x02: "codabar",
        0x03: "code128",
        0x06: "itf",
        0x07: "code93",
        0x0B: "ean",
        0x0C: "code11",
        0x0E: "msi",
        0x11: "pdf417",
        0x1B: "datamatrix",
        0x1C: "qr",
        0x2D: "aztec",
    }
)


def symbology_name(number: int) -> str:
    """Return the name of a symbology, or its number in hex where it has none here."""
    return _NAMES.get(number, f"type-{number:02X}")
