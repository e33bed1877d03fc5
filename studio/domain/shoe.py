"""The shoe: its preparation, its burn, and the inventory of what has come out (rules.md section 3)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from studio.domain.cards import DECK, Card

EMPTY_INVENTORY: Final[tuple[int, ...]] = (0,) * len(DECK)


class ShoeStep(StrEnum):
    """The steps of loading, in order (S1)."""

    LOADED = "loaded"
    SHUFFLED = "shuffled"
    CUT = "cut"
    CUT_CARD_PLACED = "cut-card-placed"


STEPS: Final = tuple(ShoeStep)


class Shoe(NamedTuple):
    """One load of the dealing box.

    ``load`` is the reader's own count of loadings. ``drawn`` counts readings that consumed a place in the order,
    ``not_cards`` those of them that were no card after all (duplicates). ``seen`` counts copies that came out, by
    card index. ``burn_owed`` is ``None`` until the burn card is shown (S2). ``last_round`` is the number of the
    round that ends the shoe, once the cut card came out (S4).
    """

    id: str
    load: int
    decks: int
    cut_position: int
    drawn: int = 0
    not_cards: int = 0
    seen: tuple[int, ...] = EMPTY_INVENTORY
    burn_owed: int | None = None
    burn_ended_ns: int | None = None
    last_round: int | None = None

    @property
    def size(self) -> int:
        """Cards it was loaded with."""
        return self.decks * len(DECK)

    @property
    def left(self) -> int:
        """Cards still in it."""
        return self.size - self.drawn + self.not_cards

    @property
    def is_burnt(self) -> bool:
        """Whether the burn is finished: the shown card and as many more as it says (S2)."""
        return self.burn_owed == 0

    def copies_out(self, card: Card) -> int:
        """How many copies of ``card`` have come out (S6)."""
        return self.seen[card.index]


def counted(seen: tuple[int, ...], card: Card, by: int = 1) -> tuple[int, ...]:
    """Return the inventory with ``by`` more copies of ``card`` out."""
    return (*seen[: card.index], seen[card.index] + by, *seen[card.index + 1 :])
