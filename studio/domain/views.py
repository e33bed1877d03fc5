"""Views: what each role may see of a table, whole and censored (system.md principles 7 and 11).

A view is a state, not a change: a client that missed ten of them needs only the newest. They are filled by
:mod:`studio.domain.projections` and :mod:`studio.domain.player_projection` alone; a hidden card is :data:`BACK`
in all of them. Amounts are minor units, times wall nanoseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from studio.domain.correction_views import NO_RULINGS, NoticeView, ProposalView, RulingsView

BACK: Final = "??"
"""What stands for a card whose face is not to be seen."""


@dataclass(frozen=True, slots=True)
class HandView:
    """One player's hand: ``state`` is open, waiting, stood, doubled, surrendered, bust or natural.

    ``marks`` go with the cards, one each: empty for a card that was read, ``manual`` for one entered by hand,
    ``ruled`` for one that a correction made another (D20); no marks at all where every card was read.
    """

    number: int
    cards: tuple[str, ...]
    total: str
    stake: int
    state: str
    active: bool
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatView:
    """One position: a seat, or the shared hand with its lines as hands (1 unsplit, 2 and 3 the split ones).

    ``player`` is empty and ``bet`` 0 where nobody bets; ``holder`` sits there. ``target`` marks where the next
    card goes. On the shared hand ``bet`` is everybody's.
    """

    seat: int
    holder: str
    player: str
    bet: int
    behind_players: int
    behind_staked: int
    insurance: int
    target: bool
    hands: tuple[HandView, ...]


@dataclass(frozen=True, slots=True)
class DealerHandView:
    """The dealer's hand; before the reveal ``total`` is the upcard's alone (R2a). ``marks`` as of a hand."""

    cards: tuple[str, ...]
    total: str
    target: bool
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShoeView:
    """The shoe's gauge; ``state`` is burning, in-play or last-round."""

    id: str
    state: str
    dealt: int
    left: int
    size: int


@dataclass(frozen=True, slots=True)
class Instruction:
    """The one thing the dealer is to do now: ``words`` at most seven; ``seat`` is outlined where there is one."""

    code: str
    words: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Button:
    """A button: pressing it sends ``command`` with ``arguments`` to the table's commands."""

    command: str
    label: str
    arguments: dict[str, str | int]


@dataclass(frozen=True, slots=True)
class ShelfView:
    """Until when an alarm is out of the way, by whom and why."""

    until_wall_ns: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class IncidentView:
    """An open incident as its role sees it: ``ways_out`` are the ones open to that role right now.

    ``next_step`` is what that role is to do; ``otherwise`` what holds until a supervisor does it, empty for
    dealers, who see no ``shelf`` either.
    ``since_wall_ns`` is since when it is open, or was last handed back; ``draw`` the card it is about, if any.
    """

    number: int
    kind: str
    level: str
    cause: str
    next_step: str
    detail: str
    tries: int
    cleared: bool
    ways_out: tuple[str, ...]
    since_wall_ns: int = 0
    draw: int | None = None
    otherwise: str = ""
    shelf: ShelfView | None = None


@dataclass(frozen=True, slots=True)
class LastCardView:
    """A card that came out lately: its code or a back, and where it went (``Seat 3``, ``Dealer``, ``Burned``).

    ``mark`` is one of a hand's marks.
    """

    draw: int
    card: str
    place: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class DealerOnDuty:
    """Who deals, whether the licence holds today, and until when their time at the table lasts."""

    name: str
    licence_until: str
    licence_valid: bool
    since_wall_ns: int
    relief_wall_ns: int


@dataclass(frozen=True, slots=True)
class CountView:
    """A count in progress: ``cards`` of ``size`` so far; what it comes to is told once it is signed.

    ``purpose`` is whole or remainder; ``signed`` are the names of who signed.
    """

    pack: str
    purpose: str
    cards: int
    size: int
    unread: int
    signed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LastCountView:
    """The count signed last; ``missing`` and ``extra`` name each copy."""

    result: str
    purpose: str
    counted: int
    size: int
    unread: int
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    signed: tuple[str, ...]
    at_wall_ns: int


@dataclass(frozen=True, slots=True)
class PackView:
    """A pack of cards; ``life`` as in :class:`studio.domain.shoe_life.Life`, ``reason`` why it was put away."""

    id: str
    batch: str
    back: str
    decks: int
    life: str
    loads: int
    first_loaded_wall_ns: int | None
    last_count: LastCountView | None
    reason: str


@dataclass(frozen=True, slots=True)
class ClosedShoeView:
    """The shoe closed last: with it the faces of all its cards are open (S3). ``copies`` as on the page."""

    id: str
    pack: str
    out: int
    copies: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ShuffleEvidenceView:
    """What the order of the draws says of the shuffle.

    The longest runs in common with an earlier order (``run_match``) and in the order of a new deck, of cards that
    everybody saw while the shoe is in play; and the lengths that raise an alarm, among the first draws, later, and
    for the latter. The alarm itself looks at all cards.
    """

    draws: int
    run_match: int
    sorted_run: int
    early_limit: int
    late_limit: int
    sorted_limit: int


@dataclass(frozen=True, slots=True)
class ShoePageView:
    """A table's packs and its shoe (S13): ``copies`` are the copies by card whose face everybody saw.

    They are 52 numbers, diamonds, clubs, spades, hearts, each ace to king: so no card is named that may lie face
    down. ``impossible`` are draws of one copy too many. ``smallest_p`` is that of the test for a missing or
    doubled card over the shoes before this one. ``pack_hours`` is how long a pack may be in use; with
    ``alternates`` the next shoe must be of another batch and back than the last.
    """

    packs: tuple[PackView, ...]
    pack_hours: int
    alternates: bool
    loaded: str
    counting: CountView | None
    due_count: str
    copies: tuple[int, ...]
    impossible: tuple[int, ...]
    evidence: ShuffleEvidenceView
    smallest_p: float
    closed: ClosedShoeView | None


@dataclass(frozen=True, slots=True)
class CallView:
    """The dealer's call for the supervisor."""

    since_wall_ns: int
    seen_by: str


@dataclass(frozen=True, slots=True)
class ResultView:
    """A settled wager, shown from the settlement until the next betting."""

    player: str
    seat: int
    hand: int
    kind: str
    stake: int
    returned: int


@dataclass(frozen=True, slots=True)
class SideBetView:
    """A side bet: ``rounds_left`` in this shoe with the present one, ``None`` for ever (S9); ``pays`` to one."""

    kind: str
    open: bool
    rounds_left: int | None
    pays: dict[str, int]


@dataclass(frozen=True, slots=True)
class OpenedShuffle:
    """The last round's virtual shoe, for everybody to check."""

    round: int
    commitment: str
    seed: str


@dataclass(frozen=True, slots=True)
class TableView:
    """What everybody at the table sees, players too.

    ``phase`` is idle, betting, dealing, insurance, decisions, dealer, commit, settlement or closed; beside
    it ``stopped`` says that a reason is open. ``deadline_wall_ns`` is ``None`` while no window is open or time
    stands still. ``players`` have a main bet, ``staked`` is all that lies on the table. ``commitment`` is the
    virtual shoe's, empty where there is none. ``profile`` names the ruling profile.
    """

    table: str
    name: str
    variant: str
    simulated: bool
    rule_line: str
    rules_hash: str
    profile: str
    profile_hash: str
    phase: str
    round: int
    stopped: bool
    suspended: bool
    deadline_wall_ns: int | None
    currency: str
    minimum: int
    maximum: int
    increment: int
    layout: str
    money: str
    start: str
    seats_per_player: int
    bet_behind: bool
    side_bets: tuple[SideBetView, ...]
    players: int
    staked: int
    commitment: str
    opened_shuffle: OpenedShuffle | None
    shoe: ShoeView | None
    seats: tuple[SeatView, ...]
    dealer_hand: DealerHandView
    results: tuple[ResultView, ...]
    notices: tuple[NoticeView, ...] = ()


@dataclass(frozen=True, slots=True)
class DeviceView:
    """A device of the table as it is now: a reader, a second reader or a camera.

    ``link`` is absent, opening, syncing (warming up), ready, stale or lost; ``reason`` says what is wrong and what
    to do, empty when nothing is. ``errors`` counts what was not taken, by cause, ``losses`` the lost links.
    """

    device: str
    role: str
    link: str
    reason: str
    losses: int
    errors: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class DealerView:
    """The dealer's console; ``entering`` are cards entered by hand that wait for a supervisor (D20).

    ``single_source_until_wall_ns``: until when the camera's silence is accepted, ``None`` while it is not.
    ``devices`` are told by the shell: the core keeps no link; a replay has none.
    """

    table: TableView
    on_duty: DealerOnDuty | None
    instruction: Instruction
    primary: Button | None
    secondary: tuple[Button, ...]
    last_cards: tuple[LastCardView, ...]
    incidents: tuple[IncidentView, ...]
    call: CallView | None
    pack: PackView | None
    counting: CountView | None
    reader_ready: bool
    reader_reason: str
    entering: tuple[ProposalView, ...] = ()
    single_source_until_wall_ns: int | None = None
    devices: tuple[DeviceView, ...] = ()


@dataclass(frozen=True, slots=True)
class RaisedView:
    """An alarm that was raised lately, open or not; ``source`` is where it probably comes from (S3)."""

    kind: str
    source: str
    at_wall_ns: int


@dataclass(frozen=True, slots=True)
class RefundView:
    """What a void would give back, per seat and bet; their sum equals the open stakes in the ledger."""

    player: str
    seat: int
    kind: str
    amount: int


@dataclass(frozen=True, slots=True)
class SupervisorView:
    """The supervisor's panel of one table; ``raised`` are its last thirty alarms, oldest first."""

    dealer: DealerView
    incidents: tuple[IncidentView, ...]
    refunds: tuple[RefundView, ...]
    refund_total: int
    can_void: bool
    shoe_page: ShoePageView
    rulings: RulingsView = NO_RULINGS
    raised: tuple[RaisedView, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question to a player: ``decision``, ``insurance`` (``hand`` 0), ``follow-double`` or ``follow-split``.

    ``actions`` are the legal ones that the balance covers, ``costs`` what each adds to the stakes; ``default``
    applies when the deadline passes.
    """

    kind: str
    decision: int
    seat: int
    hand: int
    actions: tuple[str, ...]
    costs: tuple[int, ...]
    default: str
    deadline_wall_ns: int | None


@dataclass(frozen=True, slots=True)
class BetView:
    """One of a player's bets, several placings added up."""

    kind: str
    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class PlanView:
    """An action chosen ahead."""

    seat: int
    hand: int
    action: str


@dataclass(frozen=True, slots=True)
class FollowingView:
    """Standing answers to follow questions; ``None`` asks each time."""

    double: bool | None
    split: bool | None


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One player's private view beside the public one; ``hands`` are what they hold of a shared hand."""

    player: str
    balance: int
    seats: tuple[int, ...]
    bets: tuple[BetView, ...]
    hands: tuple[HandView, ...]
    questions: tuple[QuestionView, ...]
    plans: tuple[PlanView, ...]
    following: FollowingView
    results: tuple[ResultView, ...]
    notices: tuple[NoticeView, ...] = ()
