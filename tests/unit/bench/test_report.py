from __future__ import annotations

from studio.bench.engine import EngineFigures
from studio.bench.kernel import KernelFigures
from studio.bench.odds import OddsFigures
from studio.bench.percentiles import Spread
from studio.bench.report import (
    commit_lines,
    engine_lines,
    kernel_lines,
    machine_lines,
    odds_lines,
    paint_lines,
    shared_lines,
)
from studio.bench.shared import SharedFigures


def squeezed(line: str) -> str:
    return " ".join(line.split())


def test_the_studio_is_compared_with_each_bare_loop() -> None:
    studio, beside, alone = Spread(200, 0.003, 0.009), Spread(150, 0.002, 0.006), Spread(100, 0.001, 0.0045)
    found = [squeezed(line) for line in commit_lines(studio, beside, alone)]
    assert found[2] == "studio 3.00 ms 9.00 ms"
    assert found[3].startswith("bare loop 2.00 ms 6.00 ms")
    assert found[4].startswith("studio less bare 1.00 ms 3.00 ms ratio 1.50 and 1.50")
    assert found[6].startswith("studio less bare 2.00 ms 4.50 ms ratio 3.00 and 2.00")


def test_counts_and_targets_are_said() -> None:
    text = "\n".join(commit_lines(Spread(200, 3, 9), Spread(150, 2, 6), Spread(100, 1, 4)))
    for part in ("200 cards", "150 same reads", "100 same reads", "target: 1 ms and 5 ms"):
        assert part in text


def test_paint_says_what_is_measured() -> None:
    text = "\n".join(paint_lines(Spread(199, 0.0294, 0.0683), others=20))
    for part in ("199 views", "7 seats", "20 other clients", "29.40 ms", "68.30 ms", "target: 50 ms and 100 ms"):
        assert part in text
    assert "until the server hears" in text


def test_the_engine_is_given_in_rounds_per_second() -> None:
    text = "\n".join(engine_lines(EngineFigures(3000, 128_000, 167_000, 2.5), seats=7))
    assert "1,200 rounds per second" in text
    assert "3000 rounds of 7 seats, 128000 commands, 167000 events" in text


def test_the_simulation_is_given_in_rounds_per_second_with_its_target() -> None:
    text = "\n".join(kernel_lines(KernelFigures("deluxe", 20_000_000, 2, 4.0)))
    for part in (
        "20,000,000 rounds of deluxe",
        "2 cores",
        "5,000,000 rounds per second",
        "two cores: 3,000,000",
    ):
        assert part in text


def test_the_machine_is_named() -> None:
    (line,) = machine_lines()
    for part in ("cores", "Python 3.", "SQLite 3.", "load"):
        assert part in line


def test_the_odds_are_given_with_their_targets() -> None:
    lines = [squeezed(line) for line in odds_lines(OddsFigures(2.5, 0.5, 0.6, 1.25))]
    assert lines[1:] == [
        "8 decks, one split 500.00 ms target: 1 s",
        "the same with the fixed table 600.00 ms target: 2 s",
        "6 decks, four hands 1250.00 ms target: 4 s",
        "first one, with imports and compiling 2500.00 ms target: 30 s",
    ]


def test_the_shared_hand_is_given_with_its_targets() -> None:
    figures = SharedFigures(100_000, 558_340, 5, 0.95, 0.31, 0.08, 300 * 1024 * 1024)
    text = squeezed(" ".join(shared_lines(figures)))
    for part in (
        "100,000 players, 558,340 wagers settled, 5 windows",
        "settled on disk 950.00 ms target: 1 s",
        "event loop 310.00 ms",
        "before that 80.00 ms",
        "300 MiB target: 500 MB",
    ):
        assert part in text
