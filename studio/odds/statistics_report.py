"""The comparison of expected and observed, for people."""

from __future__ import annotations

from collections.abc import Iterator

from studio.odds.statistics import Statistics


def statistics_lines(table: str, rules_line: str, found: Statistics) -> Iterator[str]:
    """Yield the printed table; tails are probabilities."""
    span = "" if found.first_round is None else f", {found.first_round} to {found.last_round}"
    yield f"Table {table} ({rules_line}): {found.rounds:,} settled rounds{span}"
    if not found.lines:
        yield "  nothing to compare yet"
        return
    yield f"  {'':<34}{'of':>9}{'observed':>10}{'expected':>12}{'so few':>11}{'so many':>11}{'so far off':>12}"
    for line in found.lines:
        yield (
            f"  {line.what.replace('-', ' '):<34}{line.trials:>9,}{line.observed:>10,}{line.expected:>12,.2f}"
            f"{_chance(line.at_most):>11}{_chance(line.at_least):>11}{_chance(line.two_sided):>12}"
        )
    yield (
        f"  By chance, the rarest of {len(found.lines)} lines is as rare as here with a probability of at most "
        f"{_chance(found.least)}."
    )


def _chance(probability: float) -> str:
    return f"{probability:.4f}" if probability >= 0.001 else f"{probability:.1e}"  # noqa: PLR2004 - four digits
