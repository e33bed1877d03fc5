"""The settings of one angel_eye source, checked."""

from __future__ import annotations

from pydantic import Field

from drivers.serial_reader import SerialSettings


class AngelEyeSettings(SerialSettings):
    """What a configuration may say of an angel_eye source; anything else is refused."""

    baud: int = Field(default=4800, ge=1200, le=4_000_000)
    """The speed of a serial line; a network port has its own."""
    copies: int = Field(default=3, ge=1, le=9)
    """How often the shoe sends each event; with 1 there is no vote."""
    window_ms: int = Field(default=400, ge=50, le=5000)
    """How long the copies of one event may take to come, from the first of them."""
    accept_outside_game: bool = False
    """Whether a card drawn outside a baccarat game is a card like any other; else it is suspect."""
    commands: bool = False
    """Whether the host may lock and unlock the shoe and cancel its errors; else it only listens."""
