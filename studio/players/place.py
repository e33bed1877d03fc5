"""Where and how an automated player plays: its place at a table, and its habits beside the main bet.

Data only. What a habit leads to is the player's business, whether it is taken is the table's.
"""

from __future__ import annotations

from dataclasses import dataclass

from studio.players.strategies import Strategy


@dataclass(frozen=True, slots=True)
class Habits:
    """What somebody does beside the main bet; nothing by default.

    ``behind`` are the seats that they bet behind, ``side_bets`` the kinds that they now and then place: on their
    own seat, or, without one, on those that they bet behind. ``follow_double`` and ``follow_split`` are standing
    answers for bets behind; ``None`` answers when it is asked. ``hesitates_seconds`` is waited before betting
    where the first bet begins the round, so that somebody else at the table can be first.
    """

    second_seat: int = 0
    behind: tuple[int, ...] = ()
    side_bets: tuple[str, ...] = ()
    follow_double: bool | None = None
    follow_split: bool | None = None
    insures: bool = False
    hesitates_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where and how a player plays.

    ``seat`` is 1 where there are no seats, and 0 for somebody who sits nowhere. ``pace`` divides the thinking
    times (10.0 is ten times as quick); ``number`` tells players of one place and seed apart.
    """

    table: str
    seat: int
    strategy: Strategy
    seed: int
    pace: float = 1.0
    habits: Habits = Habits()
    number: int = 0
