"""The physical shoe, or continuous shuffler: a stack of cards, with a cut card in a shoe, from a seed.

Pure of any I/O. It deals what is in it and can be tampered with; it knows nothing of readers or faults.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum
from typing import Final, TypeAlias

from hardware_sim.seeds import seeded
from studio.domain.cards import DECK, Card

MAX_DECKS: Final = 8
_CUT_MARGIN: Final = 10


class Marker(Enum):
    """What comes out of a shoe and is no card."""

    CUT_CARD = "cut_card"
    EMPTY = "empty"


Drawn: TypeAlias = Card | Marker


class Shoe:
    """A stack of ``decks`` times 52 cards; the same seed gives the same cards, load after load.

    ``cut_position`` is how many cards lie behind the cut card, a quarter of the stack when None. A continuous
    shuffler (``is_continuous``) has no cut card and takes its cards back (:meth:`return_cards`). Raises
    ``ValueError`` for a number of decks or a cut position that no shoe can have.
    """

    def __init__(
        self, seed: int, decks: int, cut_position: int | None = None, *, is_continuous: bool = False
    ) -> None:
        if not 1 <= decks <= MAX_DECKS:
            message = f"a shoe holds 1 to {MAX_DECKS} decks, not {decks}"
            raise ValueError(message)
        cards = decks * len(DECK)
        if is_continuous and cut_position is not None:
            message = "a continuous shuffler has no cut card: leave the cut position out"
            raise ValueError(message)
        if cut_position is None:
            cut_position = cards // 4
        if not 0 <= cut_position <= cards:
            message = f"the cut card cannot have {cut_position} cards behind it in a stack of {cards}"
            raise ValueError(message)
        self.seed = seed
        self.decks = decks
        self.loads = 0
        self.is_continuous = is_continuous
        self.shuffles = 0
        self._cut_position = cut_position
        self._stack: list[Card] = []
        self._cards_behind_cut: int | None = None
        self._dealt: Counter[Card] = Counter()
        self.reshuffle()

    @property
    def dealt(self) -> int:
        """Cards that have left this load."""
        return self._dealt.total()

    @property
    def left(self) -> int:
        """Cards still in the stack."""
        return len(self._stack)

    @property
    def has_cut_card(self) -> bool:
        """Whether the cut card is still in the stack."""
        return self._cards_behind_cut is not None

    def reshuffle(self) -> None:
        """Take all cards out, shuffle and cut them, and load them again, from the next derived seed."""
        self.loads += 1
        chance = seeded(self.seed, f"load {self.loads}")
        cards = list(DECK) * self.decks
        chance.shuffle(cards)
        cut = chance.randrange(_CUT_MARGIN, len(cards) - _CUT_MARGIN)
        # The end of the list is the top of the stack.
        self._stack = cards[cut:] + cards[:cut]
        self._cards_behind_cut = None if self.is_continuous else self._cut_position
        self._dealt.clear()
        self.shuffles = 0

    def return_cards(self) -> bool:
        """Take back what was dealt, a foreign card too, and shuffle it in; return whether anything was.

        The load goes on. Only a continuous shuffler does; raise ``ValueError`` for a shoe.
        """
        if not self.is_continuous:
            message = "only a continuous shuffler takes cards back"
            raise ValueError(message)
        if not self._dealt:
            return False
        self.shuffles += 1
        self._stack += self._dealt.elements()
        self._dealt.clear()
        # In a known order first, so that the same seed gives the same cards however they came back.
        self._stack.sort(key=lambda card: card.index)
        seeded(self.seed, f"load {self.loads}, shuffle {self.shuffles}").shuffle(self._stack)
        return True

    def next_card(self) -> Card | None:
        """Return the next card without drawing it, past the cut card."""
        return self._stack[-1] if self._stack else None

    def pull(self) -> Drawn:
        """Draw the next card, the cut card, or ``Marker.EMPTY``."""
        if self._cards_behind_cut == self.left:
            self._cards_behind_cut = None
            return Marker.CUT_CARD
        if not self._stack:
            return Marker.EMPTY
        card = self._stack.pop()
        self._dealt[card] += 1
        return card

    def most_dealt(self) -> Card:
        """Return the card of which most copies have left, the one of lowest index among equals."""
        return max(DECK, key=lambda card: (self._dealt[card], -card.index))

    def bring_up(self, card: Card) -> bool:
        """Make ``card`` the next one by exchange with its next copy; return whether a copy was left."""
        copy = next((place for place in reversed(range(self.left)) if self._stack[place] == card), None)
        if copy is None:
            return False
        self._stack[copy], self._stack[-1] = self._stack[-1], self._stack[copy]
        return True

    def substitute(self, card: Card) -> bool:
        """Put a foreign ``card`` in the place of the next one; return False when the stack is empty."""
        if self._stack:
            self._stack[-1] = card
        return bool(self._stack)

    def take_out(self) -> Card | None:
        """Remove the last card of the stack unseen, so that the shoe is one short; return it."""
        if not self._stack:
            return None
        if self._cards_behind_cut:
            self._cards_behind_cut -= 1
        return self._stack.pop(0)

    def move_cut_card(self, cards_behind: int) -> bool:
        """Move the cut card, if it is still inside, to have ``cards_behind`` it (at most all that are left)."""
        if self._cards_behind_cut is None:
            return False
        self._cards_behind_cut = min(cards_behind, self.left)
        return True
