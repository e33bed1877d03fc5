"""SIGTERM with a round open and 50 clients: everybody hears 1012, and the round goes on after the restart."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import aclosing
from pathlib import Path

from support.hand_dealt import SLOW
from support.journal_audit import read_book
from support.listener import Listener
from support.noting_client import NotingClient
from support.processes import start_server, start_table, wait_until_healthy
from support.studio_folder import DEALER, SUPERVISOR, TABLE, StudioFolder, make_studio_folder

from studio.domain.events import AnomalyDetected, RoundClosed, RoundSettled

CLIENTS = 50
RESTARTING = 1012
_WAIT_SECONDS = 30.0
_AUDIENCES = {DEALER: "dealer", SUPERVISOR: "supervisor", "anna": "player", "ben": "public"}


async def test_a_server_that_is_asked_to_stop_says_so_to_everybody_and_comes_back_to_the_same_round(
    tmp_path: Path,
) -> None:
    folder = make_studio_folder(tmp_path / "studio", "anna", "ben", pace=SLOW)
    table = await start_table(folder, seed=2, notes=tmp_path / "notes.jsonl")
    server = await start_server(folder)
    try:
        async with NotingClient(folder.url, folder.token("anna"), "anna") as anna:
            await wait_until_healthy(folder, server)
            await _see(anna, "betting")
            await anna.post(f"/tables/{TABLE}/bets", {"bets": [{"seat": 1, "amount": 1000}]})
            async with NotingClient(folder.url, folder.token(DEALER), DEALER) as dealer:
                await dealer.post(f"/tables/{TABLE}/commands", {"command": "close-betting", "arguments": {}})
            await _see(anna, "decisions")
            listeners = _listeners(folder)
            async with asyncio.TaskGroup() as listening:
                for listener in listeners:
                    listening.create_task(listener.run())
                for listener in listeners:
                    await listener.is_served.wait()
                # A process that does not end in good time is killed, and then this is no 0.
                assert await server.stop() == 0
            assert Counter(listener.close_code for listener in listeners) == {RESTARTING: CLIENTS}
            stopped_at = len(read_book(folder).recorded)

            server = await start_server(folder)
            await _play_on(anna)
        assert await server.stop() == 0
    finally:
        await server.kill()
        await table.stop()

    events = [each.event for each in read_book(folder).recorded]
    before, after = events[:stopped_at], events[stopped_at:]
    assert not any(isinstance(event, RoundSettled) for event in before)
    assert [event.kind.value for event in after if isinstance(event, AnomalyDetected)] == ["crash-recovery"]
    assert next(event.round for event in after if isinstance(event, RoundClosed)) == 1
    assert any(isinstance(event, RoundSettled) for event in after)


def _listeners(folder: StudioFolder) -> list[Listener]:
    people = list(_AUDIENCES.items())
    chosen = [people[number % len(people)] for number in range(CLIENTS)]
    return [Listener(folder.url, folder.token(name), [f"tables/{TABLE}/{seen}"]) for name, seen in chosen]


async def _see(anna: NotingClient, phase: str) -> None:
    async with asyncio.timeout(_WAIT_SECONDS), aclosing(anna.updates(f"tables/{TABLE}/public")) as updates:
        async for update in updates:
            if update.view["phase"] == phase:
                return


async def _play_on(anna: NotingClient) -> None:
    """Decline and stand until the first round is closed; the dealer confirms the felt and deals."""
    updates = anna.updates(f"tables/{TABLE}/public", f"tables/{TABLE}/player")
    async with asyncio.timeout(_WAIT_SECONDS), aclosing(updates):
        async for update in updates:
            view = update.view
            if view.get("phase") == "idle" or view.get("round") == 2:
                return
            for question in view.get("questions", ()):
                if question["kind"] == "insurance":
                    await anna.post(f"/tables/{TABLE}/insurance", {"seat": question["seat"], "take": False})
                else:
                    answer = {"decision": question["decision"], "action": "stand"}
                    await anna.post(f"/tables/{TABLE}/decisions", answer)
