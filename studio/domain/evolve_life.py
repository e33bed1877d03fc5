"""How a shoe's life follows from events: packs and counts, and the orders and copies that evidence is made of."""

from __future__ import annotations

from itertools import chain
from typing import Any, assert_never

from studio.domain.anomalies import AnomalyKind
from studio.domain.cards import Card
from studio.domain.events import (
    AnomalyDetected,
    CardBurned,
    CardDealt,
    CardHeld,
    CardsReturned,
    CardUnread,
    DuplicateMarked,
    Event,
    HoleRevealed,
    RoundClosed,
    ShoeClosed,
    ShoeEnd,
    ShoeLoaded,
)
from studio.domain.order_evidence import UNREAD, Runs, joined, lengthened
from studio.domain.rules import Shuffling
from studio.domain.shoe import EMPTY_INVENTORY, Shoe, counted
from studio.domain.shoe_events import (
    CardCounted,
    CardUncounted,
    CountAbandoned,
    CountBegan,
    CountEnded,
    CountSigned,
    PackLoaded,
    PackQuarantined,
    PackRegistered,
    PackRetired,
    RecountOrdered,
    ShoeEvent,
)
from studio.domain.shoe_life import (
    ClosedShoe,
    Count,
    CountPurpose,
    CountResult,
    LastCount,
    Life,
    Pack,
    ShoeLife,
    Signature,
    Tally,
    with_drawn,
)
from studio.domain.sightings import SightingId
from studio.domain.slots import Face
from studio.domain.table import Round, Table


def evolve_shoe(table: Table, event: ShoeEvent) -> Table:  # noqa: C901 - one case per event
    """Return the table after an event of its packs."""
    life = table.life
    match event:
        case PackRegistered(name, batch, back, decks):
            return _with_life(table, life._replace(packs=(*life.packs, Pack(name, batch, back, decks))))
        case PackLoaded(name, at_wall_ns):
            return _with_life(table, _loaded(life, name, at_wall_ns))
        case PackQuarantined(name, reason):
            return _with_life(table, _changed(life, name, life=Life.QUARANTINED, reason=reason))
        case PackRetired(name):
            return _with_life(table, _changed(life, name, life=Life.RETIRED, reason="in use too long"))
        case RecountOrdered(name):
            pack = life.pack(name)
            again = Life.REGISTERED if pack is not None and not pack.loads else Life.ENDED
            return _with_life(table, _changed(life, name, life=again, whole_due=True))
        case CountBegan(name, purpose, load, last):
            began = life._replace(counting=Count(name, purpose, load, last))
            return _with_life(table, began)._replace(used_load=load)
        case CardCounted(sighting, card):
            return _counted(table, sighting, card)
        case CardUncounted(sighting):
            return _counted(table, sighting, None)
        case CountSigned(person, name):
            count = life.counting
            signed = count._replace(signed=(*count.signed, Signature(person, name))) if count else None
            return _with_life(table, life._replace(counting=signed))
        case CountEnded():
            return _with_life(table, _ended(life, event))
        case CountAbandoned():
            return _with_life(table, life._replace(counting=None))
        case _:
            assert_never(event)


def _with_life(table: Table, life: ShoeLife) -> Table:
    return table._replace(life=life)


def _changed(packs: ShoeLife, name: str, **changes: Any) -> ShoeLife:  # noqa: ANN401 - _replace() checks the names
    pack = packs.pack(name)
    return packs.with_pack(pack._replace(**changes)) if pack else packs


def _loaded(life: ShoeLife, name: str, at_wall_ns: int) -> ShoeLife:
    pack = life.pack(name)
    if pack is None:
        return life
    first = at_wall_ns if pack.first_loaded_wall_ns is None else pack.first_loaded_wall_ns
    used = pack._replace(life=Life.LOADED, loads=pack.loads + 1, first_loaded_wall_ns=first)
    earlier = joined((life.earlier, *(one for one in pack.orders if one not in life.earlier)))
    return life.with_pack(used)._replace(loaded=name, last_back=pack.back, last_batch=pack.batch, earlier=earlier)


def _counted(table: Table, sighting: SightingId, card: Card | None) -> Table:
    count = table.life.counting
    if count is None:
        return table
    others = tuple(one for one in count.unread if one != sighting.ordinal)
    if card is None:
        changed = count._replace(unread=(*others, sighting.ordinal), order=count.order + bytes((UNREAD,)))
    else:
        changed = count._replace(
            seen=counted(count.seen, card), unread=others, order=count.order + bytes((card.index,))
        )
    last = max(count.last, sighting.ordinal)
    seen = table.last_seen
    is_newer = seen is None or seen.load != sighting.load or seen.ordinal < sighting.ordinal
    life = table.life._replace(counting=changed._replace(last=last))
    return table._replace(life=life, last_seen=sighting if is_newer else seen)


def _ended(life: ShoeLife, event: CountEnded) -> ShoeLife:
    count, pack = life.counting, life.pack(event.pack)
    if count is None or pack is None:
        return life._replace(counting=None)
    signed = tuple(one.name for one in count.signed)
    found = Tally(event.counted, event.unread, event.missing, event.extra, pack.size)
    last = LastCount(event.result, count.purpose, found, signed, event.at_wall_ns)
    orders = (count.order,) if count.purpose is CountPurpose.WHOLE else (*pack.orders, count.order)
    after = pack._replace(last_count=last, orders=orders)
    if event.result is CountResult.COMPLETE:
        state = Life.RECONCILED if pack.loads else Life.VERIFIED
        after = after._replace(life=state, whole_due=False, out=EMPTY_INVENTORY, unread_out=0)
    else:
        after = after._replace(whole_due=True)
    return life.with_pack(after)._replace(counting=None, rounds_since_count=0)


def followed(before: Table, event: Event, after: Table) -> Table:
    """Return the table after an event of the cards or the round, with what its shoe's life takes from it."""
    life = _follow(before, event, after)
    return after if life is None else after._replace(life=life)


def _follow(before: Table, event: Event, after: Table) -> ShoeLife | None:
    life = after.life
    match event:
        case CardDealt(sighting=sighting, card=card):
            return _out(life, before.shoe, sighting, card, is_shown=event.slot.face is Face.UP)
        case CardBurned(sighting=sighting, card=card):
            out = _out(life, before.shoe, sighting, card, is_shown=event.face is Face.UP)
            return out._replace(collected=out.collected + bytes((card.index,)))
        case CardHeld(sighting=sighting, card=card):
            return _out(life, before.shoe, sighting, card, is_shown=False)
        case CardUnread(sighting=sighting):
            return _out(life, before.shoe, sighting, None, is_shown=False)
        case HoleRevealed(card):
            return _turned(before.round, life._replace(shown=counted(life.shown, card)), card)
        case DuplicateMarked(draw):
            return _without(before, life, draw)
        case RoundClosed():
            gathered = life.collected + _felt(before.round)
            return life._replace(collected=gathered, rounds_since_count=life.rounds_since_count + 1)
        case AnomalyDetected():
            return _suspected(life, event)
        case _:
            return _follow_shoe(before, event, life)


def _follow_shoe(before: Table, event: Event, life: ShoeLife) -> ShoeLife | None:
    match event:
        case ShoeLoaded():
            return life._replace(
                order=b"",
                runs=Runs(),
                open_order=b"",
                open_runs=Runs(),
                collected=b"",
                shown=EMPTY_INVENTORY,
                impossible=(),
                order_suspected=False,
                composition_suspected=False,
            )
        case ShoeClosed(_, end) if before.shoe is not None:
            return _closed(before, before.shoe, life, end)
        case CardsReturned():
            emptied = life._replace(order=b"", runs=Runs(), open_order=b"", open_runs=Runs())
            return emptied._replace(collected=b"", shown=EMPTY_INVENTORY)
        case _:
            return None


def _out(
    life: ShoeLife, shoe: Shoe | None, sighting: SightingId, card: Card | None, *, is_shown: bool
) -> ShoeLife:
    """Take a card that came out: new ones at the end of the order, a rescanned one where it was unread."""
    shown = counted(life.shown, card) if card is not None and is_shown else life.shown
    if shoe is None or sighting.load != shoe.load:
        return life._replace(shown=shown)
    place, index = sighting.ordinal - 1, UNREAD if card is None else card.index
    order = life.order
    if sighting.ordinal > shoe.drawn:
        order += bytes((index,))
        seen = life.open_order + bytes((index if is_shown else UNREAD,))
        return life._replace(
            order=order,
            shown=shown,
            runs=lengthened(life.runs, order, life.earlier),
            open_order=seen,
            open_runs=lengthened(life.open_runs, seen, life.earlier),
        )
    if order[place : place + 1] == bytes((UNREAD,)):
        order = order[:place] + bytes((index,)) + order[place + 1 :]
    after = life._replace(order=order, shown=shown)
    return _opened(after, place) if is_shown else after


def _opened(life: ShoeLife, place: int) -> ShoeLife:
    """Take a card into what may be shown, once everybody saw it; the runs through it are looked for anew."""
    if life.open_order[place : place + 1] != bytes((UNREAD,)):
        return life
    seen = life.open_order[:place] + life.order[place : place + 1] + life.open_order[place + 1 :]
    longest, in_rank = life.open_runs.longest, life.open_runs.longest_sorted
    runs = Runs(longest=longest, longest_sorted=in_rank)
    # A run that goes through it began no earlier than the longest one before it could have.
    for end in range(max(0, place - max(longest, in_rank)) + 1, len(seen) + 1):
        runs = lengthened(runs, seen[:end], life.earlier)
    return life._replace(open_order=seen, open_runs=runs)


def _turned(current: Round | None, life: ShoeLife, card: Card) -> ShoeLife:
    """Take the hole card into what may be shown."""
    hole = next((one.draw for one in current.draws if one.face is Face.DOWN), 0) if current else 0
    is_there = hole > 0 and life.order[hole - 1 : hole] == bytes((card.index,))
    return _opened(life, hole - 1) if is_there else life


def _without(before: Table, life: ShoeLife, draw: int) -> ShoeLife | None:
    """Take a card out of the order that was no second card."""
    held = before.loose_draw(draw)
    if held is None or held.card is None:
        return None
    place = life.order.rfind(bytes((held.card.index,)))
    if place < 0:
        return None
    open_order = life.open_order[:place] + life.open_order[place + 1 :]
    return life._replace(order=life.order[:place] + life.order[place + 1 :], open_order=open_order)


def _felt(current: Round | None) -> bytes:
    """Return a round's cards as they are taken up: hand by hand from the last seat, then the dealer's."""
    if current is None:
        return b""
    cards = chain(*(hand.cards for hand in reversed(current.hands)), current.dealer)
    return bytes(card.index for card in cards)


def _suspected(life: ShoeLife, event: AnomalyDetected) -> ShoeLife | None:
    match event.kind:
        case AnomalyKind.IMPOSSIBLE_COPY if event.draw is not None:
            return life._replace(impossible=(*life.impossible, event.draw))
        case AnomalyKind.ORDER_NOT_RANDOM:
            return life._replace(order_suspected=True)
        case AnomalyKind.MISSING_CARD_SUSPECTED:
            pack = life.pack(life.loaded)
            ordered = life.with_pack(pack._replace(whole_due=True)) if pack else life
            return ordered._replace(composition_suspected=True)
        case _:
            return None


def _closed(before: Table, shoe: Shoe, life: ShoeLife, end: ShoeEnd) -> ShoeLife:
    """Keep what the ended shoe leaves behind; what its pack is worth is for the count to say."""
    orders = tuple(one for one in (life.order, life.collected) if one)
    pack = life.pack(life.loaded)
    after = life._replace(
        loaded="", earlier=joined(orders), closed=ClosedShoe(shoe.id, life.loaded, shoe.seen, shoe.out)
    )
    is_shoe = before.setup.rules.shuffling is Shuffling.SHOE
    if pack is None:
        return after._replace(shoes=with_drawn(life.shoes, shoe.seen) if is_shoe else ())
    ended = pack._replace(
        life=Life.QUARANTINED if end is ShoeEnd.QUARANTINED else Life.ENDED,
        reason=f"quarantined with shoe {shoe.id}" if end is ShoeEnd.QUARANTINED else pack.reason,
        out=shoe.seen,
        unread_out=shoe.out - sum(shoe.seen),
        orders=orders,
        shoes=with_drawn(pack.shoes, shoe.seen) if is_shoe else (),
    )
    return after.with_pack(ended)
