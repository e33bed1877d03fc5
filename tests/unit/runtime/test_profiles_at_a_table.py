"""The actor and its table's standing rulings: what opens, what changes between rounds, what is compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.actors import live_actor, until
from support.tables import DEALER, SUPERVISOR, a_setup, player

from studio.domain.anomalies import AnomalyKind
from studio.domain.commands import (
    ChangeProfile,
    CloseBetting,
    OpenBetting,
    OpenTable,
)
from studio.domain.profile import Approval, ExposedCard, RulingProfile
from studio.domain.record_commands import RecordRules
from studio.domain.table import Table
from studio.runtime.inbox import Done, Refused
from studio.runtime.table_actor import TableRefusedError

HOUSE = RulingProfile(name="house", exposed_card=ExposedCard.BURN)
APPROVAL = Approval("Ada", "2026-11-29", "R-17", "ab" * 32)
ANNA = player("anna")


async def test_the_profile_survives_a_restart_and_another_one_waits_for_the_rounds_end(tmp_path: Path) -> None:
    path = tmp_path / "j"
    async with live_actor(path, balances={"anna": 5000}, opening=OpenTable(HOUSE, APPROVAL)) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        await live.bet(ANNA, 1, 1000)
        await live.do(CloseBetting(), DEALER)
    with pytest.raises(TableRefusedError, match="changes between rounds only"):
        async with live_actor(path, opening=OpenTable(RulingProfile(name="other"))):
            pass
    async with live_actor(path, opening=OpenTable(HOUSE, APPROVAL)) as live:
        assert live.actor.table.setup.profile == HOUSE
        assert live.actor.table.approval == APPROVAL


async def test_a_change_of_the_profile_reads_its_file_again(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", read_profile=lambda: (HOUSE, APPROVAL)) as live:
        assert isinstance(await live.do(ChangeProfile("R-18"), SUPERVISOR), Done)
        assert live.actor.table.setup.profile == HOUSE
        assert live.actor.table.approval == Approval("Ada", "2026-11-29", "R-18", "ab" * 32)


async def test_a_profile_that_cannot_be_used_changes_nothing_and_says_why(tmp_path: Path) -> None:
    def unsigned() -> tuple[RulingProfile, Approval]:
        message = "profile house is not signed"
        raise ValueError(message)

    async with live_actor(tmp_path / "j", read_profile=unsigned) as live:
        outcome = await live.do(ChangeProfile("R-18"), SUPERVISOR)
    assert isinstance(outcome, Refused)
    assert (outcome.rejected.code, outcome.rejected.text) == ("profile-unusable", "profile house is not signed")


async def test_c27_a_table_whose_published_rules_differ_does_not_open(tmp_path: Path) -> None:
    def compared(table: Table) -> RecordRules:
        return RecordRules(table.setup.rules.hash, "00" * 32)

    with pytest.raises(TableRefusedError, match="load the approved version everywhere"):
        async with live_actor(tmp_path / "j", compare_rules=compared):
            pass


async def test_c27_rules_that_come_to_differ_suspend_the_table_at_the_next_round(tmp_path: Path) -> None:
    published = [a_setup().rules.hash]

    def compared(table: Table) -> RecordRules:
        return RecordRules(table.setup.rules.hash, published[0])

    async with live_actor(tmp_path / "j", compare_rules=compared) as live:
        await live.ready()
        published[0] = "00" * 32
        await live.do(OpenBetting(), DEALER)
        await until(lambda: live.actor.table.find_incident(AnomalyKind.RULES_MISMATCH) is not None)
        assert live.actor.table.is_suspended


async def test_a_step_that_takes_too_long_is_cued_and_then_the_supervisor_is_called(tmp_path: Path) -> None:
    setup = a_setup(profile=RulingProfile(phase_limit_seconds=30))
    async with live_actor(tmp_path / "j", setup=setup, balances={"anna": 5000}) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        await live.bet(ANNA, 1, 1000)
        await live.do(CloseBetting(), DEALER)
        await live.wait(30)
        await until(lambda: live.actor.table.find_incident(AnomalyKind.PHASE_OVERRUN) is not None)
        assert live.actor.table.call is None
        assert not live.actor.table.is_stopped
        await live.wait(30)
        await until(lambda: live.actor.table.call is not None)


async def test_a_step_that_is_done_in_time_is_no_matter(tmp_path: Path) -> None:
    setup = a_setup(profile=RulingProfile(phase_limit_seconds=30))
    async with live_actor(tmp_path / "j", setup=setup, balances={"anna": 5000}) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        await live.bet(ANNA, 1, 1000)
        await live.do(CloseBetting(), DEALER)
        for code in ("TC", "9C", "9D", "TH"):
            await live.wait(20)
            await live.card(code)
        await live.wait(5)
        assert not live.actor.table.incidents
