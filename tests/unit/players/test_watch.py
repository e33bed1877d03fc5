"""Clients that only look: as many as wanted, by the token of a file."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from support.studio_api import TOKEN, studio_stub

from studio.players.client import NotLetInError
from studio.players.watch import main, watch


async def start(url: str, token_file: Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "studio.players.watch", "--url", url, "--table", "t1", "--clients", "3"),
        *("--token-file", str(token_file)),
        stderr=asyncio.subprocess.PIPE,
    )


async def test_as_many_look_as_are_wanted() -> None:
    async with studio_stub() as studio:
        studio.show("tables/t1/public", {})
        watching = asyncio.create_task(watch(studio.url, "t1", TOKEN, 3))
        await studio.wait_for_connections(3)
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
    assert studio.connections == 3
    assert studio.posts == []


async def test_those_that_are_not_let_in_end_it() -> None:
    async with studio_stub() as studio:
        with pytest.RaisesGroup(NotLetInError):
            await watch(studio.url, "t1", "not-" + TOKEN, 1)


async def test_the_program_looks_until_it_is_stopped(tmp_path: Path) -> None:
    token_file = tmp_path / "token"
    token_file.write_text(TOKEN + "\n")
    async with studio_stub() as studio:
        studio.show("tables/t1/public", {})
        process = await start(studio.url, token_file)
        await studio.wait_for_connections(3)
        process.terminate()
        assert await process.wait() == 0


async def test_the_program_says_why_it_is_not_let_in(tmp_path: Path) -> None:
    token_file = tmp_path / "token"
    token_file.write_text("unknown")
    async with studio_stub() as studio:
        process = await start(studio.url, token_file)
        _, said = await process.communicate()
    assert process.returncode == 2
    assert b"watch: the feed refused the token" in said


def test_without_a_token_it_says_what_to_give(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--url", "http://127.0.0.1:1", "--table", "t1", "--token-file", str(tmp_path / "none")]
    assert main(arguments) == 2
    assert "give a file with the token alone" in capsys.readouterr().err
