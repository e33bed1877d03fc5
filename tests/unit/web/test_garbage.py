"""Garbage of every kind: a refusal in the agreed form, and nothing changes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from web_fakes import Studio

PATHS = ("bets", "seats", "decisions", "insurance", "plans", "following", "follow", "commands")
NAMES = (
    *("bets", "player", "seat", "amount", "kind", "decision", "action", "take", "command", "arguments", "step"),
    *("items", "hand", "double", "split", "follow"),
)
WORDS = ("main", "hit", "open-betting", "confirm-shoe-step", "suspend", "t1", "", "\x00", "\ud800")

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(max_value=-1),
    st.integers(min_value=2**53 + 1),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(WORDS),
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=20,
)


async def refused(
    studio: Studio, path: str, content: bytes, *, content_type: str = "application/json"
) -> dict[str, Any]:
    async with studio.client("all") as client:
        answer = await client.post(
            f"/v1/tables/t1/{path}",
            content=content,
            headers={"Idempotency-Key": "k1", "Content-Type": content_type},
        )
    assert 400 <= answer.status_code < 500, answer.text
    assert studio.table.submissions == []
    body: dict[str, Any] = answer.json()
    assert set(body) == {"code", "text"}
    return body


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"bets": "\xc3\x28"}',
        b"null",
        b"[]",
        b"7",
        b"NaN",
        b'{"bets": [{"seat": NaN, "amount": 500}]}',
        b'{"bets": [{"seat": 1, "amount": Infinity}]}',
        b'{"bets": [{"seat": 1, "amount": 1e3}]}',
        b'{"bets": [{"seat": 1, "amount": ' + b"9" * 5000 + b"}]}",
        b"[" * 100_000,
        b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
        b'{"command": {"command": {}}}',
        b'{"decision": 1, "action": "HIT"}',
        b'{"seat": 1, "take": "yes"}',
        b'{"items": [{"player": "all", "seat": 1}]}',
        b'{"decision": 1, "items": {"player": "all", "action": "hit"}}',
        b'{"seat": 1, "action": "stay"}',
        b'{"seat": 1, "hand": 1, "action": "fold"}',
        b'{"seat": 1, "hand": 1, "follow": null}',
        b'{"double": "true", "split": null}',
    ],
    ids=lambda content: repr(content[:24]),
)
async def test_known_garbage_is_malformed(path: str, content: bytes) -> None:
    assert (await refused(Studio(), path, content))["code"] == "malformed"


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "nonsense"])
async def test_only_json_is_taken(content_type: str) -> None:
    good = json.dumps({"bets": [{"player": "all", "seat": 1, "amount": 500}]}).encode()
    assert (await refused(Studio(), "bets", good, content_type=content_type))["code"] == "malformed"


async def test_mistakes_are_named_by_their_place_without_repeating_the_input() -> None:
    content = json.dumps({"bets": [{"seat": "secret", "amount": 500}]}).encode()
    text = (await refused(Studio(), "bets", content))["text"]
    assert "body.bets.0.seat" in text
    assert "secret" not in text


async def test_many_mistakes_are_counted() -> None:
    content = json.dumps({str(number): 1 for number in range(100)}).encode()
    assert "more" in (await refused(Studio(), "decisions", content))["text"]


STUDIO = Studio()


@given(path=st.sampled_from(PATHS), body=values)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
async def test_any_json_of_wrong_values_is_refused(path: str, body: object) -> None:
    text = json.dumps(body)
    if "open-betting" not in text:  # the one command that is whole without any value
        await refused(STUDIO, path, text.encode())


@given(path=st.sampled_from(PATHS), content=st.binary(max_size=64))
@settings(max_examples=60, deadline=None)
async def test_any_bytes_are_refused(path: str, content: bytes) -> None:
    await refused(STUDIO, path, content)


@pytest.mark.parametrize(
    "path", ["/v1/tables/t1/views/nothing", "/v1/tables/%00/views/public", "/v1/tables/t1/views/"]
)
async def test_paths_that_are_none(path: str) -> None:
    answer = await Studio().get("all", path)
    assert 400 <= answer.status_code < 500
    assert set(answer.json()) == {"code", "text"}
