"""Views of a table in the states that the consoles have to show; built from the real view classes."""

from __future__ import annotations

import time
from dataclasses import replace

from studio.domain.anomalies import AnomalyKind
from studio.domain.correction_views import ClaimView
from studio.domain.supervisor_steps import STEPS
from studio.domain.views import (
    BACK,
    Button,
    CallView,
    DealerHandView,
    DealerOnDuty,
    DealerView,
    DeviceView,
    HandView,
    IncidentView,
    Instruction,
    LastCardView,
    PackView,
    RaisedView,
    RefundView,
    ResultView,
    SeatView,
    ShoePageView,
    ShoeView,
    ShuffleEvidenceView,
    SupervisorView,
    TableView,
)

SECOND_NS = 1_000_000_000


def hand(cards: str, total: str, state: str = "open", *, number: int = 1, active: bool = False) -> HandView:
    return HandView(number, tuple(cards.split()), total, 2_500, state, active)


def free(seat: int) -> SeatView:
    return SeatView(seat, "", "", 0, 0, 0, 0, target=False, hands=())


def taken(seat: int, *hands: HandView, target: bool = False, bet: int = 2_500, insurance: int = 0) -> SeatView:
    return SeatView(seat, f"player-{seat}", f"player-{seat}", bet, 0, 0, insurance, target, hands)


def seven_seats(*seats: SeatView) -> tuple[SeatView, ...]:
    by_number = {seat.seat: seat for seat in seats}
    return tuple(by_number.get(number, free(number)) for number in range(1, 8))


SHOE = ShoeView("shoe-7", "in-play", 123, 293, 416)

IDLE_TABLE = TableView(
    table="t1",
    name="Blackjack 1",
    variant="classic",
    simulated=True,
    rule_line="8 decks · S17 · 3:2 · rules 4f2a",
    rules_hash="4f2a" * 16,
    profile="studio-default",
    profile_hash="77aa" * 16,
    phase="idle",
    round=12,
    stopped=False,
    suspended=False,
    deadline_wall_ns=None,
    currency="EUR",
    minimum=500,
    maximum=100_000,
    increment=100,
    layout="seats",
    money="currency",
    start="countdown",
    seats_per_player=2,
    bet_behind=True,
    side_bets=(),
    players=0,
    staked=0,
    commitment="",
    opened_shuffle=None,
    shoe=SHOE,
    seats=seven_seats(),
    dealer_hand=DealerHandView((), "", target=False),
    results=(),
)


RED_PACK = PackView("red-1", "B-2031", "red", 8, "in-play", 3, time.time_ns() - 7200 * SECOND_NS, None, "")
SHOE_PAGE = ShoePageView(
    packs=(RED_PACK,),
    pack_hours=24,
    alternates=True,
    loaded=RED_PACK.id,
    counting=None,
    due_count="",
    copies=(1,) * 52,
    impossible=(),
    evidence=ShuffleEvidenceView(draws=52, run_match=2, sorted_run=2, early_limit=6, late_limit=8, sorted_limit=6),
    smallest_p=1.0,
    closed=None,
)


def idle() -> DealerView:
    """Between rounds: the primary button opens the betting."""
    return DealerView(
        table=IDLE_TABLE,
        on_duty=DealerOnDuty(
            "Ada Meyer",
            "2027-03-31",
            licence_valid=True,
            since_wall_ns=time.time_ns() - 2040 * SECOND_NS,
            relief_wall_ns=time.time_ns() + 1560 * SECOND_NS,
        ),
        instruction=Instruction("open-betting", "Open the betting"),
        primary=Button("open-betting", "Open betting", {}),
        secondary=(),
        last_cards=(),
        incidents=(),
        call=None,
        pack=RED_PACK,
        counting=None,
        reader_ready=True,
        reader_reason="",
    )


def nobody() -> DealerView:
    """Nobody deals yet."""
    return replace(
        idle(),
        on_duty=None,
        instruction=Instruction("sign-on", "Sign on to the table"),
        primary=Button("sign-on", "Sign on", {}),
        table=replace(IDLE_TABLE, shoe=None, round=0),
    )


def betting() -> DealerView:
    """Betting is open for twenty seconds more."""
    table = replace(
        IDLE_TABLE,
        phase="betting",
        deadline_wall_ns=time.time_ns() + 20 * SECOND_NS,
        seats=seven_seats(taken(1), taken(3), taken(6, bet=123_400)),
    )
    return replace(
        idle(),
        table=table,
        instruction=Instruction("wait-bets", "Wait for the bets"),
        primary=Button("close-betting", "Close betting", {}),
    )


LAST_CARDS = (
    LastCardView(123, "8S", "Seat 3"),
    LastCardView(122, "TD", "Seat 1"),
    LastCardView(121, BACK, "Dealer"),
    LastCardView(120, "AH", "Seat 6"),
    LastCardView(119, "QC", "Dealer"),
    LastCardView(118, "9D", "Seat 3"),
)


def dealing() -> DealerView:
    """A round in the middle: a card is owed to seat 3, split hands on seat 1, many small cards on seat 6."""
    split = (hand("8C TD 2S AD", "21", "stood"), hand("8D 3H 5S 2D 2C", "20", number=2))
    table = replace(
        IDLE_TABLE,
        phase="decisions",
        seats=seven_seats(
            taken(1, *split, bet=5_000),
            taken(3, hand("9D 8S", "17", active=True), target=True, insurance=1_250),
            taken(4, hand("AS KD", "21", "natural")),
            taken(6, hand("AH 2D 3C AC 2S 4H", "soft 13 (13/23)"), bet=123_400),
            taken(7, hand("KS 6D TC", "26", "bust")),
        ),
        dealer_hand=DealerHandView(("QC", BACK), "10", target=False),
    )
    return replace(
        idle(),
        table=table,
        instruction=Instruction("card", "Card to seat 3", 3),
        primary=None,
        last_cards=LAST_CARDS,
    )


def marked() -> DealerView:
    """As :func:`dealing`, with cards that were entered by hand and cards that were corrected (D20)."""
    view = dealing()
    first, _, third, fourth, _, sixth, _ = view.table.seats
    split = (
        replace(first.hands[0], marks=("", "manual", "", "")),
        replace(first.hands[1], marks=("", "", "", "", "ruled")),
    )
    table = replace(
        view.table,
        seats=seven_seats(
            replace(first, hands=split),
            replace(third, hands=(replace(third.hands[0], marks=("", "manual")),)),
            replace(fourth, hands=(replace(fourth.hands[0], marks=("ruled", "manual")),)),
            replace(sixth, hands=(replace(sixth.hands[0], marks=("", "", "manual", "", "", "ruled")),)),
            view.table.seats[6],
        ),
        dealer_hand=replace(view.table.dealer_hand, marks=("ruled", "manual")),
    )
    newest, *earlier = view.last_cards
    last = (replace(newest, mark="manual"), replace(earlier[0], mark="ruled"), *earlier[1:])
    return replace(view, table=table, last_cards=last)


def incident(number: int = 4, *, dealer: bool = True) -> IncidentView:
    return IncidentView(
        number=number,
        kind="scanner-down" if dealer else "extra-card",
        level="hold",
        cause="The card reader is not answering" if dealer else "No hand is owed this card",
        next_step="Stop dealing, wait for the reader" if dealer else "Keep the card, call supervisor",
        detail="Serial line lost at card 123",
        tries=2,
        cleared=dealer,
        ways_out=("go-on",) if dealer else (),
        since_wall_ns=time.time_ns() - 20 * SECOND_NS,
    )


def held() -> DealerView:
    """A card that no hand is owed is held: the dealer has no way out."""
    view = dealing()
    return replace(
        view,
        table=replace(view.table, stopped=True, deadline_wall_ns=None),
        instruction=Instruction("held", "Keep the card, call supervisor"),
        incidents=(incident(dealer=False),),
    )


def reader_down() -> DealerView:
    """The reader was away and is back: the dealer may go on."""
    view = held()
    return replace(
        view,
        incidents=(incident(),),
        instruction=Instruction("wait-reader", "Stop dealing, wait for the reader"),
        call=CallView(time.time_ns() - 72 * SECOND_NS, ""),
    )


def devices_away() -> DealerView:
    """Another reader answers at the port, and the second reader is gone."""
    swapped = "reader 51A00002 answers where 51A00001 is expected: plug the right reader in, or change `serial`"
    gone = "/dev/serial/by-id/usb-shoe-2 was lost: device reports readiness to read but returned no data"
    return replace(
        idle(),
        reader_ready=False,
        devices=(
            DeviceView("shoe-1", "reader", "syncing", swapped, 1, {}),
            DeviceView("shoe-2", "second-reader", "lost", gone, 3, {"crc": 2, "length": 1}),
        ),
    )


def reader_back() -> DealerView:
    """As the table shows it: the primary button is the dealer's way out."""
    arguments: dict[str, str | int] = {"incident": 4, "way_out": "go-on", "reason": "reader-back"}
    return replace(
        reader_down(),
        instruction=Instruction("go-on", "Reader is back. Press Go on"),
        primary=Button("resolve-incident", "Go on", arguments),
    )


def suspended() -> DealerView:
    """The supervisor stopped the table and something else is open too; the call was seen."""
    view = held()
    stop = IncidentView(
        number=5,
        kind="supervisor-stop",
        level="suspend",
        cause="The supervisor stopped the table",
        next_step="Wait for the supervisor",
        detail="Iris Novak: procedure",
        tries=1,
        cleared=False,
        ways_out=(),
        since_wall_ns=time.time_ns() - 135 * SECOND_NS,
    )
    return replace(
        view,
        table=replace(view.table, suspended=True),
        instruction=Instruction("wait-supervisor", "Wait for the supervisor"),
        incidents=(*view.incidents, stop),
        call=CallView(time.time_ns() - 135 * SECOND_NS, "Iris Novak"),
    )


def commit() -> DealerView:
    """The result waits for the dealer's word; the last round of the shoe."""
    view = dealing()
    table = replace(
        view.table,
        phase="commit",
        shoe=replace(SHOE, state="last-round", dealt=341, left=75),
        dealer_hand=DealerHandView(("QC", "9H"), "19", target=False),
        seats=tuple(replace(seat, target=False) for seat in view.table.seats),
    )
    return replace(
        view,
        table=table,
        instruction=Instruction("commit", "Check the result, then confirm"),
        primary=Button("commit-result", "Confirm result", {}),
        secondary=(Button("disagree", "Disagree", {}),),
    )


def settled() -> DealerView:
    """Settled: what went back stands at the seats; the licence has ended."""
    view = commit()
    results = (
        ResultView("player-1", 1, 1, "main", 2_500, 5_000),
        ResultView("player-1", 1, 2, "main", 2_500, 5_000),
        ResultView("player-4", 4, 1, "main", 2_500, 6_250),
    )
    duty = replace(view.on_duty, licence_valid=False) if view.on_duty else None
    return replace(
        view,
        table=replace(view.table, phase="settlement", results=results),
        on_duty=duty,
        instruction=Instruction("clear", "Clear the cards"),
        primary=Button("open-betting", "Open betting", {}),
        secondary=(),
    )


def dealer_scenes() -> dict[str, DealerView]:
    """Return every scene by name."""
    makers = (
        *(nobody, idle, betting, dealing, marked, held, reader_down, reader_back, devices_away),
        *(suspended, commit, settled),
    )
    return {make.__name__: make() for make in makers}


def flooded() -> SupervisorView:
    """The reader fails again and again: four unread cards within a minute, eleven alarms in ten."""
    base = supervised(held())
    now = time.time_ns()
    unread = replace(
        base.incidents[0],
        kind="no-read",
        cause="The card was not read",
        next_step=STEPS[AnomalyKind.NO_READ].do,
        detail="Draw 12",
        tries=0,
        ways_out=("rescan", "enter", "void"),
    )
    many = tuple(
        replace(unread, number=10 + place, since_wall_ns=now - (50 - 10 * place) * SECOND_NS, cleared=place == 3)
        for place in range(4)
    )
    claim = ClaimView(10, "sue", "Sue Bell", "", 0, None)
    raised = tuple(
        RaisedView("no-read", "camera" if place % 4 == 0 else "reader", now - 30 * place * SECOND_NS)
        for place in range(11)
    )
    rulings = replace(base.rulings, claims=(claim,))
    return replace(base, incidents=(*base.incidents, *many), raised=raised, rulings=rulings)


def supervised(view: DealerView, *, can_void: bool = True) -> SupervisorView:
    """Return the supervisor's view of the same table; its incidents have the supervisor's ways out."""
    ways = {
        "extra-card": ("use-next", "burn", "void"),
        "scanner-down": ("go-on", "void"),
        "supervisor-stop": ("go-on", "void"),
    }
    bets = [(seat.player, seat.seat, seat.bet) for seat in view.table.seats if seat.bet]
    refunds = tuple(RefundView(player, seat, "main", amount) for player, seat, amount in bets)
    return SupervisorView(
        dealer=view,
        incidents=tuple(
            replace(
                open_,
                ways_out=ways[open_.kind],
                next_step=STEPS[AnomalyKind(open_.kind)].do,
                otherwise=STEPS[AnomalyKind(open_.kind)].otherwise,
            )
            for open_ in view.incidents
        ),
        refunds=refunds if can_void else (),
        refund_total=sum(refund.amount for refund in refunds) if can_void else 0,
        can_void=can_void,
        shoe_page=SHOE_PAGE,
    )
