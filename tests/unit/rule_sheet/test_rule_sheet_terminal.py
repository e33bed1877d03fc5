"""The sheet as text: whole, within the width, and as it was agreed.

The goldens are renewed on purpose only: ``RENEW_RULE_SHEETS=1 pytest tests/unit/rule_sheet``; read what changed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rule_sets import EVERY_CODE, LIMITS, ODDS, VARIANTS, rule_sets, words_of

from studio.domain.rules import RuleSet
from studio.rule_sheet.forms import Language, Points, Section, Sheet, Table, Terms
from studio.rule_sheet.sheet import rule_sheet
from studio.rule_sheet.terminal import NARROWEST, render_text

GOLDENS = Path(__file__).parents[2] / "vectors" / "rule_sheets"
WIDTH = 80
SAMPLE = Sheet(
    Language.ENGLISH,
    "Title",
    "Lead.",
    "Contents",
    (
        Section(
            "a",
            "First",
            (Points(("A point that is longer than the line is wide, and so it goes on.", "Another.")),),
        ),
        Section(
            "b",
            "Second",
            (
                Terms((("Hit", ("One more card.", "Again and again.")), ("Stand", ("No more.",)))),
                Table(
                    "Pays",
                    ("Result", "When"),
                    (("Win", "A cell that is so long that it has to be set in two lines"),),
                ),
            ),
        ),
    ),
)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_sheet_is_as_it_was_agreed(variant: str, language: Language) -> None:
    text = render_text(rule_sheet(VARIANTS[variant], LIMITS, language, odds=ODDS[variant]), WIDTH)
    golden = GOLDENS / f"{variant}.{language}.txt"
    if os.environ.get("RENEW_RULE_SHEETS") == "1":
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_there_is_no_other_golden() -> None:
    expected = {f"{variant}.{language}.txt" for variant in VARIANTS for language in Language}
    assert {file.name for file in GOLDENS.iterdir()} == expected


def test_headings_points_terms_and_tables() -> None:
    assert render_text(SAMPLE, NARROWEST).split("\n") == [
        "Title",
        "=====",
        "",
        "Lead.",
        "",
        "First",
        "-----",
        "",
        "- A point that is longer than the line is wide, and so it",
        "  goes on.",
        "- Another.",
        "",
        "Second",
        "------",
        "",
        "Hit     One more card. Again and again.",
        "Stand   No more.",
        "",
        "Pays",
        "  Result   When",
        "  ------   -------------------------------------------------",
        "  Win      A cell that is so long that it has to be set in",
        "           two lines",
        "",
    ]


@given(rule_sets(), st.sampled_from(Language), st.integers(0, 140))
def test_a_text_is_whole_and_fits(rules: RuleSet, language: Language, width: int) -> None:
    sheet = rule_sheet(rules, LIMITS, language, odds=EVERY_CODE)
    text = render_text(sheet, width)
    words = {word for one in words_of(sheet) for word in one.split(" ")}
    assert words <= set(re.split("[ \n]+", text))
    assert all(len(line) <= max(width, NARROWEST) for line in text.split("\n") if rules.hash not in line)
