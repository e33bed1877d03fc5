"""The sheet follows the rules: what changes in them changes what players read (rules.md E2, cases C27 to C29)."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from rule_sets import LIMITS, ODDS, VARIANTS, changes, rule_sets, words_of

from studio.domain.rules import Layout, Odds, RuleSet
from studio.domain.setup import Limits
from studio.rule_sheet.forms import Block, Chart, Language, Points, Section, Sheet, Table, Terms
from studio.rule_sheet.sheet import rule_sheet
from studio.rule_sheet.writer import amount

LANGUAGES = pytest.mark.parametrize("language", Language)


def read(rules: RuleSet, language: Language = Language.ENGLISH, limits: Limits | None = None) -> str:
    """The sheet's text without the hash, which always changes."""
    return "\n".join(words_of(rule_sheet(rules, limits, language))).replace(rules.hash, "")


def section(sheet: Sheet, anchor: str) -> Section:
    (found,) = (one for one in sheet.sections if one.anchor == anchor)
    return found


def table(sheet: Sheet, anchor: str) -> Table:
    (found,) = (block for block in section(sheet, anchor).blocks if isinstance(block, Table))
    return found


def is_idle(rules: RuleSet, name: str) -> bool:
    """Tell whether a parameter means nothing under these rules, so that the sheet is silent about it."""
    match name:
        case "double_after_split" | "split_deal" | "split_without_funds":
            return rules.split_hands == 1
        case "split_aces_again":
            return rules.split_hands <= 2
        case _:
            return False


@LANGUAGES
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_changed_parameter_changes_the_sheet(variant: str, language: Language) -> None:
    rules = VARIANTS[variant]
    before = read(rules, language)
    tried = {name for name, _ in changes(rules)}
    silent = {name for name, changed in changes(rules) if read(changed, language) == before}
    assert silent == {name for name in tried if is_idle(rules, name)}


def test_every_parameter_was_changed_in_some_variant() -> None:
    tried = {name for rules in VARIANTS.values() for name, _ in changes(rules)}
    heard = {
        name
        for rules in (*VARIANTS.values(), replace(VARIANTS["deluxe"], split_hands=4))
        for name, changed in changes(rules)
        if read(changed) != read(rules)
    }
    assert tried == heard == set(RuleSet.__dataclass_fields__)


@given(rule_sets())
def test_any_rules_have_a_whole_sheet_of_the_same_shape_in_both_languages(rules: RuleSet) -> None:
    for limits in (None, LIMITS):
        english, french = (rule_sheet(rules, limits, language) for language in (Language.ENGLISH, Language.FRENCH))
        assert [shape(one) for one in english.sections] == [shape(one) for one in french.sections]
        for text in (*words_of(english), *words_of(french)):
            assert text.strip()
            assert not set("{}|") & set(text)


def shape(one: Section) -> tuple[str, tuple[object, ...]]:
    return one.anchor, tuple(map(block_shape, one.blocks))


def block_shape(block: Block) -> object:
    match block:
        case Points(sentences):
            return len(sentences)
        case Terms(entries):
            return tuple(len(sentences) for _, sentences in entries)
        case Table(_, head, rows):
            assert {len(row) for row in rows} == {len(head)}
            return len(head), len(rows)
        case Chart(_, _, columns, parts, meanings):
            return columns, tuple(rows for _, rows in parts), tuple(code for code, _ in meanings)


@LANGUAGES
@pytest.mark.parametrize("variant", VARIANTS)
def test_both_sheets_state_the_same_numbers(variant: str, language: Language) -> None:
    def numbers(one: Language) -> list[str]:
        return sorted(re.findall(r"\d[\d:,.]*\d|\d", read(VARIANTS[variant], one, LIMITS)))

    assert numbers(language) == numbers(Language.ENGLISH)
    assert {"21", "17", "3:2"} <= set(numbers(language))


@LANGUAGES
def test_e2_the_sheet_names_its_rules_and_which_language_prevails(language: Language) -> None:
    rules = VARIANTS["european"]
    about = section(rule_sheet(rules, None, language), "about")
    text = "\n".join(words_of(Sheet(language, "", "", "", (about,))))
    assert rules.hash in text
    assert rules.version in text
    assert {Language.ENGLISH: "the English sheet prevails", Language.FRENCH: "la version anglaise qui prévaut"}[
        language
    ] in text


def test_soft_17_and_the_natural_are_said_as_they_are_played() -> None:
    rules = VARIANTS["deluxe"]
    assert "stands on 17 or more, a soft 17 included" in read(rules)
    hits = replace(rules, dealer_hits_soft_17=True, natural_pays=Odds(6, 5))
    assert "also on a soft 17" in read(hits)
    assert "6:5" in read(hits)
    assert "3:2" not in read(hits)


def test_payouts_show_what_comes_back_at_this_table() -> None:
    shown = table(rule_sheet(VARIANTS["deluxe"], LIMITS, Language.ENGLISH), "results")
    assert shown.head[-1] == "Back for 5.00 EUR"
    assert {row[0]: (row[2], row[3]) for row in shown.rows} == {
        "Natural": ("3:2", "12.50"),
        "Win": ("1:1", "10.00"),
        "Push": ("bet returned", "5.00"),
        "Loss": ("bet lost", "0.00"),
        "Surrender": ("half returned", "2.50"),
        "Insurance": ("2:1", "7.50 for 2.50"),
    }
    plain = table(rule_sheet(VARIANTS["deluxe"], None, Language.ENGLISH), "results")
    assert [row[:3] for row in shown.rows] == list(plain.rows)


def test_an_example_needs_no_rounding() -> None:
    rules = replace(VARIANTS["deluxe"], natural_pays=Odds(6, 5))
    shown = table(rule_sheet(rules, Limits("EUR", 2, 1000, 2), Language.ENGLISH), "results")
    assert (shown.head[-1], shown.rows[0][-1]) == ("Back for 0.10 EUR", "0.22")


def test_side_bets_have_their_pay_tables_and_their_limits() -> None:
    side = section(rule_sheet(VARIANTS["infinite"], None, Language.FRENCH), "side")
    tables = [block for block in side.blocks if isinstance(block, Table)]
    assert [one.rows[-1] for one in tables] == [
        ("Paire parfaite\xa0: même enseigne", "30:1"),
        ("Saute avec huit cartes ou plus", "250:1"),
        ("Trois sept, assortis", "200:1"),
        ("Brelan assorti", "100:1"),
    ]
    text = "\n".join(words_of(Sheet(Language.FRENCH, "", "", "", (side,))))
    assert (text.count("40 manches"), text.count("45 manches")) == (1, 3)


def test_sections_are_there_where_the_game_has_them() -> None:
    found = {
        name: {one.anchor for one in rule_sheet(rules, None, Language.ENGLISH).sections}
        for name, rules in VARIANTS.items()
    }
    everywhere: set[str] = set.intersection(*found.values())
    assert {name: anchors - everywhere for name, anchors in found.items()} == {
        "deluxe": {"behind", "side", "return"},
        "infinite": {"shared", "side", "return"},
        "european": {"training"},
        "continuous": set(),
    }


@LANGUAGES
def test_m5_a_tables_limits_are_shown_in_the_one_format(language: Language) -> None:
    limits = Limits("SEK", 1_000, 123_456_000, 100)
    shown = table(rule_sheet(VARIANTS["continuous"], limits, language), "bets")
    assert [row[1] for row in shown.rows] == ["10.00 SEK", "1,234,560.00 SEK", "1.00 SEK"]
    changed = {
        read(VARIANTS["continuous"], language, one)
        for one in (
            limits,
            replace(limits, currency="NOK"),
            replace(limits, minimum=1_100),
            replace(limits, maximum=123_457_000),
            replace(limits, increment=500),
        )
    }
    assert len(changed) == 5


def test_virtual_units_are_no_currency() -> None:
    text = read(VARIANTS["european"], Language.ENGLISH, LIMITS)
    assert "EUR" not in text
    assert "5.00 units" in text
    assert "never withdrawn" in text


def test_a_published_return_is_the_operators_and_a_computed_one_is_only_shown_when_given() -> None:
    rules = VARIANTS["deluxe"]
    assert table(rule_sheet(rules, None, Language.ENGLISH), "return").rows == (
        ("Published by the operator: at most", "99.53 %"),
    )
    both = table(rule_sheet(rules, None, Language.ENGLISH, odds=ODDS["deluxe"]), "return").rows
    assert [rate for _, rate in both] == ["99.5169 %", "99.5150 %", "99.5960 %", "99.53 %"]
    assert [source.split(":")[0] for source, _ in both] == [
        *["Calculated from these rules"] * 3,
        "Published by the operator",
    ]
    assert "return" not in {
        one.anchor for one in rule_sheet(VARIANTS["european"], None, Language.ENGLISH).sections
    }


@LANGUAGES
@pytest.mark.parametrize(
    ("published", "is_said"),
    [("99.52", False), ("99.517", False), ("99.53", True), (None, False), ("about 99", False)],
)
def test_a_published_return_that_the_rules_do_not_give_is_called_so(
    published: str | None, language: Language, *, is_said: bool
) -> None:
    rules = replace(VARIANTS["deluxe"], published_rtp=published)
    text = "\n".join(words_of(rule_sheet(rules, None, language, odds=ODDS["deluxe"])))
    differs = {Language.ENGLISH: "is not what these rules give", Language.FRENCH: "pas ce que donnent ces"}
    assert (differs[language] in text) is is_said


def test_the_strategy_is_the_computed_one_with_the_words_of_the_game() -> None:
    sheet = rule_sheet(VARIANTS["continuous"], None, Language.FRENCH, odds=ODDS["continuous"])
    (chart,) = (block for block in section(sheet, "strategy").blocks if isinstance(block, Chart))
    hard = dict(chart.parts[0][1])
    assert dict(zip(chart.columns, hard["16"], strict=True))["10"] == ODDS["continuous"].strategy.hard["16"]["T"]
    assert dict(chart.meanings)["D"] == "Double-mise, sinon Jouer"


def test_only_a_game_with_bets_behind_tells_how_they_follow() -> None:
    told = {
        name: "bet behind is best"
        in "\n".join(words_of(rule_sheet(rules, None, Language.ENGLISH, odds=ODDS[name])))
        for name, rules in VARIANTS.items()
    }
    assert told == {"deluxe": True, "infinite": False, "european": False, "continuous": False}


def test_a_game_without_splits_has_no_chart_of_pairs() -> None:
    rules = replace(VARIANTS["continuous"], split_hands=1)
    sheet = rule_sheet(rules, None, Language.ENGLISH, odds=ODDS["continuous"])
    (chart,) = (block for block in section(sheet, "strategy").blocks if isinstance(block, Chart))
    assert [title for title, _ in chart.parts] == ["Hard total", "Soft total"]


def test_a_variant_that_nobody_foresaw_has_its_own_name_as_title() -> None:
    rules = replace(
        VARIANTS["deluxe"], variant="downtown", layout=Layout.SEATS, decks=1, seats=1, seats_per_player=1
    )
    sheet = rule_sheet(rules, None, Language.ENGLISH)
    assert sheet.title == "downtown: the rules"
    assert "The game uses 1 deck of 52 cards" in read(rules)


@pytest.mark.parametrize(
    ("minor_units", "says"), [(0, "0.00"), (5, "0.05"), (123_400, "1,234.00"), (100_000_001, "1,000,000.01")]
)
def test_amounts_are_written_as_everywhere(minor_units: int, says: str) -> None:
    assert amount(minor_units) == says
