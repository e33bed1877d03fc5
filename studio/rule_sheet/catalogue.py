"""What a language brings: its sentences by key, and the words for the same thing at each game.

It knows no rules: which sentences a sheet has, and the numbers in them, are for :mod:`studio.rule_sheet.sheet`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from studio.rule_sheet.forms import Language


class Count(int):
    """A whole number that brings its noun: ``{decks:deck|decks}`` writes ``1 deck`` or ``8 decks``."""

    __slots__ = ()

    def __format__(self, nouns: str) -> str:
        """Return the number with the noun's form for it, or as Python formats it where no forms are given."""
        if "|" not in nouns:
            return super().__format__(nouns)
        one, many = nouns.split("|")
        return f"{int(self)} {one if self == 1 else many}"


@dataclass(frozen=True, slots=True)
class Words:
    """A game's words: the names on its buttons."""

    hit: str
    stand: str
    double: str
    split: str
    surrender: str
    insurance: str
    decline: str
    """The button that takes no insurance."""
    split_hand: str
    """What a hand made by a split is called."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """One language's sentences, and its names and words by variant; other variants have the usual words.

    Sentences hold placeholders and no numbers. ``typeset`` gives a finished text the spaces and marks of the
    language.
    """

    language: Language
    sentences: Mapping[str, str]
    names: Mapping[str, str]
    words: Mapping[str, Words]
    usual_words: Words
    typeset: Callable[[str], str]

    def say(self, key: str, values: Mapping[str, object]) -> str:
        """Return a sentence with its placeholders filled; raise ``KeyError`` where key or value is missing."""
        return self.typeset(self.sentences[key].format_map(values))

    def words_of(self, variant: str) -> Words:
        """Return the words of a variant's console."""
        return self.words.get(variant, self.usual_words)
