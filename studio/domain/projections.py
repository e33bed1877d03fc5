"""Projections: from a table to the views of each role. The only way that cards leave towards a screen.

A hidden card (the hole card before its reveal, burned and held cards) becomes a back here, in every view.
"""

from __future__ import annotations

from studio.domain.anomalies import CATALOGUE
from studio.domain.bets import SIDE_BETS, BetKind
from studio.domain.betting import side_bet_rounds_left
from studio.domain.hands import total
from studio.domain.incidents import can_void, refunds, refunds_by_kind, ways_out
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
from studio.domain.rules import Layout
from studio.domain.shared_hand import DRAWING, NOT_ON_LINE
from studio.domain.shared_play import shared_cost
from studio.domain.slots import Face, Slot
from studio.domain.table import Hand, Round, Table
from studio.domain.views import (
    BACK,
    BetView,
    CallView,
    DealerHandView,
    DealerOnDuty,
    DealerView,
    FollowingView,
    HandView,
    IncidentView,
    LastCardView,
    OpenedShuffle,
    PlanView,
    PlayerView,
    QuestionView,
    RefundView,
    ResultView,
    SeatView,
    ShoeView,
    SideBetView,
    SupervisorView,
    TableView,
)

_HOLE = 1
_SECOND_SPLIT_LINE = 3


def table_view(table: Table, now: Instant) -> TableView:
    """Return what everybody may see."""
    setup, current = table.setup, table.round
    slot = expected_slot(setup.rules, current) if current and not table.is_stopped else None
    # The results of a shared hand are each player's own affair: there may be hundreds of thousands.
    is_shared = setup.rules.layout is Layout.SHARED_HAND
    results = () if is_shared else tuple(ResultView(*result) for result in table.results or ())
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
        layout=setup.rules.layout,
        money=setup.rules.money,
        start=setup.rules.start,
        seats_per_player=setup.rules.seats_per_player,
        bet_behind=setup.rules.bet_behind,
        side_bets=_side_bets(table),
        players=_players(current),
        staked=_staked(table),
        commitment=table.shoe.commitment if table.shoe else "",
        opened_shuffle=_opened(table),
        shoe=_shoe(table),
        seats=tuple(_seat(table, seat, slot) for seat in range(1, setup.rules.seats + 1)),
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


def _side_bets(table: Table) -> tuple[SideBetView, ...]:
    rules = table.setup.rules
    found = []
    for kind, key in SIDE_BETS.items():
        if key in rules.side_bets:
            left = side_bet_rounds_left(table, kind)
            found.append(SideBetView(kind, left != 0, left, dict(rules.side_bets[key].pays)))
    return tuple(found)


def _players(current: Round | None) -> int:
    if current is None:
        return 0
    if current.shared is not None:
        return len(current.shared.players)
    return len({player for _, player in current.totals(BetKind.MAIN)})


def _staked(table: Table) -> int:
    current = table.round
    if current is None or not can_void(table):
        return 0
    if current.is_betting:
        return sum(sum(batch.amounts) for batch in current.bets)
    if current.shared is not None:
        return sum(amount for _, amount in refunds_by_kind(current, current.shared).values())
    return sum(bet.amount for bet in refunds(table))


def _opened(table: Table) -> OpenedShuffle | None:
    opened = table.opened_shuffle
    return OpenedShuffle(opened.round, opened.commitment, opened.seed) if opened else None


def _seat(table: Table, seat: int, slot: Slot | None) -> SeatView:
    current = table.round
    holder = next((one.player for one in table.seats if one.seat == seat), "")
    if current is None:
        return SeatView(seat, holder, "", 0, 0, 0, 0, target=False, hands=())
    hands = tuple(_hand(current, hand, slot) for hand in current.hands if hand.id.seat == seat)
    target = slot is not None and slot.hand is not None and slot.hand.seat == seat
    if table.setup.rules.layout is Layout.SHARED_HAND:
        return SeatView(seat, "", "", _staked(table), 0, 0, 0, target=target, hands=hands)
    bet = current.main_bets().get(seat)
    behind = {
        player: amount for (where, player), amount in current.totals(BetKind.BEHIND).items() if where == seat
    }
    answers = current.insurance.answers if current.insurance else ()
    insured = sum(amount for answered, who, amount in answers if answered == seat and bet and who == bet.player)
    return SeatView(
        seat,
        holder,
        bet.player if bet else "",
        bet.amount if bet else 0,
        len(behind),
        sum(behind.values()),
        insured,
        target=target,
        hands=hands,
    )


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
    back = _refunds(table)
    return SupervisorView(
        dealer=dealer_view(table, now, today),
        incidents=_incidents(table, Role.SUPERVISOR),
        refunds=back,
        refund_total=sum(refund.amount for refund in back),
        can_void=can_void(table),
    )


def _refunds(table: Table) -> tuple[RefundView, ...]:
    """S6: every seat and bet; of a shared hand the sums by kind, since its players may be very many."""
    current = table.round
    if current is not None and current.shared is not None and can_void(table):
        sums = refunds_by_kind(current, current.shared)
        return tuple(RefundView(f"{count} bets", 1, kind, amount) for kind, (count, amount) in sums.items())
    return tuple(RefundView(bet.player, bet.seat, bet.kind, bet.amount) for bet in refunds(table))


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
                state = _hand_state(mine)
            active = asked and shared.is_asked(place, hand.id.number)
            found.append(HandView(number, cards, str(total(mine.cards)), stake, state, active))
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
    deadline = _deadline_wall_ns(table, now)
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
