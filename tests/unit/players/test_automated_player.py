"""An automated player against a small server: bets, insurance, decisions, and what it leaves alone."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
from support.studio_api import TOKEN, Post, StudioStub, studio_stub

from studio.players.client import ApiClient
from studio.players.place import Habits, Place
from studio.players.player import AutomatedPlayer
from studio.players.strategies import play_normal

PUBLIC = "tables/t1/public"
PRIVATE = "tables/t1/player"
View = dict[str, Any]


def public(phase: str, *, table_round: int = 1, stopped: bool = False, cards: str = "", upcard: str = "") -> View:
    hands = [{"number": 1, "cards": cards.split()}] if cards else []
    return {
        "phase": phase,
        "round": table_round,
        "stopped": stopped,
        "start": "countdown",
        "deadline_wall_ns": 1_000_000_000,
        "minimum": 500,
        "maximum": 5000,
        "seats": [{"seat": 3, "holder": "player-3", "hands": hands}, {"seat": 5, "holder": "", "hands": []}],
        "side_bets": [{"kind": "pair", "open": True}],
        "dealer_hand": {"cards": [upcard] if upcard else []},
    }


def private(*questions: dict[str, Any], balance: int = 100_000) -> dict[str, Any]:
    following = {"double": None, "split": None}
    return {
        "player": "player-3",
        "balance": balance,
        "seats": [3],
        "questions": list(questions),
        "following": following,
    }


def decision(number: int, *actions: str) -> dict[str, Any]:
    return {"kind": "decision", "decision": number, "seat": 3, "hand": 1, "actions": list(actions)}


INSURANCE = {"kind": "insurance", "decision": 0, "seat": 3, "hand": 0, "actions": ["insurance", "no-insurance"]}


@pytest.fixture
async def studio() -> AsyncIterator[StudioStub]:
    async with studio_stub() as stub:
        stub.show(PRIVATE, private())
        yield stub


@contextlib.asynccontextmanager
async def playing(studio: StudioStub, seat: int = 3, **habits: Any) -> AsyncIterator[None]:
    async with ApiClient(studio.url, TOKEN, repeat_pauses_seconds=(0.01, 0.01)) as api:
        place = Place("t1", seat, play_normal, seed=1, pace=100.0, habits=Habits(**habits))
        player = AutomatedPlayer(api, place)
        task = asyncio.create_task(player.run())
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


def bet_of(post: Post) -> dict[str, Any]:
    (bet,) = post.body["bets"]
    assert isinstance(bet, dict)
    return bet


async def test_it_bets_on_its_seat_once_a_round_within_the_limits(studio: StudioStub) -> None:
    studio.show(PUBLIC, public("betting"))
    async with playing(studio):
        await studio.wait_for_posts(1)
        studio.show(PUBLIC, public("betting"))
        studio.show(PUBLIC, public("betting", table_round=2))
        posts = await studio.wait_for_posts(2)
    assert [post.path for post in posts] == ["tables/t1/bets"] * 2
    for bet in map(bet_of, posts):
        assert (bet["seat"], bet["kind"]) == (3, "main")
        assert 500 <= bet["amount"] <= 5000
        assert bet["amount"] % 500 == 0


async def test_it_bets_the_minimum_when_it_has_no_more(studio: StudioStub) -> None:
    studio.show(PRIVATE, private(balance=600))
    studio.show(PUBLIC, public("betting"))
    async with playing(studio):
        (post,) = await studio.wait_for_posts(1)
    assert bet_of(post)["amount"] == 500


async def test_it_decides_by_its_strategy(studio: StudioStub) -> None:
    studio.show(PRIVATE, private(decision(4, "hit", "stand", "split")))
    studio.show(PUBLIC, public("decisions", cards="8S 8H", upcard="AD"))
    async with playing(studio):
        (post,) = await studio.wait_for_posts(1)
    assert post.path == "tables/t1/decisions"
    assert post.body == {"decision": 4, "action": "split"}


async def test_on_a_line_of_the_shared_hand_it_decides_by_the_lines_cards(studio: StudioStub) -> None:
    shared = public("decisions", upcard="6D")
    lines = [{"number": 1, "cards": ["8S", "8H"]}, {"number": 3, "cards": ["8H", "3D"]}]
    shared["seats"] = [{"seat": 1, "holder": "", "hands": lines}]
    studio.show(PRIVATE, private(decision(7, "hit", "stand", "double") | {"seat": 1, "hand": 3}))
    studio.show(PUBLIC, shared)
    async with playing(studio, 1):
        (post,) = await studio.wait_for_posts(1)
    assert post.body == {"decision": 7, "action": "double"}


async def test_with_two_seats_it_takes_the_second_and_leaves_the_mirroring_to_the_table(
    studio: StudioStub,
) -> None:
    studio.show(PUBLIC, public("betting"))
    async with playing(studio, second_seat=4):
        taken, bet = await studio.wait_for_posts(2)
    assert (taken.path, taken.body) == ("tables/t1/seats", {"seat": 4, "action": "take"})
    assert (bet.path, bet_of(bet)["seat"]) == ("tables/t1/bets", 3)


async def test_it_bets_behind_once_the_seat_is_held_and_sets_its_standing_answers_first(
    studio: StudioStub,
) -> None:
    nobody = public("betting")
    nobody["seats"] = [{"seat": 3, "holder": "", "hands": []}]
    studio.show(PUBLIC, nobody)
    async with playing(studio, 0, behind=(3,), follow_double=True):
        await studio.wait_for_connections(1)
        studio.show(PUBLIC, public("betting"))
        following, bet = await studio.wait_for_posts(2)
    assert (following.path, following.body) == ("tables/t1/following", {"double": True, "split": None})
    assert (bet.path, bet_of(bet)["seat"], bet_of(bet)["kind"]) == ("tables/t1/bets", 3, "behind")


async def test_asked_whether_to_follow_it_follows_where_the_balance_covers_it(studio: StudioStub) -> None:
    double = {"kind": "follow-double", "decision": 0, "seat": 5, "hand": 1, "actions": ["follow", "do-not-follow"]}
    split = {"kind": "follow-split", "decision": 0, "seat": 3, "hand": 2, "actions": ["do-not-follow"]}
    studio.show(PRIVATE, private(double, split))
    studio.show(PUBLIC, public("decisions"))
    async with playing(studio, 0):
        posts = await studio.wait_for_posts(2)
    assert {post.path for post in posts} == {"tables/t1/follow"}
    assert sorted((post.body["seat"], post.body["hand"], post.body["follow"]) for post in posts) == [
        (3, 2, False),
        (5, 1, True),
    ]


async def test_with_the_habit_it_insures_where_that_is_offered(studio: StudioStub) -> None:
    studio.show(PRIVATE, private(INSURANCE))
    studio.show(PUBLIC, public("insurance", cards="8S 8H", upcard="AD"))
    async with playing(studio, insures=True):
        (post,) = await studio.wait_for_posts(1)
    assert post.body == {"seat": 3, "take": True}


async def test_by_itself_it_never_insures_but_says_so(studio: StudioStub) -> None:
    studio.show(PRIVATE, private(INSURANCE))
    studio.show(PUBLIC, public("insurance", cards="8S 8H", upcard="AD"))
    async with playing(studio):
        (post,) = await studio.wait_for_posts(1)
    assert post.path == "tables/t1/insurance"
    assert post.body == {"seat": 3, "take": False}


async def test_a_question_refused_by_a_stop_is_answered_when_the_table_goes_on(studio: StudioStub) -> None:
    studio.answers = [(409, {"code": "table-stopped", "text": "Wait."})]
    studio.show(PRIVATE, private(decision(4, "hit", "stand")))
    studio.show(PUBLIC, public("decisions", cards="TS 6H", upcard="TD"))
    async with playing(studio):
        await studio.wait_for_posts(1)
        # Two views: the player may still be taking in the refusal when the first one comes.
        studio.show(PUBLIC, public("decisions", stopped=True, cards="TS 6H", upcard="TD"))
        await asyncio.sleep(0.05)
        studio.show(PUBLIC, public("decisions", cards="TS 6H", upcard="TD"))
        posts = await studio.wait_for_posts(2)
    assert posts[0].body == posts[1].body == {"decision": 4, "action": "hit"}
    assert posts[0].key != posts[1].key


async def test_it_leaves_a_stopped_table_alone(studio: StudioStub) -> None:
    studio.show(PRIVATE, private(decision(4, "hit", "stand")))
    studio.show(PUBLIC, public("decisions", stopped=True, cards="TS 6H", upcard="TD"))
    async with playing(studio):
        await studio.wait_for_connections(1)
        await asyncio.sleep(0.05)
        studio.show(PUBLIC, public("betting", table_round=2))
        posts = await studio.wait_for_posts(1)
    assert [post.path for post in posts] == ["tables/t1/bets"]


async def test_it_plays_on_after_the_server_was_away(studio: StudioStub) -> None:
    studio.show(PUBLIC, public("betting"))
    async with playing(studio):
        await studio.wait_for_posts(1)
        studio.close_feeds()
        await studio.wait_for_connections(2)
        studio.show(PUBLIC, public("betting", table_round=2))
        assert len(await studio.wait_for_posts(2)) == 2
