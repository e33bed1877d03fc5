"""A whole studio, measured while it is used: a card's last byte to its commit, and to the dealer's screen.

The studio and its server run in this process as they do under ``studio serve``, with an observer that keeps every
time. Around it, as programs of their own: a simulated shoe on a pseudo-terminal with a simulated dealer, seven
automated players, clients that only look, and a browser with the dealer's console. Modules of other packages are
names on a command line here, never imports.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final

from fastapi import FastAPI

from studio.app import StudioServer, run_studio
from studio.bench.browser import browser_command
from studio.bench.folder import CUT_POSITION, SEATS, SHOE_SERIAL, TABLE, BenchFolder
from studio.bench.programs import ProgramEndedError, RunningProgram, running
from studio.bench.samples import Samples
from studio.ports.observer import Observer

WATCHERS: Final = 20
SECONDS_PER_CARD: Final = 0.35
"""The dealer's pace; two equal readings within 250 ms are taken for one card."""
_LOOPBACK: Final = "127.0.0.1"
_PLAYERS_PACE: Final = 10.0
_CONNECT_SECONDS: Final = 60.0
_CARD_SECONDS: Final = 60.0
"""After this long without a card the table is stuck, whatever it waits for."""
_LAST_PAINT_SECONDS: Final = 1.0
_LOOK_SECONDS: Final = 0.1
_CARDS_PER_LINE: Final = 25


class BenchError(RuntimeError):
    """The measurement could not be made; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class LiveFigures:
    """Seconds of each card: to its commit, to its paint (none without a browser), and in the bare loop beside.

    ``anomalies`` name what went wrong meanwhile.
    """

    commit_seconds: Sequence[float]
    paint_seconds: Sequence[float]
    bare_seconds: Sequence[float]
    anomalies: Sequence[str]


async def measure_live(
    folder: BenchFolder, cards: int, *, browser: str | None, say: Callable[[str], None]
) -> LiveFigures:
    """Run the studio until ``cards`` were committed; ``browser`` is a Chromium, ``say`` takes lines of progress.

    Raises :class:`BenchError` when a program ends or nothing is dealt any more.
    """
    kept: list[Samples] = []

    def on_card(count: int) -> None:
        if count % _CARDS_PER_LINE == 0:
            say(f"{count} of {cards} cards")

    def observed_by(metrics: Observer) -> Observer:
        kept.append(Samples(cards, metrics, on_card))
        return kept[0]

    async with AsyncExitStack() as stack:
        listener = stack.enter_context(socket.create_server((_LOOPBACK, 0)))
        url = f"http://{_LOOPBACK}:{listener.getsockname()[1]}"
        studio = await stack.enter_async_context(run_studio(folder.settings, observed_by))
        (samples,) = kept
        server = StudioServer(folder.settings.studio, studio.application)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        stack.push_async_callback(_stop_server, server, serving)
        say(f"starting {len(SEATS)} players, {WATCHERS} other clients{' and the browser' if browser else ''}")
        programs = await _start_clients(stack, folder, url, browser)
        expected = len(SEATS) + WATCHERS + (browser is not None)
        await _or_fail(programs, serving, _connected(studio.application, expected))
        say("starting the shoe and the dealer")
        bare = await stack.enter_async_context(running("bare-loop", _bare_loop(folder), folder.path))
        table = await stack.enter_async_context(running("table", _table(folder, url), folder.path, _token()))
        programs += (bare, table)
        await _or_fail(programs, serving, _dealt(samples))
        await asyncio.sleep(_LAST_PAINT_SECONDS if browser else 0)
    bare_seconds = [float(line) for line in bare.log.read_text(encoding="ascii").splitlines()]
    return LiveFigures(samples.commit_seconds, samples.paint_seconds, bare_seconds, samples.anomalies)


async def _start_clients(
    stack: AsyncExitStack, folder: BenchFolder, url: str, browser: str | None
) -> list[RunningProgram]:
    common = ("--url", url, "--table", TABLE)
    watch = (
        "-m",
        "studio.players.watch",
        *common,
        "--token-file",
        str(folder.watcher),
        "--clients",
        str(WATCHERS),
    )
    play = ("-m", "studio.players", *common, "--people", str(folder.players), "--pace", str(_PLAYERS_PACE))
    commands: dict[str, tuple[str, ...]] = {
        "watchers": (sys.executable, *watch),
        "players": (sys.executable, *play),
    }
    if browser is not None:
        # The token is in the fragment, which is never sent; it lives as long as this run.
        page = f"{url}/dealer#table={TABLE}&token={folder.dealer_token}"
        commands["browser"] = browser_command(browser, page, folder.path / "browser")
    return [
        await stack.enter_async_context(running(name, command, folder.path)) for name, command in commands.items()
    ]


def _bare_loop(folder: BenchFolder) -> tuple[str, ...]:
    database = str(folder.path / "bare-beside.sqlite")
    return (
        *(sys.executable, "-m", "studio.bench.bare_loop", "--database", database),
        *("--pause-seconds", str(SECONDS_PER_CARD)),
    )


def _table(folder: BenchFolder, url: str) -> tuple[str, ...]:
    return (
        *(sys.executable, "-m", "hardware_sim.dealt_table", "--studio", url, "--table", TABLE),
        *("--dealer-token-file", str(folder.dealer), "--link", str(folder.shoe_port)),
        *("--serial", SHOE_SERIAL, "--cut-position", str(CUT_POSITION)),
        *("--seconds-per-card", str(SECONDS_PER_CARD)),
    )


def _token() -> dict[str, str]:
    return {"HARDWARE_SIM_TOKEN": secrets.token_urlsafe(24)}


async def _connected(application: FastAPI, clients: int) -> None:
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            while application.state.feed.clients < clients:  # noqa: ASYNC110 - the feed tells nobody who comes
                await asyncio.sleep(_LOOK_SECONDS)
    except TimeoutError as error:
        message = (
            f"only {application.state.feed.clients} of {clients} clients came within {_CONNECT_SECONDS:g} s: "
            "try again, or leave the browser out with --no-browser"
        )
        raise BenchError(message) from error


async def _dealt(samples: Samples) -> None:
    """Wait until enough cards were committed."""
    count = -1
    while not samples.enough.is_set():
        if len(samples.commit_seconds) == count:
            message = (
                f"no card came for {_CARD_SECONDS:g} s after {count}; incidents: {samples.anomalies or 'none'}"
            )
            raise BenchError(message)
        count = len(samples.commit_seconds)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CARD_SECONDS):
                await samples.enough.wait()


async def _or_fail(
    programs: Sequence[RunningProgram], serving: asyncio.Task[None], wanted: Awaitable[None]
) -> None:
    """Wait for ``wanted``, unless a program or the server ends before."""
    wanting = asyncio.ensure_future(wanted)
    ends = [asyncio.ensure_future(program.raise_when_ended()) for program in programs]
    try:
        await asyncio.wait([wanting, serving, *ends], return_when=asyncio.FIRST_COMPLETED)
        for ended in ends:
            if ended.done():
                await ended
        if not wanting.done():
            message = "the server was stopped"
            raise BenchError(message)
        await wanting
    except ProgramEndedError as error:
        raise BenchError(str(error)) from error
    finally:
        for task in (wanting, *ends):
            task.cancel()
        await asyncio.gather(wanting, *ends, return_exceptions=True)


async def _stop_server(server: StudioServer, serving: asyncio.Task[None]) -> None:
    server.stop()
    await serving
