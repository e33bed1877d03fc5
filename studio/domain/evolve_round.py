"""How a round moves on."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any, assert_never

from studio.domain.actions import Action
from studio.domain.bets import BetKind, batch_of, totals_by_kind
from studio.domain.cards import Rank
from studio.domain.events import (
    ActionPlanned,
    BetsPlaced,
    BetsReturned,
    BettingClosed,
    BettingOpened,
    Cause,
    DecisionAsked,
    DecisionTaken,
    FollowAnswered,
    FollowAsked,
    FollowClosed,
    HoleRevealed,
    InsuranceAnswered,
    InsuranceClosed,
    InsuranceOffered,
    PeekDone,
    ResultCommitted,
    RoundClosed,
    RoundEvent,
    RoundSettled,
    RoundVoided,
    SharedDecisionsTaken,
    SharedInsuranceAnswered,
    SharedWindowClosed,
)
from studio.domain.rules import Layout, Shuffling
from studio.domain.shared_hand import SharedHand, answer, close_window, insure, share
from studio.domain.slots import Face, HandId
from studio.domain.table import (
    Behind,
    Follow,
    Hand,
    Insurance,
    Plan,
    Play,
    Question,
    Round,
    RoundEnd,
    Table,
)

_DEALER = "Dealer"


def evolve_round(table: Table, event: RoundEvent) -> Table:  # noqa: C901, PLR0911, PLR0912 - one case per event
    """Return the table after ``event``."""
    match event:
        case BettingOpened(number, rules_hash, deadline_ns, profile_hash):
            opened = Round(number, rules_hash, deadline_ns, profile_hash)
            begun = table.shoe.rounds + 1 if table.shoe else 0
            return table.with_shoe(rounds=begun)._replace(round=opened, rounds=number, results=None, recent=())
        case BetsPlaced(bets):
            return _with_round(table, bets=(*table.open_round.bets, bets))
        case BettingClosed():
            return _betting_closed(table)
        case BetsReturned(bets):
            left = list(chain.from_iterable(table.open_round.bets))
            for bet in bets:
                left.remove(bet)
            return _with_round(table, bets=(batch_of(*left),))
        case ActionPlanned(hand, action):
            plans = tuple(one for one in table.open_round.plans if one.hand != hand)
            return _with_round(table, plans=plans if action is None else (*plans, Plan(hand, action)))
        case FollowAsked(hand, action, deadline_ns):
            return _with_round(table, follow=Follow(hand, action, deadline_ns))
        case FollowAnswered():
            return _followed(table, event)
        case FollowClosed():
            return _with_round(table, follow=None)
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
            return _with_round(table, end=RoundEnd.CLOSED).with_shoe(returning=returning)
        case _:
            assert_never(event)


def _insurance(table: Table) -> Insurance:
    insurance = table.open_round.insurance
    if insurance is None:
        message = "an insurance event came where none was offered: the journal is not in order"
        raise ValueError(message)
    return insurance


def _with_round(table: Table, **changes: Any) -> Table:  # noqa: ANN401 - _replace() checks the names
    return table._replace(round=table.open_round._replace(**changes))


def _betting_closed(table: Table) -> Table:
    """R2: a position is in the round when it has a main bet; who sits without one is idle (B2)."""
    current = table.open_round
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
    current = table.open_round
    hands = (Hand(HandId(1, 1), "", 0),) if any(current.bets) else ()
    shared = share(totals_by_kind(current.bets))
    return _with_round(table, is_betting=False, betting_deadline_ns=None, hands=hands, shared=shared)


def _shared(table: Table) -> SharedHand:
    shared = table.open_round.shared
    if shared is None:
        message = "an event of the shared hand came where there is none: the journal is not in order"
        raise ValueError(message)
    return shared


def _window_closed(table: Table, event: SharedWindowClosed) -> Table:
    """I2, I3: a card is owed to a line that somebody needs one for; a split makes two more lines."""
    current, before = table.open_round, _shared(table)
    if current.question is None:
        return table
    hand = current.hand(current.question.hand)
    number, cards = hand.id.number, len(hand.cards)
    shared = close_window(before, number, cards, event.default)
    played = [hand._replace(owed=1 if shared.line(number).wants(cards) else 0, acted=True)]
    if len(shared.lines) > len(before.lines):
        played += (_split_off(hand, place, HandId(hand.id.seat, line)) for place, line in enumerate((2, 3)))
    hands = current.hands_after(hand.id, *played)
    return _with_round(table, shared=shared, hands=hands, question=None)


def _split_off(hand: Hand, place: int, becomes: HandId) -> Hand:
    """Return the hand that one card of a pair begins."""
    aces = hand.cards[place].rank is Rank.ACE
    cards, draws = hand.cards[place : place + 1], hand.draws[place : place + 1]
    return hand._replace(id=becomes, cards=cards, draws=draws, owed=1, from_split=True, split_aces=aces)


def _followed(table: Table, event: FollowAnswered) -> Table:
    """B8: a follower doubles its stake; B9: it rides on the new hand too, with the same amount."""
    current = table.open_round
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


def _decided(table: Table, event: DecisionTaken) -> Table:
    current = table.open_round
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
    new = HandId(hand.id.seat, number)
    return (_split_off(hand, 0, hand.id), _split_off(hand, 1, new)._replace(stake=stake))
