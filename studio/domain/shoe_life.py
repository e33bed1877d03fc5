"""The life of a shoe's cards: registered, verified, used, counted, and used again or put away for ever.

A *pack* is all the cards of one shoe, of one batch and back colour, that stay together for their life. What the
dealing box holds for the moment is the :class:`~studio.domain.shoe.Shoe`; the same pack fills many of them. A
*count* passes cards through the reader between rounds: the whole pack before its use, or what the ended shoe still
holds. This module is the state and what is derived from it; :mod:`studio.domain.counting` decides.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from studio.domain.cards import DECK, Card
from studio.domain.order_evidence import Drawn, Runs
from studio.domain.shoe import EMPTY_INVENTORY, Shoe

_KEPT_SHOES: Final = 500
"""How many shoes the test for a missing card looks back over."""


class Life(StrEnum):
    """Where a pack's life stands."""

    REGISTERED = "registered"
    VERIFIED = "verified"
    LOADED = "loaded"
    BURNED = "burned"
    IN_PLAY = "in-play"
    CUT_CARD_SEEN = "cut-card-seen"
    ENDED = "ended"
    RECONCILED = "reconciled"
    QUARANTINED = "quarantined"
    RETIRED = "retired"
    """Longer in use than a pack may be; in good order, and never loaded again."""


READY: Final = frozenset({Life.VERIFIED, Life.RECONCILED})
"""A pack that may be loaded."""
PUT_AWAY: Final = frozenset({Life.QUARANTINED, Life.RETIRED})
"""A pack that is never loaded again."""


class CountPurpose(StrEnum):
    """Which cards pass through the reader."""

    WHOLE = "whole"
    """All cards of the pack, in a load of its own."""
    REMAINDER = "remainder"
    """What the ended shoe still holds, in the load that it was dealt from."""


class CountResult(StrEnum):
    """What a count came to."""

    COMPLETE = "complete"
    MISMATCH = "mismatch"


class Tally(NamedTuple):
    """What a count comes to against the full pack: cards, and by which copies too few and too many.

    ``unread`` are counted cards whose face is unknown; ``missing`` then names as many copies or more.
    """

    counted: int
    unread: int
    missing: tuple[Card, ...]
    extra: tuple[Card, ...]
    size: int

    @property
    def is_complete(self) -> bool:
        """Whether every card is there and none more; a face that nobody read is the one copy not seen."""
        return self.counted == self.size and not self.extra and len(self.missing) == self.unread


class LastCount(NamedTuple):
    """The count signed last: who signed, and when (wall time)."""

    result: CountResult
    purpose: CountPurpose
    tally: Tally
    signed: tuple[str, ...]
    at_wall_ns: int


class Pack(NamedTuple):
    """The cards of a shoe; ``life`` is stored up to the loading, what follows is derived from the shoe.

    ``out`` are the faces that came out of its last shoe and ``unread_out`` the cards without one: dealt, burned
    and removed. ``whole_due`` when the next count is to be of all cards. ``orders`` are those that its cards were
    last in, counted or dealt: the shuffle must have destroyed them. ``shoes`` say what came out of each shoe.
    """

    id: str
    batch: str
    back: str
    decks: int
    life: Life = Life.REGISTERED
    loads: int = 0
    first_loaded_wall_ns: int | None = None
    out: tuple[int, ...] = EMPTY_INVENTORY
    unread_out: int = 0
    whole_due: bool = True
    orders: tuple[bytes, ...] = ()
    shoes: tuple[Drawn, ...] = ()
    last_count: LastCount | None = None
    reason: str = ""
    """Why it was put away."""

    @property
    def out_total(self) -> int:
        """How many cards came out of its last shoe."""
        return sum(self.out) + self.unread_out

    @property
    def size(self) -> int:
        """How many cards it has."""
        return self.decks * len(DECK)


class Signature(NamedTuple):
    """Who signed a count."""

    person: str
    name: str


class Count(NamedTuple):
    """A count in progress: cards of ``load`` after the ordinal ``last`` belong to it, and to no hand.

    ``seen`` are copies by card, ``unread`` the ordinals without a face, ``order`` the indices as they came.
    After the first signature no card is taken any more.
    """

    pack: str
    purpose: CountPurpose
    load: int
    last: int
    seen: tuple[int, ...] = EMPTY_INVENTORY
    unread: tuple[int, ...] = ()
    order: bytes = b""
    signed: tuple[Signature, ...] = ()

    @property
    def is_remainder(self) -> bool:
        """Whether it counts what the ended shoe still holds."""
        return self.purpose is CountPurpose.REMAINDER

    @property
    def cards(self) -> int:
        """How many cards came."""
        return sum(self.seen) + len(self.unread)


class ClosedShoe(NamedTuple):
    """The shoe closed last: with it its faces are no secret any more (S3)."""

    id: str
    pack: str
    seen: tuple[int, ...]
    out: int


class ShoeLife(NamedTuple):
    """All packs of a table, the count in progress, and the orders that a shuffle must have destroyed.

    ``order`` and ``collected`` are the present shoe's draws, and its cards as they were put into the discard rack;
    they leave the core nowhere, since burned and hole cards are among them. ``earlier`` are orders from before
    the shuffle, joined, ``runs`` what the present one has in common with them. ``shown`` are the copies whose face
    everybody saw; ``impossible`` draws of one copy too many. ``open_order`` and ``open_runs`` are the same as
    ``order`` and ``runs`` with each card whose face nobody saw as an unread one: what may be shown.
    """

    packs: tuple[Pack, ...] = ()
    loaded: str = ""
    last_back: str = ""
    last_batch: str = ""
    counting: Count | None = None
    order: bytes = b""
    collected: bytes = b""
    earlier: bytes = b""
    runs: Runs = Runs()
    open_order: bytes = b""
    open_runs: Runs = Runs()
    shown: tuple[int, ...] = EMPTY_INVENTORY
    impossible: tuple[int, ...] = ()
    closed: ClosedShoe | None = None
    shoes: tuple[Drawn, ...] = ()
    """Of a table without packs: what came out of its last shoes."""
    order_suspected: bool = False
    composition_suspected: bool = False
    rounds_since_count: int = 0

    def pack(self, name: str) -> Pack | None:
        """Return a pack by its id."""
        return next((one for one in self.packs if one.id == name), None)

    def with_pack(self, changed: Pack) -> ShoeLife:
        """Return the life with one pack replaced by its newer self."""
        return self._replace(packs=tuple(changed if one.id == changed.id else one for one in self.packs))

    @property
    def drawn_before(self) -> tuple[Drawn, ...]:
        """What came out of the earlier shoes of the cards that are in the shoe now."""
        pack = self.pack(self.loaded)
        return pack.shoes if pack else self.shoes


def life_of(pack: Pack, life: ShoeLife, shoe: Shoe | None) -> Life:
    """Return where a pack's life stands; in the shoe that follows from the shoe."""
    if pack.life is not Life.LOADED or life.loaded != pack.id or shoe is None:
        return pack.life
    if shoe.last_round is not None:
        return Life.CUT_CARD_SEEN
    if not shoe.is_burnt:
        return Life.LOADED
    return Life.IN_PLAY if shoe.rounds else Life.BURNED


def tally(pack: Pack, count: Count) -> Tally:
    """Return what a count comes to: of the remainder together with what came out of the shoe before."""
    is_remainder = count.is_remainder
    before = pack.out if is_remainder else EMPTY_INVENTORY
    unread = len(count.unread) + (pack.unread_out if is_remainder else 0)
    copies = [known + seen for known, seen in zip(before, count.seen, strict=True)]
    missing = tuple(card for card in DECK for _ in range(pack.decks - copies[card.index]))
    extra = tuple(card for card in DECK for _ in range(copies[card.index] - pack.decks))
    return Tally(sum(copies) + unread, unread, missing, extra, pack.size)


def next_pack(life: ShoeLife, *, alternates: bool) -> Pack | None:
    """Return the pack that is loaded next: ready, of another batch and back than the last, the one least used."""
    ready = [one for one in life.packs if one.life in READY and _may_follow(one, life, alternates=alternates)]
    return min(ready, key=lambda one: one.loads, default=None)


def pack_to_count(life: ShoeLife, *, alternates: bool) -> Pack | None:
    """Return the pack whose count is due before the next shoe: the ended one, else one that could be loaded."""
    ended = next((one for one in life.packs if one.life is Life.ENDED), None)
    if ended is not None or next_pack(life, alternates=alternates) is not None:
        return ended
    fresh = (one for one in life.packs if one.life is Life.REGISTERED)
    return next((one for one in fresh if _may_follow(one, life, alternates=alternates)), None)


def _may_follow(pack: Pack, life: ShoeLife, *, alternates: bool) -> bool:
    if not alternates or not life.last_back:
        return True
    return pack.back != life.last_back and pack.batch != life.last_batch


def with_drawn(shoes: tuple[Drawn, ...], seen: tuple[int, ...]) -> tuple[Drawn, ...]:
    """Return the shoes with one more, the oldest left out beyond some hundreds."""
    return (*shoes, Drawn(seen))[-_KEPT_SHOES:]
