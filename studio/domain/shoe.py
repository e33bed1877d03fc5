"""The shoe: its preparation, its burn, and the inventory of what has come out (rules.md section 3)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from studio.domain.cards import DECK, Card
from studio.domain.rules import Shuffling

EMPTY_INVENTORY: Final[tuple[int, ...]] = (0,) * len(DECK)


class ShoeStep(StrEnum):
    """The steps of loading, in order (S1)."""

    LOADED = "loaded"
    SHUFFLED = "shuffled"
    CUT = "cut"
    CUT_CARD_PLACED = "cut-card-placed"


def shoe_steps(shuffling: Shuffling) -> tuple[ShoeStep, ...]:
    """Return the steps that prepare a shoe; a continuous shuffler is only filled, a virtual shoe needs none."""
    match shuffling:
        case Shuffling.SHOE:
            return tuple(ShoeStep)
        case Shuffling.CONTINUOUS:
            return (ShoeStep.LOADED,)
        case Shuffling.VIRTUAL:
            return ()


class Shoe(NamedTuple):
    """One load of the dealing box.

    ``load`` is the reader's own count of loadings, ``drawn`` the last place in its order. ``out`` counts the
    cards that are out since it was last full, ``seen`` their copies by card index. ``burn_owed`` is ``None``
    until the burn card is shown (S2). ``last_round`` is the number of the round that ends the shoe, once the
    cut card came out (S4). ``rounds`` counts rounds begun, for the side bets' limits (S9). ``returning`` while
    a shuffler waits for the cards of the round (S8). ``commitment`` is a virtual shoe's, ``seed`` its secret
    until it is opened. ``substituted`` counts damaged cards that were replaced.
    """

    id: str
    load: int
    decks: int
    cut_position: int
    drawn: int = 0
    out: int = 0
    seen: tuple[int, ...] = EMPTY_INVENTORY
    burn_owed: int | None = None
    burn_ended_ns: int | None = None
    last_round: int | None = None
    rounds: int = 0
    returning: bool = False
    commitment: str = ""
    seed: str = ""
    substituted: int = 0

    @property
    def size(self) -> int:
        """Cards it was loaded with."""
        return self.decks * len(DECK)

    @property
    def left(self) -> int:
        """Cards still in it."""
        return self.size - self.out

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
