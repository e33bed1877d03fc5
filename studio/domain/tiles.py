"""The dealer's misdeal helper: eight tiles, each a stop of the table and a request for the supervisor (D14)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from studio.domain.anomalies import AnomalyKind


class Tile(StrEnum):
    """What the dealer says went wrong."""

    MISSED_SEAT = "missed-seat"
    WRONG_SEAT = "wrong-seat"
    SURPLUS_CARD = "surplus-card"
    EXPOSED = "exposed"
    ON_FLOOR = "on-floor"
    UNREADABLE = "unreadable"
    CUT_CARD = "cut-card"
    OTHER = "other"


class Concern(StrEnum):
    """What a player wrote or said that a supervisor must read (C37)."""

    AT_RISK = "at-risk"
    """Words of self-harm or of gambling that is out of control."""
    ACCUSATION = "accusation"
    """The player says that the dealer or the house cheats."""
    ABUSE = "abuse"


TILE_KINDS: Final[dict[Tile, AnomalyKind]] = {
    Tile.MISSED_SEAT: AnomalyKind.SKIPPED_DRAW,
    Tile.WRONG_SEAT: AnomalyKind.WRONG_POSITION,
    Tile.SURPLUS_CARD: AnomalyKind.EXTRA_CARD,
    Tile.EXPOSED: AnomalyKind.DEALER_REPORT,
    Tile.ON_FLOOR: AnomalyKind.DAMAGED_CARD,
    Tile.UNREADABLE: AnomalyKind.DEALER_REPORT,
    Tile.CUT_CARD: AnomalyKind.DEALER_REPORT,
    Tile.OTHER: AnomalyKind.DEALER_REPORT,
}
"""Which anomaly a tile is where nothing that is open or lies on the felt says better."""

TILE_WORDS: Final[dict[Tile, str]] = {
    Tile.MISSED_SEAT: "Missed seat",
    Tile.WRONG_SEAT: "Wrong seat",
    Tile.SURPLUS_CARD: "Surplus card",
    Tile.EXPOSED: "Card exposed",
    Tile.ON_FLOOR: "Card on the floor",
    Tile.UNREADABLE: "Card unreadable",
    Tile.CUT_CARD: "Cut card",
    Tile.OTHER: "Something else",
}
