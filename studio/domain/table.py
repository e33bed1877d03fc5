"""The state of one table: what happened so far, folded from its events. What follows is derived elsewhere.

The wide values (:class:`Table`, :class:`Round`, :class:`Hand`, the shoe) are named tuples: each event makes new
ones with a field or two changed, and ``_replace`` does that four times as fast as ``dataclasses.replace``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from studio.domain.actions import Action
from studio.domain.alarms import Alarm, Shelf
from studio.domain.anomalies import CATALOGUE, AnomalyKind, Level
from studio.domain.bets import Bet, BetBatch, BetKind, ResultBatch, totals_of
from studio.domain.cards import Card
from studio.domain.event_log import EMPTY_LOG, EventLog
from studio.domain.profile import UNAPPROVED, Approval
from studio.domain.record_events import Dispute
from studio.domain.rulings import FeltScan, Notice, Proposal
from studio.domain.setup import TableSetup
from studio.domain.shared_hand import SharedHand
from studio.domain.shoe import Shoe
from studio.domain.shoe_life import ShoeLife
from studio.domain.sightings import SightingId
from studio.domain.slots import Face, HandId
from studio.domain.tiles import Tile
from studio.domain.witness import NO_WITNESS, Witness


class Play(StrEnum):
    """How a hand was closed by its player; ``open`` while it was not."""

    OPEN = "open"
    STOOD = "stood"
    DOUBLED = "doubled"
    SURRENDERED = "surrendered"


class Hand(NamedTuple):
    """Cards played as one; ``player`` is whose main bet plays the seat.

    ``draws`` are the draws of its ``cards``, in their order. ``owed`` counts cards it must still get;
    ``automatic`` after a missed deadline (R9).
    """

    id: HandId
    player: str
    stake: int
    cards: tuple[Card, ...] = ()
    draws: tuple[int, ...] = ()
    play: Play = Play.OPEN
    owed: int = 0
    from_split: bool = False
    split_aces: bool = False
    acted: bool = False
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class Insurance:
    """The insurance window (R3): answers by seat, an amount or 0."""

    deadline_ns: int
    answers: tuple[tuple[int, str, int], ...] = ()
    """(seat, player, amount) in the order they came."""
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that is being waited for."""

    number: int
    hand: HandId
    deadline_ns: int


class Behind(NamedTuple):
    """A bet behind: another player's stake on one of a seat's hands (B7)."""

    player: str
    hand: HandId
    stake: int


@dataclass(frozen=True, slots=True)
class Follow:
    """The question to the bets behind a doubled or split hand; no deadline before it is asked (B8, B9)."""

    hand: HandId
    action: Action
    deadline_ns: int | None = None
    answered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """An action chosen ahead for a hand (R8)."""

    hand: HandId
    action: Action


@dataclass(frozen=True, slots=True)
class Sitting:
    """A player on a seat: ``played`` once a bet of theirs was in a round, ``idle`` in a round without one (B2)."""

    seat: int
    player: str
    played: bool = False
    idle: bool = False


@dataclass(frozen=True, slots=True)
class Following:
    """A player's standing answers to follow questions; ``None`` asks each time."""

    player: str
    double: bool | None
    split: bool | None


@dataclass(frozen=True, slots=True)
class Opened:
    """The last virtual shuffle that was opened."""

    round: int
    commitment: str
    seed: str


class Dealt(NamedTuple):
    """A draw that was dealt: its card and the hand it went to, ``None`` for the dealer's, as it was then."""

    draw: int
    card: Card
    hand: HandId | None
    face: Face


class RoundEnd(StrEnum):
    """How far a round's end has come."""

    NOT_YET = "not-yet"
    COMMITTED = "committed"
    SETTLED = "settled"
    VOIDED = "voided"
    CLOSED = "closed"


class Round(NamedTuple):
    """One round. ``hands`` are in playing order; ``dealer`` holds the upcard, the hole card and draws after it."""

    number: int
    rules_hash: str
    betting_deadline_ns: int | None
    profile_hash: str = ""
    is_betting: bool = True
    bets: tuple[BetBatch, ...] = ()
    hands: tuple[Hand, ...] = ()
    behind: tuple[Behind, ...] = ()
    shared: SharedHand | None = None
    follow: Follow | None = None
    plans: tuple[Plan, ...] = ()
    dealer: tuple[Card, ...] = ()
    insurance: Insurance | None = None
    peeked_natural: bool | None = None
    peek_omitted: bool = False
    """Whether play was opened without the peek, and a person has seen it."""
    question: Question | None = None
    questions: int = 0
    hole_revealed: bool = False
    end: RoundEnd = RoundEnd.NOT_YET
    draws: tuple[Dealt, ...] = ()
    """The cards dealt, in the order of their draws as they came."""
    entered: tuple[int, ...] = ()
    """The draws whose cards were entered by hand."""
    corrected: tuple[int, ...] = ()
    """The draws whose cards are others than were read, by a correction."""
    skipped: tuple[HandId | None, ...] = ()
    """Who was left out, ``None`` for the dealer: they get their cards after the others."""

    def main_bets(self) -> dict[int, Bet]:
        """Return the main bet of each seat that has one, several placings added up, by seat number."""
        found: dict[int, Bet] = {}
        for batch in self.bets:
            for bet in batch:
                if bet.kind is BetKind.MAIN:
                    before = found.get(bet.seat)
                    found[bet.seat] = bet._replace(amount=before.amount + bet.amount) if before else bet
        return dict(sorted(found.items()))

    def totals(self, kind: BetKind) -> dict[tuple[int, str], int]:
        """Return what lies on each seat for each player in bets of one kind, by (seat, player)."""
        return totals_of(self.bets, kind)

    def riders(self, hand_id: HandId) -> tuple[Behind, ...]:
        """Return the bets behind a hand."""
        return tuple(bet for bet in self.behind if bet.hand == hand_id)

    def insurable(self) -> dict[tuple[int, str], int]:
        """Return the stake of every live main bet and bet behind, by seat and player (R3, B7)."""
        found = {(hand.id.seat, hand.player): hand.stake for hand in self.hands}
        return found | {(bet.hand.seat, bet.player): bet.stake for bet in self.behind}

    def hand(self, hand_id: HandId) -> Hand:
        """Return a hand by its id; raise ``KeyError`` if the round has none such."""
        for hand in self.hands:
            if hand.id == hand_id:
                return hand
        raise KeyError(hand_id)

    def hands_after(self, hand_id: HandId, *became: Hand) -> tuple[Hand, ...]:
        """Return the hands with one of them replaced by what it became: its newer self, or two after a split."""
        for place, hand in enumerate(self.hands):
            if hand.id == hand_id:
                return (*self.hands[:place], *became, *self.hands[place + 1 :])
        raise KeyError(hand_id)


@dataclass(frozen=True, slots=True)
class Incident:
    """An open case about an anomaly; see :mod:`studio.domain.anomalies`."""

    number: int
    kind: AnomalyKind
    level: Level
    draw: int | None
    detail: str
    tries: int = 0
    cleared: bool = False
    """The cause is gone (level-triggered); somebody must still close it."""
    blocks_rounds: bool = False
    """A warning that lets no further round begin: it becomes a hold as soon as the round is over."""
    since_ns: int = 0
    """Since when it is open, or was last handed back, unclaimed."""
    owner: str = ""
    owner_name: str = ""
    offered_to: str = ""
    """Whom the owner offers it to, by id."""
    tile: Tile | None = None
    """What the dealer reported, and about which seat, 0 being their own."""
    seat: int | None = None
    revealed: bool | None = None
    """Whether the players saw its card; ``None`` while nobody said."""
    shelf: Shelf | None = None
    """Where it was put last; see :mod:`studio.domain.shelving`."""
    absent_stage: int = 0
    """How far the absence of a supervisor was called out: 1 the next one, 2 the manager."""

    @property
    def stops(self) -> bool:
        """Whether it keeps cards and decisions back."""
        return self.level is not Level.WARN


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw without a place: unread when ``card`` is ``None``; ``released`` waits for the next slot."""

    number: int
    sighting: SightingId
    card: Card | None
    at_ns: int
    released: bool = False

    def is_of(self, shoe: Shoe) -> bool:
        """Tell whether the draw came out of this shoe."""
        return self.sighting.load == shoe.load


@dataclass(frozen=True, slots=True)
class LastCard:
    """The newest card that came out, to tell a double read from a second copy.

    ``run`` counts cards that came faster than hands can deal since a silence, this one included; 0 otherwise.
    """

    card: Card
    at_ns: int
    run: int = 0


@dataclass(frozen=True, slots=True)
class RecentCard:
    """One of the last draws, for the dealer's eyes: ``place`` in words, ``face`` as it lies."""

    draw: int
    card: Card
    place: str
    face: Face


@dataclass(frozen=True, slots=True)
class Reader:
    """What is known of the primary card source; ``load`` and ``ordinal`` are its own counts."""

    ready: bool = False
    load: int | None = None
    ordinal: int | None = None
    reason: str = ""
    was_ready: bool = False


@dataclass(frozen=True, slots=True)
class SignedOn:
    """The dealer at the table; ``since_wall_ns`` in wall time."""

    dealer: str
    name: str
    licence_until: str
    since_wall_ns: int


@dataclass(frozen=True, slots=True)
class SupervisorCall:
    """The dealer's call; ``seen_by`` once a supervisor answered."""

    since_wall_ns: int
    seen_by: str = ""


class LastDuty(NamedTuple):
    """The dealer who left the table last; wall times."""

    dealer: str
    since_wall_ns: int
    until_wall_ns: int


class MisdealRecord(NamedTuple):
    """How many rounds, and how many errors in them, fall to one ``dealer`` or one ``pack`` (``sort``)."""

    sort: str
    name: str
    rounds: int = 0
    misdeals: int = 0


class Duty(NamedTuple):
    """What is kept of the dealers at a table besides who is on duty."""

    last: LastDuty | None = None
    records: tuple[MisdealRecord, ...] = ()


class Table(NamedTuple):
    """Everything that happened at a table, as far as the future needs it.

    ``steps`` counts confirmed steps of a shoe's preparation. ``loose`` are draws without a place. ``stopped_ns``
    is when the deadlines stopped, ``None`` while they run.
    """

    setup: TableSetup
    opened: bool = False
    approval: Approval = UNAPPROVED
    """Of the ruling profile in ``setup``."""
    dealer: SignedOn | None = None
    reader: Reader = Reader()
    steps: int = 0
    seats: tuple[Sitting, ...] = ()
    following: tuple[Following, ...] = ()
    opened_shuffle: Opened | None = None
    shoe: Shoe | None = None
    shoes: int = 0
    last_seen: SightingId | None = None
    """The newest card on record: where a reader is to resume after a restart."""
    used_load: int | None = None
    """The reader's load of the last closed shoe; it must have moved on before the next is confirmed."""
    loose: tuple[Draw, ...] = ()
    last_card: LastCard | None = None
    recent: tuple[RecentCard, ...] = ()
    """The last five draws, oldest first."""
    round: Round | None = None
    rounds: int = 0
    results: ResultBatch | None = None
    """Of the round settled last, until the next betting."""
    incidents: tuple[Incident, ...] = ()
    incident_count: int = 0
    alarms: tuple[Alarm, ...] = ()
    """What was detected lately, oldest first; open or not."""
    stopped_ns: int | None = None
    call: SupervisorCall | None = None
    entries_ns: tuple[int, ...] = ()
    """When cards were last entered by hand, oldest first."""
    witness: Witness = NO_WITNESS
    """What the second witness claims; empty where there is none."""
    disputes: tuple[Dispute, ...] = ()
    """Those that are open."""
    dispute_count: int = 0
    round_start: Table | None = None
    """The table as it was when the round's betting closed, until the round is settled or void."""
    round_log: EventLog = EMPTY_LOG
    """What happened since then, for a correction to replay."""
    scan: FeltScan | None = None
    proposals: tuple[Proposal, ...] = ()
    proposal_count: int = 0
    notices: tuple[Notice, ...] = ()
    """The newest rulings that players are told of, oldest first."""
    notice_count: int = 0
    life: ShoeLife = ShoeLife()
    duty: Duty = Duty()

    @property
    def is_stopped(self) -> bool:
        """Whether any reason is open that keeps cards and decisions back; a warning is none."""
        return any(incident.stops for incident in self.incidents)

    @property
    def is_suspended(self) -> bool:
        """Whether a supervisor must act."""
        return any(incident.level is Level.SUSPEND for incident in self.incidents)

    @property
    def open_round(self) -> Round:
        """The round that its events are about; raise ``ValueError`` where a journal has none before them."""
        if self.round is None:
            message = "an event of a round came where no round is open: the journal is not in order"
            raise ValueError(message)
        return self.round

    def with_shoe(self, **changes: Any) -> Table:  # noqa: ANN401 - _replace() checks the names
        """Return the table with its shoe changed; without a shoe, as it is."""
        return self._replace(shoe=self.shoe._replace(**changes)) if self.shoe else self

    def owner_of(self, seat: int) -> str:
        """Return the player whose hands are played at a seat; raise ``KeyError`` if nobody's are."""
        if self.round is None:
            raise KeyError(seat)
        return self.round.hand(HandId(seat, 1)).player

    def incident(self, number: int) -> Incident | None:
        """Return the open incident of that number, if it is open."""
        return next((incident for incident in self.incidents if incident.number == number), None)

    def find_incident(self, kind: AnomalyKind) -> Incident | None:
        """Return the first open incident of a kind."""
        return next((incident for incident in self.incidents if incident.kind is kind), None)

    def loose_draw(self, number: int) -> Draw | None:
        """Return a draw without a place by its number."""
        for draw in self.loose:
            if draw.number == number:
                return draw
        return None

    def with_incident(self, changed: Incident) -> Table:
        """Return the table with one open incident replaced by its newer self."""
        return self._replace(
            incidents=tuple(changed if one.number == changed.number else one for one in self.incidents)
        )


def new_incident(
    number: int, kind: AnomalyKind, draw: int | None, detail: str, level: Level | None = None
) -> Incident:
    """Return a fresh incident, at its catalogue level where no other is given."""
    rule = CATALOGUE[kind]
    return Incident(number, kind, level or rule.level, draw, detail, blocks_rounds=rule.blocks_rounds)
