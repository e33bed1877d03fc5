"""The course of a round: which phase it is in, where the next card goes, who may do what, what happens by itself.

Theory of operation. A table's state says only what happened. From it these functions derive, without a stored
"current step" that could disagree with the facts:

* :func:`phase` names where the round stands (rules.md section 4);
* :func:`expected_slot` is the *one* place where the next card may go, or ``None`` when no card is due. A scanner
  knows the order of cards, not their place: this function is the whole mapping;
* :func:`legal_actions` lists what a hand may do;
* :func:`studio.domain.progress.advance` returns the next thing that happens by itself: insurance is offered, the
  peek is done, a hand is asked, the hole card is turned, a committed round is settled.
  :func:`studio.domain.decide.decide` calls it until it returns ``None``, a fixed point at which the table waits
  for a card, a person or a deadline.

Suspension is no phase: open incidents lie beside it, and nothing advances while there is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from studio.domain.actions import Action
from studio.domain.bets import BetKind
from studio.domain.cards import Rank
from studio.domain.hands import TWENTY_ONE, Total, is_two_card_21, total
from studio.domain.rules import DealerDraws, Peek, RuleSet, SplitDeal, Surrender
from studio.domain.shared_hand import SharedHand, groups
from studio.domain.slots import Face, Slot
from studio.domain.table import Hand, Play, Round, RoundEnd, Table

_INITIAL_CARDS = 2
_TEN = 10
_AUTOMATIC_DRAW_UP_TO = 11
DEALER_STANDS_ON = 17


class Phase(StrEnum):
    """Where a table stands."""

    IDLE = "idle"
    BETTING = "betting"
    DEALING = "dealing"
    INSURANCE = "insurance"
    DECISIONS = "decisions"
    DEALER = "dealer"
    COMMIT = "commit"
    SETTLEMENT = "settlement"
    CLOSED = "closed"


def phase(table: Table) -> Phase:
    """Return the phase; suspension lies beside it (``table.incidents``)."""
    current = table.round
    if current is None or current.end is RoundEnd.CLOSED:
        return Phase.IDLE
    if current.end is RoundEnd.COMMITTED:
        return Phase.SETTLEMENT
    if current.end is not RoundEnd.NOT_YET:
        return Phase.CLOSED
    if is_betting(current):
        return Phase.BETTING
    if not is_dealt(current):
        return Phase.DEALING
    if is_insurance_open(current):
        return Phase.INSURANCE
    if not current.hole_revealed:
        return Phase.DECISIONS
    if expected_slot(table.setup.rules, current) is not None:
        return Phase.DEALER
    return Phase.COMMIT


def is_betting(current: Round) -> bool:
    """Tell whether bets may be placed (R1)."""
    return current.is_betting


def is_dealt(current: Round) -> bool:
    """Tell whether the initial hands are complete: the hole card comes last, but for who was left out (R2)."""
    return len(current.dealer) >= _INITIAL_CARDS and not (current.skipped and any(map(is_short, current.hands)))


def is_short(hand: Hand) -> bool:
    """Tell whether a hand lacks a card of the first deal."""
    return len(hand.cards) < _INITIAL_CARDS and not hand.from_split


def is_dealer_due(rules: RuleSet, current: Round) -> bool:
    """Tell whether the dealer lacks a card: of the first deal, or because the rules owe one (R12)."""
    if len(current.dealer) < _INITIAL_CARDS:
        return True
    return current.hole_revealed and _dealer_must_draw(rules, current)


def is_insurance_open(current: Round) -> bool:
    """Tell whether the insurance window is open (R3)."""
    return current.insurance is not None and not current.insurance.closed


def is_natural(hand: Hand) -> bool:
    """Tell whether a hand is a natural: two cards, never split (C3, C4)."""
    return not hand.from_split and is_two_card_21(hand.cards)


def is_closed(rules: RuleSet, current: Round, hand: Hand) -> bool:
    """Tell whether nothing more is asked of a hand (R6, R7); a card may still be owed to it."""
    if hand.play is not Play.OPEN:
        return True
    if current.shared is not None and not current.shared.line(hand.id.number).is_drawing:
        return True
    points = total(hand.cards).points
    if points > TWENTY_ONE or (points == TWENTY_ONE and (rules.closes_at_21 or is_natural(hand))):
        return True
    return hand.split_aces and hand.owed == 0 and not _can_split(rules, current, hand)


def is_undecided(hand: Hand) -> bool:
    """Tell whether the dealer's play can still change a hand's result (R12)."""
    return hand.play is not Play.SURRENDERED and not total(hand.cards).is_bust and not is_natural(hand)


def is_result_open(current: Round) -> bool:
    """Tell whether the dealer's play can still change the result of some hand with a main stake (R12)."""
    if current.shared is None:
        return any(is_undecided(hand) for hand in current.hands)
    return any(is_undecided(hand) for hand, _ in kept_hands(current, current.shared))


def kept_hands(current: Round, shared: SharedHand) -> Iterator[tuple[Hand, int]]:
    """Yield each different hand that players of the shared hand hold, with the number of cards kept (I2)."""
    for hand in current.hands:
        for kept in groups(shared.line(hand.id.number), len(hand.cards)):
            yield hand._replace(cards=hand.cards[:kept]), kept


def expected_slot(rules: RuleSet, current: Round) -> Slot | None:
    """Return where the next card of the round goes, ``None`` when no card is due."""
    if current.end is not RoundEnd.NOT_YET or is_betting(current) or not current.hands:
        return None
    if not is_dealt(current):
        return _initial_slot(current)
    if current.follow is not None:
        return None
    owed = next(_hands_owed(rules, current), None)
    if owed is not None:
        return Slot(owed.id, len(owed.cards) + 1)
    if rules.split_deal is SplitDeal.IN_TURN and next_hand(rules, current) is not None:
        return None
    if current.hole_revealed and _dealer_must_draw(rules, current):
        return Slot(None, len(current.dealer) + 1)
    return None


def _hands_owed(rules: RuleSet, current: Round) -> Iterator[Hand]:
    """Yield the hands that a card is owed to, in the order in which they get it (R6, I3)."""
    in_turn = rules.split_deal is SplitDeal.IN_TURN
    # I3: both split lines get their second card before the unsplit one is played out.
    hands = sorted(current.hands, key=lambda one: len(one.cards) > 1) if current.shared else current.hands
    for hand in hands:
        if hand.owed:
            yield hand
        elif in_turn and not is_closed(rules, current, hand):
            return


def _initial_slot(current: Round) -> Slot:
    """R2: everyone's first card, the upcard, everyone's second, the hole card; then who was left out."""
    dealt = len(current.dealer)
    for position in range(1, _INITIAL_CARDS + 1):
        for hand in current.hands:
            if len(hand.cards) < position and hand.id not in current.skipped:
                return Slot(hand.id, len(hand.cards) + 1)
        if dealt < position and None not in current.skipped:
            return _dealers_slot(dealt)
    for hand in current.hands:
        if is_short(hand):
            return Slot(hand.id, len(hand.cards) + 1)
    return _dealers_slot(dealt)


def _dealers_slot(dealt: int) -> Slot:
    return Slot(None, dealt + 1, Face.DOWN if dealt else Face.UP)


def _dealer_must_draw(rules: RuleSet, current: Round) -> bool:
    points, soft = total(current.dealer)
    draws = points < DEALER_STANDS_ON or (points == DEALER_STANDS_ON and soft and rules.dealer_hits_soft_17)
    return draws and (
        rules.dealer_draws is DealerDraws.ALWAYS
        or is_result_open(current)
        or any(BetKind.BUST in batch.kinds for batch in current.bets)
    )


def legal_actions(rules: RuleSet, current: Round, hand: Hand) -> tuple[Action, ...]:
    """Return what a hand may do now, money aside; empty when it is closed or waits for a card."""
    if hand.owed or is_closed(rules, current, hand):
        return ()
    return tuple(_actions(rules, current, hand))


def _actions(rules: RuleSet, current: Round, hand: Hand) -> Iterator[Action]:
    if not hand.split_aces:
        yield Action.HIT
    yield Action.STAND
    if (
        len(hand.cards) == _INITIAL_CARDS
        and not hand.split_aces
        and (rules.double_after_split or not hand.from_split)
    ):
        yield Action.DOUBLE
    if _can_split(rules, current, hand):
        yield Action.SPLIT
    if (
        rules.surrender is Surrender.BEFORE_ANY_ACTION
        and not hand.acted
        and not hand.from_split
        and not _upcard_is_ace_or_ten(current)
    ):
        yield Action.SURRENDER


def _can_split(rules: RuleSet, current: Round, hand: Hand) -> bool:
    if len(hand.cards) != _INITIAL_CARDS or hand.cards[0].value != hand.cards[1].value:
        return False
    if hand.split_aces and not rules.split_aces_again:
        return False
    if current.shared is not None:
        return not hand.from_split and rules.split_hands > 1
    return sum(other.id.seat == hand.id.seat for other in current.hands) < rules.split_hands


def _upcard_is_ace_or_ten(current: Round) -> bool:
    upcard = current.dealer[0]
    return upcard.rank is Rank.ACE or upcard.value == _TEN


def default_action(hand: Hand) -> Action:
    """Return what happens without an answer: draw to 11, then stand (R9); split aces only stand."""
    may_draw = total(hand.cards).points <= _AUTOMATIC_DRAW_UP_TO and not hand.split_aces
    return Action.HIT if may_draw else Action.STAND


def next_hand(rules: RuleSet, current: Round) -> Hand | None:
    """Return the first hand that is not closed, in playing order (R6)."""
    for hand in current.hands:
        if not is_closed(rules, current, hand):
            return hand
    return None


def is_peek_due(rules: RuleSet, current: Round) -> bool:
    """Tell whether the hole card is to be checked before play (R4)."""
    return rules.peek is Peek.ACE_OR_TEN and current.peeked_natural is None and _upcard_is_ace_or_ten(current)


def is_insurance_due(rules: RuleSet, current: Round) -> bool:
    """Tell whether insurance is to be offered (R3)."""
    return rules.insurance and current.insurance is None and current.dealer[0].rank is Rank.ACE


def open_deadline_ns(current: Round | None) -> int | None:
    """Return the monotonic deadline of the window that is open, ``None`` while none is."""
    if current is None or current.end is not RoundEnd.NOT_YET:
        return None
    if is_betting(current):
        return current.betting_deadline_ns
    if current.follow is not None:
        return current.follow.deadline_ns
    if current.insurance is not None and not current.insurance.closed:
        return current.insurance.deadline_ns
    return current.question.deadline_ns if current.question else None


def visible_dealer_total(current: Round) -> Total:
    """Return the dealer's total as everybody may know it: the upcard's alone before the reveal (R2a)."""
    return total(current.dealer if current.hole_revealed else current.dealer[:1])
