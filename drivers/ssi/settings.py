"""The settings of one SSI reader, checked."""

from __future__ import annotations

from typing import Final

from pydantic import Field

from drivers.card_codes import CodeSettings
from drivers.serial_reader import SerialSettings

MS: Final = 1_000_000


class SsiSettings(SerialSettings, CodeSettings):
    """What a configuration may say of an SSI reader; anything else is refused."""

    baud: int = Field(default=9600, ge=1200, le=4_000_000)
    """The speed of a serial line; a USB-CDC port ignores it."""
    quiet_ms: int = Field(default=200, ge=50, le=5_000)
    """A packet that is not whole after so long without a byte never will be: it is refused."""
    answer_ms: int = Field(default=2000, ge=100, le=10_000)
    """How long the reader waits for an answer before it sends again; so long it may take for one itself."""
    retry_ms: int = Field(default=2500, ge=100, le=20_000)
    """A damaged packet that has not come again after so long may have been a card."""
    alive_seconds: int = Field(default=5, ge=0, le=600)
    """The time between two signs of life that are asked of the reader; 0 asks for none."""
    commands: bool = True
    """Whether the reader is told its parameters, and to scan; without it, its own settings must do."""
