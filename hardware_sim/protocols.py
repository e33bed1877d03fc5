"""The protocols that a simulated table's reader can speak: how each is built, and what its driver must be told.

A new one needs one class and one line here. It knows names and constructors, nothing of how a reader works.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from hardware_sim.angel_eye.reader import AngelEyeReader
from hardware_sim.barcode_line.reader import CUT_CODE, BarcodeLineReader
from hardware_sim.bee_tek.reader import BeeTekReader
from hardware_sim.evdev.reader import KeyboardReader
from hardware_sim.reader import SimulatedReader
from hardware_sim.smartshoe.device import DeviceConfig
from hardware_sim.smartshoe.peer import ShoePeer, shoe_peer
from hardware_sim.smartshoe.reader import SmartshoeReader
from hardware_sim.ssi.reader import SsiReader

DEFAULT_PROTOCOL: Final = "smartshoe"
_CODED: Final[Mapping[str, Any]] = MappingProxyType({"cut_codes": [CUT_CODE], "duplicates": "gate"})
"""These readers make one reading for each card: a light barrier triggers them."""


@dataclass(frozen=True, slots=True)
class ReaderOptions:
    """What a simulated table knows of its reader; a protocol without serial numbers or loads ignores those."""

    seed: int = 1
    decks: int = 8
    serial: int = DeviceConfig().serial
    first_load: int = 1


@dataclass(frozen=True, slots=True)
class SimulatedProtocol:
    """One protocol; ``settings`` are what its driver's configuration needs beside the port, if anything.

    ``shoe`` makes what scenarios are played with, of decks, load and ordinal; ``None`` where it counts no cards.
    """

    make: Callable[[ReaderOptions], SimulatedReader]
    settings: Mapping[str, Any] = field(default_factory=dict)
    shoe: Callable[[int, int, int], ShoePeer] | None = None


def _smartshoe(options: ReaderOptions) -> SimulatedReader:
    return SmartshoeReader(
        DeviceConfig(serial=options.serial, decks=options.decks, first_load=options.first_load, seed=options.seed)
    )


PROTOCOLS: Final[Mapping[str, SimulatedProtocol]] = MappingProxyType(
    {
        DEFAULT_PROTOCOL: SimulatedProtocol(_smartshoe, shoe=shoe_peer),
        "angel_eye": SimulatedProtocol(
            lambda options: AngelEyeReader(options.seed), {"accept_outside_game": True}
        ),
        "bee_tek": SimulatedProtocol(lambda options: BeeTekReader(options.seed)),
        "barcode_line": SimulatedProtocol(lambda options: BarcodeLineReader(options.seed), _CODED),
        "ssi": SimulatedProtocol(lambda options: SsiReader(options.seed), _CODED),
        "evdev": SimulatedProtocol(lambda options: KeyboardReader(options.seed), _CODED),
    }
)
"""By the name of the driver that opens such a reader."""
