"""What a key types, in the layout of a US keyboard, as readers are set by default (linux/input-event-codes.h)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

ENTERS: Final = frozenset({28, 96})
SHIFTS: Final = frozenset({42, 54})

_ROWS: Final = (
    (2, "1234567890-=", "!@#$%^&*()_+"),
    (16, "qwertyuiop[]", "QWERTYUIOP{}"),
    (30, "asdfghjkl;'`", 'ASDFGHJKL:"~'),
    (43, "\\zxcvbnm,./", "|ZXCVBNM<>?"),
    (57, " ", " "),
)
_KEYPAD: Final = ((55, "*"), (71, "789-456+1230."), (98, "/"))

PLAIN: Final[Mapping[int, str]] = MappingProxyType(
    {first + place: char for first, plain, _ in _ROWS for place, char in enumerate(plain)}
    | {first + place: char for first, chars in _KEYPAD for place, char in enumerate(chars)}
)
"""By key code, without shift."""
SHIFTED: Final[Mapping[int, str]] = MappingProxyType(
    {first + place: char for first, _, shifted in _ROWS for place, char in enumerate(shifted)}
    | {first + place: char for first, chars in _KEYPAD for place, char in enumerate(chars)}
)
"""With shift."""
