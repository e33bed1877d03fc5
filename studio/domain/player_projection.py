"""One player's private view: what they hold, what they are asked, and what they could still do."""

from __future__ import annotations

from studio.domain.bets import BetKind
from studio.domain.card_marks import marks_of
from studio.domain.hands import total
from studio.domain.instants import Instant
from studio.domain.phases import (
    Phase,
    default_action,
    is_insurance_open,
    is_natural,
    legal_actions,
    phase,
)
from studio.domain.playing import added_stake, follow_stake, insurance_amount
from studio.domain.projections import deadline_wall_ns, hand_state
from studio.domain.rulings_projection import notices_of
from studio.domain.shared_hand import DRAWING, NOT_ON_LINE
from studio.domain.shared_play import shared_cost
from studio.domain.table import Round, Table
from studio.domain.views import (
    BetView,
    FollowingView,
    HandView,
    PlanView,
    PlayerView,
    QuestionView,
    ResultView,
)

_SECOND_SPLIT_LINE = 3


def player_view(table: Table, player: str, available: int, now: Instant) -> PlayerView:
    """Return one player's private view; ``available`` is the balance, which limits what is offered (R10)."""
    current = table.round
    held = {one.seat for one in table.seats if one.player == player}
    played = {hand.id.seat for hand in current.hands if hand.player == player} if current else set()
    standing = next((one for one in table.following if one.player == player), None)
    return PlayerView(
        player=player,
        balance=available,
        seats=tuple(sorted(held | played)),
        bets=_own_bets(current, player),
        hands=_own_hands(current, player),
        questions=_questions(table, player, available, now),
        plans=_own_plans(current, player),
        following=FollowingView(standing.double, standing.split) if standing else FollowingView(None, None),
        results=tuple(ResultView(*result) for result in table.results or () if result.player == player),
        notices=notices_of(table, player),
    )


def _own_bets(current: Round | None, player: str) -> tuple[BetView, ...]:
    if current is None:
        return ()
    return tuple(
        BetView(kind, seat, amount)
        for kind in BetKind
        for (seat, who), amount in current.totals(kind).items()
        if who == player
    )


def _own_hands(current: Round | None, player: str) -> tuple[HandView, ...]:
    """I2: of each line the cards that the player keeps, in the player's own numbering."""
    shared = current.shared if current else None
    place = shared.places.get(player) if shared else None
    if current is None or shared is None or place is None:
        return ()
    found = []
    for hand in current.hands:
        line = shared.line(hand.id.number)
        if line.kept[place] != NOT_ON_LINE:
            mine = hand._replace(cards=hand.cards[: line.kept[place]])
            number = 2 if hand.id.number == _SECOND_SPLIT_LINE else 1
            asked = current.question is not None and current.question.hand == hand.id
            stake = shared.stakes[place] << line.doubled[place]
            cards = tuple(card.code for card in mine.cards)
            state = "open" if line.kept[place] == DRAWING else "doubled" if line.doubled[place] else "stood"
            if is_natural(mine) or total(mine.cards).is_bust:
                state = hand_state(mine)
            active = asked and shared.is_asked(place, hand.id.number)
            marks = marks_of(current, hand.draws[: line.kept[place]])
            found.append(HandView(number, cards, str(total(mine.cards)), stake, state, active, marks))
    return tuple(found)


def _own_plans(current: Round | None, player: str) -> tuple[PlanView, ...]:
    if current is None:
        return ()
    mine = {hand.id for hand in current.hands if hand.player == player}
    return tuple(
        PlanView(plan.hand.seat, plan.hand.number, plan.action) for plan in current.plans if plan.hand in mine
    )


def _questions(table: Table, player: str, available: int, now: Instant) -> tuple[QuestionView, ...]:
    current = table.round
    if current is None or table.is_stopped or phase(table) is Phase.IDLE:
        return ()
    deadline = deadline_wall_ns(table, now)
    return (
        *_insurance_questions(table, current, player, available, deadline),
        *_follow_questions(table, current, player, available, deadline),
        *_decision_questions(table, current, player, available, deadline),
    )


def _decision_questions(
    table: Table, current: Round, player: str, available: int, deadline: int | None
) -> tuple[QuestionView, ...]:
    question, shared = current.question, current.shared
    if question is None:
        return ()
    hand = current.hand(question.hand)
    if shared is not None:
        place = shared.places.get(player)
        if place is None or not shared.is_asked(place, hand.id.number):
            return ()
    elif hand.player != player:
        return ()
    offered = [
        (action, cost)
        for action in legal_actions(table.setup.rules, current, hand)
        if (cost := shared_cost(shared, player, action) if shared else added_stake(table, action)) <= available
    ]
    return (
        QuestionView(
            "decision",
            question.number,
            hand.id.seat,
            hand.id.number,
            tuple(action for action, _ in offered),
            tuple(cost for _, cost in offered),
            default_action(hand),
            deadline,
        ),
    )


def _insurance_questions(
    table: Table, current: Round, player: str, available: int, deadline: int | None
) -> tuple[QuestionView, ...]:
    if current.insurance is None or not is_insurance_open(current):
        return ()
    asked: dict[int, int] = {}
    if current.shared is not None:
        place = current.shared.places.get(player)
        if place is not None and not current.shared.insurance_answered[place]:
            asked[1] = current.shared.stakes[place] // 2
    else:
        answered = {(seat, who) for seat, who, _ in current.insurance.answers}
        for seat, who in current.insurable():
            if who == player and (seat, who) not in answered:
                asked[seat] = insurance_amount(table, seat, player)
    return tuple(
        QuestionView(
            "insurance",
            0,
            seat,
            0,
            ("insurance", "no-insurance") if cost <= available else ("no-insurance",),
            (cost, 0) if cost <= available else (0,),
            "no-insurance",
            deadline,
        )
        for seat, cost in asked.items()
    )


def _follow_questions(
    table: Table, current: Round, player: str, available: int, deadline: int | None
) -> tuple[QuestionView, ...]:
    follow, stake = current.follow, follow_stake(table, player)
    if follow is None or follow.deadline_ns is None or player in follow.answered or not stake:
        return ()
    covered = stake <= available
    return (
        QuestionView(
            f"follow-{follow.action}",
            0,
            follow.hand.seat,
            follow.hand.number,
            ("follow", "do-not-follow") if covered else ("do-not-follow",),
            (stake, 0) if covered else (0,),
            "do-not-follow",
            deadline,
        ),
    )
