"""The settings of one virtual shoe, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from drivers.virtual_shoe.shuffle import MOST_DECKS

_KNOWN: Final = frozenset({"decks"})
_USUAL_DECKS: Final = 6


@dataclass(frozen=True, slots=True)
class VirtualShoeSettings:
    """What a configuration may say of a virtual shoe; anything else is refused."""

    decks: int = _USUAL_DECKS
    """Decks of 52 in each shuffle, 1 to 16: those of the table's variant."""


def parse_settings(device: str, settings: Mapping[str, Any]) -> VirtualShoeSettings:
    """Check ``settings``; raise ``ValueError`` with a sentence that names each wrong setting."""
    faults = [f"{name!r} is no setting, there is only decks" for name in sorted(settings.keys() - _KNOWN)]
    decks = settings.get("decks", _USUAL_DECKS)
    if type(decks) is not int or not 1 <= decks <= MOST_DECKS:
        faults.append(f"'decks' must be a whole number from 1 to {MOST_DECKS}, not {decks!r}")
    if faults:
        message = f"settings of the virtual shoe {device!r}: {'; '.join(faults)}"
        raise ValueError(message)
    return VirtualShoeSettings(decks)
