"""What a simulation says, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from studio.domain.rules import RuleSet
from studio.odds.engine_check import Checked
from studio.odds.kernel_values import Sum
from studio.odds.simulation import CONFIDENCE, CutCard, Estimate, FreshShuffle, Plan, RoundsPerShoe, Totals

_HANDS: Final = (Sum.NATURAL, Sum.WON, Sum.PUSHED, Sum.LOST, Sum.BUST, Sum.SURRENDERED)
_EVENTS: Final = (
    Sum.DOUBLES, Sum.SPLITS, Sum.DEALER_NATURALS, Sum.DEALER_BUSTS, Sum.CARDS, Sum.DECISIONS, Sum.SILENT,
    Sum.VOIDED,
)  # fmt: skip
_WIDTH: Final = 26


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run: ``played`` rounds of it took ``seconds`` now, the others were played before.

    ``exact`` is the return per initial bet in per cent that was computed for the strategy, where it was.
    """

    plan: Plan
    totals: Totals
    played: int
    seconds: float
    cores: int
    exact: float | None = None

    @property
    def per_second(self) -> float:
        """Rounds per second of this run."""
        return self.played / self.seconds if self.seconds else 0.0


def percent(estimate: Estimate) -> float:
    """Return the return in per cent: what comes back of 100 staked."""
    return 100 * (1 + estimate.mean)


def in_errors(run: Run) -> float | None:
    """Return by how many standard errors a run is off the exact figure, ``None`` where there is none."""
    estimate = run.totals.per_initial_bet
    if run.exact is None or not estimate.error:
        return None
    return (percent(estimate) - run.exact) / (100 * estimate.error)


def run_json(run: Run) -> dict[str, Any]:
    """Return a run for programs; returns in per cent, margins for :data:`CONFIDENCE`."""
    plan, totals = run.plan, run.totals
    return {
        "variant": plan.rules.variant,
        "rules_hash": plan.rules.hash,
        "seed": plan.seed,
        "shuffled": shuffled_words(plan),
        "auto_play": plan.auto_play,
        "rounds": totals[Sum.ROUNDS],
        "shoes": totals[Sum.SHOES],
        "rtp": {
            "per_initial_bet": _estimate_json(totals.per_initial_bet),
            "per_total_wagered": _estimate_json(totals.per_total_wagered),
        },
        "confidence": CONFIDENCE,
        "average_bet": totals.average_bet,
        "deviation_in_bets": totals.deviation,
        "exact": None if run.exact is None else {"per_initial_bet": run.exact, "standard_errors": in_errors(run)},
        "hands": {one.name.lower(): totals[one] for one in _HANDS},
        "counts": {one.name.lower(): totals[one] for one in _EVENTS},
        "seconds": run.seconds,
        "rounds_per_second": run.per_second,
        "cores": run.cores,
    }


def _estimate_json(estimate: Estimate) -> dict[str, float]:
    return {
        "percent": percent(estimate),
        "margin": 100 * estimate.margin,
        "standard_error": 100 * estimate.error,
    }


def shuffled_words(plan: Plan) -> str:
    """Say when the cards are shuffled."""
    match plan.shuffled:
        case FreshShuffle():
            return "shuffled after every round"
        case CutCard(behind):
            return f"shoes to the cut card, {behind} cards behind it"
        case RoundsPerShoe(rounds):
            return f"{rounds} rounds per shoe"


def run_lines(run: Run) -> Iterator[str]:
    """Yield a run's lines for people."""
    plan, totals = run.plan, run.totals
    yield f"{plan.rules.variant} ({plan.rules.line}), {shuffled_words(plan)}, seed {plan.seed}"
    if plan.auto_play:
        yield f"  nobody answers {100 * plan.auto_play:g} % of the decisions; such a hand plays itself (R9)"
    speed = f"{run.per_second:,.0f} a second on {run.cores} cores"
    yield _row("rounds", f"{totals[Sum.ROUNDS]:,}", f"{run.played:,} of them now, {speed}")
    for name, estimate in (
        ("return per initial bet", totals.per_initial_bet),
        ("return per unit wagered", totals.per_total_wagered),
    ):
        yield _row(
            name, f"{percent(estimate):.4f} %", f"± {100 * estimate.margin:.4f}, {CONFIDENCE:.0%} confidence"
        )
    yield from _exact_lines(run)
    yield _row("average bet", f"{totals.average_bet:.4f}", f"a round's deviation is {totals.deviation:.4f} bets")
    hands = sum(totals[one] for one in _HANDS)
    yield _row("hands", f"{hands:,}", _shares(totals, _HANDS, hands))
    rounds = totals[Sum.ROUNDS]
    yield _row("dealer", "", _shares(totals, (Sum.DEALER_NATURALS, Sum.DEALER_BUSTS), rounds) + " of the rounds")
    cards = f"{totals[Sum.CARDS] / rounds:.3f}" if rounds else "-"
    yield _row("cards per round", cards, f"{rounds / max(totals[Sum.SHOES], 1):.2f} rounds per shoe")
    if totals[Sum.VOIDED]:
        yield _row("voided", f"{totals[Sum.VOIDED]:,}", "rounds in which the shoe ran empty; not counted (S7)")


def _exact_lines(run: Run) -> Iterator[str]:
    off = in_errors(run)
    if run.exact is not None and off is not None:
        yield _row("exact figure", f"{run.exact:.4f} %", f"the simulation is {off:+.2f} standard errors off")


def _shares(totals: Totals, which: tuple[Sum, ...], whole: int) -> str:
    return ", ".join(
        f"{one.name.lower().replace('_', ' ')} {100 * totals[one] / whole:.2f} %" for one in which if totals[one]
    )


def _row(name: str, figure: str, text: str) -> str:
    return f"  {name:<{_WIDTH}}{figure:>18}   {text}".rstrip()


def effect_of(cut: Totals, fixed: Totals) -> Estimate:
    """Return what the cut card changes: the return to it, less that of a fixed number of rounds per shoe."""
    one, other = cut.per_initial_bet, fixed.per_initial_bet
    return Estimate(one.mean - other.mean, (one.error**2 + other.error**2) ** 0.5)


def effect_line(effect: Estimate) -> str:
    """Say what the cut card changes."""
    return _row("cut-card effect", f"{100 * effect.mean:+.4f} points", f"± {100 * effect.margin:.4f}")


def check_lines(rules: RuleSet, checked: Checked) -> Iterator[str]:
    """Yield what the comparison with the engine saw."""
    yield (
        f"{rules.variant} ({rules.line}): {checked.rounds:,} rounds, {checked.cards:,} cards "
        "through the kernel and the engine"
    )
    seen = (*_HANDS, Sum.DOUBLES, Sum.SPLITS, Sum.DEALER_NATURALS, Sum.DEALER_BUSTS, Sum.DECISIONS, Sum.SILENT)
    yield "  " + ", ".join(f"{one.name.lower().replace('_', ' ')} {checked.sums[one]:,}" for one in seen)
    yield f"  {len(checked.differences)} rounds differ"


def check_json(rules: RuleSet, checked: Checked) -> dict[str, Any]:
    """Return the same for programs, with the scripts of what differs."""
    return {
        "variant": rules.variant,
        "rules_hash": rules.hash,
        "rounds": checked.rounds,
        "cards": checked.cards,
        "counts": {one.name.lower(): checked.sums[one] for one in (*_HANDS, *_EVENTS) if one is not Sum.VOIDED},
        "differences": [{"text": one.text, "script": one.script} for one in checked.differences],
    }
