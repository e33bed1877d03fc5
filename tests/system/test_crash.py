"""kill -9 again and again: nothing that anybody was told, and no card, may be lost or doubled (system.md 5).

Real processes: the server, and the simulated shoe with its simulated dealer; the players are clients in this one.
``STUDIO_KILLS=100 pytest tests/system/test_crash.py`` is the long form; ``STUDIO_SEED`` chooses another course.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from support.journal_audit import check_acknowledged, check_answers, check_cards, check_money, incidents, read_book
from support.noting_client import RETRY_PAUSES_SECONDS, Asked, NotingClient
from support.noting_table import arm, read_notes
from support.processes import Running, control_client, start_server, start_table, wait_until_healthy
from support.studio_folder import SUPERVISOR, TABLE, StudioFolder, make_studio_folder
from support.supervisor import AutomatedSupervisor

from studio.players.client import ApiClient
from studio.players.player import AutomatedPlayer, Place
from studio.players.strategies import STRATEGIES

KILLS = int(os.environ.get("STUDIO_KILLS", "5"))
SEED = int(os.environ.get("STUDIO_SEED", "1"))
_PLAYERS = {"anna": "normal", "ben": "easy", "cleo": "normal"}
_PLAYERS_PACE = 20.0
_VOID_SHARE = 0.2
_EVENTS_BETWEEN_KILLS = (1, 50)
_MOMENTS = ("moved", "told", "sent", "acknowledged", "starting")
"""When the server is killed, each once in five times: after an event, when it accepted a player's command, about
when the shoe sent a card, when the shoe was told that its card is safe, and while it starts."""
_COMMIT_SECONDS = 0.03
"""About as long as it takes from a card's bytes to its commit, and more."""
_PROGRESS_SECONDS = 60.0


class Watch:
    """What the public view says of the table, across restarts."""

    def __init__(self, api: ApiClient) -> None:
        self._api = api
        self._moved = asyncio.Condition()
        self.sequence = 0
        self.round = 0

    async def run(self) -> None:
        async with aclosing(self._api.updates(f"tables/{TABLE}/public")) as updates:
            async for update in updates:
                async with self._moved:
                    self.sequence, self.round = update.sequence, update.view["round"]
                    self._moved.notify_all()

    async def wait_for(self, *, sequence: int = 0, round_: int = 0) -> None:
        async with asyncio.timeout(_PROGRESS_SECONDS), self._moved:
            await self._moved.wait_for(lambda: self.sequence >= sequence and self.round >= round_)


class Campaign:
    """A studio that is killed while it is played at."""

    def __init__(
        self, folder: StudioFolder, watch: Watch, notes: Path, clients: Sequence[NotingClient], table: Running
    ) -> None:
        self._folder = folder
        self._notes = notes
        self._watch = watch
        self._clients = clients
        self._table = table
        self._server: Running
        self._chance = random.Random(f"{SEED}/kills")  # noqa: S311 - reproducible
        self._told = asyncio.Event()
        self._due: list[str] = []

    async def start(self) -> None:
        """Start the server, on a slow disk."""
        self._server = await start_server(self._folder, module="support.slow_disk")

    def on_success(self) -> None:
        """A player was told that a command is accepted."""
        self._told.set()

    async def kill_and_restart(self) -> None:
        """Kill the server a random number of events after the last start, and see what the crash has left."""
        chance = self._chance
        self._due = self._due or chance.sample(_MOMENTS, len(_MOMENTS))
        moment = self._due.pop()
        if moment == "starting":
            await asyncio.sleep(chance.uniform(0.1, 2.5))
        else:
            await wait_until_healthy(self._folder, self._server)
            await self._watch.wait_for(sequence=self._watch.sequence + chance.randint(*_EVENTS_BETWEEN_KILLS))
            async with asyncio.timeout(_PROGRESS_SECONDS):
                await self._wait_for(moment)
        await self._server.kill()
        if self._watch.sequence:
            self._audit_what_is_left()
        await self.start()

    def _audit_what_is_left(self) -> None:
        """Durable before shown, acknowledged, answered or paid: the journal has everything that anybody knows."""
        book = read_book(self._folder)
        assert self._watch.sequence <= len(book.recorded), "a view was shown before its event was on disk"
        check_acknowledged(book, read_notes(self._notes))
        check_answers(book, self.asked)
        check_money(book)

    @property
    def asked(self) -> list[Asked]:
        """Everything that the players have asked for."""
        return [one for client in self._clients for one in client.asked]

    async def _wait_for(self, moment: str) -> None:
        delay_seconds = self._chance.uniform(0, _COMMIT_SECONDS)
        match moment:
            case "told":
                self._told.clear()
                await self._told.wait()
            case "sent":
                arm(self._notes, "sent", self._server.pid, delay_seconds)
                await self._server.wait()
            case "acknowledged":
                arm(self._notes, "acknowledged", self._server.pid, 0)
                await self._server.wait()
            case _:
                await asyncio.sleep(delay_seconds)

    async def finish(self) -> None:
        """See that the table still deals, let the dealer come to rest, and stop the server."""
        await self._watch.wait_for(sequence=self._watch.sequence + 1)
        await self._watch.wait_for(round_=self._watch.round + 2)
        async with control_client(self._table) as control:
            (await control.post("/pause")).raise_for_status()
        async with asyncio.timeout(_PROGRESS_SECONDS):
            while _unacknowledged(self._notes):  # noqa: ASYNC110 - another process writes them
                await asyncio.sleep(0.05)
        assert await self._server.stop() == 0

    async def stop(self) -> None:
        """End the server, however it stands."""
        await self._server.kill()


def _unacknowledged(notes: Path) -> bool:
    found = read_notes(notes)
    taken_over = {(note.type, note.load, note.ordinal) for note in found if note.what == "acknowledged"}
    return any((note.type, note.load, note.ordinal) not in taken_over for note in found)


@asynccontextmanager
async def _running(*jobs: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(job) for job in jobs]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task


@pytest.mark.timeout(120 + 30 * KILLS)
async def test_no_crash_loses_or_doubles_a_card_a_bet_or_a_cent(tmp_path: Path) -> None:
    folder = make_studio_folder(tmp_path / "studio", *_PLAYERS)
    notes = tmp_path / "notes.jsonl"
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(NotingClient(folder.url, folder.token(name), name))
            for name in _PLAYERS
        ]
        supervisors = await stack.enter_async_context(
            NotingClient(folder.url, folder.token(SUPERVISOR), SUPERVISOR)
        )
        seen_by = await stack.enter_async_context(
            ApiClient(folder.url, folder.token("anna"), repeat_pauses_seconds=RETRY_PAUSES_SECONDS)
        )
        watch = Watch(seen_by)
        supervisor = AutomatedSupervisor(supervisors, TABLE, seed=SEED, void_share=_VOID_SHARE)
        players = [
            AutomatedPlayer(api, Place(TABLE, seat, STRATEGIES[strategy], SEED, _PLAYERS_PACE))
            for seat, (api, strategy) in enumerate(zip(clients, _PLAYERS.values(), strict=True), start=1)
        ]
        table = await start_table(folder, seed=SEED, notes=notes)
        stack.push_async_callback(table.stop)
        campaign = Campaign(folder, watch, notes, clients, table)
        await campaign.start()
        stack.push_async_callback(campaign.stop)
        for api in clients:
            api.on_success = campaign.on_success
        async with _running(watch.run(), supervisor.run(), *(player.run() for player in players)):
            for _ in range(KILLS):
                await campaign.kill_and_restart()
            await campaign.finish()
    book = read_book(folder)
    found = incidents(book)
    cards = check_cards(book, read_notes(notes))
    accepted = check_answers(book, campaign.asked)
    money = check_money(book)

    print(  # noqa: T201 - the campaign's figures, shown by pytest -s
        f"\n{KILLS} kills, {found['crash-recovery']} of them in an open round; {len(book.recorded)} events, "
        f"{book.table.shoes} shoes, {cards} cards, {accepted} commands of players accepted; "
        f"{money.settled} rounds settled, {money.voided} voided, {money.staked} minor units staked; "
        f"incidents {dict(found)}; the supervisor closed {dict(Counter(supervisor.closed))}"
    )
    assert found["crash-recovery"] > 0, "no crash fell into an open round"
    assert money.settled > 0
    assert not found["internal-fault"]
