"""The last readings: newest first, bytes sealed while they would tell a hidden card, kept over a restart."""

from __future__ import annotations

from pathlib import Path

from support.actors import LiveActor, live_actor, until
from support.camera_tables import CameraTable
from support.tables import DEALER, player

from studio.domain.commands import CloseBetting, OpenBetting
from studio.domain.correction_views import ReadingView
from studio.domain.people import SYSTEM
from studio.ports.journal import Recorded
from studio.runtime.recent_readings import RecentReadings


async def deal(live: LiveActor, codes: str) -> None:
    for code in codes.split():
        await live.wait(1)
        await live.card(code, code.encode())


async def a_round(live: LiveActor) -> None:
    await live.ready()
    await live.do(OpenBetting(), DEALER)
    await live.bet(player("anna"), 1, 1000)
    await live.do(CloseBetting(), DEALER)
    await deal(live, "TC 9C 9D TH")


async def test_bytes_are_in_hex_and_a_hole_cards_are_sealed_until_it_is_turned(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        await a_round(live)
        hole, second, up, first = live.actor.readings()[:4]
        assert (hole.what, hole.card, hole.raw) == ("dealer", "??", "sealed")
        assert (second.what, second.card, second.raw) == ("seat1.hand1", "9D", "39 44")
        assert (up.what, first.draw) == ("dealer", hole.draw - 3 if hole.draw else 0)
        await live.wait(60)
        await until(lambda: live.actor.readings()[0].card == "TH")
        assert live.actor.readings()[0].raw == "54 48"


async def test_a_restart_fills_them_again_from_the_journal(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000}) as live:
        await a_round(live)
        before = live.actor.readings()
    async with live_actor(tmp_path / "j") as again:
        assert again.actor.readings() == before


def test_the_camera_s_still_stands_beside_the_reading_and_goes_along_with_a_split_card() -> None:
    played = CameraTable().ready().round(1).dealt("8C@s1c1", "9C@dc1", "8D@s1c2", "TH@dc2")
    readings = RecentReadings()

    def note() -> tuple[ReadingView, ...]:
        for number, event in enumerate(played.events):
            readings.note(Recorded("t1", number, played.now, SYSTEM, "", event))
        return readings.views(played.table)

    assert [one.still for one in note()[:4]] == ["f-4", "f-3", "f-2", "f-1"]
    assert [one.still for one in note()[-2:]] == ["", ""]
    played.decide("split")
    assert readings.views(played.table)[1].still == "f-3"
