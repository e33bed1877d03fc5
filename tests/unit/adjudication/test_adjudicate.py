"""Every settlement vector, from commands to the money, through the real core."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from studio.adapters.variants import load_variant
from studio.adjudication.command import AdjudicateCommand, adjudicate
from studio.adjudication.play import play_script
from studio.adjudication.script import ScriptError, parse_script
from studio.domain.money import player_account, table_account

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


@pytest.mark.parametrize("vector", _VECTORS, ids=[one["id"] for one in _VECTORS])
def test_the_ledger_of_a_vector_agrees_with_its_money(vector: dict[str, Any]) -> None:
    ledger = play_script(parse_script(vector), load_variant(vector["variant"])).ledger
    assert sum(ledger.values()) == 0
    assert ledger.get(table_account("script"), 0) == 0
    assert {name: ledger[player_account(name)] for name in vector["expect"]["net_by_player"]} == (
        vector["expect"]["net_by_player"]
    )


def test_m3_b4_a_bet_before_the_deal_is_mirrored() -> None:
    script = {
        "variant": "deluxe",
        "pre": {
            "player": "P1",
            "balance": 15000,
            "seats": [2, 5],
            "request": {"seat": 2, "amount": 10000},
            "expect_bets": {"2": 7500, "5": 7500},
            "expect_balance": 0,
        },
    }
    got = adjudicate(parse_script(script), load_variant("deluxe"))["pre"]
    assert (got["bets"], got["balance"]) == (script["pre"]["expect_bets"], 0)  # type: ignore[index]


def test_a_new_shoe_is_burned_first_and_the_cut_card_ends_it() -> None:
    script = {
        "variant": "deluxe",
        "burn": True,
        "seats": [{"seat": 1, "player": "P1", "bet": 1000}],
        "shoe": ["2C", "2H", "9S", "TD", "CUT", "AC", "9D", "TH"],
        "actions": [{"seat": 1, "act": "stand"}],
    }
    got = adjudicate(parse_script(script), load_variant("deluxe"))
    assert [(one["card"], one["to"], one["face"]) for one in got["card_destinations"][:5]] == [
        ("2C", "burn", "up"),
        ("2H", "burn", "down"),
        ("9S", "burn", "down"),
        ("TD", "seat1.hand1", "up"),
        ("CUT", "cut", "-"),
    ]
    assert got["reshuffle_after"]


def test_refused_actions_are_named_and_change_nothing() -> None:
    script = {
        "variant": "deluxe",
        "seats": [{"seat": 1, "player": "P1", "bet": 1000}],
        "shoe": ["TC", "9C", "9D", "TH"],
        "actions": [{"seat": 1, "act": "split", "expect": "rejected"}, {"seat": 1, "act": "stand"}],
    }
    got = adjudicate(parse_script(script), load_variant("deluxe"))
    assert [(one["act"], one["code"], one["expected"]) for one in got["refused"]] == [
        ("split", "illegal-action", True)
    ]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"shoe": ["TC"]}, "a card is owed"),
        ({"shoe": ["XX"]}, "no card"),
        ({"seats": [{"seat": 1, "bet": 5}]}, "player"),
        ({"colour": 1}, None),
        ({"actions": [{"seat": 1, "act": "fold"}]}, "act"),
    ],
)
def test_what_cannot_be_played_is_said(change: dict[str, Any], text: str | None) -> None:
    script = {
        "variant": "deluxe",
        "seats": [{"seat": 1, "player": "P1", "bet": 1000}],
        "shoe": ["TC", "9C", "9D", "TH"],
    } | change
    if text is None:
        adjudicate(parse_script(script), load_variant("deluxe"))
        return
    with pytest.raises(ScriptError, match=text):
        adjudicate(parse_script(script), load_variant("deluxe"))


def test_the_command_prints_words_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(_VECTORS[0]))
    command = AdjudicateCommand(load_variant)
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    assert command.run(parser.parse_args([str(file), "--json"])) == 0
    assert json.loads(capsys.readouterr().out)["net_by_player"] == _VECTORS[0]["expect"]["net_by_player"]
    assert command.run(parser.parse_args([str(_FILE)])) == 0
    assert "DLX-01" in capsys.readouterr().out
    assert command.run(parser.parse_args([str(tmp_path / "absent.json")])) == 2
    assert "absent.json" in capsys.readouterr().err
