"""The ways out that correct the open round: what each asks for, and the events it leads to (anomalies.md)."""

from __future__ import annotations

from typing import Final

from studio.domain.anomalies import WayOut
from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.bets import batch_of
from studio.domain.changes import CardValue, Change, DeadHand, OutOfPlay, Placed, Unlawful
from studio.domain.commands import (
    ResolveIncident,
)
from studio.domain.correctable import felt_draws, hidden_card
from studio.domain.events import (
    CardEntered,
    Event,
    FeltScanStarted,
    HandsDied,
    IncidentResolved,
    RoundCorrected,
)
from studio.domain.evolve import evolve
from studio.domain.incidents import extended_deadline_ns
from studio.domain.readings import placed
from studio.domain.refunds import refunds
from studio.domain.replay import replay
from studio.domain.sightings import CardRead, Sighting
from studio.domain.table import Incident, Table

_KINDS: Final[dict[WayOut, tuple[type[Change], ...]]] = {
    WayOut.CORRECT: (CardValue, OutOfPlay, Placed),
    WayOut.MOVE: (Placed,),
    WayOut.OUT_OF_PLAY: (OutOfPlay,),
    WayOut.ENTER: (CardValue,),
    WayOut.DEAD_HAND: (DeadHand, Placed),
    WayOut.REBUILD: (),
    WayOut.DRAW_NOW: (),
}
CORRECTING: Final = frozenset(_KINDS)
"""The ways out that are this module's."""


def correct(table: Table, incident: Incident, command: ResolveIncident, now_ns: int) -> Answer:
    """Do what a correcting way out says; the incident is closed but for a re-scan, which begins with it."""
    refusal = _misfit(command)
    if refusal is not None:
        return refusal
    match command.way_out:
        case WayOut.REBUILD:
            return Accepted((FeltScanStarted(incident.number, tuple(draw for draw, _ in felt_draws(table))),))
        case WayOut.ENTER:
            return _entered(table, incident, command, now_ns)
        case WayOut.DEAD_HAND:
            effects = _dead(table, command.correction)
        case _:
            effects = corrected(table, command.correction)
    if isinstance(effects, Rejected):
        return effects
    return Accepted((*effects, *_closing(table, incident, command, effects, now_ns)))


def _misfit(command: ResolveIncident) -> Rejected | None:
    """Return what is wrong with the changes that were sent for this way out."""
    given, kinds = command.correction, _KINDS[command.way_out]
    alone = command.way_out is WayOut.ENTER
    if command.way_out is WayOut.DEAD_HAND and sum(isinstance(one, DeadHand) for one in given) != 1:
        text = "The way out dead-hand takes one DeadHand, and a Placed for each of its cards that lies elsewhere"
        return Rejected("wrong-changes", text)
    wanted = 1 if alone or command.way_out in {WayOut.CORRECT, WayOut.OUT_OF_PLAY} else 0
    fits = all(isinstance(one, kinds) for one in given) if kinds else not given
    if fits and len(given) >= wanted and not (alone and len(given) > 1):
        return None
    names = " or ".join(kind.__name__ for kind in kinds) or "no change"
    return Rejected("wrong-changes", f"The way out {command.way_out} takes {'one ' if alone else ''}{names}")


def corrected(table: Table, changes: tuple[Change, ...]) -> tuple[Event, ...] | Rejected:
    """Return the correction as events, or why the round cannot be corrected so."""
    if not changes:
        return ()
    after = replay(table, changes, evolve)
    if isinstance(after, Unlawful):
        return Rejected(after.code, after.text)
    draws = [one.draw for one in changes if isinstance(one, CardValue)]
    hidden = any(hidden_card(one, draw) is not None for one in (table, after) for draw in draws)
    return (RoundCorrected(changes, hidden),)


def _dead(table: Table, changes: tuple[Change, ...]) -> tuple[Event, ...] | Rejected:
    """Move the cards that lie elsewhere first; what then lies at the seat leaves the round with it (C03, C04)."""
    moved = corrected(table, tuple(one for one in changes if isinstance(one, Placed)))
    if isinstance(moved, Rejected):
        return moved
    for event in moved:
        table = evolve(table, event)
    seat = next((one.seat for one in changes if isinstance(one, DeadHand)), 0)
    if table.round is None or all(hand.id.seat != seat for hand in table.round.hands):
        return Rejected("no-such-hand", f"Seat {seat} has no hand in this round")
    back = tuple(bet for bet in refunds(table) if bet.seat == seat)
    return (*moved, HandsDied(seat, batch_of(*back)))


def _closing(
    table: Table, incident: Incident, command: ResolveIncident, effects: tuple[Event, ...], now_ns: int
) -> tuple[Event, ...]:
    """Close the incident, and those about cards that lay aside and have their place now."""
    after = table
    for event in effects:
        after = evolve(after, event)
    done = [
        one
        for one in table.incidents
        if one.draw is not None and table.loose_draw(one.draw) is not None and after.loose_draw(one.draw) is None
    ]
    events: tuple[Event, ...] = ()
    for one in (*done, incident):
        deadline_ns = extended_deadline_ns(after, one, now_ns)
        event = IncidentResolved(one.number, command.way_out, command.reason, command.text, deadline_ns)
        after = evolve(after, event)
        events += (event,)
    return events


def _entered(table: Table, incident: Incident, command: ResolveIncident, now_ns: int) -> Answer:
    """Let the card that was entered take the place it would have had, had it been read."""
    draw = None if incident.draw is None else table.loose_draw(incident.draw)
    (change,) = command.correction
    if draw is None or not isinstance(change, CardValue) or change.draw != draw.number:
        return Rejected("unknown-draw", f"Enter the card of the incident: draw {incident.draw}")
    deadline_ns = extended_deadline_ns(table, incident, now_ns)
    closing: tuple[Event, ...] = (
        CardEntered(draw.number),
        IncidentResolved(incident.number, command.way_out, command.reason, command.text, deadline_ns),
    )
    after = table
    for event in closing:
        after = evolve(after, event)
    sighting = Sighting(draw.sighting, CardRead(change.card), now_ns)
    return Accepted((*closing, *placed(after, sighting, change.card, now_ns)))
