"""What a player may do with a hand."""

from __future__ import annotations

from enum import StrEnum


class Action(StrEnum):
    """What a player may do with a hand."""

    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
