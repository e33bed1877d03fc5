"""Two real readers of the same cards, each on a line of its own: one card with two witnesses."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from support.hand_dealt import HandDealtStudio, hand_dealt_studio
from support.studio_folder import DEALER, SECOND_READER, SUPERVISOR

_WAIT_SECONDS = 20.0


async def test_two_readers_of_the_same_cards_agree_miss_and_differ(tmp_path: Path) -> None:
    async with hand_dealt_studio(tmp_path, second_reader=True) as studio:
        await studio.ready()
        await _is_connected(studio)
        await studio.deal("2C", "KD", "KH")
        await studio.press("open-betting")
        await studio.post("anna", "bets", {"bets": [{"seat": 1, "amount": 1000}]})
        await studio.press("close-betting")

        # A natural repeat: two cards, each with two witnesses.
        await studio.deal("8S", "8S")
        await _counts(studio, agreed=5)

        # Absent is a warning, different holds the table.
        await studio.deal("9C/-")
        await _counts(studio, agreed=5, absent=1)
        assert [one["kind"] for one in await _incidents(studio)] == ["camera-absent"]
        await studio.deal("QH/QD")
        await _counts(studio, agreed=5, absent=1, different=1)
        assert [one["kind"] for one in await _incidents(studio)] == ["camera-absent", "source-disagreement"]
        await _rule(studio, "source-disagreement", "keep-scan")

        # A card that only the second reader told: it is asked for, and read.
        await studio.post("anna", "decisions", {"decision": 1, "action": "hit"})
        await studio.deal("-/2D")
        await studio.dealers_view(lambda view: any(one["kind"] == "no-read" for one in view["incidents"]))
        await studio.deal("2D/-")
        await _counts(studio, agreed=6, absent=1, different=1)
        view = await studio.dealers_view(lambda view: not view["table"]["stopped"])
        assert view["table"]["seats"][0]["hands"][0]["cards"] == ["8S", "9C", "2D"]


async def test_both_readers_of_a_table_are_shown_each_as_it_is(tmp_path: Path) -> None:
    async with hand_dealt_studio(tmp_path, second_reader=True) as studio:
        await studio.ready()
        await _is_connected(studio)
        await studio.unplug_second_reader()
        view = await studio.dealers_view(lambda view: view["devices"][1]["link"] == "absent")
        shown = [(one["device"], one["role"], one["link"], one["losses"]) for one in view["devices"]]
        assert shown == [("shoe-1", "reader", "ready", 0), (SECOND_READER, "second-reader", "absent", 1)]
        assert view["devices"][0]["reason"] == ""
        assert "plug the reader in" in view["devices"][1]["reason"]

        told = (await studio.get(DEALER, "/health"))["tables"]["t1"]
        assert [(role, one["link"], one["losses"]) for role, one in told["devices"].items()] == [
            ("reader", "ready", 0),
            ("second-reader", "absent", 1),
        ]
        assert told["can_deal"]
        await _metric(studio, f'studio_link_state{{device="{SECOND_READER}",state="absent"}}', 1)
        await _metric(studio, f'studio_link_losses_total{{device="{SECOND_READER}"}}', 1)
        await _metric(studio, 'studio_link_state{device="shoe-1",state="ready"}', 1)


async def _is_connected(studio: HandDealtStudio) -> None:
    await _metric(studio, f'studio_link_state{{device="{SECOND_READER}",state="ready"}}', 1)


async def _counts(studio: HandDealtStudio, **verdicts: int) -> None:
    """Wait until so many cards have each verdict of the second reader."""
    for verdict, count in verdicts.items():
        labels = f'table="t1",verdict="{verdict}",witness="{SECOND_READER}"'
        await _metric(studio, f"studio_witnessed_total{{{labels}}}", count)


async def _metric(studio: HandDealtStudio, name: str, value: int) -> None:
    found = ""
    try:
        async with asyncio.timeout(_WAIT_SECONDS):
            while f"\n{name} {value}.0" not in found:
                found = await studio.get(DEALER, "/metrics")
                await asyncio.sleep(0.02)
    except TimeoutError:
        shown = re.findall(r"(?m)^studio_(?:witnessed_total|link_state).*$", found)
        pytest.fail(f"{name} is not {value}: {shown}")


async def _incidents(studio: HandDealtStudio) -> list[dict[str, Any]]:
    return [*(await studio.dealers_view())["incidents"]]


async def _rule(studio: HandDealtStudio, kind: str, way: str) -> None:
    (number,) = [one["number"] for one in await _incidents(studio) if one["kind"] == kind]
    arguments = {"incident": number, "way_out": way, "reason": "procedure", "text": "As ruled"}
    await studio.press("resolve-incident", SUPERVISOR, **arguments)
