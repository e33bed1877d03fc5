"""What ``studio simulate`` does: plays the plan that its options name, shows progress, prints what came out."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from studio.domain.rules import RuleSet
from studio.odds.checkpoint import resume, save
from studio.odds.engine_check import Checked, check_engine
from studio.odds.figures import figures_of
from studio.odds.kernel_values import Sum
from studio.odds.plot import convergence_svg
from studio.odds.simulate_report import (
    Run,
    check_json,
    check_lines,
    effect_line,
    effect_of,
    percent,
    run_json,
    run_lines,
    shuffled_words,
)
from studio.odds.simulation import (
    CutCard,
    FreshShuffle,
    Plan,
    Progress,
    RoundsPerShoe,
    Shuffled,
    begin,
    compile_kernel,
    last_part,
    simulate,
)
from studio.odds.strategy import StrategyTable

_SAVE_EVERY_SECONDS: Final = 5.0
_SHOWN_DIFFERENCES: Final = 3


def simulate_and_print(rules: RuleSet, arguments: argparse.Namespace) -> int:
    """Play rounds and print what they returned; return the exit status.

    Raises ``ValueError`` or ``OSError`` where the options or their files cannot be used.
    """
    if arguments.strategy is None:
        best = figures_of(rules)
        table, figure = best.strategy, None if arguments.auto_play else best.rtp.total_dependent.per_initial_bet
    else:
        table, figure = _read_table(arguments.strategy), None

    def plan(shuffled: Shuffled) -> Plan:
        return Plan(rules, table, arguments.seed, shuffled, arguments.auto_play)

    if arguments.cut_card_effect is not None:
        return _effect(plan, arguments, figure)
    run, progress = _play(plan(_shuffled(arguments)), arguments, figure)
    if arguments.plot is not None:
        title = f"{rules.variant}: {shuffled_words(run.plan)}"
        arguments.plot.write_text(convergence_svg(title, progress.points, figure), encoding="utf-8")
    _print(run_json(run), "\n".join(run_lines(run)), arguments)
    return 0


def _shuffled(arguments: argparse.Namespace) -> Shuffled:
    if arguments.cut_card is not None:
        return CutCard(arguments.cut_card)
    if arguments.rounds_per_shoe is not None:
        return RoundsPerShoe(arguments.rounds_per_shoe)
    return FreshShuffle()


def _effect(plan: Callable[[Shuffled], Plan], arguments: argparse.Namespace, figure: float | None) -> int:
    """Play to the cut card, then as many rounds of each shoe as that came to, and compare."""
    if arguments.resume is not None or arguments.plot is not None:
        message = "--cut-card-effect plays two runs: use --cut-card and --rounds-per-shoe with --resume or --plot"
        raise ValueError(message)
    cut, _ = _play(plan(CutCard(arguments.cut_card_effect)), arguments, figure)
    per_shoe = max(1, cut.totals[Sum.ROUNDS] // cut.totals[Sum.SHOES])
    fixed, _ = _play(plan(RoundsPerShoe(per_shoe)), arguments, figure)
    effect = effect_of(cut.totals, fixed.totals)
    said = {"points": 100 * effect.mean, "margin": 100 * effect.margin}
    data = {"cut_card": run_json(cut), "rounds_per_shoe": run_json(fixed), "cut_card_effect": said}
    _print(data, "\n".join([*run_lines(cut), *run_lines(fixed), effect_line(effect)]), arguments)
    return 0


def _play(plan: Plan, arguments: argparse.Namespace, figure: float | None) -> tuple[Run, Progress]:
    """Play a plan to its end; what was played is kept in the file, also when it is interrupted."""
    kept: Path | None = arguments.resume
    start = begin(plan) if kept is None else resume(kept, plan)
    before = start.totals[Sum.ROUNDS]
    if before > arguments.rounds:
        message = f"{kept} has {before:,} rounds already; ask for as many or more with --rounds"
        raise ValueError(message)
    compile_kernel(plan)  # before the clock runs
    progress, line, began = start, _Line(), time.monotonic()
    saved = began
    try:
        for progress in simulate(plan, arguments.rounds, start, arguments.cores):
            now = time.monotonic()
            line.show(_progress_text(progress, before, arguments.rounds, now - began))
            if kept is not None and now - saved > _SAVE_EVERY_SECONDS:
                save(kept, plan, progress)
                saved = now
    finally:
        line.end()
        if kept is not None:
            save(kept, plan, progress)
    progress = last_part(plan, arguments.rounds, progress)
    played = progress.totals[Sum.ROUNDS] - before
    return Run(plan, progress.totals, played, time.monotonic() - began, arguments.cores, figure), progress


def _progress_text(progress: Progress, before: int, rounds: int, seconds: float) -> str:
    done, estimate = progress.totals[Sum.ROUNDS], progress.totals.per_initial_bet
    speed = (done - before) / max(seconds, 1e-9)
    bar = "#" * (20 * done // rounds)
    figure = f"{percent(estimate):.4f} % ± {100 * estimate.margin:.4f}"
    return f"[{bar:<20}] {100 * done // rounds:3d} %  {done:,} rounds, {speed:,.0f} a second  {figure}"


def check(rules: RuleSet, arguments: argparse.Namespace) -> int:
    """Play random rounds by kernel and engine, print the comparison; return 1 where they differ."""
    checked, line = Checked(), _Line()
    try:
        for checked in check_engine(rules, arguments.check_engine, arguments.seed, arguments.cores):
            text = f"{checked.rounds:,} of {arguments.check_engine:,} rounds, {len(checked.differences)} differ"
            line.show(text)
    finally:
        line.end()
    _print(check_json(rules, checked), "\n".join(check_lines(rules, checked)), arguments)
    for one in checked.differences[:_SHOWN_DIFFERENCES]:
        sys.stderr.write(f"{one.text}\n{json.dumps(one.script)}\n")
    return 1 if checked.differences else 0


class _Line:
    """One line on a person's terminal that is written over; nothing where nobody watches."""

    def __init__(self) -> None:
        self._is_watched = sys.stderr.isatty()
        self._is_open = False

    def show(self, text: str) -> None:
        """Write ``text`` over what was there."""
        if self._is_watched:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
            self._is_open = True

    def end(self) -> None:
        """Leave the line."""
        if self._is_open:
            sys.stderr.write("\r\x1b[K")
            self._is_open = False


def _read_table(path: Path) -> StrategyTable:
    try:
        return StrategyTable.from_json(json.loads(path.read_text(encoding="utf-8")))
    except ValueError as error:
        message = f"{path}: {error}"
        raise ValueError(message) from error


def _print(data: dict[str, Any], text: str, arguments: argparse.Namespace) -> None:
    shown = json.dumps(data, indent=2, ensure_ascii=False) if arguments.json else text
    sys.stdout.write(f"{shown}\n")
