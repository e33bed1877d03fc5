"""The export: everything that recreates play, and nothing that is still secret (system.md principle 7)."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from support.actors import KEY, LiveActor, live_actor
from support.proved_journal import ANNA, SIGNER, keys, play
from support.tables import DEALER, SUPERVISOR, a_setup

from studio.adapters.chain import START
from studio.adapters.codec import decode
from studio.adapters.sealing import Sealer
from studio.adapters.sqlite_rows import chain_of
from studio.domain.actions import Action
from studio.domain.anomalies import WayOut
from studio.domain.commands import CloseBetting, CommitResult, Decide, OpenBetting, ResolveIncident, Suspend
from studio.domain.evolve import evolve
from studio.domain.table import Table
from studio.proof.export import Choice, export
from studio.proof.manifest import check_manifest
from studio.proof.report import Progress, Report

HOLE = "KC"
"""A code that no other card of the rounds under test has."""
ALL = Choice()


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("exported") / "journal.sqlite"
    asyncio.run(play(path, with_bytes=True))
    return path


def exported(path: Path, folder: Path, choice: Choice = ALL) -> Path:
    export(path, folder, Sealer(KEY), SIGNER, choice, Progress(None))
    return folder


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def events(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "events-t1.jsonl").read_text(encoding="utf-8").splitlines()]


def everything(folder: Path) -> bytes:
    return b"\n".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


def test_play_is_recreated_from_the_export_alone(journal: Path, tmp_path: Path) -> None:
    folder = exported(journal, tmp_path / "out")
    played = Table(a_setup())
    for line in events(folder):
        fields = line["fields"]
        if "hidden" in fields.values():
            assert line["name"] == "card-burned"
            continue
        played = evolve(played, decode(line["name"], line["version"], fields))

    assert played.rounds == 2
    assert played.results is not None
    settled = [row for row in table(folder, "bets") if row["round"] == "2"]
    assert [(row["player"], int(row["returned"])) for row in settled] == [
        (one.player, one.returned) for one in played.results
    ]


def test_the_chain_can_be_checked_from_the_export_alone(journal: Path, tmp_path: Path) -> None:
    previous = START
    for line in events(exported(journal, tmp_path / "out")):
        stored, actor = line["stored"], line["actor"]
        row = (
            *(line["table"], line["sequence"], line["wall_ns"], line["monotonic_ns"]),
            *(actor["id"], actor["name"], actor["role"], line["cause"], line["name"], stored["version"]),
            *(stored["payload"], bytes.fromhex(stored["raw"])),
        )
        previous = chain_of(previous, row)
        assert previous.hex() == stored["chain"]


def test_the_tables_say_who_was_dealt_what_by_whom_and_what_came_of_it(journal: Path, tmp_path: Path) -> None:
    folder = exported(journal, tmp_path / "out")

    first, second = table(folder, "rounds")
    assert (first["round"], first["end"], first["dealer"], first["variant"]) == ("1", "settled", "dora", "deluxe")
    assert int(second["first_sequence"]) == int(first["last_sequence"]) + 1
    assert (first["staked"], first["returned"]) == ("1600", "1000")
    cards = [row for row in table(folder, "cards") if row["round"] == "1"]
    assert [(row["card"], row["place"]) for row in cards] == [
        *(("TC", "seat1.hand1"), ("8D", "seat2.hand1"), ("9C", "dealer")),
        *(("9D", "seat1.hand1"), ("8S", "seat2.hand1"), ("QH", "dealer")),
    ]
    assert {row["dealer"] for row in cards} == {"dora"}
    assert [(row["player"], row["action"]) for row in table(folder, "decisions")][:2] == [
        ("anna", "stand"),
        ("ben", "stand"),
    ]
    moved = table(folder, "transfers")
    assert [row["id"] for row in moved][:2] == ["deposit:opening:anna", "deposit:opening:ben"]
    assert len(moved) == 10
    assert len(table(folder, "refusals")) == 2
    assert json.loads((folder / "setups.json").read_text())[0]["setup"]["rules"]["variant"] == "deluxe"


def test_the_manifest_has_every_file_with_its_hash_and_is_signed(journal: Path, tmp_path: Path) -> None:
    folder = exported(journal, tmp_path / "out")
    report = Report()

    assert list(check_manifest(folder, keys(tmp_path).verifier, report)) == []
    assert report.checked["files"] == len(list(folder.iterdir())) == 10
    stated = json.loads((tmp_path / "out.manifest.json").read_text())["stated"]
    digest = hashlib.sha256((folder / "cards.csv").read_bytes()).hexdigest()
    assert stated["files"]["out/cards.csv"] == digest
    (folder / "bets.csv").write_text("player\n")
    assert [one.row for one in check_manifest(folder, keys(tmp_path).verifier, Report())] == ["out/bets.csv"]


async def until_hole(live: LiveActor) -> None:
    await live.ready()
    await live.do(OpenBetting(), DEALER)
    await live.bet(ANNA, 1, 1_000)
    await live.do(CloseBetting(), DEALER)
    for code in ("TC", "9C", "9D", HOLE):
        await live.wait(1)
        await live.card(code, f"frame {code}".encode())


async def test_a_hole_card_is_in_no_byte_of_an_export_before_it_is_revealed(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    async with live_actor(path, balances={"anna": 5_000}, signer=SIGNER) as live:
        await until_hole(live)
        before = everything(await asyncio.to_thread(exported, path, tmp_path / "before"))
        await live.do(Decide("anna", 1, Action.STAND, False), ANNA)
        await live.do(CommitResult(), DEALER)
        after = everything(await asyncio.to_thread(exported, path, tmp_path / "after"))

    for secret in (b'"KC"', b",KC,", b"frame KC", b"frame KC".hex().encode()):
        assert secret not in before
    assert b'"hidden"' in before
    assert b",KC," in after
    assert b"frame KC".hex().encode() in after


async def test_what_was_never_turned_stays_hidden_until_the_shoe_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    async with live_actor(path, balances={"anna": 5_000}, signer=SIGNER) as live:
        await until_hole(live)
        await live.do(Suspend("look"), SUPERVISOR)
        await live.do(ResolveIncident(1, WayOut.VOID, "test", "Never turned"), SUPERVISOR)
        await live.wait(10)
        await live.do(OpenBetting(), DEALER)
        await live.do(Suspend("again"), SUPERVISOR)
        folder = await asyncio.to_thread(exported, path, tmp_path / "in-play")
        assert b",KC," not in everything(folder)
        burned = [row["card"] for row in table(folder, "cards") if row["place"] == "discard-rack"]
        assert burned == ["AS", "hidden"]
        incident, still_open = table(folder, "incidents")
        assert (still_open["incident"], still_open["closed_wall_ns"], still_open["way_out"]) == ("2", "", "")
        assert (incident["kind"], incident["way_out"], incident["by"]) == ("supervisor-stop", "void", "sam")


def test_a_day_and_a_table_can_be_chosen(journal: Path, tmp_path: Path) -> None:
    whole = events(exported(journal, tmp_path / "all"))
    since = next(line["wall_ns"] for line in whole if line["name"] == "round-closed") + 1
    part = exported(journal, tmp_path / "part", Choice(("t1",), since))
    none = exported(journal, tmp_path / "none", Choice(("t2",)))

    assert [row["round"] for row in table(part, "rounds")] == ["2"]
    assert events(part) == [line for line in whole if line["wall_ns"] >= since]
    assert not list(none.glob("events-*"))
    assert table(none, "transfers") == []


def test_an_export_overwrites_nothing(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(FileExistsError):
        exported(journal, tmp_path / "out")
