"""What players are told about rulings: a key of the consoles' catalogue, and the money it moved for each."""

from __future__ import annotations

from typing import Final

from studio.domain.anomalies import WayOut
from studio.domain.events import (
    Event,
    HandsDied,
    IncidentResolved,
    RoundCorrected,
    RoundRevised,
    RoundVoided,
    SupervisorAbsent,
)
from studio.domain.rulings import Notice
from studio.domain.table import Table

MOST_NOTICES: Final = 5
_TOLD: Final = frozenset(
    {RoundCorrected, HandsDied, RoundVoided, RoundRevised, SupervisorAbsent, IncidentResolved}
)


def told(table: Table, event: Event) -> Table:
    """Return the table with the notice that ``event`` makes, if it makes one."""
    if type(event) not in _TOLD:
        return table
    notice = _notice(table, event)
    if notice is None:
        return table
    return table._replace(notices=(*table.notices, notice)[-MOST_NOTICES:], notice_count=notice.number)


def _notice(table: Table, event: Event) -> Notice | None:
    number, now = table.notice_count + 1, table.rounds
    match event:
        case RoundCorrected():
            return Notice(number, now, "round-corrected", made_in=now)
        case HandsDied(refunds=back):
            return Notice(number, now, "dead-hand", back.players, back.amounts, now)
        case RoundVoided():
            return Notice(number, now, "round-voided", made_in=now)
        case RoundRevised(revised, players=players, moved=moved):
            return Notice(number, revised, "round-revised", players, moved, now)
        case SupervisorAbsent():
            return Notice(number, now, "supervisor-called", made_in=now)
        case IncidentResolved(way_out=WayOut.MOVE):
            return Notice(number, now, "cards-moved", made_in=now)
        case _:
            return None


def current_notices(table: Table) -> tuple[Notice, ...]:
    """Return what is still shown: the rulings of this round and the last one."""
    return tuple(one for one in table.notices if one.made_in >= table.rounds - 1)
