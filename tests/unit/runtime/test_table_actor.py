"""The actor: what is durable when, who is answered what, and what survives a restart."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path

import pytest
from support.actors import live_actor, until
from support.tables import DEALER, READER, SUPERVISOR, a_setup, player

from studio.adapters.variants import load_variant
from studio.domain import procedures
from studio.domain.actions import Action
from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.cards import parse_card
from studio.domain.commands import (
    CloseBetting,
    CommitResult,
    Decide,
    OpenBetting,
    ResolveIncident,
    Suspend,
    VoidRound,
)
from studio.domain.events import RoundSettled
from studio.domain.money import player_account, table_account
from studio.domain.phases import Phase, phase
from studio.domain.record_commands import (
    RecordReader,
    RecordSighting,
)
from studio.domain.sightings import CardRead, Sighting, SightingId, Unreadable
from studio.ports.journal import Entry, JournalError
from studio.runtime import table_actor
from studio.runtime.inbox import Done, ReceiptRequest, Refused, Repeated, Submission
from studio.runtime.table_actor import TableRefusedError

ANNA = player("anna")


def receipt(key: str, fingerprint: str = "f") -> ReceiptRequest:
    return ReceiptRequest(key, fingerprint, lambda outcome: (200 if isinstance(outcome, Done) else 409, f"{key}!"))


async def test_a_round_moves_the_money_with_its_events(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        await live.bet(ANNA, 1, 1000)
        assert live.wallet.available(player_account("anna")) == 4000
        assert live.wallet.available(table_account("t1")) == 1000
        await live.do(CloseBetting(), DEALER)
        await live.cards("TC 9C 9D TH")
        await live.do(Decide("anna", 1, Action.STAND, False), ANNA)
        await live.do(CommitResult(), DEALER)
        assert live.wallet.available(player_account("anna")) == 5000
        assert live.wallet.available(table_account("t1")) == 0
        assert live.wallet.totals() == {"EUR": 0}
        assert any(isinstance(event, RoundSettled) for event in live.observer.events)


async def test_a_bet_over_the_balance_is_refused_and_nothing_stays_reserved(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 1500}) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        outcome = await live.bet(ANNA, 1, 1600)
        assert isinstance(outcome, Done)
        assert outcome.items[0] is not None
        assert outcome.items[0].code == "insufficient-balance"
        assert live.wallet.available(player_account("anna")) == 1500
        await live.bet(ANNA, 1, 1500)
        assert live.wallet.available(player_account("anna")) == 0


async def test_a_double_without_balance_becomes_a_hit(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 1500}) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        await live.bet(ANNA, 1, 1000)
        await live.do(CloseBetting(), DEALER)
        await live.cards("5C 9C 4D TH")
        await live.do(Decide("anna", 1, Action.DOUBLE, True), ANNA)
        assert live.wallet.available(player_account("anna")) == 500


async def test_deadlines_pass_by_the_clock_alone(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        await live.bet(ANNA, 1, 1000)
        await live.wait(15)
        await until(lambda: phase(live.actor.table) is Phase.DEALING)
        await live.cards("TC 9C 9D TH")
        await live.wait(12)
        await until(lambda: phase(live.actor.table) is Phase.COMMIT)


async def test_m3_the_same_key_gets_the_first_answer_and_another_body_is_a_conflict(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j") as live:
        await live.ready()
        submission = Submission(OpenBetting(), DEALER, "x", receipt=receipt("k1"))
        first = await live.actor.submit(submission)
        again = await live.actor.submit(submission)
        other = await live.actor.submit(replace(submission, receipt=receipt("k1", "g")))
    assert isinstance(first, Done)
    assert again == Repeated(200, "k1!")
    assert isinstance(other, Refused)
    assert other.rejected.code == "key-reused"


async def test_a_refusal_keeps_its_answer_too_also_after_a_restart(tmp_path: Path) -> None:
    submission = Submission(OpenBetting(), DEALER, "x", receipt=receipt("k1"))
    async with live_actor(tmp_path / "j") as live:
        assert isinstance(await live.actor.submit(submission), Refused)
    async with live_actor(tmp_path / "j") as live:
        await live.ready()
        assert await live.actor.submit(submission) == Repeated(409, "k1!")


async def test_fifty_parallel_voids_with_one_key_void_once(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        await live.bet(ANNA, 1, 1000)
        submission = Submission(VoidRound("procedure", "as ruled"), SUPERVISOR, "x", receipt=receipt("k1"))
        outcomes = await asyncio.gather(*(live.actor.submit(submission) for _ in range(50)))
        assert sum(isinstance(outcome, Done) for outcome in outcomes) == 1
        assert sum(isinstance(outcome, Repeated) for outcome in outcomes) == 49
        assert live.wallet.available(player_account("anna")) == 5000


async def test_a_supervisor_who_saw_an_older_table_is_told_what_changed(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j") as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        seen = live.actor.sequence
        await live.do(Suspend("look"), SUPERVISOR)
        void = VoidRound("procedure", "as ruled")
        outcome = await live.actor.submit(Submission(void, SUPERVISOR, "x", seen_sequence=seen))
    assert isinstance(outcome, Refused)
    assert outcome.rejected.code == "stale-view"
    assert outcome.changed == ("anomaly-detected",)


async def test_a_restart_replays_the_same_state_and_holds_the_open_round(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        await live.bet(ANNA, 1, 1000)
        await live.do(CloseBetting(), DEALER)
        await live.cards("TC 9C")
        before = live.actor.table
    async with live_actor(tmp_path / "j") as live:
        after = live.actor.table
        assert after.round == before.round
        assert after.shoe == before.shoe
        assert [one.kind for one in after.incidents] == [AnomalyKind.CRASH_RECOVERY]
        live.ordinal = 4
        await live.do(RecordReader("shoe-1", True, 1, 4), READER)
        await live.do(ResolveIncident(1, WayOut.GO_ON, "felt-confirmed"), DEALER)
        await live.cards("9D TH")
        assert live.actor.table.round is not None
        assert live.actor.table.round.question is not None
        assert live.wallet.available(table_account("t1")) == 1000


async def test_an_unexpected_fault_suspends_the_table_and_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> object:
        raise ZeroDivisionError

    async with live_actor(tmp_path / "j") as live:
        await live.ready()
        monkeypatch.setattr(procedures, "open_betting", broken)
        outcome = await live.do(OpenBetting(), DEALER)
        assert isinstance(outcome, Refused)
        assert outcome.rejected.code == "internal-fault"
        await until(lambda: live.actor.table.is_suspended)


async def test_a_fault_outside_the_core_is_answered_and_suspends_the_table_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> object:
        raise OSError

    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        with monkeypatch.context() as patched:
            patched.setattr(live.wallet, "reserve", broken)
            outcome = await live.bet(ANNA, 1, 1000)
        assert isinstance(outcome, Refused)
        assert outcome.rejected.code == "internal-fault"
        await until(lambda: live.actor.table.is_suspended)
        with monkeypatch.context() as patched:
            patched.setattr(live.observer, "happened", broken)
            assert isinstance(await live.do(Suspend("look"), SUPERVISOR), Refused)
        # It was on disk before the observer failed: the table is what the journal says.
        assert [one.kind for one in live.actor.table.incidents][:2] == [
            AnomalyKind.INTERNAL_FAULT,
            AnomalyKind.SUPERVISOR_STOP,
        ]


async def test_what_the_journal_refused_did_not_happen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        before = live.actor.table

        async def full(entry: Entry) -> None:  # noqa: ARG001
            message = "the disk is full"
            raise JournalError(message)

        with monkeypatch.context() as patched:
            patched.setattr(live.actor._ports.journal, "append", full)
            with pytest.raises(JournalError, match="disk is full"):
                await live.bet(ANNA, 1, 1000)
        assert live.actor.table == before
        assert live.wallet.available(player_account("anna")) == 5000
        await live.bet(ANNA, 1, 1000)
        assert live.wallet.available(player_account("anna")) == 4000


async def test_a_journal_begun_under_other_rules_is_refused(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j"):
        pass
    other = replace(load_variant("deluxe"), dealer_hits_soft_17=True)
    with pytest.raises(TableRefusedError, match="rules"):
        async with live_actor(tmp_path / "j", setup=a_setup(other)):
            pass


async def test_the_bytes_of_a_rescanned_hole_card_are_sealed_with_it(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        await live.bet(ANNA, 1, 1000)
        await live.do(CloseBetting(), DEALER)
        await live.cards("TC 9C 9D")
        live.ordinal += 1
        hole = SightingId("shoe-1", 1, live.ordinal)
        await live.do(RecordSighting(Sighting(hole, Unreadable(), 0)), READER, raw=b"NOREAD")
        await live.do(RecordSighting(Sighting(hole, CardRead(parse_card("TH")), 0)), READER, raw=b"HOLE-TH")
        assert live.actor.table.round is not None
        assert len(live.actor.table.round.dealer) == 2
        raws = [one.raw for one in live.actor._ports.journal.replay("t1") if one.raw]
        assert raws[-1] == b"HOLE-TH"
    assert b"HOLE-TH" not in _every_byte_in(tmp_path)


def _every_byte_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


async def test_watchers_hear_each_commit_until_they_stop(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j") as live:
        heard: list[int] = []
        stop = live.actor.watch(lambda: heard.append(live.actor.sequence))
        await live.ready()
        count = len(heard)
        assert heard == sorted(set(heard))
        stop()
        await live.do(OpenBetting(), DEALER)
        assert len(heard) == count


async def test_byte_to_paint_is_measured_from_the_reading_that_a_view_shows(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j") as live:
        await live.ready()
        live.observer.paints.clear()
        await live.do(OpenBetting(), DEALER)
        await live.card("TC")
        await live.wait(0.5)
        live.actor.painted(live.actor.sequence)
        live.actor.painted(live.actor.sequence)
        assert live.observer.paints[-1] == pytest.approx(0.5)
        assert isinstance(live.observer.commits[-1], float)


def test_the_actor_forgets_old_names() -> None:
    kept = OrderedDict((number, "x") for number in range(2000))
    table_actor._forget_oldest(kept)
    assert len(kept) == 512
