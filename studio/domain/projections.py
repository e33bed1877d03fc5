"""Projections: from a table to the views of each role. The only way that cards leave towards a screen.

A hidden card (the hole card before its reveal, burned and held cards) becomes a back here, in every view.
"""

from __future__ import annotations

from studio.domain.anomalies import CATALOGUE
from studio.domain.hands import total
from studio.domain.incidents import can_void, refunds, ways_out
from studio.domain.instants import Instant
from studio.domain.instructions import (
    instruction,
    next_step,
    primary_button,
    secondary_buttons,
    shoe_state,
)
from studio.domain.people import Role
from studio.domain.phases import (
    Phase,
    default_action,
    expected_slot,
    is_insurance_open,
    is_natural,
    legal_actions,
    open_deadline_ns,
    phase,
    visible_dealer_total,
)
from studio.domain.playing import added_stake, follow_stake, insurance_amount
from studio.domain.slots import Face, Slot
from studio.domain.table import Hand, Round, Table
from studio.domain.views import (
    BACK,
    CallView,
    DealerHandView,
    DealerOnDuty,
    DealerView,
    HandView,
    IncidentView,
    LastCardView,
    PlayerView,
    QuestionView,
    RefundView,
    ResultView,
    SeatView,
    ShoeView,
    SupervisorView,
    TableView,
)

_HOLE = 1


def table_view(table: Table, now: Instant) -> TableView:
    """Return what everybody may see."""
    setup, current = table.setup, table.round
    slot = expected_slot(setup.rules, current) if current and not table.is_stopped else None
    results = () if table.results is None else tuple(ResultView(*result) for result in table.results)
    return TableView(
        table=setup.table,
        name=setup.name,
        variant=setup.rules.variant,
        simulated=setup.simulated,
        rule_line=setup.rules.line,
        rules_hash=setup.rules.hash,
        phase=phase(table),
        round=table.rounds,
        stopped=table.is_stopped,
        suspended=table.is_suspended,
        deadline_wall_ns=_deadline_wall_ns(table, now),
        currency=setup.limits.currency,
        minimum=setup.limits.minimum,
        maximum=setup.limits.maximum,
        increment=setup.limits.increment,
        shoe=_shoe(table),
        seats=tuple(_seat(current, seat, slot) for seat in range(1, setup.rules.seats + 1)),
        dealer_hand=_dealer_hand(current, slot),
        results=results,
    )


def _deadline_wall_ns(table: Table, now: Instant) -> int | None:
    deadline_ns = open_deadline_ns(table.round)
    if deadline_ns is None or table.is_stopped:
        return None
    return now.wall_ns + deadline_ns - now.monotonic_ns


def _shoe(table: Table) -> ShoeView | None:
    shoe = table.shoe
    if shoe is None:
        return None
    return ShoeView(shoe.id, shoe_state(shoe), shoe.size - shoe.left, shoe.left, shoe.size)


def _seat(current: Round | None, seat: int, slot: Slot | None) -> SeatView:
    bet = current.main_bets().get(seat) if current else None
    if current is None or bet is None:
        return SeatView(seat, "", 0, 0, target=False, hands=())
    answers = current.insurance.answers if current.insurance else ()
    insured = sum(amount for answered, _, amount in answers if answered == seat)
    hands = tuple(_hand(current, hand, slot) for hand in current.hands if hand.id.seat == seat)
    target = slot is not None and slot.hand is not None and slot.hand.seat == seat
    return SeatView(seat, bet.player, bet.amount, insured, target=target, hands=hands)


def _hand(current: Round, hand: Hand, slot: Slot | None) -> HandView:
    asked = current.question is not None and current.question.hand == hand.id
    active = asked or (slot is not None and slot.hand == hand.id)
    cards = tuple(card.code for card in hand.cards)
    shown = str(total(hand.cards)) if hand.cards else ""
    return HandView(hand.id.number, cards, shown, hand.stake, _hand_state(hand), active)


def _hand_state(hand: Hand) -> str:
    if is_natural(hand):
        return "natural"
    if total(hand.cards).is_bust:
        return "bust"
    return "waiting" if hand.owed else str(hand.play)


def _dealer_hand(current: Round | None, slot: Slot | None) -> DealerHandView:
    target = slot is not None and slot.hand is None
    if current is None or not current.dealer:
        return DealerHandView((), "", target)
    cards = tuple(
        BACK if position == _HOLE and not current.hole_revealed else card.code
        for position, card in enumerate(current.dealer)
    )
    return DealerHandView(cards, str(visible_dealer_total(current)), target)


def dealer_view(table: Table, now: Instant, today: str) -> DealerView:
    """Return the dealer's console; ``today`` is an ISO date, to say whether the licence holds."""
    duty = table.dealer
    on_duty = (
        DealerOnDuty(duty.name, duty.licence_until, duty.licence_until >= today, duty.since_wall_ns)
        if duty
        else None
    )
    return DealerView(
        table=table_view(table, now),
        on_duty=on_duty,
        instruction=instruction(table),
        primary=primary_button(table),
        secondary=secondary_buttons(table),
        last_cards=_last_cards(table),
        incidents=_incidents(table, Role.DEALER),
        call=CallView(table.call.since_wall_ns, table.call.seen_by) if table.call else None,
        reader_ready=table.reader.ready,
        reader_reason=table.reader.reason,
    )


def _last_cards(table: Table) -> tuple[LastCardView, ...]:
    """Return the last five draws, newest first; one that is face down, burned or held is a back."""
    return tuple(
        LastCardView(recent.draw, recent.card.code if recent.face is Face.UP else BACK, recent.place)
        for recent in reversed(table.recent)
    )


def _incidents(table: Table, role: Role) -> tuple[IncidentView, ...]:
    return tuple(
        IncidentView(
            number=incident.number,
            kind=incident.kind,
            level=incident.level,
            cause=CATALOGUE[incident.kind].cause,
            next_step=next_step(incident),
            detail=incident.detail,
            tries=incident.tries,
            cleared=incident.cleared,
            ways_out=ways_out(table, incident, role),
        )
        for incident in table.incidents
    )


def supervisor_view(table: Table, now: Instant, today: str) -> SupervisorView:
    """Return the supervisor's panel, with what a void would give back."""
    back = tuple(RefundView(bet.player, bet.seat, bet.kind, bet.amount) for bet in refunds(table))
    return SupervisorView(
        dealer=dealer_view(table, now, today),
        incidents=_incidents(table, Role.SUPERVISOR),
        refunds=back,
        refund_total=sum(refund.amount for refund in back),
        can_void=can_void(table),
    )


def player_view(table: Table, player: str, available: int, now: Instant) -> PlayerView:
    """Return one player's private view; ``available`` is the balance, which limits what is offered (R10)."""
    current = table.round
    seats = tuple(seat for seat, bet in current.main_bets().items() if bet.player == player) if current else ()
    asked: list[QuestionView] = []
    if current is not None and not table.is_stopped and phase(table) is not Phase.IDLE:
        deadline = _deadline_wall_ns(table, now)
        asked = [
            *_insurance_questions(table, current, player, available, deadline),
            *_follow_questions(table, current, player, available, deadline),
        ]
        question = current.question
        if question is not None and question.hand.seat in seats:
            hand = current.hand(question.hand)
            actions = tuple(
                action
                for action in legal_actions(table.setup.rules, current, hand)
                if added_stake(table, action) <= available
            )
            asked.append(
                QuestionView(
                    "decision",
                    question.number,
                    hand.id.seat,
                    hand.id.number,
                    actions,
                    default_action(hand),
                    deadline,
                )
            )
    return PlayerView(player, available, seats, tuple(asked))


def _insurance_questions(
    table: Table, current: Round, player: str, available: int, deadline: int | None
) -> list[QuestionView]:
    if current.insurance is None or not is_insurance_open(current):
        return []
    answered = {(seat, who) for seat, who, _ in current.insurance.answers}
    return [
        QuestionView(
            "insurance",
            0,
            seat,
            0,
            _insurance_actions(insurance_amount(table, seat, player) <= available),
            "no-insurance",
            deadline,
        )
        for seat, who in current.insurable()
        if who == player and (seat, who) not in answered
    ]


def _insurance_actions(covered: bool) -> tuple[str, ...]:  # noqa: FBT001 - its one meaning is in its name
    return ("insurance", "no-insurance") if covered else ("no-insurance",)


def _follow_questions(
    table: Table, current: Round, player: str, available: int, deadline: int | None
) -> list[QuestionView]:
    follow = current.follow
    if follow is None or follow.deadline_ns is None or player in follow.answered:
        return []
    stake = follow_stake(table, player)
    if not stake:
        return []
    actions = ("follow", "do-not-follow") if stake <= available else ("do-not-follow",)
    hand = follow.hand
    return [QuestionView(f"follow-{follow.action}", 0, hand.seat, hand.number, actions, "do-not-follow", deadline)]
