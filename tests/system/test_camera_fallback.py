"""The camera as fallback and its own failures, with the real capture process, reader's driver and server.

The rounds are dealt by hand: seat 1 has 8S 9C against the dealer's 8C QH and draws 2D; nineteen beats eighteen.
"""

from __future__ import annotations

from pathlib import Path

from support.seen_table import SeenTable, seen_table
from support.studio_folder import DEALER, OPENING_BALANCE

_WARNINGS = {"camera-absent", "camera-degraded"}


async def test_with_the_reader_dead_in_mid_round_the_camera_finishes_it_and_no_other_is_opened_until_it_is_back(
    tmp_path: Path,
) -> None:
    async with seen_table(tmp_path) as table:
        studio = table.studio
        await table.is_camera("ready")
        await table.bets()
        await table.first_cards()
        await studio.unplug()
        view = await studio.dealers_view(lambda view: any(i["kind"] == "scanner-down" for i in view["incidents"]))
        assert view["table"]["stopped"]
        await table.resolve("scanner-down", "by-camera")
        await studio.post("anna", "decisions", {"decision": 1, "action": "hit"})
        table.lay("2D", 1)
        view = await studio.dealers_view(lambda view: (view["primary"] or {}).get("command") == "confirm-card")
        assert view["primary"]["label"] == "Card is 2D"
        assert view["table"]["seats"][0]["hands"][0]["cards"] == ["8S", "9C"], "not without the dealer's word"
        await studio.press("confirm-card", **view["primary"]["arguments"])
        await studio.post("anna", "decisions", {"decision": 2, "action": "stand"})
        table.turn_hole()
        await _commit(table)

        assert await _balance(table) == OPENING_BALANCE + 1000
        view = await studio.dealers_view(lambda view: view["table"]["phase"] in {"idle", "closed"})
        assert view["table"]["shoe"] is None
        assert (view["primary"] or {}).get("command") != "open-betting"
        health = await table.health()
        assert not health["can_deal"]

        table.collect()
        await studio.unplug(is_on=False)
        await studio.dealers_view(lambda view: bool(view["reader_ready"]))


async def test_a_camera_that_never_works_is_told_everywhere_and_the_round_goes_on(tmp_path: Path) -> None:
    async with seen_table(tmp_path, recogniser="nowhere:nothing") as table:
        await table.is_camera("lost", "does not load")
        await table.bets()
        for card, seat in (("8S", 1), ("8C", 0), ("9C", 1), ("QH", 0)):
            await table.deal(card, seat)
        await table.counts(absent=4)
        await _finish(table)
        assert await _balance(table) == OPENING_BALANCE + 1000
        assert set(await table.incidents()) == _WARNINGS
        assert set((await table.health())["warned"]) | set((await table.health())["stopped"]) == _WARNINGS


async def test_a_capture_process_that_is_killed_in_mid_round_is_told_and_started_anew_and_the_round_goes_on(
    tmp_path: Path,
) -> None:
    async with seen_table(tmp_path) as table:
        await table.is_camera("ready")
        await table.bets()
        await table.first_cards()
        killed = table.capture_process()
        table.kill_capture()
        await table.metric('studio_link_losses_total{device="cam-1"}', 1)
        await table.is_camera("ready")
        assert table.capture_process() != killed
        await _finish(table)
        assert await _balance(table) == OPENING_BALANCE + 1000
        assert set(await table.incidents()) <= _WARNINGS


async def test_after_a_restart_in_mid_round_the_cards_that_lie_there_make_no_false_anomaly(tmp_path: Path) -> None:
    async with seen_table(tmp_path) as table:
        await table.is_camera("ready")
        await table.bets()
        await table.first_cards()
        await table.studio.kill_and_restart()
        await table.is_camera("ready")
        await table.studio.dealers_view(lambda view: bool(view["reader_ready"]))
        assert await table.incidents() == ["crash-recovery"]
        await table.resolve("crash-recovery", "go-on", DEALER)
        await _finish(table)
        assert await _balance(table) == OPENING_BALANCE + 1000
        assert set(await table.incidents()) <= _WARNINGS


async def _finish(table: SeenTable) -> None:
    """Play the round out: anna draws 2D by the reader and stands, the dealer stands."""
    await table.studio.post("anna", "decisions", {"decision": 1, "action": "hit"})
    await table.deal("2D", 1)
    await table.studio.post("anna", "decisions", {"decision": 2, "action": "stand"})
    table.turn_hole()
    await _commit(table)


async def _commit(table: SeenTable) -> None:
    studio = table.studio
    await studio.dealers_view(lambda view: (view["primary"] or {}).get("command") == "commit-result")
    await studio.press("commit-result")
    await studio.dealers_view(lambda view: view["table"]["phase"] in {"idle", "closed"})


async def _balance(table: SeenTable) -> int:
    view = (await table.studio.get("anna", "/v1/tables/t1/views/player"))["view"]
    return int(view["balance"])
