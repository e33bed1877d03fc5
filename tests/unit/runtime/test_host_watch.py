"""The watch over the machine: what it tells tables, and what it does while nothing can be recorded."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.actors import LiveActor, live_actor
from support.tables import DEALER, SUPERVISOR, player

from studio.domain.anomalies import AnomalyKind, Level
from studio.domain.commands import CloseBetting, CommitResult, OpenBetting, Suspend
from studio.domain.instants import Instant
from studio.ports.conditions import Condition
from studio.ports.journal import JournalError
from studio.runtime.host_watch import HostWatch
from studio.runtime.inbox import Done, Refused


class Switch:
    """A probe that says what it is set to."""

    def __init__(self, kind: AnomalyKind = AnomalyKind.DISK_LOW) -> None:
        self.condition = Condition(kind)

    def __call__(self, _at: Instant) -> Condition:
        return self.condition

    def says(self, text: str, *, blocks: bool = False) -> None:
        self.condition = Condition(self.condition.kind, text, blocks)


def open_kinds(live: LiveActor) -> list[AnomalyKind]:
    return [one.kind for one in live.actor.table.incidents]


def watch(live: LiveActor, *probes: Switch) -> HostWatch:
    return HostWatch({"t1": live.actor}, probes, live.clock)


async def test_a_condition_is_told_once_and_its_end_too(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j") as live:
        probe = Switch()
        watching = watch(live, probe)
        await watching.check()
        before = live.actor.sequence
        probe.says("100 MiB are free")
        for _ in range(3):
            await watching.check()
        assert open_kinds(live) == [AnomalyKind.DISK_LOW]
        assert watching.conditions == {AnomalyKind.DISK_LOW: "100 MiB are free"}
        after = live.actor.sequence
        assert after > before
        await watching.check()
        assert live.actor.sequence == after
        probe.says("")
        await watching.check()
        assert open_kinds(live) == []


async def test_a_restart_clears_what_is_well_by_now(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j") as live:
        probe = Switch(AnomalyKind.RECORDING_LOST)
        probe.says("No sign of life")
        await watch(live, probe).check()
        assert not live.actor.table.incidents[0].cleared
    async with live_actor(tmp_path / "j") as live:
        await watch(live, Switch(AnomalyKind.RECORDING_LOST)).check()
        assert live.actor.table.incidents[0].cleared


async def test_a_full_disk_stops_at_the_end_of_what_can_be_recorded_says_so_and_resumes(tmp_path: Path) -> None:
    """The journal's file may not grow any more: the same answer of SQLite as for a full disk."""
    anna = player("anna")
    async with live_actor(tmp_path / "j", balances={"anna": 5_000}) as live:
        await live.ready()
        watching = watch(live)
        await watching.check()
        await live.do(OpenBetting(), DEALER)
        await live.bet(anna, 1, 1_000)
        connection = live.store.writer._connection
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(JournalError, match="free space on the journal's disk"):
            await live.do(CloseBetting(), DEALER, cause="c" * 100_000)
        assert "free space" in live.actor.not_recorded
        connection.execute(f"PRAGMA max_page_count = {pages + 1_000}")
        await watching.check()
        assert open_kinds(live) == [AnomalyKind.COMMIT_FAILED]
        assert "free space" in live.actor.table.incidents[0].detail

        await live.do(CloseBetting(), DEALER)
        await live.cards("TC 9C TD 8H")
        await live.wait(12)
        assert isinstance(await live.do(CommitResult(), DEALER), Done)
        refused = await live.do(OpenBetting(), DEALER)
        assert isinstance(refused, Refused)
        assert refused.rejected.code == "table-stopped"
        assert live.actor.table.incidents[0].level is Level.HOLD
        await watching.check()
        assert open_kinds(live) == []
        assert isinstance(await live.do(OpenBetting(), DEALER), Done)


async def test_a_condition_that_cannot_be_recorded_is_told_again(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j") as live:
        probe = Switch()
        watching = watch(live, probe)
        await watching.check()
        probe.says("t" * 100_000)
        connection = live.store.writer._connection
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        await watching.check()
        assert open_kinds(live) == []
        connection.execute(f"PRAGMA max_page_count = {pages + 1_000}")
        await watching.check()
        assert AnomalyKind.DISK_LOW in open_kinds(live)


async def test_a_step_that_grows_is_told_again(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j") as live:
        await live.do(Suspend("so that nothing advances"), SUPERVISOR)
        probe = Switch(AnomalyKind.CLOCK_JUMP)
        watching = watch(live, probe)
        probe.says("It was moved by +0.7 s")
        await watching.check()
        assert not live.actor.table.incidents[1].blocks_rounds
        probe.says("It was moved by +9.0 s", blocks=True)
        await watching.check()
        assert live.actor.table.incidents[1].blocks_rounds
