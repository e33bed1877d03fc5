"""The form of a rule sheet: headings, sentences, terms and tables. Text only, already in its language.

It knows neither rules nor pages: :mod:`studio.rule_sheet.sheet` fills it, the renderers read it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Language(StrEnum):
    """A language of rule sheets, by its ISO 639-1 code."""

    ENGLISH = "en"
    FRENCH = "fr"


@dataclass(frozen=True, slots=True)
class Points:
    """Sentences that stand beside each other, each a point of its own."""

    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """Named things, each with what is to be said of it: ``(name, sentences)``."""

    entries: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; every row is as long as ``head``, and its first cell names the row."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A strategy: parts of rows of codes, a code for each upcard; ``meanings`` say what each code is.

    ``across`` names what the columns are. A part is ``(title, rows)``, a row ``(name, codes)``.
    """

    caption: str
    across: str
    columns: tuple[str, ...]
    parts: tuple[tuple[str, tuple[tuple[str, tuple[str, ...]], ...]], ...]
    meanings: tuple[tuple[str, str], ...]


Block = Points | Terms | Table | Chart


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what is under it; ``anchor`` is the same in every language."""

    anchor: str
    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole rule sheet; ``contents`` is the heading of a list of its sections."""

    language: Language
    title: str
    lead: str
    contents: str
    sections: tuple[Section, ...]
