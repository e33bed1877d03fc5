"""The AIM prefix ``]cm`` that says which kind of code was read (ISO/IEC 15424). Pure text."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

AIM_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "A": "code39",
        "C": "code128",
        "E": "ean",
        "F": "codabar",
        "G": "code93",
        "H": "code11",
        "I": "itf",
        "L": "pdf417",
        "M": "msi",
        "Q": "qr",
        "S": "industrial25",
        "d": "datamatrix",
        "e": "databar",
        "z": "aztec",
    }
)
SYMBOLOGIES: Final = frozenset(AIM_NAMES.values())
_PREFIX_LENGTH: Final = 3


def split_aim(text: str) -> tuple[str | None, str]:
    """Return the symbology that the text's prefix names and the rest; ``None`` and the text without one."""
    if len(text) < _PREFIX_LENGTH or text[0] != "]" or not text[2].isalnum():
        return None, text
    name = AIM_NAMES.get(text[1])
    return (name, text[_PREFIX_LENGTH:]) if name else (None, text)
