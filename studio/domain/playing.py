"""Players' answers and the deadlines that answer for them (rules.md R3, R6 to R11)."""

from __future__ import annotations

from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.commands import Action, AnswerInsurance, Decide
from studio.domain.events import (
    BettingClosed,
    Cause,
    DecisionTaken,
    Event,
    InsuranceAnswered,
    InsuranceClosed,
)
from studio.domain.phases import (
    default_action,
    is_betting,
    is_insurance_open,
    legal_actions,
    open_deadline_ns,
)
from studio.domain.rules import WithoutFunds
from studio.domain.table import Hand, RoundEnd, Table

_STOPPED = Rejected("table-stopped", "The table is stopped; the time for the answer is extended")


def insurance_amount(table: Table, seat: int) -> int:
    """Return what insurance on a seat costs: exactly half its main bet (R3); 0 where there is none."""
    bet = table.round.main_bets().get(seat) if table.round else None
    return bet.amount // 2 if bet else 0


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
    bet = current.main_bets().get(command.seat)
    if bet is None or bet.player != command.player:
        return Rejected("not-your-seat", "Insure a seat that your own bet plays")
    if any(seat == command.seat for seat, _, _ in current.insurance.answers):
        return Rejected("already-answered", "Insurance on this seat was answered already")
    if at_ns >= current.insurance.deadline_ns:
        return Rejected("decision-late", "The answer came after the deadline; no insurance was taken")
    if command.take and not command.funded:
        return Rejected("insufficient-balance", "The balance does not cover the insurance")
    amount = insurance_amount(table, command.seat) if command.take else 0
    return Accepted((InsuranceAnswered(command.player, command.seat, amount),))


def decide_hand(table: Table, command: Decide, at_ns: int) -> Answer:
    """Play the asked hand as its player says."""
    current = table.round
    if current is None or current.question is None or current.end is not RoundEnd.NOT_YET:
        return Rejected("not-asked", "No decision is being asked now")
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
    if current.question is None:
        return InsuranceClosed()
    action = default_action(current.hand(current.question.hand))
    return DecisionTaken(current.question.hand, action, action, Cause.NO_ANSWER, 0)
