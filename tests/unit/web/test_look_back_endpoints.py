"""``GET /v1/look-back``: for supervisors, managers and auditors, as JSON and CSV."""

from __future__ import annotations

import pytest
from web_fakes import Studio

from studio.ports.look_back import LookBackQuery, PlayerMoney, TouchedRound

PLAYED = TouchedRound(
    "t1", 7, "t1-shoe-2", "red-1", "B-7", "dora", 0, "settled", "EUR", (PlayerMoney("anna", 1000, 0),)
)


@pytest.mark.parametrize("person", ["sup", "man", "aud"])
async def test_whoever_looks_into_things_looks_back(person: str) -> None:
    studio = Studio()
    studio.look_back.found = (PLAYED,)

    answer = await studio.get(person, "/v1/look-back?batch=B-7&from=1970-01-01T00:00:01&to=1970-01-02")

    assert answer.status_code == 200
    assert answer.json()["rounds"][0]["players"] == [
        {"player": "anna", "staked": 1000, "returned": 0, "net": -1000}
    ]
    assert studio.look_back.asked == [
        LookBackQuery(batch="B-7", from_wall_ns=1_000_000_000, to_wall_ns=86_400_000_000_000)
    ]


async def test_as_csv() -> None:
    studio = Studio()
    studio.look_back.found = (PLAYED,)

    answer = await studio.get("sup", "/v1/look-back?shoe=t1-shoe-2&format=csv")

    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.text.splitlines()[1].startswith("t1,7,t1-shoe-2,red-1,B-7,dora,")


@pytest.mark.parametrize(
    ("person", "query", "status", "code"),
    [
        ("dea", "", 403, "forbidden"),
        ("pam", "", 403, "forbidden"),
        ("sup", "?from=soon", 422, "malformed"),
        ("sup", "?colour=red", 422, "malformed"),
        ("sup", "?format=pdf", 422, "malformed"),
        (None, "", 401, "unknown-token"),
    ],
)
async def test_what_is_refused(person: str | None, query: str, status: int, code: str) -> None:
    answer = await Studio().get(person, f"/v1/look-back{query}")

    assert (answer.status_code, answer.json()["code"]) == (status, code)
