"""What can be corrected at a table just now: which cards are on record, and which ways out make sense at all.

Whether a given change is lawful is the replay's answer; these are the questions that need no change to ask.
"""

from __future__ import annotations

from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.cards import Card
from studio.domain.phases import expected_slot
from studio.domain.rules import Layout
from studio.domain.slots import Face
from studio.domain.table import Incident, Table


def felt_draws(table: Table) -> tuple[tuple[int, Card | None], ...]:
    """Return the round's cards in the order of their draws, without dead hands; ``None`` for an unread one."""
    current, shoe = table.round, table.shoe
    if current is None or shoe is None or table.round_start is None:
        return ()
    seats = {hand.id.seat for hand in current.hands}
    found: dict[int, Card | None] = {
        one.draw: one.card for one in current.draws if one.hand is None or one.hand.seat in seats
    }
    found |= {one.number: one.card for one in table.loose if one.is_of(shoe)}
    return tuple(sorted(found.items()))


def can_correct(table: Table, incident: Incident, way: WayOut) -> bool:
    """Tell whether one of the ways out that correct the round makes sense now."""
    current = table.round
    if current is None or table.round_start is None or not current.hands:
        return False
    loose = None if incident.draw is None else table.loose_draw(incident.draw)
    match way:
        case WayOut.REBUILD:
            return table.reader.ready and bool(felt_draws(table))
        case WayOut.DRAW_NOW:
            return loose is None and expected_slot(table.setup.rules, current) is not None
        case WayOut.DEAD_HAND:
            return loose is None and table.setup.rules.layout is not Layout.SHARED_HAND
        case _:
            # A card that still lies aside is ruled on first: its incident has ways out of its own.
            return loose is None and bool(current.draws)


def can_enter(table: Table, incident: Incident) -> bool:
    """Tell whether the incident is about a card of this shoe that nobody could read."""
    draw = None if incident.draw is None else table.loose_draw(incident.draw)
    if table.find_incident(AnomalyKind.MANUAL_ABUSE) is not None:
        # Somebody must look at why so many were entered first.
        return False
    return draw is not None and draw.card is None and table.shoe is not None and draw.is_of(table.shoe)


def hidden_card(table: Table, draw: int) -> Card | None:
    """Return a card that nobody sees now, by its draw: the hole card, a held one, one of the last burned.

    ``None`` for a card that is no secret, or that the table no longer has.
    """
    current = table.round
    for one in current.draws if current is not None and not current.hole_revealed else ():
        if one.draw == draw and one.face is Face.DOWN:
            return one.card
    loose = table.loose_draw(draw)
    if loose is not None:
        return loose.card
    return next((one.card for one in table.recent if one.draw == draw and one.face is Face.DOWN), None)
