"""The simulation's kernel: rounds of the best fixed table on every core, timed by the clock on the wall."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from studio.domain.rules import RuleSet
from studio.odds.figures import figures_of


@dataclass(frozen=True, slots=True)
class KernelFigures:
    """What was played, on how many cores, and how long that took; compiling is not in it."""

    variant: str
    rounds: int
    cores: int
    seconds: float

    @property
    def rounds_per_second(self) -> float:
        """Rounds per second of all cores together."""
        return self.rounds / self.seconds


def measure_kernel(rules: RuleSet, rounds: int) -> KernelFigures:
    """Play ``rounds`` and time them."""
    # Here, so that no other command waits for the compiler.
    from studio.odds.kernel_values import Sum  # noqa: PLC0415
    from studio.odds.simulation import Plan, begin, compile_kernel, last_part, simulate  # noqa: PLC0415

    plan, cores = Plan(rules, figures_of(rules).strategy, seed=1), os.cpu_count() or 1
    compile_kernel(plan)
    began = time.perf_counter()
    *_, played = (begin(plan), *simulate(plan, rounds, begin(plan), cores))
    played = last_part(plan, rounds, played)
    return KernelFigures(rules.variant, played.totals[Sum.ROUNDS], cores, time.perf_counter() - began)
