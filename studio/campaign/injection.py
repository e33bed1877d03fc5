"""The faults themselves, at the level of hands and sightings: what the dealer does wrong, what devices tell wrong.

Each returns whether it could happen just now; one that could not stays due.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from studio.campaign.core import CAMERA, DEALER, READER, SUPERVISOR
from studio.campaign.faults import Fault, Moment
from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.cards import DECK, Card
from studio.domain.commands import CommitResult, ReportBoxedCard, ReportMisdeal, ResolveIncident, SignOff, Suspend
from studio.domain.phases import Phase, expected_slot, phase
from studio.domain.record_commands import RecordReader
from studio.domain.sightings import (
    CardRead,
    FaceUpInShoe,
    ForeignCard,
    Reading,
    SightingId,
    SlotOccluded,
    TwoCards,
    UnknownCode,
    Unreadable,
)
from studio.domain.slots import Face, HandId, Slot
from studio.domain.tiles import Tile

if TYPE_CHECKING:
    from studio.campaign.game import Game

_INITIAL: Final = 2
_WATCHED_SECONDS: Final = 4
_BURST: Final = 5


def at_draw(game: Game, slot: Slot) -> bool:
    """Let the first fault that can happen with this card happen; return whether one did."""
    game.countdown -= 1
    if game.countdown > 0:
        return False
    return game.first(Moment.DRAW, lambda fault: _AT_DRAW[fault](game, slot, fault))


# While a card is due


def _unread(game: Game, slot: Slot, fault: Fault) -> bool:
    readings: dict[Fault, Reading] = {
        Fault.UNREAD: Unreadable(),
        Fault.UNKNOWN_CODE: UnknownCode("7Z"),
        Fault.FOREIGN: ForeignCard("JOKER"),
    }
    game.inject(fault)
    game.core.wait(1)
    paper = game.pull()
    game.felt.lay(paper, slot.hand)
    game.felt.unread.append(paper)
    game.tell(paper, readings[fault])
    game.eye.look()
    return True


def _double_read(game: Game, slot: Slot, fault: Fault) -> bool:
    game.inject(fault)
    paper = game.deal(slot)
    game.core.wait(0.1)
    game.sight(SightingId(READER.id, game.box.load, game.box.number()), CardRead(paper.card))
    return True


def _missed(game: Game, slot: Slot, fault: Fault) -> bool:
    """The reader tells nothing; the dealer who sees that the screen still asks passes the card again."""
    game.inject(fault)
    game.core.wait(1)
    paper = game.pull()
    game.felt.lay(paper, slot.hand)
    game.eye.look()
    if game.core.table.setup.camera is not None:
        game.core.wait(2)
    elif game.sees():
        game.found(fault)
        game.tell(paper)
    return True


def _missed_late(game: Game, slot: Slot, fault: Fault) -> bool:
    """The reader tells nothing, and the dealer lays the next card by habit before anybody sees it."""
    after = _habit(game, slot)
    if after is None:
        return False
    game.inject(fault)
    game.core.wait(1)
    game.felt.lay(game.pull(), slot.hand)
    game.eye.look()
    game.core.wait(1)
    paper = game.pull()
    game.felt.lay(paper, after.hand)
    game.tell(paper)
    game.eye.look()
    return True


def _habit(game: Game, slot: Slot) -> Slot | None:
    """Return the place after a slot in the first deal, as every dealer knows it."""
    current = game.core.table.round
    if current is None or len(current.dealer) >= _INITIAL:
        return None
    order: list[HandId | None] = [*(hand.id for hand in current.hands), None]
    at = order.index(slot.hand) + 1
    if at < len(order):
        return Slot(order[at], slot.position)
    return Slot(order[0], slot.position + 1) if slot.position == 1 else None


def _misread(game: Game, slot: Slot, fault: Fault) -> bool:
    if (slot.face is Face.DOWN) is not (fault is Fault.MISREAD_HOLE) or game.box.is_cut_next():
        return False
    game.inject(fault)
    true = game.box.cards[-1]
    game.deal(slot, CardRead(_other(game, true)))
    return True


def _other(game: Game, true: Card) -> Card:
    return game.rng.choice([card for card in DECK if card != true])


def _misplaced(game: Game, slot: Slot, fault: Fault) -> bool:
    target = _elsewhere(game, slot, fault)
    if target is None or target[0] == slot.hand:
        return False
    game.inject(fault)
    game.core.wait(1)
    paper = game.pull()
    game.felt.lay(paper, target[0])
    game.tell(paper)
    game.eye.look()
    if game.core.table.setup.camera is not None:
        game.core.wait(1)
    elif game.sees():
        skipped = fault in {Fault.SKIPPED_SEAT, Fault.SKIPPED_DEALER}
        about = slot.hand if skipped else target[0]
        tile = Tile.MISSED_SEAT if skipped else Tile.WRONG_SEAT
        game.core.send(ReportMisdeal(tile, about.seat if about else 0), DEALER)
    return True


def _elsewhere(game: Game, slot: Slot, fault: Fault) -> tuple[HandId | None] | None:
    """Return the hand at which the card is laid instead, in a tuple since the dealer's is ``None``."""
    current = game.core.table.round
    if current is None or slot.face is Face.DOWN:
        return None
    match fault:
        case Fault.WRONG_SEAT:
            others = [hand.id for hand in current.hands if hand.id != slot.hand]
            return (game.rng.choice(others),) if others else None
        case Fault.UNBET_SEAT:
            taken = {hand.id.seat for hand in current.hands}
            free = [seat for seat in range(1, game.rules.seats + 1) if seat not in taken]
            return (HandId(game.rng.choice(free), 1),) if free and slot.position <= _INITIAL else None
        case Fault.SKIPPED_SEAT if slot.hand is not None:
            after = _habit(game, slot)
            return (after.hand,) if after is not None else None
        case Fault.SKIPPED_DEALER if slot.hand is None:
            after = _habit(game, slot)
            return (after.hand,) if after is not None else None
        case _:
            return None


def _boxed(game: Game, _: Slot, fault: Fault) -> bool:
    game.inject(fault)
    if game.core.table.setup.camera is not None and not game.eye.dead:
        game.eye.give(None, FaceUpInShoe())
    else:
        game.core.send(ReportBoxedCard(), DEALER)
    return True


def _two_cards(game: Game, slot: Slot, fault: Fault) -> bool:
    if slot.face is Face.DOWN:
        return False
    game.inject(fault)
    game.deal(slot)
    if game.core.table.is_stopped:
        return True
    second = game.pull()
    second.seen = game.rng.random() < 0.5  # noqa: PLR2004 - it lies beside the other, or under it
    game.felt.lay(second, slot.hand)
    if game.core.table.setup.camera is not None and not game.eye.dead:
        if second.seen:
            game.eye.look()
            game.core.wait(2)
        else:
            game.eye.give(slot, TwoCards())
    elif game.sees():
        game.core.send(ReportMisdeal(Tile.SURPLUS_CARD, slot.hand.seat if slot.hand else 0), DEALER)
    return True


def _impossible(game: Game, slot: Slot, fault: Fault) -> bool:
    """A card comes of which all copies are out: it was put into the shoe."""
    shoe = game.core.table.shoe
    gone = [card for card in DECK if shoe is not None and shoe.copies_out(card) >= shoe.decks]
    if not gone or game.box.is_cut_next():
        return False
    game.inject(fault)
    game.box.cards.append(game.rng.choice(gone))
    game.deal(slot)
    return True


def _cut_early(game: Game, _: Slot, fault: Fault) -> bool:
    due, setup = game.box.cut_due, game.core.table.setup
    if due is None or len(game.box.cards) - due <= 2 * setup.profile.cut_card_tolerance:
        return False
    game.inject(fault)
    game.tell_cut()
    return True


def _camera_absent(game: Game, slot: Slot, fault: Fault) -> bool:
    if game.eye.dead:
        return False
    game.inject(fault)
    game.eye.give(slot, SlotOccluded())
    game.core.wait(1)
    paper = game.pull()
    paper.seen = False
    game.felt.lay(paper, slot.hand)
    game.tell(paper)
    game.core.wait(_WATCHED_SECONDS)
    paper.seen = game.rng.random() < 0.5  # noqa: PLR2004 - the hand is taken away, or stays
    return True


def _camera_dead(game: Game, slot: Slot, fault: Fault) -> bool:
    if game.eye.dead:
        return False
    game.inject(fault)
    game.eye.dead = True
    game.core.send(RecordReader(CAMERA.id, False, reason="Cable out"), CAMERA)
    game.deal(slot)
    game.core.wait(_WATCHED_SECONDS)
    return True


def _reader_down(game: Game, slot: Slot, fault: Fault) -> bool:
    """The cable is out; as often as not a card was already on its way."""
    game.inject(fault)
    if game.rng.random() < 0.5:  # noqa: PLR2004
        paper = game.pull()
        paper.draw = game.box.number()
        game.felt.lay(paper, slot.hand)
        game.untold.append(paper)
    game.core.send(RecordReader(READER.id, False, reason="Cable out"), READER)
    return True


def _stale_burst(game: Game, _: Slot, fault: Fault) -> bool:
    """Readings of cards that are none, all at once after a silence."""
    game.inject(fault)
    game.core.wait(6)
    for _reading in range(_BURST):
        game.sight(SightingId(READER.id, game.box.load, game.box.number()), CardRead(game.rng.choice(DECK)))
        game.core.wait(0.02)
    return True


def _read_not_dealt(game: Game, slot: Slot, fault: Fault) -> bool:
    if game.eye.dead or slot.face is Face.DOWN:
        return False
    game.inject(fault)
    game.core.wait(1)
    paper = game.pull()
    game.felt.withheld.append(paper)
    game.tell(paper)
    game.core.wait(_WATCHED_SECONDS)
    if not game.core.table.is_stopped:
        game.felt.lay(paper, slot.hand)
    return True


def _dealer_unfit(game: Game, _: Slot, fault: Fault) -> bool:
    """The dealer is sent away while the table stands, and somebody draws before the next one signs on."""
    game.core.send(Suspend("relief"), SUPERVISOR)
    stop = game.core.table.find_incident(AnomalyKind.SUPERVISOR_STOP)
    if stop is None:
        return False
    game.inject(fault)
    game.must(game.core.send(SignOff(), DEALER))
    game.must(
        game.core.send(ResolveIncident(stop.number, WayOut.GO_ON, "campaign", "The relief comes"), SUPERVISOR)
    )
    game.core.wait(1)
    game.draw_aside()
    return True


def _dealer_short(game: Game, _: Slot, fault: Fault) -> bool:
    if phase(game.core.table) is not Phase.DEALER:
        return False
    game.inject(fault)
    game.core.send(CommitResult(), DEALER)
    return True


def _told_twice(game: Game, slot: Slot, fault: Fault) -> bool:
    game.inject(fault)
    paper = game.deal(slot)
    game.tell_again(paper)
    return True


def _true_copy(game: Game, slot: Slot, fault: Fault) -> bool:
    """Two cards of the same face in quick order."""
    if len(game.box.cards) < _INITIAL or game.box.is_cut_next():
        return False
    top = game.box.cards[-1]
    twin = next((place for place, card in enumerate(game.box.cards[:-1]) if card == top), None)
    if twin is None:
        return False
    cards = game.box.cards
    cards[twin], cards[-2] = cards[-2], cards[twin]
    game.inject(fault)
    game.deal(slot)
    current = game.core.table.round
    due = expected_slot(game.rules, current) if current and not game.core.table.is_stopped else None
    if due is None or game.box.is_cut_next():
        return True
    game.core.wait(0.1)
    paper = game.pull()
    game.felt.lay(paper, due.hand)
    game.felt.unread.append(paper)
    game.tell(paper)
    if paper in game.felt.unread:
        game.felt.unread.remove(paper)
        game.felt.put_aside(paper)
    game.eye.look()
    return True


def _hand_over(game: Game, slot: Slot, fault: Fault) -> bool:
    if game.eye.dead:
        return False
    game.inject(fault)
    game.eye.give(slot, SlotOccluded())
    game.deal(slot)
    return True


_AT_DRAW: Final[dict[Fault, Callable[[Game, Slot, Fault], bool]]] = {
    Fault.UNREAD: _unread,
    Fault.UNKNOWN_CODE: _unread,
    Fault.FOREIGN: _unread,
    Fault.DOUBLE_READ: _double_read,
    Fault.MISSED: _missed,
    Fault.MISSED_LATE: _missed_late,
    Fault.MISREAD: _misread,
    Fault.MISREAD_HOLE: _misread,
    Fault.WRONG_SEAT: _misplaced,
    Fault.UNBET_SEAT: _misplaced,
    Fault.SKIPPED_SEAT: _misplaced,
    Fault.SKIPPED_DEALER: _misplaced,
    Fault.BOXED: _boxed,
    Fault.TWO_CARDS: _two_cards,
    Fault.IMPOSSIBLE_COPY: _impossible,
    Fault.CUT_EARLY: _cut_early,
    Fault.READ_NOT_DEALT: _read_not_dealt,
    Fault.CAMERA_ABSENT: _camera_absent,
    Fault.CAMERA_DEAD: _camera_dead,
    Fault.READER_DOWN: _reader_down,
    Fault.STALE_BURST: _stale_burst,
    Fault.DEALER_UNFIT: _dealer_unfit,
    Fault.DEALER_SHORT: _dealer_short,
    Fault.REPEATED_TELLING: _told_twice,
    Fault.TRUE_COPY: _true_copy,
    Fault.HAND_OVER_CARD: _hand_over,
}
