"""Bets, kept in columns: one bet is a batch of one, a shared hand's hundred thousand are one batch too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class BetKind(StrEnum):
    """What a wager is on; the names of the settlement vectors."""

    MAIN = "main"
    SPLIT = "split"
    INSURANCE = "insurance"


class Bet(NamedTuple):
    """One row of a batch; ``amount`` in minor units."""

    player: str
    seat: int
    kind: BetKind
    amount: int


@dataclass(frozen=True, slots=True)
class BetBatch:
    """Bets in parallel columns of equal length."""

    players: tuple[str, ...]
    seats: tuple[int, ...]
    kinds: tuple[BetKind, ...]
    amounts: tuple[int, ...]

    def __iter__(self) -> Iterator[Bet]:
        return map(Bet, self.players, self.seats, self.kinds, self.amounts)

    def __len__(self) -> int:
        return len(self.players)


def batch_of(*bets: Bet) -> BetBatch:
    """Put bets into columns."""
    return BetBatch(
        tuple(bet.player for bet in bets),
        tuple(bet.seat for bet in bets),
        tuple(bet.kind for bet in bets),
        tuple(bet.amount for bet in bets),
    )


class Result(NamedTuple):
    """One settled wager: ``returned`` is what the player gets back of ``stake`` and winnings together."""

    player: str
    seat: int
    hand: int
    kind: BetKind
    stake: int
    returned: int


@dataclass(frozen=True, slots=True)
class ResultBatch:
    """Settled wagers in parallel columns of equal length; amounts in minor units."""

    players: tuple[str, ...]
    seats: tuple[int, ...]
    hands: tuple[int, ...]
    kinds: tuple[BetKind, ...]
    stakes: tuple[int, ...]
    returned: tuple[int, ...]

    def __iter__(self) -> Iterator[Result]:
        return map(Result, self.players, self.seats, self.hands, self.kinds, self.stakes, self.returned)

    def __len__(self) -> int:
        return len(self.players)


def results_of(*results: Result) -> ResultBatch:
    """Put results into columns."""
    columns = tuple(zip(*results, strict=True)) or ((),) * 6
    return ResultBatch(*columns)
