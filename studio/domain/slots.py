"""Slots: the exact place of one card."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Face(StrEnum):
    """Which side shows."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True, order=True)
class HandId:
    """A hand at a seat; the first is number 1, a split makes the next."""

    seat: int
    number: int

    def __str__(self) -> str:
        return f"seat{self.seat}.hand{self.number}"


@dataclass(frozen=True, slots=True)
class Slot:
    """A place: a player's hand, or the dealer's where ``hand`` is ``None``; ``position`` counts from 1."""

    hand: HandId | None
    position: int
    face: Face = Face.UP

    def __str__(self) -> str:
        return str(self.hand) if self.hand else "dealer"
