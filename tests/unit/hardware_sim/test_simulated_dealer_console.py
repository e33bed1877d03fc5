"""The simulated dealer's console against a small server: newest view, off line, and buttons pressed once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from support.studio_api import TOKEN, StudioStub, studio_stub

from hardware_sim.dealer_console import ConsoleRefusedError, DealerConsole, Pressed

TOPIC = "tables/t1/dealer"
PAUSES = (0.01, 0.01, 0.01)


@pytest.fixture
async def studio() -> AsyncIterator[StudioStub]:
    async with studio_stub() as stub:
        stub.show(TOPIC, {"n": 1})
        yield stub


@pytest.fixture
async def console(studio: StudioStub) -> AsyncIterator[DealerConsole]:
    async with contextlib.aclosing(DealerConsole(studio.url, "t1", TOKEN, retry_pauses_seconds=PAUSES)) as console:
        following = asyncio.create_task(console.follow())
        yield console
        following.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await following


async def seen(console: DealerConsole, n: int) -> None:
    async with asyncio.timeout(10):
        while (newest := console.newest) is None or newest.view != {"n": n}:
            await console.wait_moved(newest, 10)


async def test_it_shows_the_newest_view(studio: StudioStub, console: DealerConsole) -> None:
    await seen(console, 1)
    studio.show(TOPIC, {"n": 2})
    await seen(console, 2)


async def test_it_shows_nothing_while_off_line_and_comes_back(studio: StudioStub, console: DealerConsole) -> None:
    await seen(console, 1)
    glance = console.newest
    studio.close_feeds()
    await console.wait_moved(glance, 10)
    assert console.newest is None
    await seen(console, 1)
    assert studio.connections == 2


async def test_a_lost_view_can_be_read_on_request(studio: StudioStub) -> None:
    console = DealerConsole(studio.url, "t1", TOKEN)
    async with contextlib.aclosing(console):
        await console.look_again()
        assert console.newest is None
        console._on_message({"sequence": 0, "view": {"n": 0}})
        await console.look_again()
        await seen(console, 1)


async def test_a_wait_for_a_view_ends_by_itself(console: DealerConsole) -> None:
    await seen(console, 1)
    glance = console.newest
    await console.wait_moved(glance, 0.01)
    assert console.newest is glance


async def test_a_button_whose_command_was_not_recorded_is_pressed_again_under_the_same_key(
    studio: StudioStub, console: DealerConsole
) -> None:
    studio.answers = [(503, {"code": "not-recorded"}), (200, {"sequence": 9})]
    assert await console.press("open-betting", {}) == Pressed(is_done=True, sequence=9)
    first, second = studio.posts
    assert first == second
    assert first.path == "tables/t1/commands"
    assert first.body == {"command": "open-betting", "arguments": {}}


async def test_a_button_says_on_which_view_it_was_decided(studio: StudioStub, console: DealerConsole) -> None:
    """A supervisor's command is refused without (S4)."""
    studio.answers = [(200, {"sequence": 9})]
    await console.press("sign-count", {}, seen_sequence=8)
    (post,) = studio.posts
    assert post.body == {"command": "sign-count", "arguments": {}, "seen_sequence": 8}


async def test_a_refused_button_says_why(studio: StudioStub, console: DealerConsole) -> None:
    studio.answers = [(409, {"code": "burn-owed", "text": "Finish the burn first."})]
    assert await console.press("open-betting", {}) == Pressed(is_done=False, code="burn-owed")
    assert len(studio.posts) == 1


async def test_a_button_that_nobody_answers_is_not_done(studio: StudioStub) -> None:
    studio.answers = [(503, {"code": "not-recorded"})] * 3
    async with contextlib.aclosing(DealerConsole(studio.url, "t1", TOKEN, retry_pauses_seconds=PAUSES)) as console:
        assert await console.press("open-betting", {}) == Pressed(is_done=False, code="no-answer")


@pytest.mark.parametrize(("table", "token"), [("t1", "another"), ("t2", TOKEN)])
async def test_a_dealer_who_is_not_let_in_learns_it(studio: StudioStub, table: str, token: str) -> None:
    async with contextlib.aclosing(DealerConsole(studio.url, table, token)) as console, asyncio.timeout(10):
        with pytest.raises(ConsoleRefusedError, match="refuses"):
            await console.follow()


async def test_an_unknown_token_presses_nothing(studio: StudioStub) -> None:
    studio.answers = [(401, {"code": "unknown-token"})]
    async with contextlib.aclosing(DealerConsole(studio.url, "t1", "another")) as console:
        with pytest.raises(ConsoleRefusedError, match="token"):
            await console.press("open-betting", {})
