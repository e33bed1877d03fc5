"""A strategy chart as SVG: a grid of coloured letters, which screen readers read as a table.

Colours are classes of the page's style sheet; the letters say the same without them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from studio.rule_sheet.forms import Chart

_CELL: Final = 30
_LABEL: Final = 96
_HEAD: Final = 26
_GAP: Final = 14
_BASELINE: Final = 20
"""From a cell's top to the foot of its letter."""
_CLASSES: Final[Mapping[str, str]] = {
    "H": "hit", "S": "stand", "D": "double", "d": "double", "P": "split", "-": "whole",
}  # fmt: skip
_GIVES_UP: Final = "surrender"


def render_svg(chart: Chart) -> str:
    """Return the chart as one ``svg`` element."""
    width = _LABEL + _CELL * len(chart.columns)
    height = sum(_HEAD + _CELL * len(rows) + _GAP for _, rows in chart.parts)
    label = escape(chart.caption)
    return (
        f'<svg class="strategy" viewBox="0 0 {width} {height}" role="table" aria-label="{label}">\n'
        f"{''.join(_parts(chart))}</svg>\n"
    )


def _parts(chart: Chart) -> Iterator[str]:
    meanings = dict(chart.meanings)
    top = 0
    for title, rows in chart.parts:
        names = (title, *chart.columns)
        yield f'<g role="row">{"".join(_head(names, top))}</g>\n'
        top += _HEAD
        for name, codes in rows:
            yield f'<g role="row">{_row_name(name, top)}{"".join(_cells(codes, top, meanings))}</g>\n'
            top += _CELL
        top += _GAP


def _head(names: tuple[str, ...], top: int) -> Iterator[str]:
    for column, name in enumerate(names):
        left = 0 if column == 0 else _LABEL + _CELL * column - _CELL // 2
        kind = ' class="row"' if column == 0 else ""
        yield f'<text{kind} role="columnheader" x="{left}" y="{top + _BASELINE - 2}">{escape(name)}</text>'


def _row_name(name: str, top: int) -> str:
    return f'<text class="row" role="rowheader" x="0" y="{top + _BASELINE}">{escape(name)}</text>'


def _cells(codes: tuple[str, ...], top: int, meanings: Mapping[str, str]) -> Iterator[str]:
    for column, code in enumerate(codes):
        left = _LABEL + _CELL * column
        yield (
            f'<g class="{_CLASSES.get(code, _GIVES_UP)}" role="cell" aria-label="{escape(meanings[code])}">'
            f'<rect x="{left + 1}" y="{top + 1}" width="{_CELL - 2}" height="{_CELL - 2}" rx="4" />'
            f'<text x="{left + _CELL // 2}" y="{top + _BASELINE}">{escape(code)}</text></g>'
        )
