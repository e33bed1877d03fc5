"""The port of the look-back: which rounds were dealt from a shoe, a batch or in a time, and the money in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class LookBackQuery:
    """Which rounds; what is empty or ``None`` does not restrict. Times are wall nanoseconds of the opening.

    ``shoe`` is one load of the box (``t1-shoe-7``), ``pack`` the cards that filled it, ``batch`` their delivery.
    """

    table: str = ""
    shoe: str = ""
    pack: str = ""
    batch: str = ""
    from_wall_ns: int | None = None
    to_wall_ns: int | None = None


@dataclass(frozen=True, slots=True)
class PlayerMoney:
    """What a player put on the table in a round and got back, in minor units; ``net`` is won less lost."""

    player: str
    staked: int
    returned: int

    @property
    def net(self) -> int:
        """What the round brought the player."""
        return self.returned - self.staked


@dataclass(frozen=True, slots=True)
class TouchedRound:
    """A round that the query names; ``ended`` is open, settled, voided or no-bets. ``dealer`` opened it."""

    table: str
    round: int
    shoe: str
    pack: str
    batch: str
    dealer: str
    opened_wall_ns: int
    ended: str
    currency: str
    players: tuple[PlayerMoney, ...]


class LookBack(Protocol):
    """Reads rounds back across all tables of a journal."""

    def rounds(self, query: LookBackQuery) -> Iterator[TouchedRound]:
        """Yield the rounds that a query names, by table, oldest first."""
        ...
