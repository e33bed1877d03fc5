"""Packs and their counts: registered, counted through the reader, signed by two people, loaded, put away.

A count is a mode of the table between rounds: while it lasts, cards of its load are counted and go to no hand. It
comes before the shuffle, so the order in which a pack was counted is none that it will be dealt in; its cards are
sealed on disk all the same, and no view has more of them than how many came and, after the signature, which are
missing or too many.
"""

from __future__ import annotations

from typing import Final

from studio.domain.anomalies import AnomalyKind
from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.events import AnomalyDetected, Event
from studio.domain.instants import Instant
from studio.domain.loads import fresh_load, holds_used_load
from studio.domain.people import Actor
from studio.domain.phases import Phase, phase
from studio.domain.rules import Shuffling
from studio.domain.shoe_commands import (
    BeginCount,
    QuarantinePack,
    RegisterPack,
)
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
)
from studio.domain.shoe_life import (
    PUT_AWAY,
    Count,
    CountPurpose,
    CountResult,
    Life,
    Pack,
    Tally,
    life_of,
    next_pack,
    pack_to_count,
    tally,
)
from studio.domain.sightings import CardRead, CutCardRead, Sighting, SightingId
from studio.domain.table import Table

SIGNATURES: Final = 2
_HOUR_NS: Final = 3_600_000_000_000


def alternates(table: Table) -> bool:
    """Tell whether the next shoe must be of another batch and back than the last: a shuffler keeps its cards."""
    return table.setup.rules.shuffling is Shuffling.SHOE


def needs_packs(table: Table) -> bool:
    """Tell whether only counted packs may be loaded at this table."""
    return table.setup.shoe_control and table.setup.rules.shuffling is not Shuffling.VIRTUAL


def due_pack(table: Table) -> Pack | None:
    """Return the pack that is loaded next, ``None`` while none may be."""
    if pack_to_count(table.life, alternates=alternates(table)) is not None:
        return None
    return next_pack(table.life, alternates=alternates(table))


def due_count(table: Table) -> Pack | None:
    """Return the pack whose count is due before the next shoe."""
    return pack_to_count(table.life, alternates=alternates(table))


def register_pack(table: Table, command: RegisterPack) -> Answer:
    """Take a pack of cards into the table's service; it is counted before its first use.

    A pack of the same batch and back as the one in the shoe is refused: a card that strays could be of either.
    """
    if table.setup.rules.shuffling is Shuffling.VIRTUAL:
        return Rejected("no-packs", "The server shuffles this table's cards; there is no pack to register")
    life = table.life
    known, loaded = life.pack(command.pack), life.pack(life.loaded)
    if known is not None:
        state = life_of(known, life, table.shoe).replace("-", " ")
        text = f"Pack {known.id} was registered before and is {state}; give the new one its own id"
        return Rejected("pack-known", text)
    if loaded is not None and alternates(table) and (loaded.batch, loaded.back) == (command.batch, command.back):
        text = (
            f"Pack {loaded.id} in the shoe is {loaded.back} and of batch {loaded.batch} too: nobody could tell"
            " their cards apart. Take a pack of another batch or back, or wait until its shoe has ended"
        )
        return Rejected("pack-alike", text)
    return Accepted((PackRegistered(command.pack, command.batch, command.back, table.setup.rules.decks),))


def quarantine_pack(table: Table, command: QuarantinePack) -> Answer:
    """Put a pack away for good; one that is in the shoe first leaves it by a shoe change."""
    pack = table.life.pack(command.pack)
    if pack is None:
        return _no_pack(command.pack)
    if pack.life in PUT_AWAY:
        return Accepted()
    if pack.life is Life.LOADED:
        text = "The pack is in the shoe: stop the table, void or finish the round, and change the shoe first"
        return Rejected("pack-in-use", text)
    count = table.life.counting
    counting = count is not None and count.pack == pack.id
    given_up: tuple[Event, ...] = (CountAbandoned(pack.id),) if counting else ()
    return Accepted((*given_up, PackQuarantined(pack.id, command.reason)))


def begin_count(table: Table, command: BeginCount) -> Answer:
    """Let the reader count the cards of a pack: all of them, or what its ended shoe still holds."""
    pack, life, reader = table.life.pack(command.pack), table.life, table.reader
    if pack is None:
        return _no_pack(command.pack)
    if life.counting is not None:
        return Rejected("count-in-progress", f"Pack {life.counting.pack} is being counted; finish that first")
    if pack.life in PUT_AWAY:
        return Rejected("pack-put-away", f"Pack {pack.id} is {pack.life} and is not used again")
    if phase(table) is not Phase.IDLE or table.shoe is not None or table.steps or pack.life is Life.LOADED:
        return Rejected("shoe-in-play", "Packs are counted between shoes; wait until this one has ended")
    if table.is_stopped:
        return Rejected("table-stopped", "Resolve the open incident first")
    if not reader.ready:
        return Rejected("reader-not-ready", "The card reader is not ready; wait for it or call the technician")
    used, fresh = table.used_load, fresh_load(table)
    if pack.life is Life.ENDED and not pack.whole_due and used is not None and holds_used_load(table):
        return Accepted((CountBegan(pack.id, CountPurpose.REMAINDER, used, _last_of(table, used)),))
    if fresh is None:
        return Rejected("shoe-not-reloaded", "Put the whole pack into the reader as a new load first")
    return Accepted((CountBegan(pack.id, CountPurpose.WHOLE, fresh, _last_of(table, fresh)),))


def _last_of(table: Table, load: int) -> int:
    """Return the place of the last card that was told of a load."""
    seen = table.last_seen
    return seen.ordinal if seen is not None and seen.load == load else 0


def is_counting(table: Table, identity: SightingId) -> bool:
    """Tell whether a card of this identity belongs to the count in progress."""
    count = table.life.counting
    return count is not None and not count.signed and identity.load == count.load


def count_sighting(table: Table, sighting: Sighting) -> Accepted:
    """Take a card for the count; nothing is ever held or refused in one, an unread card is counted as such."""
    count, identity = table.life.counting, sighting.id
    if count is None or isinstance(sighting.reading, CutCardRead):
        return Accepted()
    read = sighting.reading.card if isinstance(sighting.reading, CardRead) and _is_sure(sighting) else None
    if identity.ordinal <= count.last:
        is_rescan = identity.ordinal in count.unread and read is not None
        return Accepted((CardCounted(identity, read),) if is_rescan and read is not None else ())
    first = max(count.last + 1, identity.ordinal - table.setup.rules.decks * 52)
    missed = tuple(
        CardUncounted(SightingId(identity.device, identity.load, ordinal))
        for ordinal in range(first, identity.ordinal)
    )
    return Accepted((*missed, CardUncounted(identity) if read is None else CardCounted(identity, read)))


def _is_sure(sighting: Sighting) -> bool:
    """Tell whether a reading is one card for certain; what may be the last one again counts as unread."""
    return not sighting.suspect and not sighting.repeated


def abandon_count(table: Table) -> Answer:
    """Give the count in progress up; the cards are counted again, all of them."""
    count = table.life.counting
    if count is None:
        return _no_count()
    return Accepted((CountAbandoned(count.pack),))


def sign_count(table: Table, actor: Actor, at: Instant) -> Answer:
    """Sign the count: the first signature ends it, the second, by another person, makes it valid.

    A count that does not come to the full number is told with the first signature and needs no second.
    """
    count = table.life.counting
    pack = table.life.pack(count.pack) if count else None
    if count is None or pack is None:
        return _no_count()
    if any(one.person == actor.id for one in count.signed):
        return Rejected("same-person", "You signed this count; another person must sign it too")
    found = tally(pack, count)
    signed = CountSigned(actor.id, actor.name)
    if not found.is_complete:
        ended = _ended(pack, CountResult.MISMATCH, found, at)
        return Accepted((signed, ended, *_mismatch(table, pack, count, found, at)))
    if len(count.signed) + 1 < SIGNATURES:
        return Accepted((signed,))
    retired = (PackRetired(pack.id),) if is_worn(table, pack, at.wall_ns) else ()
    return Accepted((signed, _ended(pack, CountResult.COMPLETE, found, at), *retired))


def _ended(pack: Pack, result: CountResult, found: Tally, at: Instant) -> CountEnded:
    return CountEnded(pack.id, result, found.counted, found.unread, found.missing, found.extra, at.wall_ns)


def _mismatch(table: Table, pack: Pack, count: Count, found: Tally, at: Instant) -> tuple[Event, ...]:
    """A pack that was dealt from is quarantined, its rounds are looked back at; a new one is counted again."""
    was_used = bool(pack.loads)
    kind = AnomalyKind.SHOE_COUNT if was_used else AnomalyKind.SHOE_UNVERIFIED
    detail = f"Pack {pack.id}: {found.counted} of {found.size} cards" + _named(found)
    opened = AnomalyDetected(table.incident_count + 1, kind, None, detail, at.monotonic_ns)
    quarantined = (PackQuarantined(pack.id, f"{count.purpose} count: {detail}"),) if was_used else ()
    return (*quarantined, opened)


def _named(found: Tally) -> str:
    """Name the copies: the shoe is closed or was not yet used, so no face is a secret."""
    parts = [
        f"{word} {' '.join(card.code for card in cards[:_NAMED])}" + (" …" if len(cards) > _NAMED else "")
        for word, cards in (("missing", found.missing), ("extra", found.extra))
        if cards
    ]
    unread = [f"{found.unread} not read"] if found.unread else []
    return "".join(f"; {part}" for part in (*parts, *unread))


_NAMED: Final = 12


def is_worn(table: Table, pack: Pack, wall_ns: int) -> bool:
    """Tell whether a pack has been in use for longer than the table allows."""
    first, hours = pack.first_loaded_wall_ns, table.setup.pack_hours
    return first is not None and wall_ns - first > hours * _HOUR_NS


def worn_in_shoe(table: Table, wall_ns: int) -> bool:
    """Tell whether the pack in the shoe is worn: no further round is dealt from it."""
    pack = table.life.pack(table.life.loaded)
    return pack is not None and is_worn(table, pack, wall_ns)


def load_pack(table: Table, at: Instant) -> tuple[Event, ...] | Rejected:
    """Return what loading the due pack leads to: it is in the box, or too old and put away."""
    pack = due_pack(table)
    if pack is None:
        counted = due_count(table)
        if counted is not None:
            return Rejected("count-owed", f"Count pack {counted.id} first, and have it signed by two people")
        text = (
            "No counted pack of another batch and back is ready; the supervisor registers one, and it is counted"
        )
        return Rejected("shoe-unverified", text)
    if is_worn(table, pack, at.wall_ns):
        return (PackRetired(pack.id),)
    return (PackLoaded(pack.id, at.wall_ns),)


def doubted_pack(table: Table, kind: AnomalyKind) -> Pack | None:
    """Return the pack that an incident of this kind is about, ``None`` where none can be told.

    That is the one in the shoe, else the one that a count was wrong for, else the next one to be loaded or counted
    (``shoe-unverified``), or the one that came out of the shoe last.
    """
    life = table.life
    closed = life.pack(life.closed.pack) if life.closed else None
    if kind is AnomalyKind.MISSING_CARD_SUSPECTED:
        return None if life.loaded else closed
    if life.loaded:
        return life.pack(life.loaded)
    wrong = (one for one in life.packs if one.last_count and one.last_count.result is CountResult.MISMATCH)
    if kind is not AnomalyKind.SHOE_UNVERIFIED:
        return max(wrong, key=_counted_ns, default=closed)
    # One that was put away was ruled on before.
    undecided = (one for one in wrong if one.life not in PUT_AWAY)
    return max(undecided, key=_counted_ns, default=due_pack(table) or due_count(table))


def _counted_ns(pack: Pack) -> int:
    return pack.last_count.at_wall_ns if pack.last_count else 0


def _no_pack(name: str) -> Rejected:
    return Rejected("no-such-pack", f"No pack {name} is registered at this table")


def _no_count() -> Rejected:
    return Rejected("no-count", "No pack is being counted")
