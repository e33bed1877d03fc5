"""The naive engine gives what the hand-derived vectors say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from reference.naive_round import play

_FILE = Path(__file__).parents[2] / "vectors" / "settlement.json"
_VECTORS = json.loads(_FILE.read_text("utf-8"))["vectors"]


def test_there_are_twenty_vectors() -> None:
    assert len(_VECTORS) == 20


@pytest.mark.parametrize("vector", _VECTORS, ids=[vector["id"] for vector in _VECTORS])
def test_a_vector(vector: dict[str, Any]) -> None:
    result = play(vector)
    for place in result["card_destinations"]:
        place.pop("line", None)  # may be added, and the vectors do not
    expect = vector["expect"]
    for key in expect.keys() - {"bets"}:
        assert result[key] == expect[key], key
    assert sorted(map(repr, result["bets"])) == sorted(map(repr, expect["bets"]))
    assert result["refused"] == [action for action in vector["actions"] if "expect" in action]
    assert result["cards_used"] == len(vector["shoe"])
