"""The real core against the naive reference: random complete rounds of every variant must agree.

``STUDIO_ROUNDS=20000`` plays that many rounds of each variant; the usual run is a short form.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from reference.naive_round import play
from reference.scripts import random_script

from studio.adapters.variants import load_variant
from studio.adjudication.command import adjudicate
from studio.adjudication.script import parse_script

ROUNDS = int(os.environ.get("STUDIO_ROUNDS", "400"))


def _bets(answer: dict[str, Any]) -> list[tuple[Any, ...]]:
    return sorted(
        (one["player"], one["kind"], one["seat"], one["hand"], one["stake"], one["net"]) for one in answer["bets"]
    )


def _plain(answer: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(one["card"], one["to"], one["face"]) for one in answer["card_destinations"]]


@pytest.mark.parametrize("variant", ["deluxe", "infinite", "european", "continuous"])
def test_random_rounds_agree_card_by_card_and_unit_by_unit(variant: str) -> None:
    rules = load_variant(variant)
    for seed in range(ROUNDS):
        script = random_script(variant, random.Random(seed))  # noqa: S311 - seeded on purpose
        want, got = play(script), adjudicate(parse_script(script), rules)
        where = f"{variant}, seed {seed}: {script}"
        assert _plain(got) == _plain(want), where
        assert _bets(got) == _bets(want), where
        for key in ("dealer", "early_end", "net_by_player", "reshuffle_after"):
            assert got[key] == want[key], f"{key}: {where}"
        assert all(one["expected"] for one in got["refused"]), where
