"""The documentation as the tests read it: pages, tables, links, fenced blocks. It knows no meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Fence(NamedTuple):
    """A fenced block: its language and its text."""

    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the documentation."""

    path: Path
    text: str

    def links(self) -> list[str]:
        """Return the targets of its links; examples in fenced blocks are none."""
        return _LINK.findall(_FENCE.sub("", self.text))

    def fences(self, *languages: str) -> list[Fence]:
        """Return its fenced blocks in one of some languages, in order."""
        found = [Fence(*match) for match in _FENCE.findall(self.text)]
        return [fence for fence in found if fence.language in languages]

    def prose(self) -> str:
        """Return the page without its fenced blocks."""
        return _FENCE.sub("", self.text)

    def rows(self, heading: str = "") -> list[list[str]]:
        """Return the cells of all table rows but headers, of one section or of the whole page."""
        return list(_rows(_section(self.text, heading) if heading else self.text))

    def row(self, key: str) -> list[str]:
        """Return the one row whose first cell begins with ``key`` in backticks."""
        (found,) = [row for row in self.rows() if row[0].startswith(f"`{key}`")]
        return found


def page(name: str) -> Page:
    """Return a page by its path below ``docs``."""
    path = DOCS / name
    return Page(path, path.read_text(encoding="utf-8"))


def all_pages() -> list[Page]:
    """Return every page."""
    return [page(str(path.relative_to(DOCS))) for path in sorted(DOCS.rglob("*.md"))]


def coded(cell: str) -> list[str]:
    """Return what stands in backticks in a cell."""
    return CODE.findall(cell)


def first_keys(rows: list[list[str]]) -> list[str]:
    """Return what stands in backticks at the beginning of each row."""
    return [coded(row[0])[0] for row in rows if coded(row[0])]


def _section(text: str, heading: str) -> str:
    level = len(heading) - len(heading.lstrip("#"))
    _, found, after = text.partition(f"\n{heading}\n")
    assert found, f"there is no section {heading!r}"
    return re.split(rf"^#{{1,{level}}} ", after, maxsplit=1, flags=re.MULTILINE)[0]


def _rows(text: str) -> Iterator[list[str]]:
    lines = text.splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("|") and not line.startswith("|---") and not following.startswith("|---"):
            yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
