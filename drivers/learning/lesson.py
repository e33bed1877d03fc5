"""The lesson: cards in a known order, a code for each, all different. Pure; it knows no reader and no terminal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from studio.domain.cards import DECK, Card

SUITS: Final = {"D": "diamonds", "C": "clubs", "S": "spades", "H": "hearts"}
RANKS: Final = {"A": "ace", "T": "ten", "J": "jack", "Q": "queen", "K": "king"}


class Wanted(NamedTuple):
    """The card that is to be passed next; ``number`` counts from 1, ``deck`` is 0 where there is one only."""

    number: int
    card: Card
    deck: int

    @property
    def value(self) -> str:
        """What the map says of its code."""
        return f"{self.card.code} {self.deck}" if self.deck else self.card.code

    @property
    def words(self) -> str:
        """The card in words."""
        rank = RANKS.get(self.card.rank.value, self.card.rank.value)
        words = f"{rank} of {SUITS[self.card.suit.value]}"
        return f"{words}, deck {self.deck}" if self.deck else words


class Learnt(NamedTuple):
    """The code is that of the wanted card."""

    wanted: Wanted


class LastAgain(NamedTuple):
    """The code is that of the card before, which was read twice."""


class Known(NamedTuple):
    """The code is that of another card already: a card out of order, or two cards of one code."""

    of: Wanted


Answer: TypeAlias = Learnt | LastAgain | Known


@dataclass(slots=True)
class Lesson:
    """Learns ``decks`` decks, each in the order diamonds, clubs, spades, hearts, ace to king.

    Raises ``ValueError`` for a number of decks below 1.
    """

    decks: int = 1
    _codes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.decks < 1:
            message = f"there must be at least one deck, not {self.decks}"
            raise ValueError(message)

    @property
    def total(self) -> int:
        """How many cards there are to learn."""
        return self.decks * len(DECK)

    @property
    def learnt(self) -> int:
        """How many are learnt."""
        return len(self._codes)

    @property
    def wanted(self) -> Wanted | None:
        """The card to pass next; ``None`` when all are learnt."""
        return self._at(self.learnt) if self.learnt < self.total else None

    def take(self, code: str) -> Answer:
        """Take the code that was read; raise ``ValueError`` when all are learnt."""
        wanted = self.wanted
        if wanted is None:
            message = "every card is learnt"
            raise ValueError(message)
        if self._codes and self._codes[-1] == code:
            return LastAgain()
        if code in self._codes:
            return Known(self._at(self._codes.index(code)))
        self._codes.append(code)
        return Learnt(wanted)

    def back(self) -> Wanted | None:
        """Forget the last card, so that it is asked again; return it, or ``None`` if there is none."""
        if not self._codes:
            return None
        self._codes.pop()
        return self.wanted

    def entries(self) -> dict[str, str]:
        """Return the map so far: code to card, or to card and deck."""
        return {code: self._at(place).value for place, code in enumerate(self._codes)}

    def _at(self, place: int) -> Wanted:
        deck, index = divmod(place, len(DECK))
        return Wanted(place + 1, DECK[index], deck + 1 if self.decks > 1 else 0)
