"""What happens at a table by itself, one event at a time, until a card, a person or a deadline is due."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from studio.domain import fusion
from studio.domain.anomalies import AnomalyKind, Level
from studio.domain.bets import Bet, batch_of
from studio.domain.duty import misdeal_rate
from studio.domain.events import (
    AnomalyDetected,
    BetsReturned,
    BettingClosed,
    CardBurned,
    CardDealt,
    Cause,
    DecisionAsked,
    DecisionTaken,
    Event,
    FollowAsked,
    FollowClosed,
    HoleRevealed,
    IncidentEscalated,
    InsuranceClosed,
    InsuranceOffered,
    PeekDone,
    ResultCommitted,
    RoundClosed,
    RoundSettled,
    RoundVoided,
    SeatEnd,
    SeatLeft,
    SharedWindowClosed,
    ShoeClosed,
    ShoeEnd,
    ShuffleOpened,
)
from studio.domain.hands import is_two_card_21
from studio.domain.order_evidence import Drawn, suspicion, telling
from studio.domain.phases import (
    default_action,
    expected_slot,
    is_betting,
    is_dealt,
    is_insurance_due,
    is_peek_due,
    next_hand,
)
from studio.domain.profile import CutCardTiming
from studio.domain.rules import Layout, Shuffling, Start
from studio.domain.settlement import settle
from studio.domain.shoe import Shoe
from studio.domain.slots import Face
from studio.domain.table import Draw, Follow, Insurance, Question, Round, RoundEnd, Table

_MS = 1_000_000
_HOUR_NS = 3600 * 1_000_000_000


def advance(table: Table, at_ns: int) -> Event | None:
    """Return the next event that follows from the state alone at monotonic ``at_ns``, or ``None`` to wait."""
    current = table.round
    if current is not None and current.end in {RoundEnd.SETTLED, RoundEnd.VOIDED}:
        return RoundClosed(current.number)
    if table.is_stopped:
        return None
    if (finding := _next_finding(table, at_ns)) is not None:
        return finding
    if current is None or current.end is RoundEnd.CLOSED:
        return _blocking_warning(table) or _between_rounds(table, at_ns)
    if current.end is RoundEnd.COMMITTED:
        return None if fusion.is_waiting(table) else RoundSettled(settle(table.setup.rules, current))
    if is_betting(current):
        return _reshuffle_first(table, current) or _confirmed_bet(table, current)
    if not current.dealer and (left := _newcomer_without_bet(table)):
        return left
    if not current.dealer and (orphans := tuple(_orphans(table, current))):
        return BetsReturned(batch_of(*orphans))
    if not current.hands:
        return RoundClosed(current.number)
    return _deal_held_card(table, current, at_ns) or _play(table, current, at_ns)


def _next_finding(table: Table, at_ns: int) -> Event | None:
    """Return what the second witness, the entries by hand or the order of the cards give to think of."""
    return fusion.next_finding(table, at_ns) or _too_many_entries(table, at_ns) or _order_alarm(table, at_ns)


def _too_many_entries(table: Table, at_ns: int) -> Event | None:
    """More cards entered by hand within an hour than the profile allows are looked at before another one is."""
    limit = table.setup.profile.manual_entries_per_hour
    recent = [one for one in table.entries_ns if at_ns - one < _HOUR_NS]
    if len(recent) <= limit or table.find_incident(AnomalyKind.MANUAL_ABUSE) is not None:
        return None
    detail = f"{len(recent)} within an hour, {limit} are usual"
    return AnomalyDetected(table.incident_count + 1, AnomalyKind.MANUAL_ABUSE, None, detail, at_ns)


def _blocking_warning(table: Table) -> Event | None:
    """A warning that lets no further round begin holds the table as soon as the round is over."""
    for incident in table.incidents:
        if incident.blocks_rounds and not incident.stops:
            return IncidentEscalated(incident.number, Level.HOLD, incident.detail)
    return None


def _order_alarm(table: Table, at_ns: int) -> Event | None:
    """C18: the newest draw completes a run that no shuffle leaves."""
    life = table.life
    if not table.setup.shoe_control or life.order_suspected or table.shoe is None:
        return None
    found = telling(life.runs, len(life.order))
    if found is None or table.setup.rules.shuffling is not Shuffling.SHOE:
        return None
    detail = f"{found.length} cards up to draw {len(life.order)} are {found.likeness}"
    return AnomalyDetected(table.incident_count + 1, AnomalyKind.ORDER_NOT_RANDOM, None, detail, at_ns)


def _between_rounds(table: Table, at_ns: int) -> Event | None:
    if (report := misdeal_rate(table, at_ns)) is not None:
        return report
    shoe = table.shoe
    if shoe is None:
        return None
    if (end := _end(table, shoe)) is not None:
        return _missing_card(table, shoe, at_ns) or ShoeClosed(shoe.id, end)
    if not shoe.is_burnt and (draw := _released(table)) is not None and draw.card is not None:
        face = Face.UP if shoe.burn_owed is None else Face.DOWN
        return CardBurned(draw.number, draw.sighting, draw.card, face, draw.at_ns)
    if shoe.commitment and shoe.rounds:
        return ShuffleOpened(shoe.id, table.rounds, shoe.commitment, shoe.seed)
    if table.setup.rules.shuffling is Shuffling.VIRTUAL:
        return None
    if table.reader.load is not None and table.reader.load != shoe.load:
        return ShoeClosed(shoe.id, ShoeEnd.CHANGED)
    if table.setup.rules.shuffling is Shuffling.CONTINUOUS:
        return None
    if shoe.is_burnt and _is_cut_card_missing(table, shoe):
        detail = f"{shoe.left} cards left, the cut card was placed before the last {shoe.cut_position}"
        return AnomalyDetected(table.incident_count + 1, AnomalyKind.CUT_CARD_MISSING, None, detail, at_ns)
    return None


def _end(table: Table, shoe: Shoe) -> ShoeEnd | None:
    """Return why the shoe is over: the camera stood in, a second card was replaced, or the cut card came."""
    if table.witness.takes_over:
        return ShoeEnd.CHANGED
    if shoe.substituted > 1:
        return ShoeEnd.QUARANTINED
    is_last = shoe.last_round is not None and table.rounds >= shoe.last_round
    return ShoeEnd.LAST_ROUND if is_last else None


def _missing_card(table: Table, shoe: Shoe, at_ns: int) -> Event | None:
    """Ask, at a shoe's end, whether a card is missing or doubled over all shoes of these cards."""
    life = table.life
    if not table.setup.shoe_control or life.composition_suspected:
        return None
    found = suspicion(shoe.decks, (*life.drawn_before, Drawn(shoe.seen)))
    if found is None:
        return None
    what = "missing" if found.missing else "doubled"
    detail = (
        f"A card seems to be {what} over {len(life.drawn_before) + 1} shoes, p = {found.p:.1e}: count all cards"
    )
    return AnomalyDetected(table.incident_count + 1, AnomalyKind.MISSING_CARD_SUSPECTED, None, detail, at_ns)


def _is_cut_card_missing(table: Table, shoe: Shoe) -> bool:
    profile = table.setup.profile
    overdue = shoe.left < max(profile.round_reserve, shoe.cut_position - profile.cut_card_tolerance)
    return shoe.last_round is None and overdue


def _reshuffle_first(table: Table, current: Round) -> Event | None:
    """S4, other value: the cut card came before any card of this round, so its bets go back."""
    wanted = table.setup.profile.cut_card_timing is CutCardTiming.RESHUFFLE_FIRST
    if not wanted or table.shoe is None or table.shoe.last_round is None:
        return None
    return RoundVoided(batch_of(*(bet for batch in current.bets for bet in batch)), "reshuffle", "Cut card")


def _confirmed_bet(table: Table, current: Round) -> Event | None:
    """R1: where the confirmed bet starts the hand, betting is over with it."""
    started = table.setup.rules.start is Start.CONFIRMED_BET and current.bets
    return BettingClosed() if started else None


def _orphans(table: Table, current: Round) -> Iterator[Bet]:
    """Yield bets on seats that are not in the round: they go back (B1, B2)."""
    if table.setup.rules.layout is Layout.SHARED_HAND:
        return
    seats = {hand.id.seat for hand in current.hands}
    yield from (bet for bet in chain.from_iterable(current.bets) if bet.seat not in seats)


def _newcomer_without_bet(table: Table) -> Event | None:
    """B1: a seat needs a valid main bet by the end of its first betting."""
    for sitting in table.seats:
        if sitting.idle and not sitting.played:
            return SeatLeft(sitting.seat, sitting.player, SeatEnd.NO_BET)
    return None


def _released(table: Table) -> Draw | None:
    for draw in table.loose:
        if draw.released:
            return draw
    return None


def _deal_held_card(table: Table, current: Round, at_ns: int) -> Event | None:
    """Deal the card that lay aside; it comes to its place now, and is looked for there from now on."""
    draw = _released(table)
    if draw is None or draw.card is None:
        return None
    slot = expected_slot(table.setup.rules, current)
    if slot is not None:
        return CardDealt(draw.number, draw.sighting, draw.card, slot, max(at_ns, draw.at_ns))
    if current.hole_revealed:
        return CardBurned(draw.number, draw.sighting, draw.card, Face.DOWN, draw.at_ns)
    return None


def _play(table: Table, current: Round, at_ns: int) -> Event | None:
    rules, allowances = table.setup.rules, table.setup.allowances
    if current.question is not None:
        return _shared_window(current, current.question)
    if not is_dealt(current) or expected_slot(rules, current) is not None:
        return None
    if is_insurance_due(rules, current):
        return InsuranceOffered(at_ns + allowances.insurance_ms * _MS)
    if current.insurance and not current.insurance.closed:
        return InsuranceClosed() if _all_insurance_answered(current, current.insurance) else None
    if is_peek_due(rules, current):
        return _peek(table, current, at_ns)
    if current.follow is not None:
        return _follow(current, current.follow, at_ns + allowances.decision_ms * _MS)
    hand = None if current.peeked_natural or current.hole_revealed else next_hand(rules, current)
    if hand is not None:
        if hand.automatic:
            action = default_action(hand)
            return DecisionTaken(hand.id, action, action, Cause.NO_ANSWER, 0)
        return DecisionAsked(current.questions + 1, hand.id, at_ns + allowances.decision_ms * _MS)
    if not current.hole_revealed:
        return HoleRevealed(current.dealer[1], at_ns)
    return ResultCommitted() if table.setup.commits_itself else None


def _peek(table: Table, current: Round, at_ns: int) -> Event:
    """R4: the peek comes before any decision; that it did not cannot happen, and is looked at all the same."""
    omitted = AnomalyKind.PEEK_OMITTED
    is_late = any(hand.acted for hand in current.hands) and not table.witness.muted
    if is_late and not current.peek_omitted:
        return AnomalyDetected(table.incident_count + 1, omitted, None, "A hand was played before the peek", at_ns)
    return PeekDone(is_two_card_21(current.dealer))


def _follow(current: Round, follow: Follow, deadline_ns: int) -> Event | None:
    """B8, B9: ask the bets behind after the seat's decision and before its card, until all have answered."""
    if follow.deadline_ns is None:
        return FollowAsked(follow.hand, follow.action, deadline_ns)
    riders = {bet.player for bet in current.riders(follow.hand)}
    return FollowClosed() if riders <= set(follow.answered) else None


def _all_insurance_answered(current: Round, insurance: Insurance) -> bool:
    if current.shared is not None:
        return 0 not in current.shared.insurance_answered
    return len(insurance.answers) == len(current.insurable())


def _shared_window(current: Round, question: Question) -> Event | None:
    """I1: the window of the shared hand closes when everybody on the line has answered."""
    number = question.hand.number
    if current.shared is None or not current.shared.is_answered(number):
        return None
    return SharedWindowClosed(question.number, default_action(current.hand(question.hand)))
