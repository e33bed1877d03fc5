"""A rule sheet as plain text of a given width, for terminals."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final, assert_never

from studio.rule_sheet.forms import Block, Chart, Points, Sheet, Table, Terms

NARROWEST: Final = 60
_INDENT: Final = "  "
_GAP: Final = "   "
_NARROWEST_CELL: Final = 12
_LETTER: Final = 4
"""Columns of a code in a chart."""


def render_text(sheet: Sheet, width: int) -> str:
    """Return the sheet as lines of at most ``width`` columns, at least 60; a long word may stand out."""
    lines = list(_lines(sheet, max(width, NARROWEST)))
    return "\n".join(line.rstrip(" ") for line in lines) + "\n"


def _lines(sheet: Sheet, width: int) -> Iterator[str]:
    yield from _heading(sheet.title, "=", width)
    yield ""
    yield from _wrapped(sheet.lead, width)
    for section in sheet.sections:
        yield ""
        yield from _heading(section.heading, "-", width)
        for block in section.blocks:
            yield ""
            yield from _block(block, width)


def _heading(text: str, rule: str, width: int) -> Iterator[str]:
    lines = _wrapped(text, width)
    yield from lines
    yield rule * max(map(len, lines))


def _block(block: Block, width: int) -> Iterator[str]:
    match block:
        case Points(sentences):
            for sentence in sentences:
                yield from _wrapped(sentence, width, "- ", _INDENT)
        case Terms():
            yield from _terms(block, width)
        case Table():
            yield from _table(block, width)
        case Chart():
            yield from _chart(block, width)
        case _:
            assert_never(block)


def _terms(terms: Terms, width: int) -> Iterator[str]:
    """Set names in a column and what is said of them beside it."""
    column = max(len(name) for name, _ in terms.entries) + len(_GAP)
    for name, sentences in terms.entries:
        yield from _wrapped(" ".join(sentences), width, name.ljust(column), " " * column)


def _table(table: Table, width: int) -> Iterator[str]:
    """Set a table in columns; the widest one gives way until the lines fit."""
    rows = (table.head, *table.rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    free = width - len(_INDENT) - len(_GAP) * (len(widths) - 1)
    while sum(widths) > free and max(widths) > _NARROWEST_CELL:
        widths[widths.index(max(widths))] -= 1
    yield from _wrapped(table.caption, width)
    for number, row in enumerate(rows):
        yield from _row(row, widths)
        if number == 0:
            yield _INDENT + _GAP.join("-" * column for column in widths)


def _chart(chart: Chart, width: int) -> Iterator[str]:
    """Set a strategy as letters, a column for each upcard, and what they mean below."""
    yield from _wrapped(chart.caption, width)
    label = max(
        len(name) for title, rows in chart.parts for name in (chart.across, title, *(row for row, _ in rows))
    )
    for title, rows in chart.parts:
        yield ""
        yield _INDENT + " " * label + _INDENT + chart.across
        yield _INDENT + title.ljust(label) + "".join(name.rjust(_LETTER) for name in chart.columns)
        for name, codes in rows:
            yield _INDENT + name.rjust(label) + "".join(code.rjust(_LETTER) for code in codes)
    yield ""
    for code, meaning in chart.meanings:
        yield from _wrapped(meaning, width, _INDENT + code.ljust(_LETTER), _INDENT + " " * _LETTER)


def _row(row: tuple[str, ...], widths: list[int]) -> Iterator[str]:
    cells = [_wrapped(cell, width) for cell, width in zip(row, widths, strict=True)]
    for line in range(max(map(len, cells))):
        parts = (cell[line] if line < len(cell) else "" for cell in cells)
        yield _INDENT + _GAP.join(part.ljust(width) for part, width in zip(parts, widths, strict=True))


def _wrapped(text: str, width: int, first: str = "", later: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first]
