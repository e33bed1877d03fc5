"""Simulated play: blocks of rounds on all cores, added up in whole numbers, so that a run can be repeated exactly.

Block ``b`` of a run always plays the same rounds: its random numbers begin at place ``b * 2**32`` of the seed's
sequence. The sums are whole numbers, so neither the number of cores nor an interruption changes them.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256
from json import dumps
from math import sqrt
from statistics import NormalDist
from typing import Final, TypeAlias, assert_never

import numpy as np

from studio.domain.cards import DECK
from studio.domain.rules import RuleSet
from studio.odds.encoding import full_shoe, kernel_rules, kernel_strategy
from studio.odds.kernel import play_block
from studio.odds.kernel_shoe import GAMMA
from studio.odds.kernel_values import Dealing, Sum
from studio.odds.strategy import StrategyTable

BLOCK_ROUNDS: Final = 1 << 18
"""Rounds in one block: a tenth of a second, and never near 2**32 random numbers."""
CONFIDENCE: Final = 0.95
_BLOCK_APART: Final = 1 << 32
_WORD: Final = (1 << 64) - 1
_MOST_POINTS: Final = 1000
_FEWEST_BEFORE_THE_CUT: Final = 26
_NO_LIMIT: Final = 1 << 62
_Z: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


@dataclass(frozen=True, slots=True)
class FreshShuffle:
    """All cards go back and are shuffled after every round, as S8 has it."""


@dataclass(frozen=True, slots=True)
class CutCard:
    """Shoes are burned (S2) and played until the cut card, which lies before the last ``behind`` cards (S4)."""

    behind: int


@dataclass(frozen=True, slots=True)
class RoundsPerShoe:
    """Shoes are burned (S2) and played for a fixed number of rounds."""

    rounds: int


Shuffled: TypeAlias = FreshShuffle | CutCard | RoundsPerShoe


@dataclass(frozen=True, slots=True)
class Plan:
    """What is simulated, but not for how long.

    ``auto_play`` is the share of decisions that nobody answers (R9). Raises ``ValueError`` where that or
    ``shuffled`` cannot be played.
    """

    rules: RuleSet
    strategy: StrategyTable
    seed: int
    shuffled: Shuffled = FreshShuffle()
    auto_play: float = 0.0

    def __post_init__(self) -> None:
        kernel_strategy(self.strategy, self.auto_play)
        self.dealing()

    def dealing(self) -> Dealing:
        """Return when the kernel shuffles."""
        cards = self.rules.decks * len(DECK)
        match self.shuffled:
            case FreshShuffle():
                return Dealing(1, cards, burns=False)
            case CutCard(behind):
                most = cards - _FEWEST_BEFORE_THE_CUT
                if not 1 <= behind <= most:
                    message = f"{behind} cards behind the cut card: with {cards} cards write 1 to {most}"
                    raise ValueError(message)
                return Dealing(_NO_LIMIT, cards - behind, burns=True)
            case RoundsPerShoe(rounds):
                if rounds < 1:
                    message = f"{rounds} rounds per shoe: write 1 or more"
                    raise ValueError(message)
                return Dealing(rounds, cards, burns=True)
            case _:
                assert_never(self.shuffled)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of all that decides what is played: a run is only resumed by the same plan."""
        played = [
            self.rules.hash, self.strategy.as_json(), self.seed, repr(self.shuffled), self.auto_play, BLOCK_ROUNDS,
        ]  # fmt: skip
        return sha256(dumps(played, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Estimate:
    """A simulated mean, in units of the bet: ``error`` is its standard error, 0 where there is too little."""

    mean: float
    error: float

    @property
    def margin(self) -> float:
        """Half of the interval that holds the true value with :data:`CONFIDENCE`."""
        return _Z * self.error


@dataclass(frozen=True, slots=True)
class Totals:
    """Whole-number sums by :class:`studio.odds.kernel.Sum`; ``unit`` is one bet in them."""

    unit: int
    sums: tuple[int, ...] = (0,) * len(Sum)

    def plus(self, sums: tuple[int, ...]) -> Totals:
        """Return these with the sums of another block."""
        return replace(self, sums=tuple(map(sum, zip(self.sums, sums, strict=True))))

    def __getitem__(self, what: Sum) -> int:
        return self.sums[what]

    @property
    def per_initial_bet(self) -> Estimate:
        """What one initial bet brings: the mean over rounds, its error over shoes."""
        return self._ratio(
            self[Sum.ROUNDS] * self.unit, self[Sum.SHOE_NET_ROUNDS] * self.unit,
            self[Sum.SHOE_ROUNDS_ROUNDS] * self.unit**2,
        )  # fmt: skip

    @property
    def per_total_wagered(self) -> Estimate:
        """What one unit brings of all that is wagered, doubles and splits included."""
        return self._ratio(self[Sum.WAGERED], self[Sum.SHOE_NET_WAGERED], self[Sum.SHOE_WAGERED_WAGERED])

    @property
    def average_bet(self) -> float:
        """What is wagered in a round for one initial bet."""
        return self[Sum.WAGERED] / (self[Sum.ROUNDS] * self.unit) if self[Sum.ROUNDS] else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation of one round's result, in bets."""
        rounds = self[Sum.ROUNDS]
        if not rounds:
            return 0.0
        spread = Fraction(self[Sum.NET_SQUARED], rounds) - Fraction(self[Sum.NET], rounds) ** 2
        return sqrt(spread) / self.unit

    def _ratio(self, base: int, net_base: int, base_base: int) -> Estimate:
        """Return net per base; shoes are independent, so the error is that of a ratio of sums over shoes."""
        shoes, net = self[Sum.SHOES], self[Sum.NET]
        if not base:
            return Estimate(0.0, 0.0)
        ratio = Fraction(net, base)
        squares = self[Sum.SHOE_NET_NET] - 2 * ratio * net_base + ratio * ratio * base_base
        spread = squares * shoes / (shoes - 1) if shoes > 1 else Fraction(0)
        return Estimate(float(ratio), sqrt(spread) / base)


@dataclass(frozen=True, slots=True)
class Point:
    """Where a run stood after some rounds, for the plot."""

    rounds: int
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come: whole ``blocks`` only, and ``points`` at every ``stride`` blocks."""

    totals: Totals
    blocks: int = 0
    points: tuple[Point, ...] = field(default=(), repr=False)
    stride: int = 1

    def after(self, sums: tuple[int, ...]) -> Progress:
        """Return the progress after the next whole block; points are thinned when they become too many."""
        totals, blocks = self.totals.plus(sums), self.blocks + 1
        points, stride = self.points, self.stride
        if blocks % stride == 0:
            points = (*points, Point(totals[Sum.ROUNDS], totals.per_initial_bet))
        if len(points) > _MOST_POINTS:
            points, stride = points[1::2], stride * 2
        return Progress(totals, blocks, points, stride)


def begin(plan: Plan) -> Progress:
    """Return the progress before the first block."""
    return Progress(Totals(kernel_rules(plan.rules).unit))


def simulate(
    plan: Plan, rounds: int, begun: Progress, cores: int | None = None
) -> Generator[Progress, None, None]:
    """Play on to ``rounds`` rounds in all; yield the progress after each whole block, in order.

    ``cores`` threads play; all cores where it is ``None``. Rounds beyond the last whole block are
    :func:`last_part`'s.
    """
    workers = cores or os.cpu_count() or 1
    first, end = begun.blocks, rounds // BLOCK_ROUNDS
    waiting: deque[Future[tuple[int, ...]]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for block in range(first, end + 2 * workers):
                if block < end:
                    waiting.append(pool.submit(_play, plan, block, BLOCK_ROUNDS))
                if waiting and (len(waiting) > 2 * workers or block >= end):
                    begun = begun.after(waiting.popleft().result())
                    yield begun
        finally:
            for one in waiting:
                one.cancel()


def last_part(plan: Plan, rounds: int, progress: Progress) -> Progress:
    """Return ``progress`` with the rounds that are no whole block; it is for reading, not for going on."""
    left = rounds - progress.blocks * BLOCK_ROUNDS
    if left <= 0:
        return progress
    totals = progress.totals.plus(_play(plan, progress.blocks, left))
    point = Point(totals[Sum.ROUNDS], totals.per_initial_bet)
    return replace(progress, totals=totals, points=(*progress.points, point))


def compile_kernel(plan: Plan) -> None:
    """Have the kernel compiled, so that its time is not the run's; a second at most once it is kept on disk."""
    _play(plan, 0, 1)


def _play(plan: Plan, block: int, rounds: int) -> tuple[int, ...]:
    strategy = kernel_strategy(plan.strategy, plan.auto_play)
    counter = np.array([counter_of(plan.seed, block)], np.uint64)
    sums = play_block(
        kernel_rules(plan.rules), strategy, full_shoe(plan.rules.decks), plan.dealing(), counter, rounds
    )
    return tuple(int(one) for one in sums)


def counter_of(seed: int, block: int) -> int:
    """Return where a block's random numbers begin: ``2**32`` places apart within one seed's sequence."""
    start = int.from_bytes(sha256(f"studio simulate {seed}".encode()).digest()[:8], "big")
    return (start + block * _BLOCK_APART * GAMMA) & _WORD
