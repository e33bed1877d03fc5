"""What stands in the demo and in a training session: tables, their cards, and who plays at them.

Data only: files and processes are made from it elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hardware_sim.protocols import DEFAULT_PROTOCOL

EASY: Final = "easy"
NORMAL: Final = "normal"
HARD: Final = "hard"
LEVELS: Final = (EASY, NORMAL, HARD)
"""The automated players' strategies (rules.md A1, A2, A3)."""

_CUT_POSITION: Final = 104
_VIRTUAL_UNITS: Final = "XXX"
_CURRENCY: Final = "EUR"


@dataclass(frozen=True, slots=True)
class DemoPlayer:
    """An automated player; ``habits`` are keys of the players' file."""

    seat: int
    strategy: str = NORMAL
    habits: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DemoTable:
    """One table.

    ``serial`` is its simulated shoe's, in hexadecimal, and empty where the server shuffles. ``cut_position`` is
    ``None`` where there is no cut card: a continuous shuffler or a virtual shoe. ``has_camera``: a second witness
    looks at it.
    """

    id: str
    name: str
    variant: str
    players: tuple[DemoPlayer, ...]
    serial: str = ""
    cut_position: int | None = None
    protocol: str = DEFAULT_PROTOCOL
    """What its simulated shoe's reader speaks."""
    has_camera: bool = False

    @property
    def is_dealt_by_hand(self) -> bool:
        """Whether a dealer draws its cards from a shoe."""
        return bool(self.serial)

    @property
    def currency(self) -> str:
        """What it plays for; a virtual shoe plays for virtual units (rules.md M4)."""
        return _CURRENCY if self.is_dealt_by_hand else _VIRTUAL_UNITS


def demo_tables() -> tuple[DemoTable, ...]:
    """Return the demo's four tables, one for each game; some seats stay free for a person."""
    return (
        DemoTable("t1", "Deluxe", "deluxe", _deluxe(), "51A00001", _CUT_POSITION, has_camera=True),
        DemoTable("t2", "Infinite", "infinite", _infinite(), "51A00002", _CUT_POSITION),
        DemoTable("t3", "European", "european", _seated(1, 2, 4, 5, 6)),
        DemoTable("t4", "Continuous", "continuous", _continuous(), "51A00004"),
    )


def training_table(variant: str, level: str) -> DemoTable:
    """Return the table of ``variant`` with automated players of one level; raise ``KeyError`` if there is none."""
    table = {each.variant: each for each in demo_tables()}[variant]
    players = tuple(DemoPlayer(each.seat, level, each.habits) for each in table.players)
    if variant == "continuous":
        players = ()  # one player's game: that is the one who trains
    return DemoTable("t1", table.name, variant, players, table.serial, table.cut_position)


def _deluxe() -> tuple[DemoPlayer, ...]:
    return (
        DemoPlayer(1, HARD),
        DemoPlayer(2, EASY, {"side_bets": ["pair"]}),
        DemoPlayer(3, NORMAL, {"second_seat": 4}),
        DemoPlayer(6, NORMAL, {"behind": [1], "follow_double": True, "follow_split": False}),
        DemoPlayer(0, HARD, {"behind": [1, 3], "side_bets": ["pair"], "insures": True}),
    )


def _infinite() -> tuple[DemoPlayer, ...]:
    return (
        DemoPlayer(1),
        DemoPlayer(1, EASY, {"side_bets": ["pair", "bust"]}),
        DemoPlayer(1, NORMAL, {"side_bets": ["lucky3", "poker3"], "insures": True}),
        DemoPlayer(1, EASY),
        DemoPlayer(1, NORMAL, {"side_bets": ["pair", "bust", "lucky3", "poker3"]}),
    )


def _continuous() -> tuple[DemoPlayer, ...]:
    return (DemoPlayer(1, NORMAL, {"hesitates_seconds": 8.0, "insures": True}),)


def _seated(*seats: int) -> tuple[DemoPlayer, ...]:
    return tuple(DemoPlayer(seat, LEVELS[number % len(LEVELS)]) for number, seat in enumerate(seats))
