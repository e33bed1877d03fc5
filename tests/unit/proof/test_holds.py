"""Holds placed while the studio writes: on record, once each, and only on rounds that there are."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from support.actors import live_actor
from support.proved_journal import SIGNER, check, play
from support.tables import START

from studio.adapters.sqlite_custody import ActKind, read_acts
from studio.adapters.sqlite_store import open_read_only
from studio.ports.custody import Hold
from studio.proof.holds import JournalCustody

HOLD = Hold("t1", 1, "lea", "Dispute 12", START.wall_ns)


async def test_a_hold_and_its_release_are_acts_and_a_repeat_is_none(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    await play(path, rounds=1)
    async with live_actor(path, signer=SIGNER) as live:
        custody = JournalCustody(live.store)
        await custody.release(HOLD, START)
        for _ in range(2):
            await custody.hold(HOLD, START)
            assert custody.holds() == (HOLD,)
        await custody.release(HOLD._replace(person="sam", reason="It is settled"), START)
        assert custody.holds() == ()
    with closing(open_read_only(path)) as connection:
        acts = [
            (act.kind, act.person, act.fields["reason"]) for act in read_acts(connection) if act.kind != "setup"
        ]
    assert acts == [(ActKind.HOLD, "lea", "Dispute 12"), (ActKind.RELEASE, "sam", "It is settled")]
    assert check(path).broken == []


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (HOLD._replace(round=9), "has no round 9 of table 't1'"),
        (HOLD._replace(table="t2"), "has no round 1 of table 't2'"),
        (HOLD._replace(reason=" "), "say who and why"),
        (HOLD._replace(person=""), "say who and why"),
    ],
)
async def test_what_cannot_be_held_is_said(tmp_path: Path, wrong: Hold, sentence: str) -> None:
    path = tmp_path / "journal.sqlite"
    await play(path, rounds=1)
    async with live_actor(path, signer=SIGNER) as live:
        with pytest.raises(ValueError, match=sentence):
            await JournalCustody(live.store).hold(wrong, START)
