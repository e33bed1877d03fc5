"""Past rounds and records over HTTP: who may, what is asked, what is answered (consoles.md S9 to S11)."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support.recorded_table import RecordedTable, write
from support.tables import SUPERVISOR
from web_fakes import BY_ROLE, Studio

from studio.domain.anomalies import WayOut
from studio.domain.commands import Suspend

READERS = {"supervisor", "manager", "auditor"}
PATHS = (
    "/v1/evidence/rounds",
    "/v1/tables/t1/rounds/1/replay",
    "/v1/tables/t1/records/19",
    "/v1/tables/t1/records/19/pdf",
)


@pytest.fixture
async def studio(tmp_path: Path) -> Studio:
    """A studio whose table t1 has played two rounds; the second was stopped once, by event 36."""
    played = RecordedTable()
    played.ready().round(3).cards("TC 9C TD TH").decide("stand").commit()
    played.wait(60).round(3, 4).cards("TC 9C 8S TD")
    played.do(Suspend("A quarrel"), SUPERVISOR)
    assert played.table.incident_count == 1
    played.resolve(WayOut.GO_ON)
    return Studio(evidence=await write(tmp_path / "j", played), rules=played.setup.rules)


async def record_of(studio: Studio) -> int:
    found = (await studio.get("sup", "/v1/evidence/rounds?table=t1&incident=1")).json()
    sequence: int = found["rounds"][0]["noticed"][0]["sequence"]
    return sequence


@pytest.mark.parametrize("role", BY_ROLE)
@pytest.mark.parametrize("path", PATHS)
async def test_only_supervisors_managers_and_auditors_look_back(studio: Studio, role: str, path: str) -> None:
    path = path.replace("19", str(await record_of(studio)))
    answer = await studio.get(BY_ROLE[role], path)
    if role in READERS:
        assert answer.status_code == 200
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


@pytest.mark.parametrize("path", PATHS)
async def test_nobody_looks_back_without_a_token(studio: Studio, path: str) -> None:
    assert (await studio.get(None, path)).status_code == 401


async def test_rounds_are_found_and_paged(studio: Studio) -> None:
    first = (await studio.get("aud", "/v1/evidence/rounds?limit=1")).json()
    assert [one["span"]["round"] for one in first["rounds"]] == [2]
    assert first["rounds"][0]["ended"] == "open"
    after = ",".join(f"{table}:{sequence}" for table, sequence in first["after"].items())
    second = (await studio.get("aud", f"/v1/evidence/rounds?limit=5&after={after}")).json()
    assert [one["span"]["round"] for one in second["rounds"]] == [1]
    assert second["after"] is None


async def test_conditions_are_taken_from_the_query(studio: Studio) -> None:
    async def rounds(query: str) -> list[int]:
        found = (await studio.get("sup", f"/v1/evidence/rounds?{query}")).json()
        return [one["span"]["round"] for one in found["rounds"]]

    assert await rounds("player=anna") == []
    assert await rounds("card=8S") == [2]
    assert await rounds("kind=any&table=t1") == [2]
    assert await rounds("table=t1&incident=1") == [2]
    assert await rounds("since=1&until=2") == []


@pytest.mark.parametrize(
    "query",
    [
        *("card=9X", "card=8s", "incident=1", "incident=0&table=t1", "limit=0", "limit=101", "since=-1"),
        *("since=soon", "after=t1", "after=t1:x", "player=%00", "table=T1", "more=1", "kind=%27--"),
    ],
)
async def test_what_is_no_condition_is_refused_with_a_sentence(studio: Studio, query: str) -> None:
    answer = await studio.get("sup", f"/v1/evidence/rounds?{query}")
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")


async def test_a_replay_has_three_views_of_each_step(studio: Studio) -> None:
    body = (await studio.get("man", "/v1/tables/t1/rounds/1/replay")).json()
    assert (body["round"], body["ended"], body["players"][0]["player"]) == (1, "settled", "P3")
    step = next(one for one in body["steps"] if one["name"] == "decision-asked")
    assert step["dealer"]["table"]["dealer_hand"]["cards"] == ["9C", "??"]
    assert step["players"]["seats"][2]["hands"][0]["cards"] == ["TC", "TD"]
    assert step["recorded"]["fields"]["hand"] == {"seat": 3, "number": 1}
    assert step["by"]["role"] in {"device", "dealer", "system"}


async def test_an_open_rounds_hole_card_is_in_no_byte_of_its_replay(studio: Studio) -> None:
    answer = await studio.get("sup", "/v1/tables/t1/rounds/2/replay")
    assert answer.status_code == 200
    cards = {code for step in answer.json()["steps"] for code in step["dealer"]["table"]["dealer_hand"]["cards"]}
    assert cards <= {"8S", "??"}


async def test_a_record_comes_as_json_and_pdf_with_hashes_that_fit(studio: Studio) -> None:
    sequence = await record_of(studio)
    made = await studio.get("aud", f"/v1/tables/t1/records/{sequence}")
    paper = await studio.get("aud", f"/v1/tables/t1/records/{sequence}/pdf")
    assert made.headers["content-type"] == "application/json"
    assert paper.headers["content-type"] == "application/pdf"
    assert paper.headers["content-disposition"] == f'attachment; filename="record-t1-{sequence}.pdf"'
    body = json.loads(made.text)
    assert body["pdf_sha256"] == hashlib.sha256(paper.content).hexdigest()
    assert body["record"]["kind"] == "supervisor-stop"
    assert body["record"]["rules_hash"] == studio.table.setup.rules.hash
    assert body["record"]["video"]["frames_per_second"] == 50
    assert body["record"]["events"][0]["timecode"] == body["record"]["video"]["first"]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/v1/tables/t1/rounds/99/replay", "no-such-record"),
        ("/v1/tables/t1/records/1", "no-such-record"),
        ("/v1/tables/t1/records/1/pdf", "no-such-record"),
        ("/v1/tables/t9/rounds/1/replay", "unknown-table"),
    ],
)
async def test_what_there_is_not_is_404(studio: Studio, path: str, code: str) -> None:
    answer = await studio.get("sup", path)
    assert (answer.status_code, answer.json()["code"]) == (404, code)


async def test_a_journal_that_was_changed_is_named_and_not_shown(studio: Studio, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "j", isolation_level=None)) as connection:
        connection.execute("UPDATE events SET actor_name = 'Nobody' WHERE name = 'decision-taken'")
    answer = await studio.get("sup", "/v1/tables/t1/rounds/1/replay")
    assert (answer.status_code, answer.json()["code"]) == (500, "journal-wrong")
    assert "sequence" in answer.json()["text"]
