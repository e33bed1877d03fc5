"""The players' client against a small server: safe repeats, and a feed that survives the server."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from support.studio_api import TOKEN, StudioStub, studio_stub

from studio.players.client import ApiClient, NotLetInError, UnreachableError

PAUSES = (0.01, 0.01, 0.01)


@pytest.fixture
async def studio() -> AsyncIterator[StudioStub]:
    async with studio_stub() as stub:
        yield stub


async def test_a_command_that_was_not_recorded_is_sent_again_under_the_same_key(studio: StudioStub) -> None:
    studio.answers = [(503, {"code": "not-recorded"}), (200, {"sequence": 7})]
    async with ApiClient(studio.url, TOKEN, repeat_pauses_seconds=PAUSES) as api:
        answer = await api.post("/tables/t1/bets", {"bets": []})
    assert answer.is_success
    assert answer.body == {"sequence": 7}
    first, second = studio.posts
    assert first == second


async def test_two_commands_have_two_keys(studio: StudioStub) -> None:
    async with ApiClient(studio.url, TOKEN) as api:
        await api.post("/tables/t1/bets", {"bets": []})
        await api.post("/tables/t1/bets", {"bets": []})
    assert studio.posts[0].key != studio.posts[1].key


async def test_a_command_whose_answer_was_lost_is_sent_again_under_the_same_key() -> None:
    keys: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        keys.extend(line.partition(": ")[2] for line in head.split("\r\n") if line.startswith("idempotency-key"))
        if len(keys) > 1:
            body = json.dumps({"sequence": 1})
            writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
            await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with ApiClient(f"http://127.0.0.1:{port}", TOKEN, repeat_pauses_seconds=PAUSES) as api:
            assert (await api.post("/tables/t1/decisions", {})).is_success
    assert len(keys) == 2
    assert keys[0] == keys[1]


async def test_a_refusal_is_an_answer_and_not_repeated(studio: StudioStub) -> None:
    studio.answers = [(409, {"code": "decision-late", "text": "Too late."})]
    async with ApiClient(studio.url, TOKEN) as api:
        answer = await api.post("/tables/t1/decisions", {"decision": 1, "action": "hit"})
    assert not answer.is_success
    assert answer.code == "decision-late"
    assert len(studio.posts) == 1


async def test_a_server_that_never_answers_is_an_error_that_says_where() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    async with ApiClient(f"http://127.0.0.1:{port}", TOKEN, repeat_pauses_seconds=PAUSES) as api:
        with pytest.raises(UnreachableError, match=str(port)):
            await api.get("/me")


async def test_an_unknown_token_is_not_let_in(studio: StudioStub) -> None:
    studio.show("tables/t1/public", {})
    async with ApiClient(studio.url, "another", repeat_pauses_seconds=PAUSES) as api:
        with pytest.raises(NotLetInError, match="token"):
            await api.view("t1", "public")
        with pytest.raises(NotLetInError, match="token"):
            await anext(api.updates("tables/t1/public"))


async def test_a_view_or_topic_for_others_is_not_let_in(studio: StudioStub) -> None:
    async with ApiClient(studio.url, TOKEN, repeat_pauses_seconds=PAUSES) as api:
        with pytest.raises(NotLetInError, match="not for you"):
            await api.view("t1", "supervisor")
        with pytest.raises(NotLetInError, match="tables/t1/supervisor"):
            await anext(api.updates("tables/t1/supervisor"))


async def test_the_feed_comes_back_after_the_server_closed_it(studio: StudioStub) -> None:
    topic = "tables/t1/public"
    studio.show(topic, {"phase": "betting"})
    async with (
        ApiClient(studio.url, TOKEN, repeat_pauses_seconds=PAUSES) as api,
        aclosing(api.updates(topic)) as updates,
        asyncio.timeout(10),
    ):
        assert (await anext(updates)).view == {"phase": "betting"}
        studio.close_feeds()
        studio.show(topic, {"phase": "dealing"})
        while (update := await anext(updates)).view != {"phase": "dealing"}:
            pass
    assert update.sequence == 2
    assert studio.connections == 2


async def test_a_view_can_be_read_on_request(studio: StudioStub) -> None:
    studio.show("tables/t1/player", {"balance": 5})
    async with ApiClient(studio.url, TOKEN) as api:
        update = await api.view("t1", "player")
    assert (update.topic, update.sequence, update.view) == ("tables/t1/player", 1, {"balance": 5})
