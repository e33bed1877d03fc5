"""``evolve``: the fold of events into a table's state. It never refuses and never decides."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any, assert_never

from studio.domain.actions import Action
from studio.domain.anomalies import Level
from studio.domain.bets import BetKind, batch_of
from studio.domain.cards import Card, Rank
from studio.domain.events import (
    ActionPlanned,
    AnomalyDetected,
    BetsPlaced,
    BetsReturned,
    BettingClosed,
    BettingOpened,
    CallAnswered,
    CardBurned,
    CardDealt,
    CardDiscarded,
    CardHeld,
    CardsReturned,
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
    FollowAnswered,
    FollowAsked,
    FollowClosed,
    FollowingSet,
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
    SeatLeft,
    SeatTaken,
    SharedDecisionsTaken,
    SharedInsuranceAnswered,
    SharedWindowClosed,
    ShoeClosed,
    ShoeLoaded,
    ShoeStepConfirmed,
    ShuffleCommitted,
    ShuffleOpened,
    SupervisorCalled,
    TableOpened,
)
from studio.domain.rules import Layout, Shuffling
from studio.domain.shared_hand import SharedHand, answer, close_window, insure, share
from studio.domain.shoe import EMPTY_INVENTORY, Shoe, counted
from studio.domain.sightings import SightingId
from studio.domain.slots import Face, HandId
from studio.domain.table import (
    Behind,
    Draw,
    Follow,
    Following,
    Hand,
    Insurance,
    LastCard,
    Plan,
    Play,
    Question,
    Reader,
    RecentCard,
    Round,
    RoundEnd,
    SignedOn,
    Sitting,
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
            burnt = 0 if table.setup.rules.shuffling is Shuffling.CONTINUOUS else None
            loaded = Shoe(shoe, load, decks, cut_position, burn_owed=burnt)
            return table._replace(shoe=loaded, shoes=table.shoes + 1, last_card=None)
        case CardBurned(draw, sighting, card, face, at_ns):
            burned = _card_out(table, sighting, at_ns, RecentCard(draw, card, "Burned", face))
            return _burned(table._replace(**burned), card, at_ns)
        case CutCardSeen(_, last_round):
            return _with_shoe(table, last_round=last_round)
        case ShoeClosed():
            load = table.shoe.load if table.shoe else table.reader.load
            return table._replace(shoe=None, steps=0, used_load=load, loose=(), last_card=None, recent=())
        case CardsReturned():
            return _with_shoe(table, out=0, seen=EMPTY_INVENTORY, returning=False)
        case ShuffleCommitted(shoe, load, decks, commitment, seed):
            shuffled = Shoe(shoe, load, decks, 0, burn_owed=0, commitment=commitment, seed=seed)
            return table._replace(shoe=shuffled, shoes=table.shoes + 1, last_card=None)
        case ShuffleOpened():
            load = table.shoe.load if table.shoe else table.used_load
            return table._replace(shoe=None, used_load=load, loose=(), last_card=None)
        case SeatTaken(seat, player):
            return table._replace(seats=tuple(sorted((*table.seats, Sitting(seat, player)), key=_seat_number)))
        case SeatLeft(seat):
            return table._replace(seats=tuple(one for one in table.seats if one.seat != seat))
        case FollowingSet(player, double, split):
            others = tuple(one for one in table.following if one.player != player)
            return table._replace(following=(*others, Following(player, double, split)))
        case BettingOpened(number, rules_hash, deadline_ns):
            opened = Round(number, rules_hash, deadline_ns)
            begun = table.shoe.rounds + 1 if table.shoe else 0
            return _with_shoe(table, rounds=begun)._replace(round=opened, rounds=number, results=None, recent=())
        case BetsPlaced(bets):
            return _with_round(table, bets=(*_round(table).bets, bets))
        case BettingClosed():
            return _betting_closed(table)
        case BetsReturned(bets):
            left = list(chain.from_iterable(_round(table).bets))
            for bet in bets:
                left.remove(bet)
            return _with_round(table, bets=(batch_of(*left),))
        case ActionPlanned(hand, action):
            plans = tuple(one for one in _round(table).plans if one.hand != hand)
            return _with_round(table, plans=plans if action is None else (*plans, Plan(hand, action)))
        case FollowAsked(hand, action, deadline_ns):
            return _with_round(table, follow=Follow(hand, action, deadline_ns))
        case FollowAnswered():
            return _followed(table, event)
        case FollowClosed():
            return _with_round(table, follow=None)
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
        case SharedInsuranceAnswered(players, amounts):
            return _with_round(table, shared=insure(_shared(table), players, amounts))
        case SharedDecisionsTaken(_, players, _, actions, _):
            return _with_round(table, shared=answer(_shared(table), players, actions))
        case SharedWindowClosed():
            return _window_closed(table, event)
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
            returning = table.setup.rules.shuffling is Shuffling.CONTINUOUS
            return _with_shoe(_with_round(table, end=RoundEnd.CLOSED), returning=returning)
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
        is_new = sighting.ordinal > shoe.drawn
        changes["shoe"] = shoe._replace(
            drawn=sighting.ordinal if is_new else shoe.drawn,
            out=shoe.out + is_new,
            seen=counted(shoe.seen, card) if card else shoe.seen,
        )
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
        after = _with_shoe(after, seen=seen, out=after.shoe.out - 1)
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


def _seat_number(sitting: Sitting) -> int:
    return sitting.seat


def _betting_closed(table: Table) -> Table:
    """R2: a position is in the round when it has a main bet; who sits without one is idle (B2)."""
    current = _round(table)
    if table.setup.rules.layout is Layout.SHARED_HAND:
        return _shared_hand_begins(table)
    main = current.main_bets()
    hands = tuple(Hand(HandId(bet.seat, 1), bet.player, bet.amount) for bet in main.values())
    behind = current.totals(BetKind.BEHIND)
    riding = tuple(Behind(who, HandId(seat, 1), stake) for (seat, who), stake in behind.items() if seat in main)
    seats = tuple(
        replace(one, played=one.played or one.seat in main, idle=one.seat not in main) for one in table.seats
    )
    return _with_round(table, is_betting=False, betting_deadline_ns=None, hands=hands, behind=riding)._replace(
        seats=seats
    )


def _shared_hand_begins(table: Table) -> Table:
    """R2: the shared hand is dealt when there is any bet, side bets included; a main bet decides (I5)."""
    current = _round(table)
    hands = (Hand(HandId(1, 1), "", 0),) if any(current.bets) else ()
    shared = share(current.totals(BetKind.MAIN))
    return _with_round(table, is_betting=False, betting_deadline_ns=None, hands=hands, shared=shared)


def _shared(table: Table) -> SharedHand:
    shared = _round(table).shared
    if shared is None:
        message = "an event of the shared hand came where there is none: the journal is not in order"
        raise ValueError(message)
    return shared


def _window_closed(table: Table, event: SharedWindowClosed) -> Table:
    """I2, I3: a card is owed to a line that somebody needs one for; a split makes two more lines."""
    current, before = _round(table), _shared(table)
    if current.question is None:
        return table
    hand = current.hand(current.question.hand)
    number, cards = hand.id.number, len(hand.cards)
    shared = close_window(before, number, cards, event.default)
    played = [hand._replace(owed=1 if shared.line(number).wants(cards) else 0, acted=True)]
    if len(shared.lines) > len(before.lines):
        for line, card in zip((2, 3), hand.cards, strict=True):
            played.append(_split_line(hand, line, card))
    hands = current.hands_after(hand.id, *played)
    return _with_round(table, shared=shared, hands=hands, question=None)


def _split_line(hand: Hand, line: int, card: Card) -> Hand:
    aces = card.rank is Rank.ACE
    return hand._replace(id=HandId(hand.id.seat, line), cards=(card,), owed=1, from_split=True, split_aces=aces)


def _followed(table: Table, event: FollowAnswered) -> Table:
    """B8: a follower doubles its stake; B9: it rides on the new hand too, with the same amount."""
    current = _round(table)
    if current.follow is None:
        return table
    follow = replace(current.follow, answered=(*current.follow.answered, event.player))
    behind = current.behind
    if event.added_stake and follow.action is Action.DOUBLE:
        behind = tuple(
            bet._replace(stake=bet.stake + event.added_stake)
            if (bet.player, bet.hand) == (event.player, event.hand)
            else bet
            for bet in behind
        )
    elif event.added_stake:
        newest = max(hand.id.number for hand in current.hands if hand.id.seat == event.hand.seat)
        behind = (*behind, Behind(event.player, HandId(event.hand.seat, newest), event.added_stake))
    return _with_round(table, follow=follow, behind=behind)


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
    hands = current.hands_after(event.hand, *played)
    asks = event.action in {Action.DOUBLE, Action.SPLIT}
    follow = Follow(event.hand, event.action) if asks and current.riders(event.hand) else None
    plans = tuple(one for one in current.plans if one.hand != event.hand)
    return _with_round(table, hands=hands, question=None, follow=follow, plans=plans)


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
    if current.is_betting:
        return table._replace(round=current._replace(betting_deadline_ns=deadline_ns))
    if current.follow is not None:
        return table._replace(round=current._replace(follow=replace(current.follow, deadline_ns=deadline_ns)))
    if current.insurance is not None and not current.insurance.closed:
        insurance = replace(current.insurance, deadline_ns=deadline_ns)
        return table._replace(round=current._replace(insurance=insurance))
    if current.question is not None:
        question = replace(current.question, deadline_ns=deadline_ns)
        return table._replace(round=current._replace(question=question))
    return table
