"""The same seed gives the same journal, and a replay the same table (system.md principles 1, 8 and 10).

Actor, journal file and wallet on the manual clock, in this process. ``STUDIO_ROUNDS=300 pytest
tests/system/test_lockstep.py`` is the long form.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from support.lockstep import LockStepTable, folded
from support.lockstep_cards import ReadCards

from studio.adapters.codec import public_hash
from studio.domain.events import CardUnread, Event, InsuranceAnswered, ShoeClosed
from studio.domain.table import Table

ROUNDS = int(os.environ.get("STUDIO_ROUNDS", "30"))
_STEPS_BETWEEN_RESTARTS = (1, max(80, 2 * ROUNDS))
"""Each restart replays the whole journal, so a long run has its restarts further apart."""


async def _play(path: Path, seed: int) -> list[Event]:
    table = LockStepTable(path, seed, ReadCards)
    await table.open()
    await table.play(ROUNDS)
    events = table.events()
    assert folded(Table(table.setup), events) == table.actor.table
    await table.close()
    return events


@pytest.mark.timeout(60 + 2 * ROUNDS)
async def test_the_same_seed_gives_the_same_journal_and_another_seed_another_one(tmp_path: Path) -> None:
    first = await _play(tmp_path / "first.sqlite", 1)
    again = await _play(tmp_path / "again.sqlite", 1)
    other = await _play(tmp_path / "other.sqlite", 2)

    assert public_hash(first) == public_hash(again)
    assert public_hash(first) != public_hash(other)
    seen = {type(event) for event in first}
    assert {ShoeClosed, CardUnread, InsuranceAnswered} <= seen, "the course is too poor to prove anything"


@pytest.mark.timeout(60 + 2 * ROUNDS)
async def test_a_replayed_table_is_the_live_one_wherever_it_was_stopped(tmp_path: Path) -> None:
    chance = random.Random(3)  # noqa: S311 - reproducible
    table = LockStepTable(tmp_path / "journal.sqlite", 3, ReadCards)
    await table.open()
    while table.actor.table.rounds < ROUNDS:
        for _ in range(chance.randint(*_STEPS_BETWEEN_RESTARTS)):
            await table.step()
        live, replayed = await table.restart()
        assert replayed == live
    await table.close()
