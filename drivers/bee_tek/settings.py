"""The settings of one bee_tek source, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Final

from pydantic import Field, StringConstraints

from drivers.serial_reader import SerialSettings

_Name = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^[^\[\]<>]+$")]
_WORDS: Final = "words without any of [ ] < >"


class BeeTekSettings(SerialSettings):
    """What a configuration may say of a bee_tek source; anything else is refused."""

    hints: ClassVar[Mapping[str, str]] = {"modes.0": _WORDS, "notes.0": _WORDS}

    baud: int = Field(default=9600, ge=1200, le=4_000_000)
    """The speed of a serial line; a network port has its own."""
    modes: list[_Name] = Field(default=["Game", "Manual Burn Cards"], min_length=1)
    """The shoe's modes in which a card is a card; in any other it is suspect."""
    notes: list[_Name] = Field(default=[])
    """Beginnings of messages that are about no card; any other unknown message may have been a card."""
