"""Legal holds over the API: the supervisors', with a reason, and the same when asked twice."""

from __future__ import annotations

import pytest
from web_fakes import BY_ROLE, Studio

HOLD = "t1/rounds/3/hold"
RELEASE = "t1/rounds/3/release"
WHY = {"reason": "Dispute 12"}


async def test_a_supervisor_places_and_releases_a_hold_with_who_why_and_when() -> None:
    studio = Studio()
    supervisor = BY_ROLE["supervisor"]
    placed = await studio.post(supervisor, HOLD, WHY)
    assert placed.status_code == 200
    (held,) = placed.json()
    assert held == {
        "table": "t1",
        "round": 3,
        "person": supervisor,
        "reason": "Dispute 12",
        "since_wall_ns": studio.clock.now().wall_ns,
    }
    again = await studio.post(supervisor, HOLD, {"reason": "Another"}, key="k2")
    assert again.json() == [held]
    assert (await studio.get(supervisor, "/v1/holds")).json() == [held]
    assert (await studio.post(supervisor, RELEASE, WHY, key="k3")).json() == []


@pytest.mark.parametrize("role", [role for role in BY_ROLE if role != "supervisor"])
async def test_nobody_else_sees_or_places_one(role: str) -> None:
    studio = Studio()
    for answer in (
        await studio.post(BY_ROLE[role], HOLD, WHY),
        await studio.post(BY_ROLE[role], RELEASE, WHY),
        await studio.get(BY_ROLE[role], "/v1/holds"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert studio.custody.holds() == ()


@pytest.mark.parametrize("body", [{}, {"reason": ""}, {"reason": "x", "more": 1}, {"reason": "x" * 1001}])
async def test_a_hold_without_a_usable_reason_is_malformed(body: dict[str, object]) -> None:
    answer = await Studio().post(BY_ROLE["supervisor"], HOLD, body)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")


@pytest.mark.parametrize("number", ["9", "0", "x"])
async def test_a_round_that_is_none_is_malformed(number: str) -> None:
    answer = await Studio().post(BY_ROLE["supervisor"], f"t1/rounds/{number}/hold", WHY)
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")


async def test_an_unknown_table_has_no_rounds() -> None:
    async with Studio().client(BY_ROLE["supervisor"]) as client:
        headers = {"Idempotency-Key": "k1"}
        answer = await client.post("/v1/tables/t9/rounds/1/hold", json=WHY, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown-table")
