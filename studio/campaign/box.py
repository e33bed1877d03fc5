"""The dealing box: true cards in a seeded order, and the counts that its reader keeps."""

from __future__ import annotations

from random import Random

from studio.domain.cards import DECK, Card


class Box:
    """One shoe after another. ``load`` and ``ordinal`` are the reader's own counts."""

    def __init__(self, rng: Random, decks: int, cut_position: int | None) -> None:
        self._rng = rng
        self._decks = decks
        self._cut_position = cut_position
        self.load = 0
        self.ordinal = 0
        self.cards: list[Card] = []
        self.cut_due: int | None = None
        """So many cards are left when the cut card comes; ``None`` where it came, or is missing."""

    def fill(self, *, with_cut: bool = True) -> None:
        """Put a fresh shuffle in."""
        self.load, self.ordinal = self.load + 1, 0
        self.cards = list(DECK) * self._decks
        self._rng.shuffle(self.cards)
        self.cut_due = self._cut_position if with_cut else None

    def return_all(self) -> None:
        """A continuous shuffler has every card back."""
        self.cards = list(DECK) * self._decks
        self._rng.shuffle(self.cards)

    def pull(self) -> Card:
        """Draw the next card; raise ``IndexError`` where there is none."""
        return self.cards.pop()

    def number(self) -> int:
        """Return the reader's number for the card that it just saw."""
        self.ordinal += 1
        return self.ordinal

    def is_cut_next(self) -> bool:
        """Tell whether the cut card lies before the next card."""
        return self.cut_due is not None and len(self.cards) <= self.cut_due
