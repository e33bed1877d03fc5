"""The page on adjudication: its example gives the answer shown, its tables have every key and no other."""

from __future__ import annotations

import io
import json

import pytest
from doc_pages import coded, page
from pydantic import BaseModel

from studio.__main__ import main
from studio.adapters.variants import load_variant
from studio.adjudication.command import adjudicate
from studio.adjudication.script import (
    ActionEntry,
    BehindEntry,
    PreEntry,
    RoundScript,
    SeatEntry,
    SideOnlyEntry,
    parse_script,
)

PAGE = page("reference/adjudicate.md")
(EXAMPLE,) = PAGE.fences("json")
PARTS = [
    ("## The script", RoundScript, set()),
    ("### One of `seats`", SeatEntry, set()),
    ("### One of `behind`", BehindEntry, set()),
    ("### One of `side_only`", SideOnlyEntry, set()),
    ("### One of `actions`", ActionEntry, {"player"}),
    ("### `pre`", PreEntry, set()),
]


def test_the_example_gives_the_answer_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(EXAMPLE.text))
    assert main(["adjudicate", "-"]) == 0
    (shown,) = PAGE.fences("text")
    assert capsys.readouterr().out == shown.text


@pytest.mark.parametrize(("heading", "model", "also"), PARTS, ids=[heading for heading, _, _ in PARTS])
def test_every_key_of_a_script_has_its_row(heading: str, model: type[BaseModel], also: set[str]) -> None:
    rows = PAGE.rows(heading)
    if model is RoundScript:  # its section holds those of the parts
        rows = rows[: len(model.model_fields)]
    assert {key for row in rows for key in coded(row[0])} == {*model.model_fields, *also}


def test_every_key_of_the_answer_has_its_row() -> None:
    script = parse_script(json.loads(EXAMPLE.text))
    answer = adjudicate(script, load_variant(script.variant))
    assert {coded(row[0])[0] for row in PAGE.rows("## The answer")} == {*answer, "pre"}
