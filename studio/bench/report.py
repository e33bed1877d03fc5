"""What the benchmark prints: figures beside their targets, and never whether they are good enough."""

from __future__ import annotations

import os
import platform
import sqlite3
from collections.abc import Iterator

from studio.bench.engine import EngineFigures
from studio.bench.kernel import KernelFigures
from studio.bench.odds import OddsFigures
from studio.bench.past import PastFigures
from studio.bench.percentiles import Spread, spread
from studio.bench.shared import SharedFigures

_MS = 1000
_MIB = 1024 * 1024


def machine_lines() -> Iterator[str]:
    """Say what it was measured on, and how busy that was."""
    one_minute, *_ = os.getloadavg()
    yield (
        f"Machine: {os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, load {one_minute:.1f}"
    )


def commit_lines(studio: Spread, beside: Spread, alone: Spread) -> Iterator[str]:
    """Say what the studio adds to a bare loop beside it and to one alone; spreads in seconds."""
    yield f"Last serial byte read -> event committed: {studio.count} cards through a pty and the driver"
    yield _row("", "p50", "p99")
    yield _row("studio", _ms(studio.p50), _ms(studio.p99))
    for bare, when in ((beside, "beside the studio"), (alone, "alone, half before it, half after")):
        text = f"{bare.count} same reads and synced inserts, {when}"
        yield _row("bare loop", _ms(bare.p50), _ms(bare.p99), text)
        yield _row(
            "  studio less bare",
            _ms(studio.p50 - bare.p50),
            _ms(studio.p99 - bare.p99),
            f"ratio {studio.p50 / bare.p50:.2f} and {studio.p99 / bare.p99:.2f}; target: 1 ms and 5 ms",
        )


def paint_lines(paint: Spread, others: int) -> Iterator[str]:
    """Say how long a card took to the dealer's screen; ``paint`` in seconds."""
    yield (
        f"Last serial byte read -> painted on the dealer's console: {paint.count} views, Chromium, "
        f"7 seats playing, {others} other clients"
    )
    yield _row("", "p50", "p99")
    yield _row("console", _ms(paint.p50), _ms(paint.p99), "target: 50 ms and 100 ms")
    yield "  until the server hears that the page has painted: the way back is in it"


def engine_lines(engine: EngineFigures, seats: int) -> Iterator[str]:
    """Say how fast the rules alone are."""
    done = f"{engine.commands} commands, {engine.events} events"
    yield f"Pure engine: {engine.rounds} rounds of {seats} seats, {done}"
    yield f"  {engine.rounds_per_second:,.0f} rounds per second of processor time on one core   target: 1,000"


def kernel_lines(kernel: KernelFigures) -> Iterator[str]:
    """Say how fast rounds are simulated."""
    yield f"Simulation: {kernel.rounds:,} rounds of {kernel.variant} by the best fixed table, {kernel.cores} cores"
    yield f"  {kernel.rounds_per_second:,.0f} rounds per second by the clock   target on two cores: 3,000,000"


def shared_lines(shared: SharedFigures) -> Iterator[str]:
    """Say how long the settlement of a shared hand took, and for how long nobody was answered."""
    yield (
        f"Shared hand: {shared.players:,} players, {shared.wagers:,} wagers settled, "
        f"{shared.windows} windows of decisions"
    )
    yield f"  confirmed -> settled on disk  {_ms(shared.settlement_seconds):>12}   target: 1 s"
    yield f"  longest stall of the event loop  {_ms(shared.stall_seconds):>9}   while it was settled"
    yield f"  the same before that  {_ms(shared.play_stall_seconds):>20}   bets and answers, 1,000 players each"
    yield f"  peak of memory  {shared.peak_bytes / _MIB:>22.0f} MiB   target: 500 MB"


def odds_lines(odds: OddsFigures) -> Iterator[str]:
    """Say how long the exact odds took."""
    yield "Odds, exact: processor time of one thread, after the first calculation"
    for text, seconds, target in (
        ("8 decks, one split", odds.one_split_seconds, "1 s"),
        ("the same with the fixed table", odds.with_table_seconds, "2 s"),
        ("6 decks, four hands", odds.four_hands_seconds, "4 s"),
        ("first one, with imports and compiling", odds.first_seconds, "30 s"),
    ):
        yield f"  {text:<38}{_ms(seconds):>14}   target: {target}"


def past_lines(past: PastFigures) -> Iterator[str]:
    """Say how long past rounds took to open and to be found."""
    opened = spread(past.opened_seconds)
    size = f"{past.rounds:,} rounds, {past.events:,} events, {past.bytes / _MIB:,.0f} MiB, ninety days"
    yield f"Looking back in a synthetic journal: {size}"
    yield _row("", "p50", "worst")
    text = f"{opened.count} rounds, with the server's JSON   target: 2 s"
    yield _row("open a replay", _ms(opened.p50), _ms(max(past.opened_seconds)), text)
    for name, seconds in past.searched_seconds.items():
        yield f"  find {name:<32}{_ms(seconds):>12}"


def _row(name: str, p50: str, p99: str, text: str = "") -> str:
    return f"  {name:<18}{p50:>12}{p99:>12}   {text}".rstrip()


def _ms(seconds: float) -> str:
    return f"{seconds * _MS:.2f} ms"
