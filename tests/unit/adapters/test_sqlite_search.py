"""Past rounds are found by player, time, table, card and incident, newest first, page by page."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from support.recorded_table import KEY, RecordedTable, write
from support.tables import DEALER, SUPERVISOR, a_setup

from studio.adapters import sqlite_search, sqlite_standing
from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_evidence import SqliteEvidence
from studio.adapters.sqlite_store import open_read_only
from studio.adapters.variants import load_variant
from studio.domain.actions import Action
from studio.domain.anomalies import WayOut
from studio.domain.commands import (
    CommitResult,
    Suspend,
    VoidRound,
)
from studio.domain.disputes import OpenDispute
from studio.domain.people import Actor, Role
from studio.domain.shared_commands import (
    Choosing,
    DecideAll,
)
from studio.ports.evidence import Wanted
from studio.ports.history import Ended

PAUSE = 1000.0
"""Seconds between rounds; the dealer stays within the hour at the table that rotation allows."""
OPERATOR = Actor("ops", "Ops", Role.OPERATOR)


def first_table() -> RecordedTable:
    """Four rounds a pause apart; P3 in all, P1 in the second alone, which a supervisor stopped; the third void."""
    played = RecordedTable().ready()
    assert isinstance(played, RecordedTable)
    played.round(3).cards("TC 9C TD TH").decide("stand").commit()
    played.wait(PAUSE).betting().bet(1).bet(3).close().cards("TC 8H 9C TD 9D 7S")
    played.do(Suspend("a quarrel"), SUPERVISOR)
    played.resolve(WayOut.GO_ON)
    played.decide("stand").decide("stand").cards("2C").commit()
    played.wait(PAUSE).round(3).cards("6C")
    played.do(VoidRound("misdeal", "Card on the floor"), SUPERVISOR)
    played.wait(PAUSE).round(3).cards("5C 6D 7C KD")
    played.do(OpenDispute(1, "P3", "I pressed hit"), SUPERVISOR)
    return played


def second_table() -> RecordedTable:
    """One round, half a pause after the first table's first."""
    played = RecordedTable(replace(a_setup(), table="t2", name="Deluxe 2"))
    played.wait(PAUSE / 2).ready().round(3, 4).cards("8S 8C 9C TD TS TH").decide("stand").decide("stand").commit()
    return played


@pytest.fixture
async def evidence(tmp_path: Path) -> SqliteEvidence:
    return await write(tmp_path / "j", first_table(), second_table())


def found(evidence: SqliteEvidence, wanted: Wanted) -> list[str]:
    return [f"{one.span.table}/{one.span.round}" for one in evidence.search(wanted).rounds]


def test_without_a_condition_the_newest_rounds_of_all_tables_come_first(evidence: SqliteEvidence) -> None:
    assert found(evidence, Wanted()) == ["t1/4", "t1/3", "t1/2", "t2/1", "t1/1"]


def test_a_round_says_how_it_ended_who_dealt_and_what_was_noticed(evidence: SqliteEvidence) -> None:
    rounds = {one.span.round: one for one in evidence.search(Wanted(table="t1")).rounds}
    assert [rounds[number].ended for number in (1, 2, 3, 4)] == [
        Ended.SETTLED,
        Ended.SETTLED,
        Ended.VOIDED,
        Ended.OPEN,
    ]
    assert {one.dealer for one in rounds.values()} == {"Dora"}
    noticed = {number: [(one.kind, one.number) for one in round_.noticed] for number, round_ in rounds.items()}
    # The dispute stands with the round that it is about, whenever it was opened.
    assert noticed == {1: [("dispute", 1)], 2: [("supervisor-stop", 1)], 3: [("round-voided", 0)], 4: []}


@pytest.mark.parametrize(
    ("wanted", "rounds"),
    [
        (Wanted(player="P1"), ["t1/2"]),
        (Wanted(player="P4"), ["t2/1"]),
        (Wanted(player="P3"), ["t1/4", "t1/3", "t1/2", "t2/1", "t1/1"]),
        (Wanted(player="P3", table="t2"), ["t2/1"]),
        (Wanted(player="P9"), []),
        (Wanted(player="P"), []),
        (Wanted(card="2C"), ["t1/2"]),
        (Wanted(card="8S"), ["t2/1"]),
        (Wanted(card="TC", player="P1"), ["t1/2"]),
        (Wanted(card="8S", table="t1"), []),
        (Wanted(table="t1", incident=1), ["t1/2"]),
        (Wanted(table="t1", incident=2), []),
        (Wanted(table="t1", incident=1, player="P4"), []),
        (Wanted(kind="supervisor-stop"), ["t1/2"]),
        (Wanted(kind="any"), ["t1/2"]),
        (Wanted(kind="round-voided"), ["t1/3"]),
        (Wanted(kind="dispute"), ["t1/1"]),
        (Wanted(kind="scanner-down"), []),
        (Wanted(kind="any", player="P1", card="2C"), ["t1/2"]),
        (Wanted(table="t9"), []),
    ],
    ids=str,
)
def test_every_condition_must_hold(evidence: SqliteEvidence, wanted: Wanted, rounds: list[str]) -> None:
    assert found(evidence, wanted) == rounds


def test_a_hole_card_is_found_once_it_was_turned_and_never_before(evidence: SqliteEvidence) -> None:
    assert found(evidence, Wanted(card="TH")) == ["t2/1", "t1/1"]
    # The open round's is down.
    assert found(evidence, Wanted(card="KD")) == []


def test_time_bounds_are_of_the_beginning_the_end_not_included(evidence: SqliteEvidence) -> None:
    begun = {f"{one.span.table}/{one.span.round}": one.span.at_wall_ns for one in evidence.search(Wanted()).rounds}
    since, until = begun["t2/1"], begun["t1/3"]
    assert found(evidence, Wanted(since_wall_ns=since, until_wall_ns=until)) == ["t1/2", "t2/1"]
    assert found(evidence, Wanted(since_wall_ns=since, until_wall_ns=until, player="P1")) == ["t1/2"]
    assert found(evidence, Wanted(until_wall_ns=since)) == ["t1/1"]
    assert found(evidence, Wanted(since_wall_ns=begun["t1/4"] + 1)) == []
    assert found(evidence, Wanted(since_wall_ns=since, kind="dispute")) == []


@pytest.mark.parametrize("wanted", [Wanted(), Wanted(player="P3"), Wanted(card="TC"), Wanted(table="t1")], ids=str)
def test_pages_together_are_the_whole(evidence: SqliteEvidence, wanted: Wanted) -> None:
    whole = found(evidence, wanted)
    pages: list[str] = []
    asked = replace(wanted, limit=1)
    for _ in range(20):
        page = evidence.search(asked)
        pages += (f"{one.span.table}/{one.span.round}" for one in page.rounds)
        if page.after is None:
            break
        asked = replace(asked, after=page.after)
    assert page.after is None
    assert pages == whole


@pytest.mark.usefixtures("evidence")
def test_a_search_that_finds_little_stops_and_says_where(tmp_path: Path) -> None:
    with closing(open_read_only(tmp_path / "j")) as connection:
        page = sqlite_search.search(connection, ("t1", "t2"), Wanted(card="2C"), looks=2)
        assert (page.rounds, page.after is not None) == ((), True)
        assert page.after is not None
        rest = sqlite_search.search(connection, ("t1", "t2"), Wanted(card="2C", after=page.after), looks=9)
        assert [one.span.round for one in rest.rounds] == [2]


async def test_a_player_among_very_many_is_found_in_the_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.adapters.sqlite_ledger.BATCH_FROM", 2)
    played = RecordedTable(a_setup(load_variant("infinite"))).ready()
    assert isinstance(played, RecordedTable)
    for names in (("P1", "P2"), ("P1", "P3"), ("P2", "P3")):
        played.betting()
        for name in names:
            played.bet(1, name=name)
        played.close().cards("TC 9C TD TH")
        played.do(DecideAll(1, tuple(Choosing(name, Action.STAND) for name in names)), OPERATOR)
        played.do(CommitResult(), DEALER)
    evidence = await write(tmp_path / "shared", played)
    assert found(evidence, Wanted(player="P3")) == ["t1/3", "t1/2"]
    assert found(evidence, Wanted(player="P1", limit=1)) == ["t1/2"]


@pytest.mark.usefixtures("evidence")
@pytest.mark.parametrize("module", [sqlite_search, sqlite_standing], ids=["search", "standing"])
def test_no_search_reads_the_whole_journal(tmp_path: Path, module: ModuleType) -> None:
    """Every query finds its rows by an index over few of them, or between two sequence numbers."""
    queries = {name: text for name, text in vars(module).items() if str(text).startswith("SELECT") and "?" in text}
    with closing(sqlite3.connect(tmp_path / "j")) as connection:
        for name, query in queries.items():
            plan = connection.execute(
                f"EXPLAIN QUERY PLAN {query}", (0,) * (2 if "?1" in query else query.count("?"))
            )
            for *_, step in plan:
                reads = "events" in step or "transfers" in step
                assert (
                    not reads or "INDEX" in step or "sequence>? AND sequence<?" in step or "sequence=?)" in step
                ), name


def test_a_journal_that_is_none_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "j").write_text("no database at all, but long enough to look at")
    with pytest.raises(ValueError, match="cannot be read"):
        SqliteEvidence(tmp_path / "j", Sealer(KEY), ["t1"]).search(Wanted())
