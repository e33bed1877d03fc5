"""What can go wrong before the simulated camera's lens, and with the camera itself."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple


class CameraFault(StrEnum):
    """Everything that can be made to go wrong with the picture."""

    SHADOW = "shadow"
    GLARE = "glare"
    NOISE = "noise"
    DIM = "dim"
    ARM = "arm"
    FROZEN = "frozen"
    BLACK = "black"
    GREY = "grey"
    TORN = "torn"
    WRONG_SIZE = "wrong_size"
    TURNED = "turned"
    SILENT = "silent"
    WRONG_SEAT = "wrong_seat"
    BOXED = "boxed"
    NOT_LAID = "not_laid"
    SECOND_CARD = "second_card"
    EARLY_COLLECT = "early_collect"
    HOLE_SHOWN = "hole_shown"
    OTHER_CARD = "other_card"


class Kind(Enum):
    """How a fault is switched: it stays, or waits for the dealer's next occasion."""

    SWITCH = "switch"
    DEALER = "dealer"


class Spec(NamedTuple):
    """How a fault is switched, and one line on what it does and what the studio does about it."""

    kind: Kind
    caption: str


_SWITCH, _DEALER = Kind

CAMERA_FAULTS: Final[Mapping[CameraFault, Spec]] = MappingProxyType(
    {
        CameraFault.SHADOW: Spec(_SWITCH, "A soft shadow over half the felt: cards are read all the same."),
        CameraFault.GLARE: Spec(_SWITCH, "A lamp's reflection on the felt: what it covers is no read, no guess."),
        CameraFault.NOISE: Spec(_SWITCH, "A noisy sensor: cards are read or not, never wrongly."),
        CameraFault.DIM: Spec(_SWITCH, "Half the light: cards are read all the same."),
        CameraFault.ARM: Spec(_SWITCH, "An arm rests on the dealer's cards: camera-absent, warned."),
        CameraFault.FROZEN: Spec(_SWITCH, "The picture stands still: the camera is down, and says so."),
        CameraFault.BLACK: Spec(_SWITCH, "The lens is covered: the camera is down, and says so."),
        CameraFault.GREY: Spec(_SWITCH, "Grey pictures: the camera is down, and says so."),
        CameraFault.TORN: Spec(_SWITCH, "Half of each picture is lost: the camera is down, nothing is read."),
        CameraFault.WRONG_SIZE: Spec(_SWITCH, "4K pictures, not calibrated for: the camera is down."),
        CameraFault.TURNED: Spec(_SWITCH, "The camera is turned: its calibration no longer holds, it is down."),
        CameraFault.SILENT: Spec(_SWITCH, "The stream hangs: the camera is down, the stream is opened anew."),
        CameraFault.WRONG_SEAT: Spec(_DEALER, "The next card goes to another seat: wrong-position, hold."),
        CameraFault.BOXED: Spec(_DEALER, "A card lies face up at the shoe's mouth: boxed-card, hold."),
        CameraFault.NOT_LAID: Spec(_DEALER, "The next card is read, not laid: read-not-dealt, hold after 3 s."),
        CameraFault.SECOND_CARD: Spec(_DEALER, "Two cards leave as one: two-cards or no-read, hold."),
        CameraFault.EARLY_COLLECT: Spec(_DEALER, "A hand is taken away too soon: early-collect, no settlement."),
        CameraFault.HOLE_SHOWN: Spec(_DEALER, "The hole card is laid face up: hole-exposed, suspended."),
        CameraFault.OTHER_CARD: Spec(
            _DEALER, "Another card than the one read is laid: source-disagreement, hold."
        ),
    }
)
