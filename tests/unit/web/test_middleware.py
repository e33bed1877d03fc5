"""The gate, the body's size, and the security headers."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from starlette.types import Message, Receive, Scope, Send
from web_fakes import Studio

from studio.web.middleware import LARGEST_BODY, FaultAnswers, security_headers

PATHS = ("/v1/me", "/v1/none", "/none", "/dealer", "/health", "/metrics", "/v1/openapi.json", "/static/none")


async def counted(read: list[int]) -> AsyncIterator[bytes]:
    for piece in range(3):
        read.append(piece)
        yield b" "


async def in_pieces(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // 1000):
        yield b" " * 1000


@pytest.mark.parametrize("simulated", [True, False])
@pytest.mark.parametrize("person", [None, "dea"])
async def test_every_answer_carries_the_headers(person: str | None, *, simulated: bool) -> None:
    studio = Studio(simulated=simulated)
    for path in PATHS:
        answer = await studio.get(person, path)
        for name, value in security_headers(simulated=simulated).items():
            assert answer.headers[name] == value, path


def test_only_a_simulation_is_framed_and_reaches_its_simulator() -> None:
    live = security_headers(simulated=False)["content-security-policy"]
    simulation = security_headers(simulated=True)["content-security-policy"]
    assert "frame-ancestors 'none'" in live
    assert "127.0.0.1" not in live
    assert "frame-ancestors 'self'" in simulation
    assert "connect-src 'self' ws: wss: http://127.0.0.1:*;" in simulation
    for policy in (live, simulation):
        assert policy.startswith("default-src 'self';")
        assert "unsafe" not in policy


async def test_everything_in_the_api_is_closed_but_its_description() -> None:
    studio = Studio()
    statuses = {path: (await studio.get(None, path)).status_code for path in PATHS}
    assert statuses["/v1/me"] == statuses["/v1/none"] == 401
    assert statuses["/v1/openapi.json"] == statuses["/health"] == 200


async def test_a_stranger_s_body_is_not_read() -> None:
    read: list[int] = []
    async with Studio().client() as client:
        answer = await client.post("/v1/tables/t1/bets", content=counted(read))
    assert answer.status_code == 401
    assert read == []


@pytest.mark.parametrize("person", ["pam", "dea", "ops"])
@pytest.mark.parametrize("path", ["bets", "decisions", "insurance", "seats", "commands"])
@pytest.mark.parametrize("has_length", [True, False])
async def test_a_body_is_limited_but_for_an_operators_batch(person: str, path: str, *, has_length: bool) -> None:
    size = LARGEST_BODY + 2000
    studio = Studio()
    async with studio.client(person) as client:
        answer = await client.post(
            f"/v1/tables/t1/{path}",
            content=b" " * size if has_length else in_pieces(size),
            headers={"Content-Type": "application/json", "Idempotency-Key": "k1"},
        )
    is_batch = person == "ops" and path in {"bets", "decisions", "insurance"}
    assert answer.status_code == (422 if is_batch else 413)
    assert answer.json()["code"] == ("malformed" if is_batch else "too-large")


async def test_an_operators_batch_is_limited_too() -> None:
    async with Studio().client("ops") as client:
        answer = await client.post("/v1/tables/t1/bets", content=b"", headers={"Content-Length": "16777217"})
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


@pytest.mark.parametrize("length", ["-1", "x", "9" * 40])
async def test_a_length_that_is_none_is_refused(length: str) -> None:
    async with Studio().client("ops") as client:
        answer = await client.post("/v1/tables/t1/bets", content=b"", headers={"Content-Length": length})
    assert answer.status_code == 413


async def test_a_hundred_thousand_bets_are_one_command() -> None:
    studio = Studio()
    bets = [{"player": f"a-player-with-a-long-name-{n:06}", "seat": 1, "amount": 500} for n in range(100_000)]
    answer = await studio.post("ops", "t1/bets", {"bets": bets})
    assert answer.status_code == 200
    assert len(answer.json()["items"]) == 100_000
    assert len(studio.table.submissions) == 1


async def test_a_fault_after_the_answer_began_breaks_it_off() -> None:
    sent: list[Message] = []

    async def half(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise ZeroDivisionError

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    with pytest.raises(ZeroDivisionError):
        await FaultAnswers(half)({"type": "http", "method": "GET", "path": "/"}, receive, send)
    assert [message["type"] for message in sent] == ["http.response.start"]
