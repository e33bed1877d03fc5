"""What each text stands for: a card, by a map or a pattern, a cut card, a reading that failed. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from studio.domain.cards import Card, parse_card

MOST_BYTES: Final = 64
"""A longer text is no code (hardware.md, ``barcode_line``)."""
_TEN: Final = "10"


class CardCode(NamedTuple):
    """The code of a card, and the deck that it says it is of, where it says one."""

    card: Card
    deck: int | None


class ForeignCode(NamedTuple):
    """A well-formed code of a deck that is none of ours."""

    deck: int


class CutCode(NamedTuple):
    """The code on a cut card."""


class NoReadText(NamedTuple):
    """What the reader sends when it could read nothing."""


class PassageText(NamedTuple):
    """What the light barrier sends when something begins to pass it."""


class UnmappedText(NamedTuple):
    """None of these."""


Meaning: TypeAlias = CardCode | ForeignCode | CutCode | NoReadText | PassageText | UnmappedText


@dataclass(frozen=True, slots=True)
class CodeBook:
    """One reader's codes.

    ``pattern`` must match the whole text; its groups are ``card``, or ``rank`` and ``suit``, and if it likes
    ``deck``. Where there are ``cards``, they say what the text, or the group ``card``, stands for; else it is read
    as a card's own two letters (a ten also as ``10``). ``decks`` is the highest deck number there is.
    """

    cards: Mapping[str, CardCode]
    pattern: re.Pattern[str] | None = None
    no_read: frozenset[str] = frozenset()
    cut: frozenset[str] = frozenset()
    passage: frozenset[str] = frozenset()
    decks: int | None = None

    def meaning(self, text: str) -> Meaning:
        """Return what ``text`` stands for; nothing is trimmed, folded or repaired."""
        if text in self.no_read:
            return NoReadText()
        if text in self.passage:
            return PassageText()
        if text in self.cut:
            return CutCode()
        code = self._card(text)
        if code is None:
            return UnmappedText()
        if code.deck is not None and self.decks is not None and not 1 <= code.deck <= self.decks:
            return ForeignCode(code.deck)
        return code

    def _card(self, text: str) -> CardCode | None:
        if self.pattern is None:
            return self._named(text)
        found = self.pattern.fullmatch(text)
        if found is None:
            return None
        groups = found.groupdict()
        code = self._named(groups["card"] or "" if "card" in groups else f"{groups['rank']}{groups['suit']}")
        number = groups.get("deck")
        if code is None or number is None:
            return code
        return CardCode(code.card, int(number)) if number.isascii() and number.isdecimal() else None

    def _named(self, name: str) -> CardCode | None:
        if self.cards:
            return self.cards.get(name)
        try:
            return CardCode(parse_card(name.replace(_TEN, "T", 1) if name.startswith(_TEN) else name), None)
        except ValueError:
            return None
