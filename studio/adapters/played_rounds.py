"""One round's public events, folded into what one player may look back on.

It uses the core's own fold, so cards and stakes lie where the table had them; it reads nothing itself. A card that
was dealt face down is not among the events it is given: the dealer's hole card comes with its reveal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from studio.domain.actions import Action
from studio.domain.bets import SIDE_BETS, Bet, BetKind, Result
from studio.domain.cards import Card
from studio.domain.changes import CardValue, OutOfPlay
from studio.domain.events import (
    BetsReturned,
    CardDealt,
    Cause,
    DecisionAsked,
    DecisionTaken,
    Event,
    FollowAnswered,
    HandsDied,
    InsuranceAnswered,
    RoundCorrected,
    RoundRevised,
    RoundSettled,
    RoundVoided,
    SharedDecisionsTaken,
    SharedInsuranceAnswered,
    SharedWindowClosed,
)
from studio.domain.evolve import evolve
from studio.domain.replay_log import corrections_in
from studio.domain.rules import Layout
from studio.domain.setup import TableSetup
from studio.domain.shared_hand import DRAWING, NOT_ON_LINE, SharedHand
from studio.domain.slots import HandId, Slot
from studio.domain.table import Play, Round, RoundEnd, Table
from studio.ports.history import Ended, LedgerLine, Outcome, PlayedBet, PlayedDecision, PlayedRound

_SECOND_SPLIT_LINE = 3
_INITIAL_CARDS = 2
_ON_THE_DEALER = BetKind.BUST
_TAKEN = {True: "take", False: "decline"}
_BEHIND = {BetKind.MAIN: BetKind.BEHIND, BetKind.SPLIT: BetKind.BEHIND_SPLIT}


def played_round(
    setup: TableSetup, events: Iterable[Event], player: str, at_wall_ns: int, entries: tuple[LedgerLine, ...]
) -> PlayedRound | None:
    """Return what ``player`` may know of a round, ``None`` where they had no bet in it.

    ``events`` are the round's in order, from its ``BettingOpened``; of batches only the player's rows are needed.
    Raises ``ValueError`` where they are not in order.
    """
    fold = _Fold(Table(setup), player)
    is_shared = setup.rules.layout is Layout.SHARED_HAND
    for event in _with_values(tuple(events)) if is_shared else events:
        fold.take(event)
    current = fold.table.open_round
    bets = tuple(fold.bets())
    if not bets:
        return None
    return PlayedRound(
        current.number,
        fold.ended,
        at_wall_ns,
        tuple(card.code for card in (current.dealer if current.hole_revealed else current.dealer[:1])),
        bets,
        tuple(fold.decisions),
        entries,
        fold.is_corrected,
        fold.is_revised,
    )


def _with_values(played: tuple[Event, ...]) -> tuple[Event, ...]:
    """Put corrected cards where they were dealt: a shared hand's rows of one player are no replay."""
    changes = corrections_in(played)
    values = {one.draw: one.card for one in changes if isinstance(one, CardValue)}
    out = {one.draw for one in changes if isinstance(one, OutOfPlay)}
    found: list[Event] = []
    for event in played:
        match event:
            case CardDealt(draw) if draw in out:
                continue
            case CardDealt(draw) if draw in values:
                found.append(replace(event, card=values[draw]))
            case RoundCorrected():
                found.append(replace(event, changes=()))
            case _:
                found.append(event)
    return tuple(found)


@dataclass(slots=True)
class _Fold:
    """A round while it is read, with what the table itself does not keep."""

    table: Table
    player: str
    decisions: list[PlayedDecision] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    refunds: list[Bet] = field(default_factory=list)
    is_settled: bool = False
    is_voided: bool = False
    is_corrected: bool = False
    is_revised: bool = False

    @property
    def ended(self) -> Ended:
        """How the round ended so far."""
        if self.is_settled:
            return Ended.SETTLED
        closed = self.table.open_round.end is RoundEnd.CLOSED
        return Ended.VOIDED if self.is_voided or closed else Ended.OPEN

    def take(self, event: Event) -> None:
        """Take the next event."""
        if self._is_elsewhere(event):
            return
        self.decisions += self._decisions_in(event)
        match event:
            case RoundCorrected(changes):
                self.is_corrected = True
                if not changes:
                    return
            case RoundRevised(results=results):
                self.is_revised = True
                self.results = [one for one in results if one.player == self.player]
                return
            case RoundSettled(results):
                self.is_settled = True
                self.results += (one for one in results if one.player == self.player)
            case RoundVoided(refunds=bets):
                self.is_voided = True
                self.refunds += (bet for bet in bets if bet.player == self.player)
            case BetsReturned(bets) | HandsDied(refunds=bets):
                self.refunds += (bet for bet in bets if bet.player == self.player)
            case _:
                pass
        self.table = evolve(self.table, event)

    def _is_elsewhere(self, event: Event) -> bool:
        """Tell whether an event is about a line of the shared hand that only others are on."""
        match event:
            case CardDealt(slot=Slot(hand=HandId() as about)) | DecisionAsked(hand=about):
                return all(hand.id != about for hand in self.table.open_round.hands)
            case _:
                return False

    def bets(self) -> Iterator[PlayedBet]:
        """Yield the player's wagers: settled, given back, or as they lie."""
        current = self.table.open_round
        for result in self.results:
            yield self._settled(current, result)
        lying = list(self._lying(current)) if not self.is_settled else []
        for bet in self.refunds:
            hand = _taken_from(lying, bet)
            yield self._bet(bet.kind, bet.seat, hand, bet.amount, bet.amount, Outcome.REFUNDED)
        if self.ended is Ended.OPEN:
            for kind, seat, hand, stake in lying:
                yield self._bet(kind, seat, hand, stake, stake, Outcome.OPEN)

    def _settled(self, current: Round, result: Result) -> PlayedBet:
        _, seat, hand, kind, stake, returned = result
        if hand and self._is_surrendered(current, HandId(seat, hand)):
            outcome = Outcome.SURRENDERED
        elif returned == stake:
            outcome = Outcome.PUSH
        else:
            outcome = Outcome.WON if returned > stake else Outcome.LOST
        return self._bet(kind, seat, hand, stake, returned, outcome)

    def _is_surrendered(self, current: Round, hand_id: HandId) -> bool:
        if current.shared is not None:
            return bool(current.shared.surrendered[current.shared.places[self.player]])
        return current.hand(hand_id).play is Play.SURRENDERED

    def _bet(  # noqa: PLR0913, PLR0917 - the columns of a wager
        self, kind: BetKind, seat: int, hand: int, stake: int, returned: int, outcome: Outcome
    ) -> PlayedBet:
        cards = self._cards(kind, seat, hand)
        is_open = outcome is Outcome.OPEN
        back = 0 if is_open else returned
        net = 0 if is_open else returned - stake
        return PlayedBet(kind.value, seat, hand, tuple(card.code for card in cards), stake, back, net, outcome)

    def _cards(self, kind: BetKind, seat: int, hand: int) -> tuple[Card, ...]:
        current = self.table.open_round
        if kind in SIDE_BETS:
            dealt = tuple(one.card for one in current.draws if one.hand is not None and one.hand.seat == seat)
            return () if kind is _ON_THE_DEALER else dealt[:_INITIAL_CARDS]
        if not hand:
            return ()
        if current.shared is not None:
            return _shared_cards(current, current.shared, current.shared.places[self.player], hand)
        return current.hand(HandId(seat, hand)).cards

    def _lying(self, current: Round) -> Iterator[tuple[BetKind, int, int, int]]:
        """Yield the kind, seat, hand and stake of each wager of the player in an open round."""
        is_dealt = not current.is_betting
        for kind in (BetKind.MAIN, BetKind.BEHIND, *SIDE_BETS):
            if is_dealt and kind not in SIDE_BETS:
                continue
            for (seat, who), amount in current.totals(kind).items():
                if who == self.player:
                    yield kind, seat, 0, amount
        if is_dealt:
            yield from self._on_hands(current)
            yield from self._insured(current)

    def _on_hands(self, current: Round) -> Iterator[tuple[BetKind, int, int, int]]:
        if current.shared is not None:
            yield from _shared_stakes(current.shared, self.player)
            return
        for hand in current.hands:
            kind = BetKind.SPLIT if hand.id.number > 1 else BetKind.MAIN
            if hand.player == self.player:
                yield kind, hand.id.seat, hand.id.number, hand.stake
            for bet in current.riders(hand.id):
                if bet.player == self.player:
                    yield _BEHIND[kind], hand.id.seat, hand.id.number, bet.stake

    def _insured(self, current: Round) -> Iterator[tuple[BetKind, int, int, int]]:
        shared = current.shared
        if shared is not None:
            place = shared.places.get(self.player)
            if place is not None and shared.insured[place]:
                yield BetKind.INSURANCE, 1, 0, shared.stakes[place] // 2
            return
        mine = {hand.id.seat for hand in current.hands if hand.player == self.player}
        for seat, who, amount in current.insurance.answers if current.insurance else ():
            if who == self.player and amount:
                kind = BetKind.INSURANCE if seat in mine else BetKind.BEHIND_INSURANCE
                yield kind, seat, 0, amount

    def _decisions_in(self, event: Event) -> Iterator[PlayedDecision]:
        """Yield what an event decided for the player; the table is still as it was before it."""
        match event:
            case DecisionTaken(hand_id, asked, action, cause, added):
                current = self.table.open_round
                owner = current.hand(hand_id).player
                if self.player in {owner, *(bet.player for bet in current.riders(hand_id))}:
                    seat, number = hand_id.seat, hand_id.number
                    yield PlayedDecision("decision", owner, seat, number, asked, action, cause, added)
            case FollowAnswered(who, hand_id, added) if who == self.player:
                said = "follow" if added else "do-not-follow"
                yield self._said("follow", hand_id.seat, hand_id.number, said, added)
            case InsuranceAnswered(who, seat, amount) if who == self.player:
                yield self._said("insurance", seat, 0, _TAKEN[bool(amount)], amount)
            case SharedInsuranceAnswered(players, amounts):
                for who, amount in zip(players, amounts, strict=True):
                    if who == self.player:
                        yield self._said("insurance", 1, 0, _TAKEN[bool(amount)], amount)
            case _:
                yield from self._shared_decisions_in(event)

    def _shared_decisions_in(self, event: Event) -> Iterator[PlayedDecision]:
        match event:
            case SharedDecisionsTaken(_, players, wanted, actions, stakes):
                for who, asked, action, added in zip(players, wanted, actions, stakes, strict=True):
                    if who == self.player:
                        cause = Cause.PLAYER if asked is action else Cause.NO_FUNDS
                        yield self._on_line(asked, action, cause, added)
            case SharedWindowClosed(default=action) if self._was_silent():
                yield self._on_line(action, action, Cause.NO_ANSWER, 0)
            case _:
                pass

    def _said(self, kind: str, seat: int, hand: int, said: str, added: int) -> PlayedDecision:
        return PlayedDecision(kind, self.player, seat, hand, said, said, Cause.PLAYER, added)

    def _on_line(self, asked: Action, action: Action, cause: Cause, added: int) -> PlayedDecision:
        current = self.table.open_round
        line = current.question.hand.number if current.question else 1
        number = 2 if line == _SECOND_SPLIT_LINE else 1
        return PlayedDecision("decision", self.player, 1, number, asked, action, cause, added)

    def _was_silent(self) -> bool:
        shared, question = self.table.open_round.shared, self.table.open_round.question
        if shared is None or question is None:
            return False
        place = shared.places.get(self.player)
        return place is not None and shared.is_asked(place, question.hand.number)


def _taken_from(lying: list[tuple[BetKind, int, int, int]], bet: Bet) -> int:
    """Return the hand that a refunded bet lay on, and take it out; 0 where it lay on none."""
    for place, (kind, seat, hand, stake) in enumerate(lying):
        if (kind, seat, stake) == (bet.kind, bet.seat, bet.amount):
            del lying[place]
            return hand
    return 0


def _line_of(shared: SharedHand, place: int, number: int) -> int:
    """Return the line of a player's own hand: 1 unsplit, 2 and 3 after a split."""
    is_split = (
        len(shared.lines) > 1 and shared.line(1).kept[place] == NOT_ON_LINE and not shared.surrendered[place]
    )
    return number + 1 if is_split else 1


def _shared_cards(current: Round, shared: SharedHand, place: int, number: int) -> tuple[Card, ...]:
    line = _line_of(shared, place, number)
    cards = current.hand(HandId(1, line)).cards
    if shared.surrendered[place]:
        return cards[:_INITIAL_CARDS]
    kept = shared.line(line).kept[place]
    return cards if kept == DRAWING else cards[:kept]


def _shared_stakes(shared: SharedHand, player: str) -> Iterator[tuple[BetKind, int, int, int]]:
    place = shared.places.get(player)
    if place is None:
        return
    if shared.surrendered[place]:
        yield BetKind.MAIN, 1, 1, shared.stakes[place]
        return
    first = _line_of(shared, place, 1)
    numbers = (1,) if first == 1 else (1, 2)
    for number in numbers:
        kind = BetKind.SPLIT if number > 1 else BetKind.MAIN
        doubled = shared.line(_line_of(shared, place, number)).doubled[place]
        yield kind, 1, number, shared.stakes[place] << doubled
