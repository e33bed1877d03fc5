"""The variant that the how-to page adds: its file loads, and the round that it tells is played as it says."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from doc_pages import page
from support.tables import PlayedTable, a_setup

from studio.adapters.variants import load_variant
from studio.app import table_setup
from studio.domain.rules import Odds, RuleSet
from studio.domain.setup import Limits
from studio.settings import LimitsSettings, Mode, TableSettings

PAGE = page("how-to/add-a-variant.md")
LIMITS = Limits("EUR", 500, 100_000, 100)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "six-five.toml"
    path.write_text(PAGE.fences("toml")[0].text, encoding="utf-8")
    return path


def test_the_file_is_the_game_that_the_page_promises(file: Path) -> None:
    rules = load_variant(file)
    assert (rules.decks, rules.natural_pays) == (6, Odds(6, 5))
    assert rules.dealer_hits_soft_17
    assert rules.split_aces_again


def test_every_key_leads_to_the_reference() -> None:
    linked = set(re.findall(r"\[`(\w+)`\]\(\.\./reference/variants\.md\)", PAGE.text))
    assert linked == {field.name for field in dataclasses.fields(RuleSet)} - {"published_rtp"}


def test_the_round_told_is_played_by_the_file_alone(file: Path) -> None:
    (told,) = PAGE.fences("")
    first_deal, split, again, dealer = told.text.splitlines()
    played = (
        PlayedTable(replace(a_setup(), rules=load_variant(file), limits=LIMITS))
        .ready()
        .round(1, 2)
        .cards(first_deal)
    )

    played.decide("split").cards(split).decide("split").cards(again)

    current = played.table.round
    assert current is not None
    assert [str(hand.id) for hand in current.hands] == ["seat1.hand1", "seat2.hand1", "seat2.hand3", "seat2.hand2"]
    assert current.hole_revealed
    played.cards(dealer).commit()
    assert played.net() == {"P1": 1200, "P2": 1000}


def test_the_table_shown_loads_and_limits_that_would_round_do_not(file: Path) -> None:
    (shown,) = tomllib.loads(PAGE.fences("toml")[1].text)["tables"]
    table = TableSettings.model_validate({**shown, "variant": str(file)})
    assert table_setup(table, Mode.LIVE).rules.variant == "six-five"
    rounding = table.model_copy(update={"limits": LimitsSettings(minimum=2, maximum=100, increment=2)})
    with pytest.raises(ValueError, match="multiple of 10"):
        table_setup(rounding, Mode.LIVE)
