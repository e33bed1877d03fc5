"""``evolve``: the fold of events into a table's state. It never refuses and never decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, assert_never

from studio.domain.anomalies import Level
from studio.domain.cards import Card, Rank
from studio.domain.commands import Action
from studio.domain.events import (
    AnomalyDetected,
    BetsPlaced,
    BettingClosed,
    BettingOpened,
    CallAnswered,
    CardBurned,
    CardDealt,
    CardDiscarded,
    CardHeld,
    CardUnread,
    Cause,
    CauseCleared,
    CauseReturned,
    CutCardSeen,
    DealerSignedOn,
    DecisionAsked,
    DecisionTaken,
    DuplicateMarked,
    Event,
    HeldCardReleased,
    HoleRevealed,
    IncidentEscalated,
    IncidentResolved,
    InsuranceAnswered,
    InsuranceClosed,
    InsuranceOffered,
    PeekDone,
    ReaderChanged,
    RescanAsked,
    ResultCommitted,
    RoundClosed,
    RoundSettled,
    RoundVoided,
    ShoeClosed,
    ShoeLoaded,
    ShoeStepConfirmed,
    SupervisorCalled,
    TableOpened,
)
from studio.domain.shoe import Shoe, counted
from studio.domain.sightings import SightingId
from studio.domain.slots import Face, HandId
from studio.domain.table import (
    Draw,
    Hand,
    Insurance,
    LastCard,
    Play,
    Question,
    Reader,
    RecentCard,
    Round,
    RoundEnd,
    SignedOn,
    SupervisorCall,
    Table,
    new_incident,
)

_RECENT = 5
_DEALER = "Dealer"


def evolve(table: Table, event: Event) -> Table:  # noqa: C901, PLR0911, PLR0912 - one case per event
    """Return the table after ``event``."""
    match event:
        case TableOpened():
            return table._replace(opened=True)
        case DealerSignedOn(dealer, name, licence_until, at_wall_ns):
            return table._replace(dealer=SignedOn(dealer, name, licence_until, at_wall_ns))
        case ReaderChanged(_, ready, load, ordinal, reason):
            was_ready = ready or table.reader.was_ready
            return table._replace(reader=Reader(ready, load, ordinal, reason, was_ready))
        case ShoeStepConfirmed():
            return table._replace(steps=table.steps + 1)
        case ShoeLoaded(shoe, load, decks, cut_position):
            loaded = Shoe(shoe, load, decks, cut_position)
            return table._replace(shoe=loaded, shoes=table.shoes + 1, last_card=None)
        case CardBurned(draw, sighting, card, face, at_ns):
            burned = _card_out(table, sighting, at_ns, RecentCard(draw, card, "Burned", face))
            return _burned(table._replace(**burned), card, at_ns)
        case CutCardSeen(_, last_round):
            return _with_shoe(table, last_round=last_round)
        case ShoeClosed():
            load = table.shoe.load if table.shoe else table.reader.load
            return table._replace(shoe=None, steps=0, used_load=load, loose=(), last_card=None, recent=())
        case BettingOpened(number, rules_hash, deadline_ns):
            opened = Round(number, rules_hash, deadline_ns)
            return table._replace(round=opened, rounds=number, results=None, recent=())
        case BetsPlaced(bets):
            return _with_round(table, bets=(*_round(table).bets, bets))
        case BettingClosed():
            return _with_round(table, betting_deadline_ns=None, hands=tuple(_first_hands(_round(table))))
        case CardDealt(draw, sighting, card, slot, at_ns):
            place = f"Seat {slot.hand.seat}" if slot.hand else _DEALER
            shown = RecentCard(draw, card, place, slot.face)
            longer = _dealt(_round(table), slot.hand, card)
            return table._replace(round=longer, **_card_out(table, sighting, at_ns, shown))
        case CardUnread(draw, sighting, _):
            unread = Draw(draw, sighting, None, 0)
            return table._replace(loose=(*table.loose, unread), **_drawn(table, sighting))
        case CardHeld(draw, sighting, card, at_ns):
            held = Draw(draw, sighting, card, at_ns)
            loose = tuple(one for one in table.loose if one.number != draw)
            recent = _recent(table, RecentCard(draw, card, "Held", Face.DOWN))
            return table._replace(loose=(*loose, held), recent=recent, **_drawn(table, sighting, card, at_ns))
        case HeldCardReleased(draw):
            loose = tuple(replace(one, released=True) if one.number == draw else one for one in table.loose)
            return table._replace(loose=loose)
        case DuplicateMarked(draw):
            return _uncounted(table, draw)
        case CardDiscarded(draw):
            return table._replace(loose=tuple(one for one in table.loose if one.number != draw))
        case InsuranceOffered(deadline_ns):
            return _with_round(table, insurance=Insurance(deadline_ns))
        case InsuranceAnswered(player, seat, amount):
            insurance = _insurance(table)
            answers = (*insurance.answers, (seat, player, amount))
            return _with_round(table, insurance=replace(insurance, answers=answers))
        case InsuranceClosed():
            return _with_round(table, insurance=replace(_insurance(table), closed=True))
        case PeekDone(natural):
            return _with_round(table, peeked_natural=natural)
        case DecisionAsked(decision, hand, deadline_ns):
            return _with_round(table, question=Question(decision, hand, deadline_ns), questions=decision)
        case DecisionTaken():
            return _decided(table, event)
        case HoleRevealed():
            turned = tuple(replace(one, face=Face.UP) if one.place == _DEALER else one for one in table.recent)
            return _with_round(table, hole_revealed=True, question=None)._replace(recent=turned)
        case ResultCommitted():
            return _with_round(table, end=RoundEnd.COMMITTED)
        case RoundSettled(results):
            return _with_round(table, end=RoundEnd.SETTLED)._replace(results=results)
        case RoundVoided():
            return _with_round(table, end=RoundEnd.VOIDED, question=None)
        case RoundClosed():
            return _with_round(table, end=RoundEnd.CLOSED)
        case AnomalyDetected(number, kind, draw_or_none, detail, stopped_ns):
            incident = new_incident(number, kind, draw_or_none, detail)
            stopped = stopped_ns if table.stopped_ns is None else table.stopped_ns
            return table._replace(
                incidents=(*table.incidents, incident), incident_count=number, stopped_ns=stopped
            )
        case CauseCleared(number):
            return _with_incident(table, number, cleared=True)
        case CauseReturned(number):
            return _with_incident(table, number, cleared=False)
        case IncidentEscalated(number, level, detail):
            return _with_incident(table, number, level=level, detail=detail)
        case RescanAsked(number, tries):
            return _with_incident(table, number, tries=tries, level=Level.HOLD)
        case IncidentResolved():
            return _resolved(table, event)
        case SupervisorCalled(at_wall_ns):
            return table._replace(call=SupervisorCall(at_wall_ns))
        case CallAnswered(supervisor):
            call = table.call
            return table._replace(call=replace(call, seen_by=supervisor) if call else None)
        case _:
            assert_never(event)


def _round(table: Table) -> Round:
    if table.round is None:
        message = "an event of a round came where no round is open: the journal is not in order"
        raise ValueError(message)
    return table.round


def _insurance(table: Table) -> Insurance:
    insurance = _round(table).insurance
    if insurance is None:
        message = "an insurance event came where none was offered: the journal is not in order"
        raise ValueError(message)
    return insurance


def _with_round(table: Table, **changes: Any) -> Table:  # noqa: ANN401 - _replace() checks the names
    return table._replace(round=_round(table)._replace(**changes))


def _with_shoe(table: Table, **changes: Any) -> Table:  # noqa: ANN401 - _replace() checks the names
    return table._replace(shoe=table.shoe._replace(**changes)) if table.shoe else table


def _with_incident(table: Table, number: int, **changes: Any) -> Table:  # noqa: ANN401 - replace() checks the names
    incident = table.incident(number)
    return table if incident is None else table.with_incident(replace(incident, **changes))


def _drawn(table: Table, sighting: SightingId, card: Card | None = None, at_ns: int = 0) -> dict[str, Any]:
    """Return what changes when something leaves the shoe; a ``card`` is counted."""
    changes: dict[str, Any] = {}
    seen, shoe = table.last_seen, table.shoe
    if seen is None or seen.load != sighting.load or seen.ordinal < sighting.ordinal:
        changes["last_seen"] = sighting
    if shoe is not None and sighting.load == shoe.load:
        drawn = max(shoe.drawn, sighting.ordinal)
        changes["shoe"] = shoe._replace(drawn=drawn, seen=counted(shoe.seen, card) if card else shoe.seen)
    if card is not None:
        changes["last_card"] = LastCard(card, at_ns)
    return changes


def _card_out(table: Table, sighting: SightingId, at_ns: int, shown: RecentCard) -> dict[str, Any]:
    """Return what changes when a card finds its place; one that was held was counted when it came."""
    held = table.loose_draw(shown.draw)
    is_counted = held is not None and held.card is not None
    changes = _drawn(table, sighting, None if is_counted else shown.card, at_ns)
    if held is not None:
        changes["loose"] = tuple(one for one in table.loose if one.number != shown.draw)
    changes["recent"] = _recent(table, shown)
    return changes


def _uncounted(table: Table, draw: int) -> Table:
    held = table.loose_draw(draw)
    if held is None:
        return table
    after = table._replace(loose=tuple(one for one in table.loose if one.number != draw))
    if held.card is not None and after.shoe is not None:
        seen = counted(after.shoe.seen, held.card, -1)
        after = _with_shoe(after, seen=seen, not_cards=after.shoe.not_cards + 1)
    return after


def _recent(table: Table, card: RecentCard) -> tuple[RecentCard, ...]:
    others = tuple(one for one in table.recent if one.draw != card.draw)
    return (*others, card)[-_RECENT:]


def _burned(table: Table, card: Card, at_ns: int) -> Table:
    """S2: the shown card says how many more are owed."""
    shoe = table.shoe
    if shoe is None or shoe.is_burnt:
        return table
    owed = card.value if shoe.burn_owed is None else shoe.burn_owed - 1
    return _with_shoe(table, burn_owed=owed, burn_ended_ns=at_ns if owed == 0 else None)


def _first_hands(current: Round) -> Iterator[Hand]:
    for bet in current.main_bets().values():
        yield Hand(HandId(bet.seat, 1), bet.player, bet.amount)


def _dealt(current: Round, hand_id: HandId | None, card: Card) -> Round:
    if hand_id is None:
        return current._replace(dealer=(*current.dealer, card))
    hand = current.hand(hand_id)
    longer = hand._replace(cards=(*hand.cards, card), owed=max(0, hand.owed - 1))
    return current._replace(hands=current.hands_after(hand_id, longer))


def _decided(table: Table, event: DecisionTaken) -> Table:
    current = _round(table)
    hand = current.hand(event.hand)
    automatic = hand.automatic or event.cause is Cause.NO_ANSWER
    acted: dict[str, Any] = {"acted": True, "automatic": automatic}
    match event.action:
        case Action.HIT:
            played: tuple[Hand, ...] = (hand._replace(owed=1, **acted),)
        case Action.STAND:
            played = (hand._replace(play=Play.STOOD, **acted),)
        case Action.SURRENDER:
            played = (hand._replace(play=Play.SURRENDERED, **acted),)
        case Action.DOUBLE:
            played = (hand._replace(play=Play.DOUBLED, stake=hand.stake + event.added_stake, owed=1, **acted),)
        case Action.SPLIT:
            played = _split(current, hand._replace(**acted), event.added_stake)
        case _:
            assert_never(event.action)
    return _with_round(table, hands=current.hands_after(event.hand, *played), question=None)


def _split(current: Round, hand: Hand, stake: int) -> tuple[Hand, ...]:
    """R6: hand 1 keeps the first card; the new hand is played right after it."""
    number = 1 + max(one.id.number for one in current.hands if one.id.seat == hand.id.seat)
    first, second = hand.cards
    kept = hand._replace(cards=(first,), owed=1, from_split=True, split_aces=first.rank is Rank.ACE)
    return (kept, kept._replace(id=HandId(hand.id.seat, number), cards=(second,), stake=stake))


def _resolved(table: Table, event: IncidentResolved) -> Table:
    incidents = tuple(one for one in table.incidents if one.number != event.incident)
    after = table._replace(incidents=incidents, call=None if not incidents else table.call)
    if incidents:
        return after
    after = after._replace(stopped_ns=None)
    return after if event.deadline_ns is None else _with_deadline(after, event.deadline_ns)


def _with_deadline(table: Table, deadline_ns: int) -> Table:
    """Give the open window its new deadline."""
    current = _round(table)
    if current.betting_deadline_ns is not None:
        return table._replace(round=current._replace(betting_deadline_ns=deadline_ns))
    if current.insurance is not None and not current.insurance.closed:
        insurance = replace(current.insurance, deadline_ns=deadline_ns)
        return table._replace(round=current._replace(insurance=insurance))
    if current.question is not None:
        question = replace(current.question, deadline_ns=deadline_ns)
        return table._replace(round=current._replace(question=question))
    return table
