"""The sub-commands ``odds`` and ``strategy``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from studio.__main__ import main
from studio.adapters.variants import load_variant
from studio.odds.figures import figures_of
from studio.odds.strategy import HARD, PAIRS, SOFT, UPCARDS

VARIANTS = Path(__file__).parents[3] / "studio" / "variants"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def odds(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(capsys, "odds", *arguments, "--json"))
    return found


@pytest.mark.parametrize(
    ("variant", "optimum", "table"),
    [
        ("deluxe", 99.516868, 99.514974),
        ("infinite", 99.516868, 99.514974),
        ("european", 99.485949, 99.482363),
        ("continuous", 99.514220, 99.512325),
    ],
)
def test_odds_prints_the_return_of_a_variant(
    variant: str, optimum: float, table: float, capsys: pytest.CaptureFixture[str]
) -> None:
    found = odds(capsys, variant)
    rtp = found["rtp"]
    assert rtp["composition_dependent"]["per_initial_bet"] == pytest.approx(optimum, abs=1e-6)
    assert rtp["total_dependent"]["per_initial_bet"] == pytest.approx(table, abs=1e-6)
    lost = 100 - rtp["composition_dependent"]["per_initial_bet"]
    wagered = 100 - rtp["composition_dependent"]["per_total_wagered"]
    assert lost / wagered == pytest.approx(found["average_bet"], abs=1e-6)
    rules = load_variant(variant)
    assert found["rules_hash"] == rules.hash
    wanted = {"rtp", "average_bet", "rules_hash", "seconds", *(["behind"] if rules.bet_behind else [])}
    assert set(found) == wanted


def test_strategy_prints_every_cell_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    table = json.loads(printed(capsys, "strategy", "infinite", "--json"))
    assert {name: list(cells) for name, cells in table.items()} == {
        "hard": [*HARD],
        "soft": [*SOFT],
        "pairs": [*PAIRS],
    }
    assert all([*row] == [*UPCARDS] for cells in table.values() for row in cells.values())
    assert table["hard"]["16"]["T"] == "H"
    assert table["hard"]["16"]["9"] == "R"
    assert table["pairs"]["8"]["A"] == "P"
    assert table == figures_of(load_variant("infinite")).strategy.as_json()


def test_strategy_prints_letters_without_colours_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "strategy", "european").split("\n")
    (row,) = (line.split() for line in lines if line.startswith("       8 8"))
    assert row[2:] == ["P", "P", "P", "P", "P", "P", "P", "P", "-", "-"]
    assert not any("\x1b" in line for line in lines)


@pytest.mark.parametrize(("no_colour", "coloured"), [(None, True), ("1", False)])
def test_strategy_is_coloured_in_a_terminal_that_wants_it(
    no_colour: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, coloured: bool
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_colour is not None:
        monkeypatch.setenv("NO_COLOR", no_colour)
    assert ("\x1b[30;42m" in printed(capsys, "strategy", "deluxe")) is coloured


def test_a_published_return_stands_beside_the_calculated_one(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "odds", "infinite")
    assert "Published by the operator: 99.46 % at most. Calculated from these rules: 99.5169 %." in text
    assert "Published" not in printed(capsys, "odds", "european")


def test_everything_else_is_printed_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    found = odds(capsys, "infinite", "--side-bets", "--dealer", "--insurance", "--cells")
    pair = found["side_bets"]["pair"]
    assert pair["combinations"]["perfect"]["hit"]["fraction"] == "7/415"
    assert pair["combinations"]["perfect"]["return"]["fraction"] == "217/415"
    assert pair["return"]["percent"] == pytest.approx(96.6265060, abs=1e-7)
    assert pair["expectation"]["fraction"] == "-14/415"
    assert set(found["side_bets"]) == {"pair", "bust-bonus", "lucky-three", "poker-three"}
    assert found["insurance"]["expectation"]["fraction"] == "-31/415"
    assert list(found["dealer"]) == [*UPCARDS, "any"]
    ten = found["dealer"]["T"]
    assert sum(ten["bust_by_cards"].values()) == pytest.approx(ten["bust"], abs=1e-9)
    assert ten["natural"] == pytest.approx(100 * 32 / 415, abs=1e-9)
    assert len(found["cells"]) == 55
    sixteen = found["cells"]["T6"]["9"]
    assert sixteen["best"] == "surrender"
    assert sixteen["surrender"] == -0.5
    assert -0.51 < sixteen["hit"] < -0.5
    assert set(found["cells"]["88"]["T"]) == {"stand", "hit", "double", "split", "best"}
    assert found["cells"]["AT"]["9"] == {"stand": 1.5, "best": "stand"}


def test_everything_is_printed_for_people_too(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "odds", "infinite", "--side-bets", "--dealer", "--insurance", "--cells")
    for part in ("Side bet bust-bonus", "Insurance against an ace", "Bust by number of cards", "T6 against 9"):
        assert part in text


def test_a_game_without_insurance_has_no_odds_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert odds(capsys, "european", "--insurance")["insurance"] is None
    assert "No insurance" in printed(capsys, "odds", "european", "--insurance")


def test_a_bet_behind_has_its_own_return_and_declines_some_splits(capsys: pytest.CaptureFixture[str]) -> None:
    found = odds(capsys, "deluxe")
    behind = found["behind"]["total_dependent"]
    assert behind["per_initial_bet"] > found["rtp"]["total_dependent"]["per_initial_bet"]
    assert behind["declines_split"]["8"] == ["8", "9", "T", "A"]
    assert behind["follow_split"]["A"]["T"] == "F"
    assert behind["follow_split"]["T"]["A"] in {"F", "1"}


def test_rules_come_from_any_file_and_the_shoe_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "house.rules"
    text = (VARIANTS / "continuous.toml").read_text(encoding="utf-8")
    rules.write_text(text.replace("dealer_hits_soft_17 = false", "dealer_hits_soft_17 = true"), encoding="utf-8")
    shoe = tmp_path / "shoe.json"
    shoe.write_text(json.dumps({**dict.fromkeys("A23456789", 4), "T": 16}), encoding="utf-8")
    whole = odds(capsys, "--rules", str(rules))["rtp"]["composition_dependent"]["per_initial_bet"]
    one_deck = odds(capsys, "--rules", str(rules), "--shoe", str(shoe))["rtp"]["composition_dependent"]
    assert whole < 99.5142 < one_deck["per_initial_bet"]
    table = json.loads(printed(capsys, "strategy", "--rules", str(rules), "--json"))
    assert table["hard"]["11"]["A"] == "D"  # as it is where the dealer hits soft 17


@pytest.mark.parametrize("command", ["odds", "strategy"])
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "name a variant"),
        (["nowhere"], "continuous, deluxe, european, infinite"),
        (["--rules", "none.toml"], "cannot be read"),
        (["deluxe", "--shoe", "none.json"], "cannot be read"),
    ],
)
def test_what_cannot_be_used_is_said(
    command: str, arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert says in shown.err
