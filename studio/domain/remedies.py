"""Rulings that need no replay: what the camera's and the dealer's ways out ask for, and what they lead to.

The ways out that correct the open round are elsewhere; which are offered says :mod:`studio.domain.misdeals`.
"""

from __future__ import annotations

from studio.domain.actions import Action
from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.cards import Card
from studio.domain.events import (
    CameraTakesOver,
    CardBurned,
    CardSubstituted,
    Cause,
    CutCardSeen,
    DecisionTaken,
    Event,
    SingleSourceAccepted,
)
from studio.domain.misdeals import faults_void
from studio.domain.phases import expected_slot, is_dealt, next_hand
from studio.domain.profile import RefusedCard
from studio.domain.setup import CameraMode
from studio.domain.sightings import SightingId
from studio.domain.slots import Face
from studio.domain.table import Incident, RoundEnd, Table
from studio.domain.witness import Seen, place_of

_MINUTE_NS = 60 * 1_000_000_000


def is_possible(table: Table, incident: Incident, way: WayOut) -> bool:
    """Tell whether one of this module's ways out, or *go on*, can be taken as things stand."""
    match way:
        case WayOut.GO_ON:
            return not (faults_void(table.setup, incident.kind) and _is_before_result(table))
        case WayOut.KEEP_SCAN:
            return incident.draw is not None
        case WayOut.CAMERA_VALUE:
            return camera_value(table, incident) is not None
        case WayOut.BY_CAMERA:
            return _can_take_over(table, incident)
        case WayOut.REFUSED:
            return _refusing_hand_is_there(table, incident)
        case WayOut.SUBSTITUTE:
            return table.shoe is not None
        case WayOut.LAST_ROUND:
            return table.shoe is not None and table.shoe.last_round is None
        case WayOut.ACCEPT:
            return table.setup.witness is not None
        case WayOut.LAID:
            return (_has_felt(table) or _is_missed(incident)) and not _is_unread(table, incident)
        case _:
            return False


def _is_before_result(table: Table) -> bool:
    current = table.round
    return current is not None and current.end is RoundEnd.NOT_YET and not current.is_betting


def _has_felt(table: Table) -> bool:
    return table.round is not None and table.round.end in {RoundEnd.NOT_YET, RoundEnd.COMMITTED}


def _is_missed(incident: Incident) -> bool:
    """A card that only the second reader told: between rounds a person may say that there is none."""
    return incident.kind is AnomalyKind.NO_READ and incident.draw is None


def _is_unread(table: Table, incident: Incident) -> bool:
    """Wherever it is laid, a card that nobody read is unknown still, and nothing else would ask for its value."""
    draw = None if incident.draw is None else table.loose_draw(incident.draw)
    return draw is not None and draw.card is None


def _refusing_hand_is_there(table: Table, incident: Incident) -> bool:
    draw = None if incident.draw is None else table.loose_draw(incident.draw)
    current = table.round
    if draw is None or draw.card is None or current is None or current.shared is not None:
        return False
    return is_dealt(current) and next_hand(table.setup.rules, current) is not None


def _can_take_over(table: Table, incident: Incident) -> bool:
    """The reader is down, the camera is not, and no card that only the reader can see is still due."""
    camera, current = table.setup.camera, table.round
    if camera is None or camera.mode is not CameraMode.FALLBACK or current is None or incident.cleared:
        return False
    is_open = current.end is RoundEnd.NOT_YET and not current.is_betting
    return is_open and is_dealt(current) and table.witness.ready and not table.reader.ready and not table.loose


def camera_value(table: Table, incident: Incident) -> Card | None:
    """Return what the camera reads at the place that is due, for a card that the reader could not read."""
    current = table.round
    draw = None if incident.draw is None else table.loose_draw(incident.draw)
    if table.setup.camera is None or current is None or draw is None or draw.card is not None:
        return None
    slot = expected_slot(table.setup.rules, current)
    if slot is None or slot.face is Face.DOWN:
        return None
    claim = table.witness.claim(place_of(slot))
    return claim.card if claim is not None and claim.seen is Seen.READ else None


def effects(table: Table, incident: Incident, way: WayOut, now_ns: int) -> tuple[Event, ...]:
    """Return what one of this module's ways out leads to besides closing the incident."""
    match way:
        case WayOut.ACCEPT if table.setup.witness is not None:
            return (SingleSourceAccepted(now_ns + table.setup.witness.single_source_minutes * _MINUTE_NS),)
        case WayOut.BY_CAMERA:
            return (CameraTakesOver(),)
        case WayOut.SUBSTITUTE:
            return (CardSubstituted(incident.number),)
        case WayOut.LAST_ROUND if table.shoe is not None:
            unread = SightingId(table.setup.reader, table.shoe.load, table.shoe.drawn)
            return (CutCardSeen(unread, max(table.rounds, 1)),)
        case WayOut.REFUSED:
            return _refused(table, incident)
        case _:
            return ()


def keeps_open(table: Table, way: WayOut) -> bool:
    """Tell whether the incident stays open: a refused card is offered on (C11)."""
    return way is WayOut.REFUSED and table.setup.profile.refused_card is RefusedCard.NO_MORE_CARDS


def _refused(table: Table, incident: Incident) -> tuple[Event, ...]:
    """C11: either the card is burned, or the refusing hand gets no more cards and the next one is asked."""
    draw = None if incident.draw is None else table.loose_draw(incident.draw)
    hand = next_hand(table.setup.rules, table.round) if table.round is not None else None
    if draw is None or draw.card is None or hand is None:
        return ()
    if table.setup.profile.refused_card is RefusedCard.NO_MORE_CARDS:
        return (DecisionTaken(hand.id, Action.STAND, Action.STAND, Cause.REFUSED_CARD, 0),)
    return (CardBurned(draw.number, draw.sighting, draw.card, Face.UP, draw.at_ns),)
