"""The last readings of a table with the bytes behind them, for the supervisor who looks into an incident.

A view, not a record: after a restart it is filled again from the journal. What was secret when it was written
stays sealed here, card and bytes alike; only a hole card that has been turned is open.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from studio.domain.card_events import CardBurned, CardDealt, CardHeld, CardUnread
from studio.domain.correction_events import FeltCardScanned, FeltReadFailed
from studio.domain.correction_views import ReadingView
from studio.domain.events import hides_card
from studio.domain.round_events import BettingOpened
from studio.domain.slots import Face
from studio.domain.table import Table
from studio.domain.views import BACK
from studio.domain.witness import CardWitnessed, Place, Seen, place_of
from studio.ports.journal import Recorded

MOST_READINGS: Final = 12
SEALED: Final = "sealed"
"""What stands for bytes that would tell a hidden card."""

_Read = CardDealt | CardBurned | CardHeld | CardUnread | FeltCardScanned | FeltReadFailed


class RecentReadings:
    """Keeps the newest readings; give it every event of the table in order."""

    def __init__(self) -> None:
        self._newest: deque[Recorded] = deque(maxlen=MOST_READINGS)
        self._stills: dict[Place, str] = {}
        """The newest still of each place in this round."""

    def note(self, recorded: Recorded) -> None:
        """Keep an event if a reading is behind it, or what a camera saw of a place."""
        match recorded.event:
            case BettingOpened():
                self._stills.clear()
            case CardWitnessed(seen=Seen.READ | Seen.OCCUPIED, slot=slot, frame=frame) if slot is not None:
                self._stills[place_of(slot)] = frame
            case _:
                pass
        if isinstance(recorded.event, _Read):
            self._newest.append(recorded)

    def views(self, table: Table) -> tuple[ReadingView, ...]:
        """Return the newest readings, newest first, as a supervisor of ``table`` may see them."""
        return tuple(_view(one, table, self._still(one, table)) for one in reversed(self._newest))

    def _still(self, recorded: Recorded, table: Table) -> str:
        """Return the frame of a card of the open round; a split took the still along with the card."""
        event = recorded.event
        if not isinstance(event, CardDealt) or table.round is None:
            return ""
        lies = next((one.place for one in table.witness.watched if one.draw == event.draw), place_of(event.slot))
        is_of_round = any(one.draw == event.draw for one in table.round.draws)
        return self._stills.get(lies, self._stills.get(place_of(event.slot), "")) if is_of_round else ""


def _view(recorded: Recorded, table: Table, still: str) -> ReadingView:
    event = recorded.event
    is_open = not hides_card(event) or _is_turned_hole_card(event, table)
    card = getattr(event, "card", None)
    return ReadingView(
        draw=getattr(event, "draw", None),
        what=_what(event),
        card=(card.code if is_open else BACK) if card is not None else "",
        raw=recorded.raw.hex(" ") if is_open or not recorded.raw else SEALED,
        at_wall_ns=recorded.at.wall_ns,
        still=still,
    )


def _what(event: object) -> str:
    match event:
        case CardDealt(slot=slot):
            return "dealer" if slot.hand is None else str(slot.hand)
        case CardBurned():
            return "burned"
        case CardHeld():
            return "held"
        case FeltCardScanned():
            return "felt-scan"
        case _:
            return "unread"


def _is_turned_hole_card(event: object, table: Table) -> bool:
    current = table.round
    if not isinstance(event, CardDealt) or event.slot.face is Face.UP or event.slot.hand is not None:
        return False
    return current is not None and current.hole_revealed and any(one.draw == event.draw for one in current.draws)
