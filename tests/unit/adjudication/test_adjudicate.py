"""Every settlement vector, from commands to the money, through the real core."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from studio.adapters.variants import load_variant
from studio.adjudication.command import adjudicate
from studio.adjudication.script import parse_script

_FILE = Path(__file__).parents[2] / "vectors" / "settlement.json"
_VECTORS = json.loads(_FILE.read_text())["vectors"]


def _plain(destinations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: one[key] for key in ("card", "to", "face")} for one in destinations]


def _sorted(bets: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(bets, key=lambda one: (one["player"], one["kind"], one["seat"], one.get("hand") or 0))


@pytest.mark.parametrize("vector", _VECTORS, ids=[one["id"] for one in _VECTORS])
def test_vector(vector: dict[str, Any]) -> None:
    got, expect = adjudicate(parse_script(vector), load_variant(vector["variant"])), vector["expect"]
    if "card_destinations" in expect:
        assert _plain(got["card_destinations"]) == expect["card_destinations"]
    for key in ("dealer", "early_end", "net_by_player", "reshuffle_after"):
        if key in expect:
            assert got[key] == expect[key], key
    if "hands" in expect:
        hands = {
            seat: [{key: one[key] for key in ("hand", "cards", "score")} for one in several]
            for seat, several in got["hands"].items()
        }
        assert hands == expect["hands"]
    if "bets" in expect:
        assert _sorted(got["bets"]) == _sorted(expect["bets"])
