"""The sheet as a page: whole, well-formed, escaped, without a script."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest
from rule_sets import LIMITS, ODDS, VARIANTS, words_of

from studio.rule_sheet.forms import Language
from studio.rule_sheet.html import STYLE_SHEET, render_page
from studio.rule_sheet.sheet import rule_sheet

ADDRESSES = {Language.ENGLISH: "?lang=en", Language.FRENCH: "?lang=fr"}
VOID = {"meta", "link"}


class Reader(HTMLParser):
    """Reads a page, checks that every tag is closed where it was opened, and keeps what matters."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append(data)

    def values(self, attribute: str) -> list[str]:
        return [value for _, attributes in self.tags if (value := attributes.get(attribute))]


def page(variant: str, language: Language) -> str:
    sheet = rule_sheet(VARIANTS[variant], LIMITS, language, odds=ODDS[variant])
    return render_page(sheet, style_sheet="/rule-sheet.css", addresses=ADDRESSES)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_page_says_everything_that_the_sheet_says(variant: str, language: Language) -> None:
    reader = Reader(page(variant, language))
    assert set(words_of(rule_sheet(VARIANTS[variant], LIMITS, language, odds=ODDS[variant]))) <= set(reader.texts)
    assert ("html", {"lang": language.value}) in reader.tags


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_page_can_be_read_by_every_reader(variant: str) -> None:
    reader = Reader(page(variant, Language.ENGLISH))
    tags = [tag for tag, _ in reader.tags]
    ids = reader.values("id")
    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in reader.values("href") if link.startswith("#")} <= set(ids)
    assert set(reader.values("aria-labelledby")) <= set(ids)
    assert tags.count("h1") == tags.count("main") == 1
    assert tags.count("caption") == tags.count("table")
    assert {attributes.get("scope") for tag, attributes in reader.tags if tag == "th"} == {"col", "row"}


def test_the_strategy_is_a_drawing_that_reads_as_a_table() -> None:
    reader = Reader(page("deluxe", Language.ENGLISH))
    (svg,) = (attributes for tag, attributes in reader.tags if tag == "svg")
    assert svg["role"] == "table"
    cells = [attributes for tag, attributes in reader.tags if tag == "g" and attributes.get("role") == "cell"]
    assert len(cells) == (18 + 10 + 10) * 10
    styled = STYLE_SHEET.read_text(encoding="utf-8")
    assert all(f".{attributes['class']} rect" in styled for attributes in cells)
    assert {attributes["aria-label"] for attributes in cells} == {
        "Stand", "Hit", "Double, else Hit", "Double, else Stand", "Surrender, else Hit", "Split", "Play the total",
    }  # fmt: skip


def test_a_page_obeys_the_content_policy() -> None:
    reader = Reader(page("infinite", Language.FRENCH))
    assert not {"script", "style", "img", "iframe"} & {tag for tag, _ in reader.tags}
    attributes = {name for _, one in reader.tags for name in one}
    assert not {name for name in attributes if name == "style" or name.startswith("on")}
    assert STYLE_SHEET.read_text(encoding="utf-8").count("{") == STYLE_SHEET.read_text(encoding="utf-8").count("}")


def test_each_language_leads_to_the_other() -> None:
    reader = Reader(page("deluxe", Language.FRENCH))
    links = {one["lang"]: one for tag, one in reader.tags if tag == "a" and "lang" in one}
    assert {language: one["href"] for language, one in links.items()} == ADDRESSES
    assert [language for language, one in links.items() if one.get("aria-current") == "page"] == ["fr"]


def test_what_a_variant_file_holds_is_text_and_no_markup() -> None:
    rules = replace(VARIANTS["deluxe"], variant="<script>alert(1)</script>", version='"&<b>')
    sheet = rule_sheet(rules, None, Language.ENGLISH)
    reader = Reader(render_page(sheet, style_sheet='"><script>', addresses={Language.ENGLISH: '"><script>'}))
    assert "script" not in {tag for tag, _ in reader.tags}
    assert {"<script>alert(1)</script>", '"&<b>'} <= set(reader.texts)
