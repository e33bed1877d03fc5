"""The host's commands, parsed: a frame is a command, a bad argument, or unknown.

It knows nothing of what a command does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from hardware_sim.smartshoe.payloads import ResultCode
from hardware_sim.smartshoe.wire import Frame, HostType

LED_COUNT: Final = 4
MAX_DECKS: Final = 8
_LED_COLOURS: Final = 5


@dataclass(frozen=True, slots=True)
class Status:
    """Say HELLO."""


@dataclass(frozen=True, slots=True)
class SetGate:
    """Open or close the gate."""

    is_open: bool


@dataclass(frozen=True, slots=True)
class Arm:
    """Arm or disarm the shoe."""

    is_armed: bool


@dataclass(frozen=True, slots=True)
class SetLed:
    """Light LED ``number``; colours as in hardware.md."""

    number: int
    colour: int


@dataclass(frozen=True, slots=True)
class ReplayFrom:
    """Send again every event of this load from ``ordinal`` on."""

    ordinal: int


@dataclass(frozen=True, slots=True)
class ClearErrors:
    """Clear what can be cleared."""


@dataclass(frozen=True, slots=True)
class NewShoe:
    """Begin a new load of ``decks``."""

    decks: int


Command: TypeAlias = Status | SetGate | Arm | SetLed | ReplayFrom | ClearErrors | NewShoe


def parse_command(frame: Frame) -> Command | ResultCode:
    """Return the command of ``frame``, or ``BAD_ARGUMENT`` or ``UNKNOWN`` where it is none."""
    parsed: Command | ResultCode
    match frame.type, *frame.payload:
        case (HostType.STATUS,):
            parsed = Status()
        case HostType.GATE_SET, (0 | 1) as is_open:
            parsed = SetGate(bool(is_open))
        case HostType.ARM, (0 | 1) as is_armed:
            parsed = Arm(bool(is_armed))
        case HostType.LED_SET, number, colour if number < LED_COUNT and colour < _LED_COLOURS:
            parsed = SetLed(number, colour)
        case HostType.REPLAY_FROM, high, low:
            parsed = ReplayFrom(high << 8 | low)
        case (HostType.CLEAR_ERROR,):
            parsed = ClearErrors()
        case HostType.NEW_SHOE, decks if 1 <= decks <= MAX_DECKS:
            parsed = NewShoe(decks)
        case frame_type, *_ if frame_type in set(HostType):
            parsed = ResultCode.BAD_ARGUMENT
        case _:
            parsed = ResultCode.UNKNOWN
    return parsed
