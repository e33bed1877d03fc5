"""Projections: from a table to the views of each role. The only way that cards leave towards a screen.

A hidden card (the hole card before its reveal, burned and held cards) becomes a back here, in every view.
"""

from __future__ import annotations

from studio.domain import rulings_projection as rulings
from studio.domain.alarms import SOURCES
from studio.domain.anomalies import CATALOGUE
from studio.domain.bets import SIDE_BETS, BetKind
from studio.domain.betting import side_bet_rounds_left
from studio.domain.card_marks import dealer_draws, mark_of, marks_of
from studio.domain.correction_events import ActKind
from studio.domain.correction_views import PresenceView
from studio.domain.hands import total
from studio.domain.incidents import ways_out
from studio.domain.instants import Instant
from studio.domain.instructions import (
    instruction,
    next_step,
    primary_button,
    secondary_buttons,
    shoe_state,
)
from studio.domain.people import SUPERVISING, Role
from studio.domain.phases import (
    expected_slot,
    is_natural,
    open_deadline_ns,
    phase,
    visible_dealer_total,
)
from studio.domain.refunds import (
    can_void,
    refunds,
    refunds_by_kind,
)
from studio.domain.rules import Layout
from studio.domain.shelving import shelf_of
from studio.domain.shoe_page import count_view, loaded_pack, shoe_page
from studio.domain.slots import Face, Slot
from studio.domain.supervisor_steps import STEPS, otherwise
from studio.domain.table import Hand, Incident, Round, Table
from studio.domain.views import (
    BACK,
    CallView,
    DealerHandView,
    DealerOnDuty,
    DealerView,
    DeviceView,
    HandView,
    IncidentView,
    LastCardView,
    OpenedShuffle,
    RaisedView,
    RefundView,
    ResultView,
    SeatView,
    ShelfView,
    ShoeView,
    SideBetView,
    SupervisorView,
    TableView,
)

_HOLE = 1
_MINUTE_NS = 60_000_000_000
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
        profile=setup.profile.name,
        profile_hash=setup.profile.hash,
        phase=phase(table),
        round=table.rounds,
        stopped=table.is_stopped,
        suspended=table.is_suspended,
        deadline_wall_ns=deadline_wall_ns(table, now),
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
        notices=rulings.public_notices(table),
    )


def deadline_wall_ns(table: Table, now: Instant) -> int | None:
    """Return the open window's deadline in wall time; ``None`` while none is open or time stands still."""
    deadline_ns = open_deadline_ns(table.round)
    return None if table.is_stopped else _wall_ns(deadline_ns, now)


def _wall_ns(monotonic_ns: int | None, now: Instant) -> int | None:
    return None if monotonic_ns is None else now.wall_ns + monotonic_ns - now.monotonic_ns


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
    marks = marks_of(current, hand.draws)
    return HandView(hand.id.number, cards, shown, hand.stake, hand_state(hand), active, marks)


def hand_state(hand: Hand) -> str:
    """Return the word for a hand's state, as the views have it."""
    if is_natural(hand):
        return "natural"
    if total(hand.cards).is_bust:
        return "bust"
    return "waiting" if hand.owed else str(hand.play)


def _dealer_hand(current: Round | None, slot: Slot | None) -> DealerHandView:
    target = slot is not None and slot.hand is None
    if current is None or not current.dealer:
        return DealerHandView((), "", target)
    marks = marks_of(current, dealer_draws(current))
    return DealerHandView(shown_dealer(current), shown_dealer_total(current), target, marks)


def shown_dealer(current: Round) -> tuple[str, ...]:
    """Return the dealer's cards as everybody may see them."""
    return tuple(
        BACK if position == _HOLE and not current.hole_revealed else card.code
        for position, card in enumerate(current.dealer)
    )


def shown_dealer_total(current: Round) -> str:
    """Return the dealer's total as everybody may know it."""
    return str(visible_dealer_total(current)) if current.dealer else ""


def dealer_view(table: Table, now: Instant, today: str, devices: tuple[DeviceView, ...] = ()) -> DealerView:
    """Return the dealer's console; ``today`` is an ISO date, to say whether the licence holds."""
    duty = table.dealer
    on_duty = (
        DealerOnDuty(
            duty.name,
            duty.licence_until,
            duty.licence_until >= today,
            duty.since_wall_ns,
            duty.since_wall_ns + table.setup.profile.rotation_minutes * _MINUTE_NS,
        )
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
        incidents=_incidents(table, Role.DEALER, now),
        call=CallView(table.call.since_wall_ns, table.call.seen_by) if table.call else None,
        pack=loaded_pack(table),
        counting=count_view(table),
        reader_ready=table.reader.ready,
        reader_reason=table.reader.reason,
        entering=rulings.proposals_view(table, now, ActKind.ENTER_CARD),
        single_source_until_wall_ns=_wall_ns(table.witness.single_source_until_ns, now),
        devices=devices,
    )


def _last_cards(table: Table) -> tuple[LastCardView, ...]:
    """Return the last five draws, newest first; one that is face down, burned or held is a back."""
    return tuple(
        LastCardView(
            recent.draw,
            recent.card.code if recent.face is Face.UP else BACK,
            recent.place,
            mark_of(table.round, recent.draw),
        )
        for recent in reversed(table.recent)
    )


def _incidents(table: Table, role: Role, now: Instant) -> tuple[IncidentView, ...]:
    """S1: the dealer reads what a dealer does, the supervisor what a supervisor does."""
    supervises = role in SUPERVISING
    return tuple(
        IncidentView(
            number=incident.number,
            kind=incident.kind,
            level=incident.level,
            cause=CATALOGUE[incident.kind].cause,
            next_step=STEPS[incident.kind].do if supervises else next_step(incident),
            detail=incident.detail,
            tries=incident.tries,
            cleared=incident.cleared,
            ways_out=ways_out(table, incident, role),
            since_wall_ns=incident.since_ns + now.wall_ns - now.monotonic_ns,
            draw=incident.draw,
            otherwise=otherwise(incident) if supervises else "",
            shelf=_shelf(incident, now) if supervises else None,
        )
        for incident in table.incidents
    )


def _shelf(incident: Incident, now: Instant) -> ShelfView | None:
    shelf = shelf_of(incident, now)
    return ShelfView(*shelf) if shelf else None


def supervisor_view(
    table: Table,
    now: Instant,
    today: str,
    present: tuple[PresenceView, ...] = (),
    devices: tuple[DeviceView, ...] = (),
) -> SupervisorView:
    """Return the supervisor's panel, with what a void would give back; ``present`` have it open too (S12)."""
    back = _refunds(table)
    return SupervisorView(
        dealer=dealer_view(table, now, today, devices),
        incidents=_incidents(table, Role.SUPERVISOR, now),
        refunds=back,
        refund_total=sum(refund.amount for refund in back),
        can_void=can_void(table),
        rulings=rulings.rulings_view(table, now, present),
        shoe_page=shoe_page(table),
        raised=_raised(table, now),
    )


def _raised(table: Table, now: Instant) -> tuple[RaisedView, ...]:
    ahead_ns = now.wall_ns - now.monotonic_ns
    return tuple(RaisedView(one.kind, SOURCES[one.kind], one.at_ns + ahead_ns) for one in table.alarms)


def _refunds(table: Table) -> tuple[RefundView, ...]:
    """S6: every seat and bet; of a shared hand the sums by kind, since its players may be very many."""
    current = table.round
    if current is not None and current.shared is not None and can_void(table):
        sums = refunds_by_kind(current, current.shared)
        return tuple(RefundView(f"{count} bets", 1, kind, amount) for kind, (count, amount) in sums.items())
    return tuple(RefundView(bet.player, bet.seat, bet.kind, bet.amount) for bet in refunds(table))
