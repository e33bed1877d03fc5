"""The settings of one barcode reader that sends lines, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from pydantic import Field, field_validator, model_validator

from drivers.barcode_line.framing import Framing
from drivers.card_codes import CodeSettings
from drivers.serial_reader import SerialSettings

NAMED_BYTES: Final[Mapping[str, bytes]] = {
    "CR": b"\r",
    "LF": b"\n",
    "CRLF": b"\r\n",
    "ETX": b"\x03",
    "TAB": b"\t",
    "STX": b"\x02",
}
_MOST_TERMINATOR_BYTES: Final = 2
_CODE_BYTES: Final = range(0x20, 0x7F)
_MS: Final = 1_000_000


class BarcodeLineSettings(SerialSettings, CodeSettings):
    """What a configuration may say of a barcode reader; anything else is refused."""

    baud: int = Field(default=9600, ge=1200, le=4_000_000)
    """The speed of a serial line; a USB-CDC port ignores it."""
    terminators: list[str] = Field(default_factory=lambda: ["CR", "LF"], min_length=1, max_length=4)
    """What ends a line, any of them: ``CR``, ``LF``, ``CRLF``, ``ETX``, ``TAB``, or one or two bytes in hex."""
    start: str | None = None
    """What begins a line: ``STX`` or one byte in hex; none where nothing does."""
    ack: Literal["off", "06/15"] = "off"
    """Whether the reader waits for an answer to each line: 06 taken, 15 send again."""
    quiet_ms: int = Field(default=300, ge=50, le=5_000)
    """A line that has not ended after so long without a byte never will."""
    retry_ms: int = Field(default=1000, ge=100, le=10_000)
    """``ack``: so long a refused line may come again; after that it may have been a card."""

    @field_validator("terminators")
    @classmethod
    def _terminators_are_bytes(cls, terminators: list[str]) -> list[str]:
        for name in terminators:
            _bytes_of(name, _MOST_TERMINATOR_BYTES)
        return terminators

    @field_validator("start")
    @classmethod
    def _start_is_a_byte(cls, start: str | None) -> str | None:
        if start is not None:
            _bytes_of(start, 1)
        return start

    @model_validator(mode="after")
    def _start_ends_nothing(self) -> BarcodeLineSettings:
        framing = self.framing()
        if framing.start is not None and any(framing.start in ending for ending in framing.terminators):
            message = f"start {self.start!r} is a terminator too: a line cannot begin with what ends one"
            raise ValueError(message)
        return self

    def framing(self) -> Framing:
        """Return how a line begins and ends."""
        return Framing(
            tuple(_bytes_of(name, _MOST_TERMINATOR_BYTES) for name in self.terminators),
            None if self.start is None else _bytes_of(self.start, 1),
            self.quiet_ms * _MS,
            self.retry_ms * _MS if self.ack != "off" else None,
        )


def _bytes_of(name: str, most: int) -> bytes:
    data = NAMED_BYTES.get(name)
    if data is None:
        try:
            data = bytes.fromhex(name)
        except ValueError:
            data = b""
    if not 1 <= len(data) <= most or any(byte in _CODE_BYTES for byte in data):
        names = ", ".join(NAMED_BYTES)
        message = f"{name!r} must be one of {names}, or at most {most} control bytes in hex such as '03'"
        raise ValueError(message)
    return data
