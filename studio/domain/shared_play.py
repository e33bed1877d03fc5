"""Answers on the shared hand: many players decide and insure at the same time (rules.md I1, I5, R3, R10)."""

from __future__ import annotations

from studio.domain.actions import Action
from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.events import SharedDecisionsTaken, SharedInsuranceAnswered
from studio.domain.phases import default_action, is_insurance_open, legal_actions
from studio.domain.playing import not_asked
from studio.domain.rules import WithoutFunds
from studio.domain.shared_commands import (
    Choosing,
    DecideAll,
    InsureAll,
    Insuring,
)
from studio.domain.shared_hand import DRAWING, SharedHand
from studio.domain.table import Hand, Question, Round, Table

_STOPPED = Rejected("table-stopped", "The table is stopped; the time for the answer is extended")
_NOT_PLAYING = Rejected("not-your-hand", "Only a player with a main bet on this line decides")
_ANSWERED = Rejected("already-answered", "This question was answered already")
_UNCOVERED = Rejected("insufficient-balance", "The balance does not cover this")


def shared_stake(shared: SharedHand, player: str) -> int:
    """Return a player's main stake on the shared hand; 0 without one."""
    place = shared.places.get(player)
    return 0 if place is None else shared.stakes[place]


def shared_cost(shared: SharedHand, player: str, action: Action) -> int:
    """Return what an action adds to a player's stakes (M6)."""
    return shared_stake(shared, player) if action in {Action.DOUBLE, Action.SPLIT} else 0


def decide_all(table: Table, command: DecideAll, at_ns: int) -> Answer:
    """Note decisions of the open window; they take effect when it closes."""
    current = table.round
    if current is None or current.shared is None or current.question is None:
        return not_asked(current, command.decision)
    question = current.question
    if command.decision != question.number:
        code = "decision-late" if command.decision < question.number else "not-asked"
        return Rejected(code, f"Decision {question.number} is being asked, not {command.decision}")
    if table.is_stopped:
        return _STOPPED
    if at_ns >= question.deadline_ns:
        return Rejected("decision-late", "The decision came after the deadline; the default applies")
    return _decisions(table, current, current.shared, question, command.choices)


def _decisions(
    table: Table, current: Round, shared: SharedHand, question: Question, choices: tuple[Choosing, ...]
) -> Accepted:
    hand = current.hand(question.hand)
    legal = legal_actions(table.setup.rules, current, hand)
    illegal = Rejected("illegal-action", f"This hand may {', '.join(legal)}")
    rows: list[tuple[str, Action, Action, int]] = []
    items: list[Rejected | None] = []
    seen: set[str] = set()
    for player, asked, funded in choices:
        place = shared.places.get(player)
        refusal: Rejected | None = None
        added = 0
        action: Action | None = asked
        if place is None or shared.line(hand.id.number).kept[place] != DRAWING:
            refusal = _NOT_PLAYING
        elif player in seen or not shared.is_asked(place, hand.id.number):
            refusal = _ANSWERED
        elif asked not in legal:
            refusal = illegal
        elif (added := shared_cost(shared, player, asked)) and not funded:
            action, added = _without_funds(table, hand, asked), 0
            refusal = _UNCOVERED if action is None else None
        items.append(refusal)
        if refusal is None and action is not None:
            seen.add(player)
            rows.append((player, asked, action, added))
    if not rows:
        return Accepted((), tuple(items))
    players, wanted, actions, stakes = zip(*rows, strict=True)
    return Accepted((SharedDecisionsTaken(question.number, players, wanted, actions, stakes),), tuple(items))


def _without_funds(table: Table, hand: Hand, asked: Action) -> Action | None:
    """R10: what becomes of a double or split that the balance no longer covers; ``None``: it is refused."""
    rules = table.setup.rules
    match rules.double_without_funds if asked is Action.DOUBLE else rules.split_without_funds:
        case WithoutFunds.REFUSE:
            return None
        case WithoutFunds.HIT:
            return Action.HIT
        case WithoutFunds.HIT_TO_11:
            return default_action(hand)


def insure_all(table: Table, command: InsureAll, at_ns: int) -> Answer:
    """Note answers about insurance (R3)."""
    current = table.round
    if current is None or current.shared is None or current.insurance is None or not is_insurance_open(current):
        return Rejected("insurance-closed", "Insurance is not offered now")
    if table.is_stopped:
        return _STOPPED
    if at_ns >= current.insurance.deadline_ns:
        return Rejected("decision-late", "The answer came after the deadline; no insurance was taken")
    rows: list[tuple[str, int]] = []
    items: list[Rejected | None] = []
    seen: set[str] = set()
    for one in command.answers:
        refusal = _insurance_refusal(current.shared, one, seen)
        items.append(refusal)
        if refusal is None:
            seen.add(one.player)
            rows.append((one.player, shared_stake(current.shared, one.player) // 2 if one.take else 0))
    if not rows:
        return Accepted((), tuple(items))
    players, amounts = zip(*rows, strict=True)
    return Accepted((SharedInsuranceAnswered(players, amounts),), tuple(items))


def _insurance_refusal(shared: SharedHand, answer: Insuring, seen: set[str]) -> Rejected | None:
    place = shared.places.get(answer.player)
    if place is None:
        return _NOT_PLAYING
    if answer.player in seen or shared.insurance_answered[place]:
        return _ANSWERED
    return _UNCOVERED if answer.take and not answer.funded else None
