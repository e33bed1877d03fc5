"""The misdeal table: what a supervisor is offered, by situation, reading, exposure and later cards (anomalies.md).

:func:`offered` is the table itself, a pure function of four answers and the table's ruling profile.
:func:`facts_of` finds the four answers for an open incident. What is possible just now, for example that a card is
there to be burned, is asked elsewhere.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple, assert_never

from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.evolve_witness import card_at
from studio.domain.hands import total
from studio.domain.phases import DEALER_STANDS_ON, Phase, is_natural, phase
from studio.domain.profile import (
    BadScan,
    CardBeforeTime,
    DealerOverdraw,
    ExposedCard,
    ExtraHand,
    Fault,
    FlawedCard,
    HoleExposed,
    MisplacedCard,
    MissedDealerCard,
    NoCardHand,
    OneCardHand,
    RulingProfile,
    UnbetSeat,
)
from studio.domain.setup import TableSetup
from studio.domain.slots import HandId
from studio.domain.table import Incident, Round, Table

W = WayOut


class Situation(StrEnum):
    """What happened, as the misdeal table names it."""

    BEFORE_TIME = "before-time"
    EXTRA_CARD = "extra-card"
    DEALER_OVERDRAW = "dealer-overdraw"
    WRONG_SEAT = "wrong-seat"
    UNBET_SEAT = "unbet-seat"
    EXTRA_HAND = "extra-hand"
    SKIPPED_DEALER = "skipped-dealer"
    ONE_CARD_HAND = "one-card-hand"
    NO_CARD_HAND = "no-card-hand"
    MISREAD = "misread"
    SHOWN_WRONG = "shown-wrong"
    HOLE_EXPOSED = "hole-exposed"
    FLAWED_CARD = "flawed-card"
    SHOE_WRONG = "shoe-wrong"


class Facts(NamedTuple):
    """The four questions. ``revealed`` is ``None`` while nobody said; ``later`` counts a decision as a card.

    ``has_still``, a camera looks on; ``has_natural``, some hand is a natural already.
    """

    situation: Situation
    read: bool = True
    revealed: bool | None = True
    later: bool = False
    has_still: bool = False
    has_natural: bool = False


def _ways(*ways: WayOut) -> frozenset[WayOut]:
    return frozenset(ways)


_VOID: Final = _ways(W.VOID)
_SKIP: Final = _ways(W.MOVE, W.DRAW_NOW, W.VOID)
_DEAD: Final = _ways(W.DEAD_HAND, W.VOID)
_ALWAYS: Final = _ways(W.CHANGE_SHOE, W.ACKNOWLEDGE, W.LOAD_DISCARDS)
"""What depends on no ruling, only on whether it is possible."""


def offered(facts: Facts, profile: RulingProfile) -> frozenset[WayOut]:
    """Return the ways out that table and profile allow; while a question is unanswered, those of both answers."""
    if facts.revealed is None:
        answers = (offered(facts._replace(revealed=revealed), profile) for revealed in (False, True))
        return frozenset().union(*answers)
    return _row(facts, profile) | _ALWAYS


def _row(facts: Facts, profile: RulingProfile) -> frozenset[WayOut]:  # noqa: C901, PLR0911, PLR0912 - one case a row
    match facts.situation:
        case Situation.BEFORE_TIME:
            return _before_time(facts, profile)
        case Situation.EXTRA_CARD:
            return _extra_card(facts, profile)
        case Situation.DEALER_OVERDRAW:
            return _ways(W.BURN) if profile.dealer_overdraw is DealerOverdraw.BURN else _VOID
        case Situation.WRONG_SEAT:
            return _wrong_seat(facts, profile)
        case Situation.UNBET_SEAT:
            return _unbet_seat(profile)
        case Situation.EXTRA_HAND:
            return _extra_hand(profile)
        case Situation.SKIPPED_DEALER:
            return _SKIP if profile.missed_dealer_card is MissedDealerCard.DEAL_AFTER else _VOID
        case Situation.ONE_CARD_HAND:
            return _SKIP if profile.one_card_hand is OneCardHand.DEAL_AFTER else _DEAD
        case Situation.NO_CARD_HAND:
            return _no_card_hand(profile)
        case Situation.MISREAD:
            return _misread(facts, profile)
        case Situation.SHOWN_WRONG:
            return _ways(W.KEEP_SCAN, W.VOID) if facts.later else _ways(W.KEEP_SCAN, W.CORRECT, W.VOID)
        case Situation.HOLE_EXPOSED:
            return _ways(W.GO_ON) if profile.hole_exposed is HoleExposed.PLAY_ON else _VOID
        case Situation.FLAWED_CARD:
            return _flawed(profile)
        case Situation.SHOE_WRONG:
            return _ways(W.RECOUNT, W.VOID)
        case _:
            assert_never(facts.situation)


def _before_time(facts: Facts, profile: RulingProfile) -> frozenset[WayOut]:
    """C06: unseen it may still be a card of the game; seen it is out of play."""
    if not facts.read:
        return _ways(W.DISCARD, W.ENTER, W.VOID) if facts.revealed else _ways(W.RESCAN, W.DISCARD, W.VOID)
    if facts.revealed or profile.card_before_time is CardBeforeTime.BURN:
        return _ways(W.BURN, W.VOID)
    return _ways(W.USE_NEXT, W.VOID)


def _extra_card(facts: Facts, profile: RulingProfile) -> frozenset[WayOut]:
    """C10 to C12: unseen it is the next card; seen the profile decides; after later cards only with proof."""
    if facts.revealed and facts.later:
        return _ways(W.USE_NEXT, W.VOID) if facts.has_still else _VOID
    if not facts.revealed:
        return _ways(W.USE_NEXT, W.VOID)
    match profile.exposed_card:
        case ExposedCard.NEXT:
            return _ways(W.USE_NEXT, W.VOID)
        case ExposedCard.BURN:
            return _ways(W.BURN, W.VOID)
        case ExposedCard.OFFER:
            return _ways(W.USE_NEXT, W.REFUSED, W.VOID)
        case ExposedCard.VOID:
            return _VOID


def _wrong_seat(facts: Facts, profile: RulingProfile) -> frozenset[WayOut]:
    """C05: with nothing dealt after it, as the profile says; later the order of the cards stays as it is."""
    if profile.misplaced_card is MisplacedCard.VOID:
        return _VOID
    if facts.later:
        return _ways(W.MOVE, W.REBUILD, W.VOID)
    return _ways(W.LAID if profile.misplaced_card is MisplacedCard.MOVE else W.MOVE, W.VOID)


def _unbet_seat(profile: RulingProfile) -> frozenset[WayOut]:
    match profile.unbet_seat:
        case UnbetSeat.DEAD_HAND:
            return _ways(W.OUT_OF_PLAY, W.VOID)
        case UnbetSeat.SHIFT:
            return _ways(W.LAID, W.VOID)
        case UnbetSeat.WITHDRAW:
            return _ways(W.LAID, W.DEAD_HAND, W.VOID)


def _extra_hand(profile: RulingProfile) -> frozenset[WayOut]:
    match profile.extra_hand:
        case ExtraHand.BURN:
            return _ways(W.OUT_OF_PLAY, W.VOID)
        case ExtraHand.SHIFT:
            return _ways(W.LAID, W.VOID)
        case ExtraHand.VOID:
            return _VOID


def _no_card_hand(profile: RulingProfile) -> frozenset[WayOut]:
    match profile.no_card_hand:
        case NoCardHand.DEAD_HAND:
            return _DEAD
        case NoCardHand.DEAL_AFTER:
            return _SKIP
        case NoCardHand.VOID:
            return _VOID


def _misread(facts: Facts, profile: RulingProfile) -> frozenset[WayOut]:
    """C07: rescan, else a second source and confirmation; after later cards the whole table is read again."""
    if profile.bad_scan is BadScan.VOID:
        return _VOID
    kept = _ways(W.DEAD_HAND) if profile.bad_scan is BadScan.KEEP_NATURALS and facts.has_natural else _ways()
    if facts.later:
        return _ways(W.REBUILD, W.LAID, W.VOID) | kept
    return _ways(W.RESCAN, W.CAMERA_VALUE, W.ENTER, W.DISCARD, W.LAID, W.VOID) | kept


def _flawed(profile: RulingProfile) -> frozenset[WayOut]:
    """C20, C21: identified it may go on as it is; else as the profile says."""
    match profile.flawed_card:
        case FlawedCard.DISCARD:
            return _ways(W.GO_ON, W.OUT_OF_PLAY, W.VOID)
        case FlawedCard.SUBSTITUTE:
            return _ways(W.GO_ON, W.SUBSTITUTE, W.VOID)
        case FlawedCard.SHOE_CHANGE:
            return _VOID


def facts_of(table: Table, incident: Incident) -> Facts | None:
    """Return the four answers for an open incident, ``None`` for a kind that is no misdeal."""
    situation = _situation(table, incident)
    if situation is None:
        return None
    draw = None if incident.draw is None else table.loose_draw(incident.draw)
    return Facts(
        situation,
        read=draw is None or draw.card is not None,
        revealed=_is_revealed(situation, incident),
        later=_has_later(table, incident),
        has_still=table.setup.camera is not None,
        has_natural=table.round is not None and any(map(is_natural, table.round.hands)),
    )


def _is_revealed(situation: Situation, incident: Incident) -> bool | None:
    if situation in {Situation.BEFORE_TIME, Situation.EXTRA_CARD}:
        return incident.revealed
    return True


def _has_later(table: Table, incident: Incident) -> bool:
    """Whether a card was dealt after the one in question."""
    if incident.kind is AnomalyKind.MISSCAN_LATE:
        return True
    if incident.draw is None or table.round is None:
        return False
    if table.loose_draw(incident.draw) is not None:
        return any(one.number > incident.draw for one in table.loose)
    return any(one.draw > incident.draw for one in table.round.draws)


_SITUATIONS: Final[dict[AnomalyKind, Situation]] = {
    AnomalyKind.CARD_BEFORE_TIME: Situation.BEFORE_TIME,
    AnomalyKind.MISSCAN_LATE: Situation.MISREAD,
    AnomalyKind.HOLE_UNREAD: Situation.MISREAD,
    AnomalyKind.SOURCE_DISAGREEMENT: Situation.SHOWN_WRONG,
    AnomalyKind.HOLE_EXPOSED: Situation.HOLE_EXPOSED,
    AnomalyKind.DAMAGED_CARD: Situation.FLAWED_CARD,
    AnomalyKind.IMPOSSIBLE_COPY: Situation.SHOE_WRONG,
}


def _situation(table: Table, incident: Incident) -> Situation | None:
    current = table.round
    match incident.kind:
        case AnomalyKind.NO_READ | AnomalyKind.UNKNOWN_CODE:
            return Situation.MISREAD if _is_in_play(table) else None
        case AnomalyKind.EXTRA_CARD if incident.draw is not None:
            return Situation.DEALER_OVERDRAW if _has_dealer_finished(table) else Situation.EXTRA_CARD
        case AnomalyKind.WRONG_POSITION:
            return _misplaced(table, current, incident)
        case AnomalyKind.SKIPPED_DRAW:
            return _skipped(table, current, incident)
        case kind:
            return _SITUATIONS.get(kind)


def _has_dealer_finished(table: Table) -> bool:
    """C13: whether the card came out on a dealer's 17 or more."""
    if phase(table) is not Phase.COMMIT or table.round is None:
        return False
    return total(table.round.dealer).points >= DEALER_STANDS_ON


def _is_in_play(table: Table) -> bool:
    return phase(table) not in {Phase.IDLE, Phase.BETTING}


def _misplaced(table: Table, current: Round | None, incident: Incident) -> Situation:
    """C02: at a seat without a bet it is a surplus card, or the second one of a surplus hand."""
    seat = _seen_at(table, incident.draw) if incident.seat is None else incident.seat
    if current is None or not seat or any(one.id.seat == seat for one in current.hands):
        return Situation.WRONG_SEAT
    first_round_over = all(len(hand.cards) > 1 for hand in current.hands)
    return Situation.EXTRA_HAND if first_round_over else Situation.UNBET_SEAT


def _seen_at(table: Table, draw: int | None) -> int:
    """Return the seat at which the camera sees a card that is due elsewhere; 0 for the dealer's place or none."""
    watched = next((one for one in table.witness.watched if one.draw == draw), None)
    card = watched and table.round and card_at(table.round, watched.place)
    for claim in table.witness.claims:
        if watched and card and claim.card == card and claim.place and claim.place != watched.place:
            return claim.place.hand.seat if claim.place.hand else 0
    return 0


def _skipped(table: Table, current: Round | None, incident: Incident) -> Situation:
    """C01, C03, C04: who was left out, and with how many cards."""
    seat = incident.seat
    if seat is None and incident.draw is not None:
        watched = next((one for one in table.witness.watched if one.draw == incident.draw), None)
        seat = watched.slot.hand.seat if watched is not None and watched.slot.hand is not None else 0
    if not seat or current is None:
        return Situation.SKIPPED_DEALER
    cards = next((len(one.cards) for one in current.hands if one.id == HandId(seat, 1)), 0)
    # What the screen gave that seat lies elsewhere: it has one card fewer than the screen shows.
    return Situation.NO_CARD_HAND if cards <= 1 else Situation.ONE_CARD_HAND


def faults_void(setup: TableSetup, kind: AnomalyKind) -> bool:
    """Tell whether the profile leaves only the void after a technical fault before the result (C38)."""
    return kind in FAULTS and setup.profile.fault is Fault.VOID


FAULTS: Final = frozenset(
    {AnomalyKind.INTERNAL_FAULT, AnomalyKind.SCANNER_DOWN, AnomalyKind.WRONG_MODE, AnomalyKind.CRASH_RECOVERY}
)
"""Technical faults, for the profile's setting ``fault``."""
