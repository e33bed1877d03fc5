"""How the second witness changes a table, and how the table's cards change what is watched."""

from __future__ import annotations

from typing import Final, assert_never

from studio.domain import second_reader
from studio.domain.actions import Action
from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.cards import Card
from studio.domain.events import (
    AnomalyDetected,
    CameraTakesOver,
    CardDealt,
    CardWitnessed,
    DecisionTaken,
    Event,
    HoleRevealed,
    ReaderChanged,
    RoundClosed,
    SingleSourceAccepted,
    SingleSourceEnded,
    WitnessEvent,
    WitnessJudged,
)
from studio.domain.slots import HandId, Slot
from studio.domain.table import Incident, Round, Table
from studio.domain.witness import Claim, Place, Seen, Verdict, Watched, Witness, place_of

_DIFFERENT: Final = frozenset({AnomalyKind.SOURCE_DISAGREEMENT, AnomalyKind.RESULT_MISMATCH})
_ABOUT_UNKNOWN_CARDS: Final = frozenset(
    {
        AnomalyKind.NO_READ,
        AnomalyKind.MISSCAN_LATE,
        AnomalyKind.TWO_CARDS,
        AnomalyKind.WRONG_POSITION,
        AnomalyKind.SKIPPED_DRAW,
    }
)
"""Incidents about a card that the camera sees where the round has none."""
_HOLE: Final = Place(None, 2)


def evolve_witness(table: Table, event: WitnessEvent) -> Table:
    """Return the table after ``event``; as it is where there is no second witness."""
    setup, second, witness = table.setup.witness, table.setup.second_reader, table.witness
    if setup is None:
        return table
    match event:
        case CardWitnessed() if second is not None:
            return table._replace(witness=witness._replace(pairing=second_reader.heard(table, second, event)))
        case CardWitnessed(sighting, seen, slot, card, _, _, at_ns):
            place = place_of(slot) if slot else None
            return table._replace(witness=witness.with_claim(Claim(place, seen, card, at_ns, sighting)))
        case WitnessJudged(draw, verdict):
            if second is not None:
                witness = witness._replace(pairing=second_reader.judged(table, second, draw))
            return table._replace(witness=witness.judged_as(draw, verdict, setup.coverage_cards))
        case SingleSourceAccepted(until_ns):
            return table._replace(witness=witness.measured_anew(until_ns))
        case SingleSourceEnded():
            return table._replace(witness=witness.measured_anew(None))
        case CameraTakesOver():
            return table._replace(witness=witness._replace(takes_over=True))
        case _:
            assert_never(event)


def watch(before: Table, table: Table, event: Event) -> Table:
    """Return the table with its witness brought up to date after any other event of a table that has one."""
    setup, second, witness = table.setup.witness, table.setup.second_reader, table.witness
    if setup is None:
        return table
    if second is not None:
        witness = witness._replace(pairing=second_reader.followed(before, witness.pairing, second, event))
    match event:
        case ReaderChanged(device, ready) if device == setup.device:
            return table._replace(witness=witness._replace(ready=ready))
        case AnomalyDetected(kind=kind, draw=draw) if kind in _DIFFERENT and draw is not None:
            return table._replace(witness=witness.judged_as(draw, Verdict.DIFFERENT, setup.coverage_cards))
        case _ if second is not None:
            return table._replace(witness=witness)
        case CardDealt(draw, _, _, slot, at_ns):
            return table._replace(witness=witness._replace(watched=(*witness.watched, Watched(draw, slot, at_ns))))
        case HoleRevealed(_, at_ns):
            return table._replace(witness=_hole_turned(witness, at_ns))
        case DecisionTaken(hand, _, Action.SPLIT):
            return table._replace(witness=_split(table.open_round, witness, hand))
        case RoundClosed():
            return table._replace(witness=witness._replace(claims=(), watched=()))
        case _:
            return table


def _hole_turned(witness: Witness, at_ns: int) -> Witness:
    """Its face is to be confirmed from now on; before, that something lay there was enough."""
    watched = tuple(
        Watched(one.draw, Slot(None, one.place.position), at_ns, turned=True) if one.place == _HOLE else one
        for one in witness.watched
    )
    return witness._replace(watched=watched)


def _split(current: Round, witness: Witness, hand: HandId) -> Witness:
    """The second card lies at the new hand now; whatever was seen at its old place was that card."""
    new = HandId(hand.seat, max(one.id.number for one in current.hands if one.id.seat == hand.seat))
    old = Place(hand, 2)
    watched = tuple(one._replace(slot=Slot(new, 1)) if one.place == old else one for one in witness.watched)
    claims = tuple(one._replace(place=Place(new, 1)) if one.place == old else one for one in witness.claims)
    return witness._replace(watched=watched, claims=claims)


def ruled(table: Table, incident: Incident, way: WayOut) -> Table:
    """Return the table after an incident of the witness was closed in a way: the same claim is no new one."""
    witness = table.witness
    if table.setup.second_reader is not None:
        pairing = second_reader.closed(table, incident, is_rescan=way is WayOut.RESCAN)
        return table._replace(witness=witness._replace(pairing=pairing))
    match incident.kind:
        case AnomalyKind.NO_READ if incident.draw is not None:
            claims = witness.claims
        case kind if kind in _ABOUT_UNKNOWN_CARDS:
            claims = _rule(table, witness, only=None)
        case AnomalyKind.EARLY_COLLECT:
            claims = _rule(table, witness, only=Seen.CLEARED)
        case AnomalyKind.BOXED_CARD:
            claims = tuple(one for one in witness.claims if one.place is not None)
        case AnomalyKind.HOLE_EXPOSED:
            claims = tuple(one._replace(ruled=True) if one.place == _HOLE else one for one in witness.claims)
        case _:
            claims = witness.claims
    watched = tuple(
        one._replace(verdict=Verdict.RULED) if one.draw == incident.draw else one for one in witness.watched
    )
    return table._replace(witness=witness._replace(claims=claims, watched=watched))


def _rule(table: Table, witness: Witness, only: Seen | None) -> tuple[Claim, ...]:
    """Mark the claims that no card of the round accounts for, or all of one kind."""
    return tuple(
        one._replace(ruled=True)
        if (one.seen is only if only else one.seen is Seen.TWO_CARDS or _is_unmatched(table, one))
        else one
        for one in witness.claims
    )


def _is_unmatched(table: Table, claim: Claim) -> bool:
    return claim.place is not None and card_at(table.round, claim.place) is None


def card_at(current: Round | None, place: Place) -> Card | None:
    """Return the card that the round has at a place."""
    if current is None:
        return None
    cards = current.dealer
    if place.hand is not None:
        cards = next((one.cards for one in current.hands if one.id == place.hand), ())
    return cards[place.position - 1] if 1 <= place.position <= len(cards) else None


def is_face_down(current: Round, place: Place) -> bool:
    """Tell whether the card of a place is not to be seen yet."""
    return place == _HOLE and not current.hole_revealed
