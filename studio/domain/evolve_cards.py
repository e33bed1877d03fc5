"""How cards and their shoe change a table."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any, assert_never

from studio.domain.cards import Card
from studio.domain.events import (
    BurnOrdered,
    CardBurned,
    CardDealt,
    CardDiscarded,
    CardEvent,
    CardHeld,
    CardsReturned,
    CardUnread,
    CutCardSeen,
    DiscardsLoaded,
    DuplicateMarked,
    HeldCardReleased,
    ShoeClosed,
    ShoeLoaded,
    ShoeStepConfirmed,
    ShuffleCommitted,
    ShuffleOpened,
)
from studio.domain.rules import Shuffling
from studio.domain.shoe import EMPTY_INVENTORY, Shoe, counted
from studio.domain.sightings import SightingId
from studio.domain.slots import Face, HandId
from studio.domain.table import (
    Dealt,
    Draw,
    LastCard,
    Opened,
    RecentCard,
    Round,
    Table,
)

_RECENT = 5
_MS = 1_000_000
_DEALER = "Dealer"


def evolve_cards(table: Table, event: CardEvent) -> Table:  # noqa: C901, PLR0911, PLR0912 - one case per event
    """Return the table after ``event``."""
    match event:
        case ShoeStepConfirmed():
            return table._replace(steps=table.steps + 1)
        case ShoeLoaded(shoe, load, decks, cut_position):
            burnt = 0 if table.setup.rules.shuffling is Shuffling.CONTINUOUS else None
            loaded = Shoe(shoe, load, decks, cut_position, burn_owed=burnt)
            return table._replace(shoe=loaded, shoes=table.shoes + 1, last_card=None)
        case ShoeClosed():
            used = table.shoe.load if table.shoe else table.reader.load
            witness = table.witness._replace(takes_over=False)
            closed = table._replace(shoe=None, steps=0, used_load=used, loose=(), last_card=None, recent=())
            return closed._replace(witness=witness)
        case CardBurned(draw, sighting, card, face, at_ns):
            burned = _card_out(table, sighting, at_ns, RecentCard(draw, card, "Burned", face))
            return _burned(table._replace(**burned), card, at_ns)
        case BurnOrdered():
            return table.with_shoe(burn_owed=1, burn_ended_ns=None)
        case CutCardSeen(_, last_round):
            return table.with_shoe(last_round=last_round)
        case CardsReturned():
            emptied = table.with_shoe(out=0, seen=EMPTY_INVENTORY, returning=False)
            return emptied._replace(loose=(), last_card=None)
        case DiscardsLoaded(load):
            felt = _felt(table)
            seen = EMPTY_INVENTORY
            for card in felt:
                seen = counted(seen, card)
            segment = table.with_shoe(load=load, drawn=0, out=len(felt), seen=seen, last_round=table.rounds)
            return segment._replace(last_card=None)
        case ShuffleCommitted(shoe, load, decks, commitment, seed):
            shuffled = Shoe(shoe, load, decks, 0, burn_owed=0, commitment=commitment, seed=seed)
            return table._replace(shoe=shuffled, shoes=table.shoes + 1, last_card=None)
        case ShuffleOpened(_, number, commitment, seed):
            used = table.shoe.load if table.shoe else table.used_load
            opened = Opened(number, commitment, seed)
            return table._replace(shoe=None, used_load=used, loose=(), last_card=None, opened_shuffle=opened)
        case CardDealt(draw, sighting, card, slot, at_ns):
            place = f"Seat {slot.hand.seat}" if slot.hand else _DEALER
            shown = RecentCard(draw, card, place, slot.face)
            longer = _dealt(table.open_round, slot.hand, card, Dealt(draw, card, slot.hand, slot.face))
            return table._replace(round=longer, **_card_out(table, sighting, at_ns, shown))
        case CardUnread(draw, sighting, _):
            unread = Draw(draw, sighting, None, 0)
            return table._replace(loose=(*table.loose, unread), **_drawn(table, sighting))
        case CardHeld(draw, sighting, card, at_ns):
            held = Draw(draw, sighting, card, at_ns)
            loose = tuple(one for one in table.loose if one.number != draw)
            recent = _recent(table, RecentCard(draw, card, "Held", Face.DOWN))
            return table._replace(loose=(*loose, held), recent=recent, **_drawn(table, sighting, card, at_ns))
        case HeldCardReleased(draw):
            loose = tuple(replace(one, released=True) if one.number == draw else one for one in table.loose)
            return table._replace(loose=loose)
        case DuplicateMarked(draw):
            return _uncounted(table, draw)
        case CardDiscarded(draw):
            return table._replace(loose=tuple(one for one in table.loose if one.number != draw))
        case _:
            assert_never(event)


def _drawn(table: Table, sighting: SightingId, card: Card | None = None, at_ns: int = 0) -> dict[str, Any]:
    """Return what changes when something leaves the shoe; a ``card`` is counted."""
    changes: dict[str, Any] = {}
    seen, shoe = table.last_seen, table.shoe
    if sighting.device != table.setup.reader and shoe is not None and card is not None:
        # Read by the camera: it counts in the inventory, and not as the reader's own.
        return {"shoe": shoe._replace(out=shoe.out + 1, seen=counted(shoe.seen, card))}
    if seen is None or seen.load != sighting.load or seen.ordinal < sighting.ordinal:
        changes["last_seen"] = sighting
    if shoe is not None and sighting.load == shoe.load:
        is_new = sighting.ordinal > shoe.drawn
        changes["shoe"] = shoe._replace(
            drawn=sighting.ordinal if is_new else shoe.drawn,
            out=shoe.out + is_new,
            seen=counted(shoe.seen, card) if card else shoe.seen,
        )
    if card is not None:
        changes["last_card"] = LastCard(card, at_ns, _run(table, at_ns))
    return changes


def _run(table: Table, at_ns: int) -> int:
    """Return how many cards came faster than hands can deal since the last silence."""
    last, profile = table.last_card, table.setup.profile
    if last is None or at_ns - last.at_ns >= profile.burst_silence_ms * _MS:
        return 1
    return last.run + 1 if last.run and at_ns - last.at_ns < profile.minimum_draw_interval_ms * _MS else 0


def _card_out(table: Table, sighting: SightingId, at_ns: int, shown: RecentCard) -> dict[str, Any]:
    """Return what changes when a card finds its place; one that was held was counted when it came."""
    held = table.loose_draw(shown.draw)
    is_counted = held is not None and held.card is not None
    changes = _drawn(table, sighting, None if is_counted else shown.card, at_ns)
    if held is not None:
        changes["loose"] = tuple(one for one in table.loose if one.number != shown.draw)
    changes["recent"] = _recent(table, shown)
    return changes


def _felt(table: Table) -> tuple[Card, ...]:
    """Return every card of the round that lies on the felt."""
    current = table.round
    if current is None:
        return ()
    hands = [hand.cards for hand in current.hands]
    if current.shared is not None:
        # The split lines begin with the unsplit hand's own two cards.
        hands = [cards if number == 0 else cards[1:] for number, cards in enumerate(hands)]
    return (*chain.from_iterable(hands), *current.dealer)


def _uncounted(table: Table, draw: int) -> Table:
    held = table.loose_draw(draw)
    if held is None:
        return table
    after = table._replace(loose=tuple(one for one in table.loose if one.number != draw))
    if held.card is not None and after.shoe is not None:
        seen = counted(after.shoe.seen, held.card, -1)
        after = after.with_shoe(seen=seen, out=after.shoe.out - 1)
    return after


def _recent(table: Table, card: RecentCard) -> tuple[RecentCard, ...]:
    others = tuple(one for one in table.recent if one.draw != card.draw)
    return (*others, card)[-_RECENT:]


def _burned(table: Table, card: Card, at_ns: int) -> Table:
    """S2: the shown card says how many more are owed."""
    shoe = table.shoe
    if shoe is None or shoe.is_burnt:
        return table
    owed = card.value if shoe.burn_owed is None else shoe.burn_owed - 1
    return table.with_shoe(burn_owed=owed, burn_ended_ns=at_ns if owed == 0 else None)


def _dealt(current: Round, hand_id: HandId | None, card: Card, dealt: Dealt) -> Round:
    draws = (*current.draws, dealt)
    if hand_id is None:
        return current._replace(dealer=(*current.dealer, card), draws=draws)
    hand = current.hand(hand_id)
    owed = max(0, hand.owed - 1)
    longer = hand._replace(cards=(*hand.cards, card), draws=(*hand.draws, dealt.draw), owed=owed)
    return current._replace(hands=current.hands_after(hand_id, longer), draws=draws)
