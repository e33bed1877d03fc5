"""The alarm for another deck: whether the cards that lie on the table are those of the enrolled one.

It looks back at what was made of the last settled cards. One deck's enrolment reads another deck's cards less
often, and now and then wrong; who reads on does not notice (docs/reference/vision.md, "Another deck").
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from vision.table.slots import SlotSeen

WATCHED: Final = 24
"""Cards that are looked back at."""
LEAST_WATCHED: Final = 12
MOST_UNLIKE: Final = 0.25
"""Of the enrolled deck 3 % were unlike it, of the other decks 0 to 46 %: set on the photographs of the figures."""

_UNLIKE: Final = frozenset({"prototype", "low-confidence", "corners-differ", "pips", "not-a-card"})
_DEALER: Final = 0
_HOLE: Final = 2


@dataclass(slots=True)
class DeckWatch:
    """Give it every claim of a table's eye; :attr:`is_other_deck` stays until a whole window was like again."""

    is_other_deck: bool = False
    _unlike: deque[bool] = field(default_factory=lambda: deque(maxlen=WATCHED))

    def note(self, seen: SlotSeen) -> None:
        """Note one card that came; covered places say nothing about the deck."""
        if seen.seat is None or (seen.card is None and not _is_unlike(seen)):
            return
        self._unlike.append(seen.card is None)
        count, unlike = len(self._unlike), sum(self._unlike)
        if self.is_other_deck:
            self.is_other_deck = unlike > 0 or count < WATCHED
        else:
            self.is_other_deck = count >= LEAST_WATCHED and unlike >= MOST_UNLIKE * count


def _is_unlike(seen: SlotSeen) -> bool:
    """Whether a card lies there that is not like the enrolled deck's; the hole card shows its back."""
    is_hole = seen.seat == _DEALER and seen.position == _HOLE
    return seen.seen == "occupied" and seen.reason in _UNLIKE and not is_hole
