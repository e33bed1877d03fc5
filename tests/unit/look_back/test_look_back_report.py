"""The look-back as a table, CSV and JSON, from the command line and over HTTP (C17: a refund worksheet)."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.look_back.command import LookBackCommand
from studio.look_back.report import COLUMNS, Form, totals, wall_ns_of, written
from studio.ports.look_back import LookBackQuery, PlayerMoney, TouchedRound

NOON_NS = 1_772_366_400_000_000_000
PLAYED = TouchedRound(
    "t1",
    7,
    "t1-shoe-2",
    "red-1",
    "B-7",
    "dora",
    NOON_NS,
    "settled",
    "EUR",
    (PlayerMoney("anna", 1000, 0), PlayerMoney("ben", 500, 1250)),
)
EMPTY = TouchedRound("t1", 8, "t1-shoe-2", "red-1", "B-7", "dora", NOON_NS, "no-bets", "", ())
RUNNING = TouchedRound("t1", 9, "t1-shoe-2", "", "", "", NOON_NS, "open", "EUR", (PlayerMoney("anna", 300, 0),))
ALL = (PLAYED, EMPTY, RUNNING)
SETTINGS = """\
[studio]
mode = "simulation"
data = "journal"

[[tables]]
id = "t1"
name = "One"
reader = { driver = "smartshoe", device = "s1", settings = {} }
"""


class OneReader:
    def __init__(self) -> None:
        self.asked: list[LookBackQuery] = []
        self.folder = Path()

    def __call__(self, folder: Path) -> OneReader:
        self.folder = folder
        return self

    def rounds(self, query: LookBackQuery) -> Iterator[TouchedRound]:
        self.asked.append(query)
        return iter(ALL)


def run(reader: OneReader, *arguments: str) -> int:
    command = LookBackCommand(reader)
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(arguments))


def test_csv_has_a_row_for_each_player() -> None:
    rows = list(csv.reader(io.StringIO(written(ALL, Form.CSV))))

    assert tuple(rows[0]) == COLUMNS
    assert rows[1][6:] == ["2026-03-01T12:00:00+00:00", "settled", "EUR", "anna", "1000", "0", "-1000"]
    assert [row[9] for row in rows[1:]] == ["anna", "ben", "", "anna"]


def test_json_has_rounds_and_totals() -> None:
    found = json.loads(written(ALL, Form.JSON))

    assert [one["round"] for one in found["rounds"]] == [7, 8, 9]
    assert found["rounds"][0]["players"][1] == {"player": "ben", "staked": 500, "returned": 1250, "net": 750}
    assert found["totals"] == {"EUR": {"rounds": 1, "staked": 1500, "returned": 1250, "lost": 1000}}


def test_an_open_round_is_in_no_total() -> None:
    assert totals((RUNNING, EMPTY)) == {}


def test_the_table_is_for_people() -> None:
    lines = written(ALL, Form.TABLE).splitlines()

    assert lines[0].split() == list(COLUMNS)
    assert lines[-2:] == [
        "3 rounds",
        "EUR: 1 ended rounds with bets, staked 1500, returned 1250, lost by players 1000",
    ]


@pytest.mark.parametrize(
    ("text", "wall_ns"),
    [
        ("2026-03-01T12:00", NOON_NS),
        ("2026-03-01T13:00+01:00", NOON_NS),
        ("2026-03-01", NOON_NS - 12 * 3600 * 1_000_000_000),
    ],
)
def test_times_are_iso_8601(text: str, wall_ns: int) -> None:
    assert wall_ns_of(text) == wall_ns


def test_the_command_asks_and_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "studio.toml"
    config.write_text(SETTINGS, encoding="utf-8")
    reader = OneReader()

    asked = ("--batch", "B-7", "--shoe", "t1-shoe-2", "--pack", "red-1", "--from", "2026-03-01T12:00")
    assert run(reader, "--config", str(config), "--format", "csv", *asked) == 0

    assert reader.folder == tmp_path / "journal"
    assert reader.asked == [LookBackQuery("", "t1-shoe-2", "red-1", "B-7", NOON_NS)]
    assert capsys.readouterr().out == written(ALL, Form.CSV)


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(OneReader(), "--config", str(tmp_path / "none.toml")) == 2
    assert run(OneReader(), "--from", "yesterday") == 2

    assert "no ISO 8601 date or time" in capsys.readouterr().err
