"""The feed: whole views, newest only; who sees what; slow, gone and lost clients."""

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest
from web_fakes import BY_ROLE, Socket, SocketClosedError, Studio, settle, token_of

from studio.domain import projections
from studio.domain.instants import Instant
from studio.domain.people import Role
from studio.domain.table import Table
from studio.domain.views import TableView
from studio.web.feed import Patience
from studio.web.views import ROLES_THAT_SEE, Audience, Topic

DEALER = "tables/t1/dealer"
PUBLIC = "tables/t1/public"


async def code_of(socket: Socket) -> int:
    try:
        while True:
            await socket.hear()
    except SocketClosedError as closed:
        return closed.code


@pytest.mark.parametrize("role", BY_ROLE)
@pytest.mark.parametrize("audience", Audience)
async def test_every_role_and_topic(role: str, audience: Audience) -> None:
    studio = Studio()
    topic = f"tables/t1/{audience}"
    read = await studio.get(BY_ROLE[role], f"/v1/tables/t1/views/{audience}")
    async with studio.feed(BY_ROLE[role], topic) as socket:
        heard = await socket.hear()
        if Role(role) in ROLES_THAT_SEE[audience]:
            assert read.status_code == 200
            # Read again: the supervisor's panel says who has it open.
            assert heard == (await studio.get(BY_ROLE[role], f"/v1/tables/t1/views/{audience}")).json()
        else:
            assert (read.status_code, read.json()["code"]) == (403, "forbidden")
            assert (heard["refused"], heard["code"]) == (topic, "forbidden")
            assert studio.table.watchers == []


async def test_the_roles_that_see_are_those_of_the_contract() -> None:
    everybody = set(Role) - {Role.DEVICE, Role.SYSTEM}
    supervising = {Role.SUPERVISOR, Role.MANAGER}
    assert {
        Audience.PUBLIC: everybody,
        Audience.DEALER: supervising | {Role.DEALER, Role.TECHNICIAN, Role.AUDITOR},
        Audience.SUPERVISOR: supervising | {Role.AUDITOR},
        Audience.PLAYER: {Role.PLAYER},
    } == ROLES_THAT_SEE


@pytest.mark.parametrize(
    ("topic", "code"),
    [
        ("tables/t9/public", "unknown-table"),
        ("tables/t1/everything", "unknown-topic"),
        ("tables/t1", "unknown-topic"),
        ("tables/t1/public/more", "unknown-topic"),
        ("", "unknown-topic"),
        ('tables/"/public', "unknown-table"),
    ],
)
async def test_a_topic_that_is_none_is_refused_and_the_rest_goes_on(topic: str, code: str) -> None:
    studio = Studio()
    async with studio.feed("all", topic, PUBLIC) as socket:
        answers = [await socket.hear(), await socket.hear()]
    assert [answer.get("code") for answer in answers] == [code, None]
    assert answers[0]["refused"] == topic
    assert answers[1]["topic"] == PUBLIC


@pytest.mark.parametrize(
    "first",
    [
        {"token": "wrong"},
        {"token": ""},
        {"token": 7},
        {"token": None},
        {"token": token_of("dea"), "more": 1},
        {"subscribe": [PUBLIC]},
        [],
    ],
)
async def test_a_first_message_that_proves_nobody_closes(first: object) -> None:
    studio = Studio()
    async with Socket(studio.app) as socket:
        socket.say(first)
        socket.say({"subscribe": [PUBLIC]})
        assert await code_of(socket) == 4401
    assert studio.table.watchers == []


async def test_a_client_that_never_signs_in_is_closed() -> None:
    studio = Studio(patience=Patience(sign_in_seconds=0.01))
    async with Socket(studio.app) as socket:
        assert await code_of(socket) == 4401


async def test_a_client_that_goes_before_signing_in_is_forgotten() -> None:
    studio = Studio()
    async with Socket(studio.app):
        await settle()
        assert studio.app.state.feed.clients == 0
    assert studio.app.state.feed.clients == 0


async def test_changes_are_pushed_whole() -> None:
    studio = Studio()
    async with studio.feed("dea", DEALER) as socket:
        assert (await socket.hear())["sequence"] == 7
        studio.table.commit()
        heard = await socket.hear()
    assert heard["sequence"] == 8
    assert heard == (await studio.get("dea", "/v1/tables/t1/views/dealer")).json()


async def test_one_subscription_for_a_topic_that_is_asked_for_often() -> None:
    studio = Studio()
    async with studio.feed("dea", DEALER, DEALER, PUBLIC) as socket:
        socket.say({"subscribe": [DEALER]})
        await settle()
        assert len(studio.table.watchers) == 1
        studio.table.commit()
        await settle()
        heard = [(message["topic"], message["sequence"]) for message in socket.heard_so_far()]
    assert heard == [(DEALER, 7), (PUBLIC, 7), (DEALER, 8), (PUBLIC, 8)]


async def test_a_change_between_subscribing_and_the_first_view_is_not_lost() -> None:
    studio = Studio()
    async with studio.feed("dea") as socket:
        await settle()
        original = studio.table.watch

        def watch_and_commit(callback: Callable[[], None]) -> Callable[[], None]:
            stop = original(callback)
            studio.table.commit()
            return stop

        studio.table.watch = watch_and_commit  # type: ignore[method-assign]
        socket.say({"subscribe": [DEALER]})
        assert (await socket.hear())["sequence"] == 8


async def test_a_slow_client_gets_the_newest_only() -> None:
    studio = Studio()
    async with studio.feed("dea", DEALER) as slow, studio.feed("sup", DEALER) as quick:
        await slow.hear()
        await quick.hear()
        slow.stop_reading()
        for _ in range(100):
            studio.table.commit()
            await settle()
        assert [message["sequence"] for message in quick.heard_so_far()] == list(range(8, 108))
        assert list(slow.heard_so_far()) == []
        slow.read_again()
        await settle()
        # The one that was stuck on its way, then the newest; what lies between is nowhere.
        assert [message["sequence"] for message in slow.heard_so_far()] == [8, 107]


async def test_a_client_that_stays_stuck_is_closed() -> None:
    studio = Studio(patience=Patience(send_seconds=0.01))
    async with studio.feed("dea", DEALER) as socket:
        await socket.hear()
        socket.stop_reading()
        studio.table.commit()
        assert await code_of(socket) == 4408
        assert studio.table.watchers == []
        assert studio.app.state.feed.clients == 0


async def test_a_client_that_asks_and_does_not_read_is_not_read_from() -> None:
    studio = Studio()
    async with studio.feed("dea") as socket:
        socket.stop_reading()
        for _ in range(1000):
            socket.say({"subscribe": ["nonsense"]})
        await settle()
        assert socket.unread_by_server > 900
        socket.read_again()
        for _ in range(1000):
            assert (await socket.hear())["code"] == "unknown-topic"


async def test_twenty_reconnects_leave_one_subscriber_and_bring_the_newest() -> None:
    studio = Studio()
    for _ in range(20):
        async with studio.feed("dea", DEALER) as socket:
            assert (await socket.hear())["sequence"] == studio.table.sequence
        studio.table.commit()
    async with studio.feed("dea", DEALER) as socket:
        assert (await socket.hear())["sequence"] == 27
        assert len(studio.table.watchers) == 1
        assert studio.app.state.feed.subscribers(Topic("t1", Audience.DEALER)) == 1
        studio.table.commit()
        await settle()
        assert [message["sequence"] for message in socket.heard_so_far()] == [28]
    assert studio.table.watchers == []


async def test_heartbeats_carry_the_servers_time_each_second() -> None:
    studio = Studio()
    async with studio.feed("dea") as socket:
        for _ in range(3):
            await settle()
            studio.clock.advance(1)
            assert await socket.hear() == {"heartbeat": studio.clock.now().wall_ns}
        await settle()
        studio.clock.advance(0.5)
        await settle()
        assert list(socket.heard_so_far()) == []


async def test_a_clock_that_was_set_brings_views_with_new_deadlines() -> None:
    studio = Studio()
    async with studio.feed("dea", PUBLIC) as socket:
        await socket.hear()
        studio.clock.advance(1, wall_jump_seconds=-3600)
        assert "heartbeat" in await socket.hear()
        again = await socket.hear()
        assert (again["topic"], again["sequence"]) == (PUBLIC, 7)
        assert again["server_wall_ns"] == studio.clock.now().wall_ns


async def test_a_balance_that_changes_elsewhere_is_seen_within_a_second() -> None:
    studio = Studio()
    async with studio.feed("pam", "tables/t1/player") as pam, studio.feed("pat", "tables/t1/player") as pat:
        assert (await pam.hear())["view"]["balance"] == 0
        assert (await pat.hear())["view"]["player"] == "pat"
        studio.wallet.balances["player:pam"] = 900
        studio.clock.advance(1)
        await settle()
        assert [message["view"]["balance"] for message in pam.heard_so_far() if "view" in message] == [900]
        assert [message for message in pat.heard_so_far() if "view" in message] == []


async def test_painting_is_told_once_for_a_dealer_view_that_was_sent() -> None:
    studio = Studio()
    async with studio.feed("dea", DEALER, PUBLIC) as socket:
        await socket.hear()
        await socket.hear()
        for sequence in (7, 7, 6, 8):
            socket.say({"painted": {"topic": DEALER, "sequence": sequence}})
        await settle()
        assert studio.painted == [("t1", 7)]
        studio.table.commit()
        await settle()
        socket.say({"painted": {"topic": DEALER, "sequence": 8}})
        await settle()
        assert studio.painted == [("t1", 7), ("t1", 8)]


@pytest.mark.parametrize("topic", [PUBLIC, "tables/t9/dealer", "tables/t1/supervisor", "nonsense"])
async def test_painting_anything_else_is_refused(topic: str) -> None:
    studio = Studio()
    async with studio.feed("dea", PUBLIC) as socket:
        await socket.hear()
        socket.say({"painted": {"topic": topic, "sequence": 7}})
        assert (await socket.hear())["code"] in {"not-subscribed", "unknown-topic"}
    assert studio.painted == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "NaN",
        '"tables/t1/public"',
        '{"subscribe": "tables/t1/public"}',
        '{"subscribe": [1]}',
        '{"painted": {"topic": "tables/t1/dealer", "sequence": 1e400}}',
        '{"token": "again"}',
        "[" * 60_000,
        '{"subscribe": ["\\ud800"]}',
    ],
)
async def test_a_malformed_message_is_answered_and_changes_nothing(text: str) -> None:
    studio = Studio()
    async with studio.feed("dea") as socket:
        socket.say_text(text)
        assert (await socket.hear())["code"] in {"malformed", "unknown-topic"}
        socket.say_bytes(b"\xff")
        assert (await socket.hear())["code"] == "malformed"
        socket.say({"subscribe": [PUBLIC]})
        assert (await socket.hear())["topic"] == PUBLIC


async def test_a_message_too_big_closes() -> None:
    studio = Studio()
    async with studio.feed("dea") as socket:
        socket.say({"subscribe": ["x" * 70_000]})
        assert await code_of(socket) == 1009
    async with Socket(studio.app) as socket:
        socket.say({"token": "x" * 70_000})
        assert await code_of(socket) == 1009


async def test_a_shutdown_closes_everybody_with_1012() -> None:
    studio = Studio()
    async with (
        studio.feed("dea", DEALER) as one,
        studio.feed("pam", PUBLIC) as two,
        Socket(studio.app) as stranger,
    ):
        await one.hear()
        await two.hear()
        async with studio.app.router.lifespan_context(studio.app):
            pass
        assert [await code_of(socket) for socket in (one, two, stranger)] == [1012, 1012, 1012]
        async with studio.feed("dea") as late:
            assert await code_of(late) == 1012
    assert studio.table.watchers == []


async def test_a_shutdown_does_not_wait_for_a_stuck_client() -> None:
    studio = Studio(patience=Patience(close_seconds=0.01))
    async with studio.feed("dea", DEALER) as socket:
        await socket.hear()
        socket.stop_reading()
        studio.table.commit()
        await settle()
        studio.app.state.feed.stop()
        assert await code_of(socket) == 1012


async def test_a_client_that_takes_not_even_a_close_is_given_up() -> None:
    studio = Studio(patience=Patience(send_seconds=0.01, close_seconds=0.01))
    async with studio.feed("dea", DEALER) as socket:
        await socket.hear()
        socket.stop_reading(even_a_close=True)
        studio.table.commit()
        await socket.served_out()
        assert studio.table.watchers == []


async def test_a_client_that_vanished_is_found_out_and_forgotten() -> None:
    studio = Studio()
    async with studio.feed("dea", DEALER) as socket:
        await socket.hear()
        socket.vanish()
        studio.table.commit()
        await socket.served_out()
        assert studio.table.watchers == []
        assert studio.app.state.feed.clients == 0


async def test_a_fault_closes_that_client_alone(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio = Studio()
    async with studio.feed("pam", PUBLIC) as other, studio.feed("dea", DEALER) as socket:
        await other.hear()
        await socket.hear()

        def fail(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr("studio.domain.projections.dealer_view", fail)
        with caplog.at_level(logging.ERROR):
            studio.table.commit()
            assert await code_of(socket) == 1011
        assert (await other.hear())["sequence"] == 8
    assert "a feed failed" in caplog.text


async def test_a_view_is_made_once_for_all_who_look(monkeypatch: pytest.MonkeyPatch) -> None:
    studio = Studio()
    made: list[int] = []
    project = projections.table_view

    def count(table: Table, now: Instant) -> TableView:
        made.append(studio.table.sequence)
        return project(table, now)

    monkeypatch.setattr(projections, "table_view", count)
    async with studio.feed("dea", PUBLIC) as one, studio.feed("pam", PUBLIC) as two:
        await one.hear()
        await two.hear()
        studio.table.commit()
        assert await one.hear() == await two.hear()
    assert made == [7, 8]
