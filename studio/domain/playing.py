"""Players' answers and the deadlines that answer for them (rules.md R3, R6 to R11)."""

from __future__ import annotations

from studio.domain.actions import Action
from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.commands import AnswerFollow, AnswerInsurance, Decide, PlanAction
from studio.domain.events import (
    ActionPlanned,
    BettingClosed,
    Cause,
    DecisionTaken,
    Event,
    FollowAnswered,
    FollowClosed,
    InsuranceAnswered,
    InsuranceClosed,
    SharedWindowClosed,
)
from studio.domain.phases import (
    default_action,
    is_betting,
    is_closed,
    is_insurance_open,
    legal_actions,
    open_deadline_ns,
)
from studio.domain.rules import WithoutFunds
from studio.domain.table import Hand, Round, RoundEnd, Table

_STOPPED = Rejected("table-stopped", "The table is stopped; the time for the answer is extended")


def insurance_amount(table: Table, seat: int, player: str) -> int:
    """Return what insurance costs: exactly half of the bet it insures (R3), 0 where the player has none there."""
    return table.round.insurable().get((seat, player), 0) // 2 if table.round else 0


def added_stake(table: Table, action: Action) -> int:
    """Return what an action on the asked hand adds to the stakes (M6); 0 for most."""
    current = table.round
    if current is None or current.question is None:
        return 0
    hand = current.hand(current.question.hand)
    match action:
        case Action.DOUBLE:
            return hand.stake
        case Action.SPLIT:
            return current.main_bets()[hand.id.seat].amount
        case _:
            return 0


def answer_insurance(table: Table, command: AnswerInsurance, at_ns: int) -> Answer:
    """Take or decline insurance on the player's own seat."""
    current = table.round
    if current is None or current.insurance is None or not is_insurance_open(current):
        return Rejected("insurance-closed", "Insurance is not offered now")
    if table.is_stopped:
        return _STOPPED
    if (command.seat, command.player) not in current.insurable():
        return Rejected("not-your-seat", "Insure a seat that your own bet rides on")
    if any((seat, who) == (command.seat, command.player) for seat, who, _ in current.insurance.answers):
        return Rejected("already-answered", "Insurance on this seat was answered already")
    if at_ns >= current.insurance.deadline_ns:
        return Rejected("decision-late", "The answer came after the deadline; no insurance was taken")
    if command.take and not command.funded:
        return Rejected("insufficient-balance", "The balance does not cover the insurance")
    amount = insurance_amount(table, command.seat, command.player) if command.take else 0
    return Accepted((InsuranceAnswered(command.player, command.seat, amount),))


def not_asked(current: Round | None, decision: int) -> Rejected:
    """Refuse a decision while none is asked: it is late where its question was asked in this round (C40)."""
    if current is not None and 0 < decision <= current.questions:
        return Rejected("decision-late", "The decision came after the deadline; the default applies")
    return Rejected("not-asked", "No decision is being asked now")


def decide_hand(table: Table, command: Decide, at_ns: int) -> Answer:
    """Play the asked hand as its player says."""
    current = table.round
    if current is None or current.question is None or current.end is not RoundEnd.NOT_YET:
        return not_asked(current, command.decision)
    question = current.question
    if command.decision != question.number:
        code = "decision-late" if command.decision < question.number else "not-asked"
        return Rejected(code, f"Decision {question.number} is being asked, not {command.decision}")
    hand = current.hand(question.hand)
    if hand.player != command.player:
        return Rejected("not-your-hand", "Another player's hand is being asked")
    if table.is_stopped:
        return _STOPPED
    if at_ns >= question.deadline_ns:
        return Rejected("decision-late", "The decision came after the deadline; the default applies")
    legal = legal_actions(table.setup.rules, current, hand)
    if command.action not in legal:
        return Rejected("illegal-action", f"This hand may {', '.join(legal)}")
    added = added_stake(table, command.action)
    if added and not command.funded:
        return _without_funds(table, hand, command.action)
    return Accepted((DecisionTaken(hand.id, command.action, command.action, Cause.PLAYER, added),))


def _without_funds(table: Table, hand: Hand, asked: Action) -> Answer:
    """R10: what becomes of a double or split that the balance no longer covers."""
    rules = table.setup.rules
    without = rules.double_without_funds if asked is Action.DOUBLE else rules.split_without_funds
    match without:
        case WithoutFunds.REFUSE:
            return Rejected("insufficient-balance", "The balance does not cover this; choose another action")
        case WithoutFunds.HIT:
            action = Action.HIT
        case WithoutFunds.HIT_TO_11:
            action = default_action(hand)
    return Accepted((DecisionTaken(hand.id, asked, action, Cause.NO_FUNDS, 0),))


def follow_stake(table: Table, player: str) -> int:
    """Return what following the asked double or split adds to a player's bet behind (B8, B9); 0 for others."""
    current = table.round
    if current is None or current.follow is None:
        return 0
    return sum(bet.stake for bet in current.riders(current.follow.hand) if bet.player == player)


def answer_follow(table: Table, command: AnswerFollow, at_ns: int) -> Answer:
    """Follow the seat's double or split, or not; without balance the bet does not follow (B8, B9)."""
    current = table.round
    follow = current.follow if current else None
    if current is None or follow is None or follow.deadline_ns is None or follow.hand != command.hand:
        return Rejected("not-asked", "No follow question is open for this hand")
    if table.is_stopped:
        return _STOPPED
    if command.player not in {bet.player for bet in current.riders(follow.hand)}:
        return Rejected("not-your-hand", "You have no bet behind this hand")
    if command.player in follow.answered:
        return Rejected("already-answered", "This question was answered already")
    if at_ns >= follow.deadline_ns:
        return Rejected("decision-late", "The answer came after the deadline; the bet does not follow")
    added = follow_stake(table, command.player) if command.follow and command.funded else 0
    return Accepted((FollowAnswered(command.player, command.hand, added),))


def plan_action(table: Table, command: PlanAction) -> Answer:
    """Choose ahead for one of the player's own hands (R8)."""
    current = table.round
    if current is None or current.end is not RoundEnd.NOT_YET or current.hole_revealed:
        return Rejected("no-hand", "There is no hand to choose for")
    if current.shared is not None:
        return Rejected(
            "no-turns", "Everybody is asked at the same time here; there is no turn to choose ahead for"
        )
    mine = [hand for hand in current.hands if hand.player == command.player and hand.id == command.hand]
    if not mine or is_closed(table.setup.rules, current, mine[0]):
        return Rejected("no-hand", "Choose for a hand of your own that is still open")
    return Accepted((ActionPlanned(command.hand, command.action),))


def planned_action(table: Table) -> Action | None:
    """Return what the asked hand's player chose ahead, if it is still legal (R8)."""
    current = table.round
    if current is None or current.question is None:
        return None
    hand = current.hand(current.question.hand)
    for plan in current.plans:
        if plan.hand == hand.id and plan.action in legal_actions(table.setup.rules, current, hand):
            return plan.action
    return None


def pass_deadline(table: Table, at_ns: int) -> Accepted:
    """Close the open window if its deadline has passed; no answer means the default (R1, R3, R9)."""
    deadline_ns = open_deadline_ns(table.round)
    if table.round is None or deadline_ns is None or table.is_stopped or at_ns < deadline_ns:
        return Accepted()
    return Accepted((_window_closes(table),))


def _window_closes(table: Table) -> Event:
    current = table.round
    if current is None or is_betting(current):
        return BettingClosed()
    if current.follow is not None:
        return FollowClosed()
    if current.question is None:
        return InsuranceClosed()
    action = default_action(current.hand(current.question.hand))
    if current.shared is not None:
        return SharedWindowClosed(current.question.number, action)
    return DecisionTaken(current.question.hand, action, action, Cause.NO_ANSWER, 0)
