"""The replay: an open round once more from the close of its betting, with corrected cards (system.md principle 6).

Theory of operation. The table keeps itself as it was when betting closed (``round_start``) and every event since
(``round_log``). The replay takes the log event by event:

* what follows by itself is not taken from the log but derived again by :func:`studio.domain.progress.advance`; a
  logged window lends it its deadline;
* a card goes where :func:`studio.domain.phases.expected_slot` says, with the value, or at the place, that a change
  gives it; where no card is due any more it is the next card of whoever needs one, else it is burned;
* a person's answer must be legal now, and nothing wrong may have been shown when it was given. Silence is an
  answer too. Otherwise the round cannot be corrected, only voided.

Without changes the result is the table itself. The fold is given by the caller, who is the fold's own module too.
"""

from __future__ import annotations

from studio.domain.actions import Action
from studio.domain.anomalies import WayOut
from studio.domain.cards import Card
from studio.domain.changes import CardValue, Change, OutOfPlay, Placed, Unlawful
from studio.domain.events import (
    ActionPlanned,
    CardBurned,
    CardDealt,
    CardDiscarded,
    CardHeld,
    CardUnread,
    Cause,
    DecisionAsked,
    DecisionTaken,
    DuplicateMarked,
    Event,
    FollowAnswered,
    FollowAsked,
    FollowClosed,
    HandsDied,
    HeldCardReleased,
    HoleRevealed,
    IncidentResolved,
    InsuranceAnswered,
    InsuranceClosed,
    InsuranceOffered,
    PeekDone,
    ResultCommitted,
    RoundCorrected,
    SharedDecisionsTaken,
    SharedInsuranceAnswered,
    SharedWindowClosed,
)
from studio.domain.phases import (
    default_action,
    expected_slot,
    is_dealer_due,
    is_insurance_open,
    is_short,
    legal_actions,
)
from studio.domain.progress import advance
from studio.domain.replay_log import Fold, corrections_in, fresh_times, is_same, merged, with_deadline_of
from studio.domain.shared_hand import DRAWING
from studio.domain.sightings import SightingId
from studio.domain.slots import Face, HandId, Slot
from studio.domain.table import Hand, Round, RoundEnd, Table
from studio.domain.witness import MUTED

_HOLE_POSITION = 2
_DERIVED = InsuranceOffered | DecisionAsked | FollowAsked | PeekDone | HoleRevealed
_CARDS = CardDealt | CardBurned | CardHeld | CardUnread
_OPEN = frozenset({RoundEnd.NOT_YET, RoundEnd.COMMITTED})


class _RefusedError(Exception):
    """Why the round cannot be replayed."""

    def __init__(self, unlawful: Unlawful) -> None:
        super().__init__(unlawful.text)
        self.unlawful = unlawful


def replay(table: Table, changes: tuple[Change, ...], fold: Fold, *, settled: bool = False) -> Table | Unlawful:
    """Return the table with its round and shoe as they would be with ``changes``, or why that cannot be.

    Earlier corrections of the round stay in force. ``settled`` for a round that is over: then its result follows
    the cards as they were, whatever was shown (C08), and no answer is asked again.
    """
    start = table.round_start
    if start is None or table.round is None or table.round.end not in _OPEN:
        return Unlawful("nothing-to-correct", "No round is open that could be corrected")
    log = tuple(table.round_log)
    every = merged((*corrections_in(log), *changes))
    refusal = _unknown(start, log, changes, every)
    if refusal is not None:
        return refusal
    try:
        run = _Run(start._replace(witness=MUTED), every, log, fold, table.stopped_ns or 0)
        run.settled = settled
        after = run.whole()
    except _RefusedError as refused:
        return refused.unlawful
    corrected = tuple(one.draw for one in every if isinstance(one, CardValue))
    return table._replace(
        round=after.open_round._replace(corrected=corrected),
        shoe=after.shoe,
        loose=after.loose,
        last_card=after.last_card,
        recent=after.recent,
        life=after.life,
        witness=table.witness.replayed(after.witness),
    )


def _unknown(
    start: Table, log: tuple[Event, ...], changes: tuple[Change, ...], every: tuple[Change, ...]
) -> Unlawful | None:
    """Return why a change is about no card of the round; one that nobody read has no place before its value."""
    read = {event.draw for event in log if isinstance(event, CardDealt | CardBurned | CardHeld)}
    read |= {one.number for one in start.loose if one.card is not None}
    read |= {one.draw for one in every if isinstance(one, CardValue)}
    known = read & {event.draw for event in log if isinstance(event, _CARDS)}
    for change in changes:
        if not isinstance(change, CardValue | OutOfPlay | Placed) or change.draw not in known:
            return Unlawful("unknown-draw", f"{_named(change)} is no card of this round; look at its draws again")
    return None


def _named(change: Change) -> str:
    return f"Draw {change.draw}" if isinstance(change, CardValue | OutOfPlay | Placed) else "A dead hand"


class _Run:
    """One replay under way."""

    def __init__(
        self, start: Table, changes: tuple[Change, ...], log: tuple[Event, ...], fold: Fold, end_ns: int
    ) -> None:
        self.table = start
        self.settled = False
        self._start = start
        self._log = log
        self._fold = fold
        self._values = {one.draw: one.card for one in changes if isinstance(one, CardValue)}
        self._out = {one.draw for one in changes if isinstance(one, OutOfPlay)}
        self._places = {one.draw: one.hand for one in changes if isinstance(one, Placed)}
        self._read = {event.draw for event in log if isinstance(event, CardDealt | CardBurned | CardHeld)}
        self._placed: set[int] = set()
        self._shown: dict[int, tuple[Card, HandId | None]] = {}
        self._diverged = False
        self._fresh_ns = fresh_times(start, log, fold, end_ns)
        self._now_ns = end_ns

    def whole(self) -> Table:
        """Replay everything; raise the refusal where it cannot be."""
        in_one_go = False
        for place, event in enumerate(self._log):
            self._now_ns = self._fresh_ns[place]
            self._take(event, place, in_one_go=in_one_go)
            # A card that is read or entered at last is dealt with its incident's end, before anything else.
            in_one_go = isinstance(event, IncidentResolved) and event.way_out in {WayOut.RESCAN, WayOut.ENTER}
        self._now_ns = self._fresh_ns[-1]
        self._settle_down()
        shoe = self.table.shoe
        if shoe is not None and self._values and max(shoe.seen) > shoe.decks:
            message = f"That would be copy {max(shoe.seen)} of a card; the shoe holds {shoe.decks}"
            raise _RefusedError(Unlawful("too-many-copies", message))
        return self.table

    def _take(self, event: Event, place: int, *, in_one_go: bool) -> None:
        step = advance(self.table, self._now_ns)
        if step is not None and is_same(step, event):
            self._apply(with_deadline_of(step, event))
            self._show(event)
            return
        if isinstance(event, _DERIVED):
            self._diverged = True
            return
        if not in_one_go:
            self._settle_down()
        if isinstance(event, RoundCorrected):
            self._corrected(place)
        elif not self._take_card(event) and not self._take_answer(event):
            self._take_other(event)
        self._show(event)

    def _apply(self, event: Event) -> None:
        self.table = self._fold(self.table, event)
        if isinstance(event, CardDealt | CardBurned):
            self._placed.add(event.draw)

    def _settle_down(self) -> None:
        """Let happen what follows by itself; without a difference to the log it has happened already."""
        if not (self._diverged or self._values or self._out or self._places):
            return
        while (event := advance(self.table, self._now_ns)) is not None:
            self._apply(event)

    @property
    def _round(self) -> Round:
        return self.table.open_round

    # What was shown

    def _show(self, event: Event) -> None:
        if isinstance(event, CardDealt) and event.slot.face is Face.UP:
            self._shown[event.draw] = (event.card, event.slot.hand)

    def _corrected(self, place: int) -> None:
        """From here on everybody saw the round as corrected until then."""
        log = self._log[:place]
        earlier = merged(corrections_in(self._log[: place + 1]))
        before = _Run(self._start, earlier, log, self._fold, self._now_ns)
        before.settled = True
        self._shown = _faces_up(before.whole())
        self._diverged = True

    def _check_shown(self) -> None:
        if not self.settled and any(self._true.get(draw) != shown for draw, shown in self._shown.items()):
            raise _RefusedError(
                Unlawful(
                    "rests-on-wrong-value",
                    "A decision was taken after the wrong card was shown: the round can be voided",
                )
            )

    @property
    def _true(self) -> dict[int, tuple[Card, HandId | None]]:
        return _faces_up(self.table)

    # Cards

    def _take_card(self, event: Event) -> bool:  # noqa: C901 - one case per event
        match event:
            case CardDealt(draw, sighting, card, slot, at_ns):
                loose = self.table.loose_draw(draw)
                if draw not in self._placed and not (loose is not None and loose.released):
                    self._card(draw, sighting, card, at_ns, slot.face)
            case CardHeld(draw, sighting, card, at_ns):
                self._held(draw, sighting, card, at_ns)
            case CardBurned(draw, sighting, card, face, at_ns):
                if draw not in self._placed:
                    self._apply(CardBurned(draw, sighting, self._values.get(draw, card), face, at_ns))
            case CardUnread(draw, sighting) if draw in self._values and draw not in self._read:
                due = expected_slot(self.table.setup.rules, self._round)
                face = Face.UP if due is None else due.face
                self._card(draw, sighting, self._values[draw], self._now_ns, face)
            case HeldCardReleased(draw) | DuplicateMarked(draw):
                if self.table.loose_draw(draw) is not None:
                    self._apply(event)
            case CardDiscarded(draw):
                if draw in self._placed:
                    raise _RefusedError(
                        Unlawful("card-discarded", f"Draw {draw} was discarded: it lies in no hand")
                    )
                self._apply(event)
            case _:
                return False
        return True

    def _card(self, draw: int, sighting: SightingId, read: Card, at_ns: int, face: Face) -> None:
        card = self._values.get(draw, read)
        if draw in self._out:
            self._apply(CardBurned(draw, sighting, card, face, at_ns))
            return
        slot = self._explicit(draw) if draw in self._places else expected_slot(self.table.setup.rules, self._round)
        if slot is not None:
            self._apply(CardDealt(draw, sighting, card, slot, at_ns))
            return
        self._apply(CardHeld(draw, sighting, card, at_ns))
        self._apply(HeldCardReleased(draw))

    def _held(self, draw: int, sighting: SightingId, card: Card, at_ns: int) -> None:
        if draw in self._out or draw in self._places:
            self._card(draw, sighting, card, at_ns, Face.DOWN)
        else:
            self._apply(CardHeld(draw, sighting, self._values.get(draw, card), at_ns))

    def _explicit(self, draw: int) -> Slot:
        """Return the place that a change names, and note who was left out by it."""
        rules, current, target = self.table.setup.rules, self._round, self._places[draw]
        due = expected_slot(rules, current)
        if target is None:
            cards, is_due = len(current.dealer), is_dealer_due(rules, current)
        else:
            hand = self._hand(draw, target)
            cards, is_due = len(hand.cards), bool(hand.owed) or is_short(hand)
        if not is_due:
            name = str(target) if target else "the dealer"
            raise _RefusedError(Unlawful("no-card-owed", f"Draw {draw}: {name} was owed no card then"))
        if due is not None and due.hand != target and due.hand not in current.skipped:
            self.table = self.table._replace(round=current._replace(skipped=(*current.skipped, due.hand)))
        is_hole = target is None and cards + 1 == _HOLE_POSITION
        return Slot(target, cards + 1, Face.DOWN if is_hole else Face.UP)

    def _hand(self, draw: int, hand_id: HandId) -> Hand:
        try:
            return self._round.hand(hand_id)
        except KeyError as error:
            message = f"Draw {draw}: there was no {hand_id} then"
            raise _RefusedError(Unlawful("no-such-hand", message)) from error

    # Answers

    def _take_answer(self, event: Event) -> bool:
        match event:
            case DecisionTaken():
                self._decision(event)
            case InsuranceAnswered() | SharedInsuranceAnswered() | InsuranceClosed():
                self._insurance(event)
            case FollowAnswered() | FollowClosed():
                self._follow(event)
            case SharedDecisionsTaken():
                self._shared_decisions(event)
            case SharedWindowClosed():
                self._shared_window(event)
            case _:
                return False
        return True

    def _illegal(self) -> _RefusedError:
        return _RefusedError(
            Unlawful(
                "decision-illegal",
                "A decision would have been illegal with the right cards: the round can be voided",
            )
        )

    def _decision(self, event: DecisionTaken) -> None:
        self._check_shown()
        question = self._round.question
        if question is None or question.hand != event.hand:
            raise self._illegal()
        hand = self._round.hand(event.hand)
        if event.asked not in legal_actions(self.table.setup.rules, self._round, hand):
            raise self._illegal()
        if event.cause is Cause.NO_ANSWER:
            action = default_action(hand)
            event = DecisionTaken(event.hand, action, action, event.cause, 0)
        self._apply(event)

    def _insurance(self, event: InsuranceAnswered | SharedInsuranceAnswered | InsuranceClosed) -> None:
        if isinstance(event, InsuranceClosed) and not is_insurance_open(self._round):
            self._check_shown()
            return
        self._check_shown()
        if not is_insurance_open(self._round):
            raise self._illegal()
        self._apply(event)

    def _follow(self, event: FollowAnswered | FollowClosed) -> None:
        self._check_shown()
        if self._round.follow is None:
            raise self._illegal()
        self._apply(event)

    def _shared_decisions(self, event: SharedDecisionsTaken) -> None:
        self._check_shown()
        question, shared = self._round.question, self._round.shared
        if question is None or shared is None or question.number != event.decision:
            raise self._illegal()
        hand = self._round.hand(question.hand)
        kept = shared.line(hand.id.number).kept
        legal = {*legal_actions(self.table.setup.rules, self._round, hand), Action.STAND, default_action(hand)}
        if not legal >= {*event.actions} or any(kept[shared.places[who]] != DRAWING for who in event.players):
            raise self._illegal()
        self._apply(event)

    def _shared_window(self, event: SharedWindowClosed) -> None:
        self._check_shown()
        question = self._round.question
        if question is None or question.number != event.decision:
            raise self._illegal()
        self._apply(SharedWindowClosed(event.decision, default_action(self._round.hand(question.hand))))

    # The rest

    def _take_other(self, event: Event) -> None:
        match event:
            case ActionPlanned(hand):
                # What was chosen ahead on a wrong card is not chosen: the hand is asked.
                is_known = all(self._true.get(draw) == shown for draw, shown in self._shown.items())
                if is_known and any(one.id == hand for one in self._round.hands):
                    self._apply(event)
            case HandsDied(seat):
                if any(one.id.seat == seat for one in self._round.hands):
                    self._apply(event)
            case ResultCommitted() if self._values or self._out or self._places:
                pass  # another result is confirmed anew
            case _:
                self._apply(event)


def _faces_up(table: Table) -> dict[int, tuple[Card, HandId | None]]:
    """Return what lies on the felt for everybody to see, by draw."""
    return {one.draw: (one.card, one.hand) for one in table.open_round.draws if one.face is Face.UP}
