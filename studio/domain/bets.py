"""Bets, kept in columns: one bet is a batch of one, a shared hand's hundred thousand are one batch too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, groupby, repeat
from operator import attrgetter
from typing import Final, NamedTuple


class BetKind(StrEnum):
    """What a wager is on; the names of the settlement vectors."""

    MAIN = "main"
    SPLIT = "split"
    INSURANCE = "insurance"
    BEHIND = "behind"
    BEHIND_SPLIT = "behind_split"
    BEHIND_INSURANCE = "behind_insurance"
    PAIR = "pair"
    BUST = "bust"
    LUCKY_THREE = "lucky3"
    POKER_THREE = "poker3"


SIDE_BETS: Final[dict[BetKind, str]] = {
    BetKind.PAIR: "pair",
    BetKind.BUST: "bust-bonus",
    BetKind.LUCKY_THREE: "lucky-three",
    BetKind.POKER_THREE: "poker-three",
}
"""The side bets, each with its key in a variant's file."""

PLACEABLE: Final = frozenset({BetKind.MAIN, BetKind.BEHIND, *SIDE_BETS})
"""What a player can place while betting is open; the others follow from decisions."""


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


def totals_of(batches: Iterable[BetBatch], kind: BetKind) -> dict[tuple[int, str], int]:
    """Return what lies in bets of one kind, several placings added up, by (seat, player)."""
    found: dict[tuple[int, str], int] = {}
    for batch in batches:
        for player, seat, one, amount in zip(batch.players, batch.seats, batch.kinds, batch.amounts, strict=True):
            if one is kind:
                place = (seat, player)
                found[place] = found.get(place, 0) + amount
    return found


Lying = dict[int, dict[str, int]]
"""Amounts by seat and player."""


def totals_by_kind(batches: Iterable[BetBatch]) -> dict[BetKind, Lying]:
    """Return what lies in bets of every kind, in one pass that makes no object for each bet."""
    found: dict[BetKind, Lying] = {kind: defaultdict(dict) for kind in BetKind}
    for batch in batches:
        for player, seat, kind, amount in zip(batch.players, batch.seats, batch.kinds, batch.amounts, strict=True):
            lying = found[kind][seat]
            lying[player] = lying.get(player, 0) + amount
    return found


class Placement(NamedTuple):
    """One placing as the core sees it: the bets it comes to, and whether their whole amount is reserved.

    ``note`` says how it differs from what was asked: ``raised-to-minimum`` (M2), ``shared-between-seats`` (B4)
    or ``lowered-to-maximum`` (M7, the ruling profile).
    """

    bets: tuple[Bet, ...]
    funded: bool = False
    note: str = ""


class Result(NamedTuple):
    """One settled wager: ``returned`` is what the player gets back of ``stake`` and winnings together."""

    player: str
    seat: int
    hand: int
    kind: BetKind
    stake: int
    returned: int


@dataclass(frozen=True, slots=True)
class ResultGroup:
    """Settled wagers of one seat, hand and kind, in parallel columns of equal length; amounts in minor units."""

    seat: int
    hand: int
    kind: BetKind
    players: tuple[str, ...]
    stakes: tuple[int, ...]
    returned: tuple[int, ...]

    def __iter__(self) -> Iterator[Result]:
        alike = repeat(self.seat), repeat(self.hand), repeat(self.kind)
        return map(Result, self.players, *alike, self.stakes, self.returned)

    def __len__(self) -> int:
        return len(self.players)


@dataclass(frozen=True, slots=True)
class ResultBatch:
    """Settled wagers, one after the other: those of a hundred thousand players are a few groups."""

    groups: tuple[ResultGroup, ...]

    def __iter__(self) -> Iterator[Result]:
        return chain.from_iterable(self.groups)

    def __len__(self) -> int:
        return sum(map(len, self.groups))


def results_of(*results: Result) -> ResultBatch:
    """Put results into groups, in their order."""
    groups = []
    for (seat, hand, kind), some in groupby(results, key=attrgetter("seat", "hand", "kind")):
        players, _, _, _, stakes, returned = zip(*some, strict=True)
        groups.append(ResultGroup(seat, hand, kind, players, stakes, returned))
    return ResultBatch(tuple(groups))
