"""The alarm for another deck: whether the cards that lie on the table are those of the enrolled one.

It looks back at what was made of the last cards. One deck's enrolment reads another deck's cards less often, and
now and then wrong; a reader by itself does not notice (docs/reference/vision.md, "Figures").
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from studio.domain.cards import Card

WATCHED: Final = 24
"""Cards that are looked back at."""
LEAST_WATCHED: Final = 12
MOST_UNLIKE: Final = 0.25
"""Of the enrolled decks 3 % were unlike it, of other decks up to 46 %: set on the photographs of the figures."""

_UNLIKE: Final = frozenset({"prototype", "low-confidence", "corners-differ", "pips", "not-a-card"})
"""The reasons that an enrolled deck's own cards hardly ever give."""


@dataclass(slots=True)
class DeckWatch:
    """Give it what was made of each card; the alarm stays until a whole window was like the deck again."""

    is_other_deck: bool = False
    _unlike: deque[bool] = field(default_factory=lambda: deque(maxlen=WATCHED))

    def note(self, card: Card | None, reason: str) -> None:
        """Note one card, ``None`` with the ``reason`` where it was not read; a covered one tells nothing."""
        if card is None and reason not in _UNLIKE:
            return
        self._unlike.append(card is None)
        count, unlike = len(self._unlike), sum(self._unlike)
        if self.is_other_deck:
            self.is_other_deck = unlike > 0 or count < WATCHED
        else:
            self.is_other_deck = count >= LEAST_WATCHED and unlike >= MOST_UNLIKE * count
