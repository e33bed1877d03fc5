"""Clocks: real ones do not wake early, manual ones wake in order (system.md principle 10)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from studio.adapters.clocks import ManualClock, ShiftedClock, SystemClock
from studio.domain.instants import Instant
from studio.ports.clock import Clock


async def test_the_system_clock_never_wakes_early() -> None:
    clock: Clock = SystemClock()
    target_ns = clock.now().monotonic_ns + 3_000_000

    await clock.sleep_until(target_ns)
    assert clock.now().monotonic_ns >= target_ns
    await clock.sleep_until(0)


def test_the_system_clock_tells_both_times() -> None:
    before, after = SystemClock().now(), SystemClock().now()

    assert after.monotonic_ns >= before.monotonic_ns
    assert before.wall_ns > 1_700_000_000_000_000_000


async def test_sleepers_wake_in_order_each_at_its_own_time() -> None:
    clock = ManualClock(Instant(100, 1_000))
    woken: list[tuple[str, Instant]] = []

    async def sleep(name: str, until_ns: int) -> None:
        await clock.sleep_until(until_ns)
        woken.append((name, clock.now()))

    async with asyncio.TaskGroup() as tasks:
        for name, until_ns in (("late", 130), ("early", 110), ("also early", 110), ("past", 100)):
            tasks.create_task(sleep(name, until_ns))
        await clock.advance(29)
        assert [name for name, _ in woken] == ["past", "early", "also early"]
        assert (clock.now(), clock.next_wake_ns) == (Instant(129, 1_029), 130)
        await clock.advance(1)

    assert woken[1:] == [
        ("early", Instant(110, 1_010)),
        ("also early", Instant(110, 1_010)),
        ("late", Instant(130, 1_030)),
    ]


async def test_who_sleeps_again_is_woken_again_within_one_step() -> None:
    clock = ManualClock(Instant(0, 0))
    ticks: list[int] = []

    async def tick() -> None:
        for number in range(1, 4):
            await clock.sleep_until(number * 10)
            ticks.append(clock.now().monotonic_ns)

    ticking = asyncio.ensure_future(asyncio.wait_for(tick(), timeout=None))
    await clock.advance(100)
    await ticking

    assert ticks == [10, 20, 30]


async def test_a_cancelled_sleeper_is_forgotten() -> None:
    clock = ManualClock()
    sleeping = asyncio.ensure_future(clock.sleep_until(50))
    await asyncio.sleep(0)
    before = clock.next_wake_ns
    sleeping.cancel()
    await asyncio.gather(sleeping, return_exceptions=True)

    assert (before, clock.next_wake_ns) == (50, None)
    await clock.advance(100)


async def test_time_does_not_go_back() -> None:
    with pytest.raises(ValueError, match="cannot go back by 1 ns"):
        await ManualClock().advance(-1)


@pytest.mark.parametrize("text", [None, "", "an hour", "1.5"])
def test_a_shifted_clock_without_a_number_is_right(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "clock").write_text(text, encoding="ascii")
    before = SystemClock().now()
    seen = ShiftedClock(tmp_path / "clock").now()
    after = SystemClock().now()
    assert before.wall_ns <= seen.wall_ns <= after.wall_ns
    assert before.monotonic_ns <= seen.monotonic_ns <= after.monotonic_ns


def test_a_shifted_clock_is_off_by_whole_seconds_either_way_and_its_monotonic_one_never(tmp_path: Path) -> None:
    (tmp_path / "clock").write_text("-60", encoding="ascii")
    before = SystemClock().now()
    seen = ShiftedClock(tmp_path / "clock").now()
    after = SystemClock().now()
    assert before.wall_ns <= seen.wall_ns + 60 * 1_000_000_000 <= after.wall_ns
    assert before.monotonic_ns <= seen.monotonic_ns <= after.monotonic_ns
