"""Who has a table's supervisor panel open, and who is looking at a correction there (S12). In memory only."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from studio.domain.correction_views import PresenceView
from studio.web.sign_in import Session

_CORRECTING_NS: Final = 60_000_000_000
"""For so long after their last preview somebody counts as correcting."""


@dataclass(slots=True)
class _AtTable:
    feeds: Counter[str] = field(default_factory=Counter)
    names: dict[str, str] = field(default_factory=dict)
    previews: dict[str, tuple[int, int]] = field(default_factory=dict)


class Presence:
    """People at the panels of all tables; :meth:`enter` and :meth:`leave` come in pairs, one a feed."""

    def __init__(self) -> None:
        self._tables: dict[str, _AtTable] = {}

    def enter(self, table: str, session: Session) -> None:
        """A feed of this person shows the table's panel."""
        here = self._tables.setdefault(table, _AtTable())
        here.feeds[session.id] += 1
        here.names[session.id] = session.name

    def leave(self, table: str, session: Session) -> None:
        """It does no longer."""
        here = self._tables[table]
        here.feeds[session.id] -= 1
        if not here.feeds[session.id]:
            del here.feeds[session.id]

    def corrects(self, table: str, session: Session, incident: int, now_ns: int) -> None:
        """Somebody looks at what a correction of an incident (0: of none) would do."""
        here = self._tables.setdefault(table, _AtTable())
        here.names[session.id] = session.name
        here.previews[session.id] = (incident, now_ns + _CORRECTING_NS)

    def corrected(self, table: str, session: Session) -> None:
        """They have sent a command: whatever they looked at is decided."""
        if table in self._tables:
            self._tables[table].previews.pop(session.id, None)

    def at(self, table: str, now_ns: int) -> tuple[PresenceView, ...]:
        """Return who is there, by id."""
        here = self._tables.get(table)
        if here is None:
            return ()
        looking = {who: incident for who, (incident, until_ns) in here.previews.items() if now_ns < until_ns}
        people = sorted({*here.feeds, *looking})
        return tuple(PresenceView(who, here.names[who], looking.get(who)) for who in people)
