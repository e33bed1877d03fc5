"""The last readings: newest first, bytes sealed while they would tell a hidden card, kept over a restart."""

from __future__ import annotations

from pathlib import Path

from support.actors import LiveActor, live_actor, until
from support.tables import DEALER, player

from studio.domain.commands import CloseBetting, OpenBetting


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
