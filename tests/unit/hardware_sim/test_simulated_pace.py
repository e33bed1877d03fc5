"""The dealer's pace: waits that end on changes, not on luck."""

from __future__ import annotations

import asyncio

import pytest

from hardware_sim.pacing import Pace


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_at_pace_zero_every_turn_comes_at_once() -> None:
    pace = Pace(0)
    for _ in range(100):
        await pace.wait_turn()


async def test_a_turn_waits_for_the_pace_and_a_change_shortens_the_wait() -> None:
    pace = Pace(60)
    await pace.wait_turn()
    waiting = asyncio.create_task(pace.wait_turn())
    await settle()
    assert not waiting.done()
    pace.set(0)
    await waiting


async def test_a_turn_comes_when_its_time_has_come() -> None:
    pace = Pace(0.01)
    await pace.wait_turn()
    before = asyncio.get_running_loop().time()
    await pace.wait_turn()
    assert asyncio.get_running_loop().time() - before >= 0.009


async def test_paused_only_steps_are_taken_one_turn_each() -> None:
    pace = Pace(60, is_paused=True)
    waiting = asyncio.create_task(pace.wait_turn())
    await settle()
    assert not waiting.done()
    pace.step()
    await waiting
    second = asyncio.create_task(pace.wait_turn())
    await settle()
    assert not second.done()
    pace.set(0)
    pace.resume()
    await second


@pytest.mark.parametrize("seconds", [-1.0, 61.0, float("nan"), float("inf")])
def test_impossible_paces_are_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 60"):
        Pace(seconds)
