"""A rule sheet as a page for browsers, screen readers and printers: no script, one style sheet beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Final, assert_never

from studio.rule_sheet.chart import render_svg
from studio.rule_sheet.forms import Block, Chart, Language, Points, Section, Sheet, Table, Terms

STYLE_SHEET: Final = Path(__file__).parent / "sheet.css"
"""The file that a page's ``style_sheet`` address must lead to."""

_ENDONYMS: Final[Mapping[Language, str]] = {Language.ENGLISH: "English", Language.FRENCH: "Français"}


def render_page(sheet: Sheet, *, style_sheet: str, addresses: Mapping[Language, str]) -> str:
    """Return the whole page; ``addresses`` say where the sheet is in each language, its own included."""
    links = "".join(_language_link(language, url, sheet.language) for language, url in addresses.items())
    contents = "".join(
        f'<li><a href="#{escape(section.anchor)}">{escape(section.heading)}</a></li>' for section in sheet.sections
    )
    return f"""<!DOCTYPE html>
<html lang="{sheet.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(sheet.title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{escape(style_sheet)}">
</head>
<body>
<header>
<ul class="languages">{links}</ul>
<h1>{escape(sheet.title)}</h1>
<p class="lead">{escape(sheet.lead)}</p>
</header>
<nav aria-labelledby="contents">
<h2 id="contents">{escape(sheet.contents)}</h2>
<ol>{contents}</ol>
</nav>
<main>
{"".join(map(_section, sheet.sections))}</main>
</body>
</html>
"""


def _language_link(language: Language, url: str, current: Language) -> str:
    here = ' aria-current="page"' if language is current else ""
    link = f'<a href="{escape(url)}" lang="{language}" hreflang="{language}"{here}>{_ENDONYMS[language]}</a>'
    return f"<li>{link}</li>"


def _section(section: Section) -> str:
    anchor = escape(section.anchor)
    return (
        f'<section id="{anchor}" aria-labelledby="{anchor}-heading">\n'
        f'<h2 id="{anchor}-heading">{escape(section.heading)}</h2>\n'
        f"{''.join(map(_block, section.blocks))}</section>\n"
    )


def _block(block: Block) -> str:
    match block:
        case Points(sentences):
            return f"<ul>\n{_each('li', sentences)}</ul>\n"
        case Terms(entries):
            return f"<dl>\n{''.join(_entry(*entry) for entry in entries)}</dl>\n"
        case Table():
            return _table(block)
        case Chart():
            return _chart(block)
        case _:
            assert_never(block)


def _entry(name: str, sentences: Iterable[str]) -> str:
    return f"<div><dt>{escape(name)}</dt>\n{_each('dd', sentences)}</div>\n"


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head)
    rows = "".join(_row(*row) for row in table.rows)
    return (
        f"<table>\n<caption>{escape(table.caption)}</caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
    )


def _row(name: str, *cells: str) -> str:
    data = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f'<tr><th scope="row">{escape(name)}</th>{data}</tr>\n'


def _chart(chart: Chart) -> str:
    entries = "".join(_entry(code, (meaning,)) for code, meaning in chart.meanings)
    caption = f"<figcaption>{escape(chart.caption)}</figcaption>\n<p>{escape(chart.across)}</p>\n"
    return f'<figure>\n{caption}{render_svg(chart)}<dl class="codes">\n{entries}</dl>\n</figure>\n'


def _each(tag: str, texts: Iterable[str]) -> str:
    return "".join(f"<{tag}>{escape(text)}</{tag}>\n" for text in texts)
