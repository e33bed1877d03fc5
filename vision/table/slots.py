"""One slot of the table: which cards lie there, told once each as they come and go.

Theory of operation. A slot is looked at only when it stands still (:mod:`.watch`). What differs from its last
understood look is then a new card, a card turned over, cards taken away, or something that is no card. A new card
is read in frame after frame until the vote (:mod:`.vote`) is won; before that it is *occupied*, never guessed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from studio.domain.cards import Card
from vision.image import Image, Points
from vision.table.calibration import SlotView
from vision.table.frames import Frame
from vision.table.newest import (
    THRESHOLDS,
    Change,
    Mask,
    card_outline,
    change,
    difference,
    filled,
    fine_change,
    overlap,
    without,
)
from vision.table.reading import Cut, Reader
from vision.table.vote import Ballot, Vote
from vision.table.watch import State, Watch

OCCLUDED_NS: Final = 1_000_000_000
"""A slot that cannot be understood for this long is covered by something."""

_NOTHING: Final = 0.05
"""Of a card's area: less change is none."""
_SAME: Final = 0.7
_STILL: Final = 0.9
_AROUND: Final = 4
_NEAR: Final = 14
_MOST_UNSEEN: Final = 8
"""Of a slot whose cards are not known, as many as a hand may well have already."""
_CHANGED: Final = 0.1
_EXCHANGED: Final = 0.02
_HALF: Final = 0.5
_TWO: Final = (1.15, 2.3)
_GONE: Final = 0.75
_LEAST_SEEN: Final = 0.06
_RETRY_NS: Final = 400_000_000
_MOST_TRIES: Final = 25
_DEALER: Final = 0
_HOLE: Final = 2


@dataclass(frozen=True, slots=True)
class SlotSeen:
    """What is claimed of one place: ``seen`` in the words of the card-source port.

    ``seat`` is ``None`` at the shoe's mouth. ``outline`` are the card's corners in the picture, clockwise from its
    top left. ``still`` is the slot as it was seen. ``frames`` are the numbers of the frames that it stands on.
    """

    seat: int | None
    hand: int
    position: int
    seen: str
    card: Card | None
    confidence: float
    reason: str
    outline: Points | None
    frames: tuple[int, ...]
    still: Image
    at: Frame

    @property
    def is_face(self) -> bool:
        """Whether a dealt card's face was looked at; the dealer's second card may well show its back."""
        is_hole = self.seat == _DEALER and self.position == _HOLE and self.card is None
        return self.seat is not None and self.seen in {"read", "occupied"} and not is_hole


@dataclass(frozen=True, slots=True)
class Held:
    """A card that lies in the slot; ``card`` is ``None`` while it is not read."""

    position: int
    corners: Points
    card: Card | None = None


@dataclass(slots=True)
class SlotKeeper:
    """Keeps one slot; give it every good frame in order. ``empty`` is the slot's view of the empty table."""

    view: SlotView
    card_px: tuple[float, float]
    empty: Image
    reader: Reader
    cut: Cut
    watch: Watch = field(default_factory=lambda: Watch(State.MOVING))
    held: tuple[Held, ...] = ()
    _look: Image | None = None
    _vote: Vote = field(default_factory=Vote)
    _tries: int = 0
    _retry_ns: int = 0
    _pending: Held | None = None
    """The new card that is being voted on."""
    _unclear_ns: int = 0
    """Since when it is not known what lies there; 0 while it is."""
    _is_blind: bool = True
    """Whether cards may have come that nobody saw coming: at a start, and after bad frames."""
    _told: str = ""
    """``occupied``, ``occluded`` or ``two-cards`` once it is told of what is not understood yet."""

    def look(self, frame: Frame, *, moved: bool) -> tuple[SlotSeen, ...]:
        """Return what is to be told after a frame; mostly nothing."""
        at_ns = frame.received.monotonic_ns
        self.watch = self.watch.step(moved=moved, at_ns=at_ns)
        match self.watch.state:
            case State.MOVING:
                return self._stirred(frame)
            case State.SETTLED:
                return self._understand(frame, self.view.cut(frame.image))
            case State.READ if self._is_unread and at_ns >= self._retry_ns and self._tries < _MOST_TRIES:
                return self._read(frame, self.held[-1])
            case _:
                return ()

    def _stirred(self, frame: Frame) -> tuple[SlotSeen, ...]:
        """Wait for stillness; readings of before the hand came count on, unless they contradicted each other."""
        at_ns = frame.received.monotonic_ns
        self._unclear_ns = self._unclear_ns or at_ns
        self._tries = 0
        if self._vote.is_spoilt:
            self._vote = Vote()
        return self._unclear(frame, "occluded", "motion") if at_ns - self._unclear_ns > OCCLUDED_NS else ()

    def doubt(self) -> None:
        """After bad frames: look again at what lies there before anything is told."""
        self.watch, self._unclear_ns, self._is_blind = Watch(State.MOVING), 0, True

    @property
    def next_position(self) -> int:
        """The position of the next card."""
        return max((one.position for one in self.held), default=0) + 1

    @property
    def _topmost_first(self) -> list[Held]:
        return sorted(self.held, key=lambda one: -one.position)

    @property
    def _is_unread(self) -> bool:
        return bool(self.held) and self.held[-1].card is None

    # What changed

    def _understand(self, frame: Frame, now: Image) -> tuple[SlotSeen, ...]:
        differs = difference(now, self.empty if self._look is None else self._look)
        first = change(differs, THRESHOLDS[0], self.card_px)
        if first.cards < _NOTHING:
            return self._looks_the_same(frame, now, differs)
        if change(difference(now, self.empty), THRESHOLDS[0], self.card_px).cards < _NOTHING:
            return self._cleared(frame, now)
        if gone := self._gone(now):
            return self._taken(frame, now, gone)
        covered = filled([one.corners for one in self.held], now.shape, grow=2)
        if (turned := self._turned_alone(now, first.mask)) is not None:
            return self._vote_on(frame, turned, now)
        changes = (first, *(change(differs, one, self.card_px) for one in THRESHOLDS[1:]))
        outlines = (card_outline(one.mask, covered, self.card_px) for one in changes)
        corners = next((one for one in outlines if one is not None), None)
        if corners is not None:
            return self._vote_on(frame, self._placed(corners), now)
        if (turned := self._turned(changes[1].mask, covered)) is not None:
            return self._vote_on(frame, turned, now, is_beside_another=True)
        return self._no_card(frame, now, changes[1], differs)

    def _vote_on(
        self, frame: Frame, card: Held, now: Image, *, is_beside_another: bool = False
    ) -> tuple[SlotSeen, ...]:
        if self._pending is None or not _is_same(self._pending, card):
            self._pending, self._vote = card, Vote()
        before, unclear_ns = self._look, self._unclear_ns
        told = self._read(frame, card, now)
        if is_beside_another and before is not None and self._look is now:
            # Only this card is understood yet, not the one beside it.
            self._unclear_ns = unclear_ns
            own = filled([card.corners], now.shape, grow=_AROUND)[..., None] == 1
            self._look = np.where(own, now, before)
            self.watch = Watch(State.SETTLED, self.watch.since_ns, self.watch.stirred_ns)
        return told

    def _turned_alone(self, now: Image, mask: Mask) -> Held | None:
        """Return the card to which all the change belongs: turned over, it may lie a little elsewhere now."""
        for one in self._topmost_first:
            near = filled([one.corners], mask.shape, grow=_NEAR)
            inside = int(np.count_nonzero(mask[near == 1]))
            outside = int(np.count_nonzero(mask)) - inside
            card = self.card_px[0] * self.card_px[1]
            if inside > _CHANGED * card and outside < _NOTHING * card:
                return replace(one, corners=self._lies(one, now, near), card=None)
        return None

    def _lies(self, one: Held, now: Image, near: Mask) -> Points:
        """Return where a card lies now, by what differs from the empty felt about it."""
        others = [other.corners for other in self.held if other is not one]
        bare = change(difference(now, self.empty), THRESHOLDS[0], self.card_px).mask
        covered = filled(others, now.shape, grow=2)
        mask = np.where((near == 1) & (covered == 0), bare, 0).astype(np.uint8)
        found = card_outline(mask, covered, self.card_px)
        return found if found is not None and overlap(found, one.corners) > _SAME else one.corners

    def _turned(self, mask: Mask, covered: Mask) -> Held | None:
        """Return a card that was turned over in the same movement in which another card was laid."""
        for one in self._topmost_first:
            own = filled([one.corners], mask.shape, grow=_AROUND)
            if mask[own == 1].mean() < _CHANGED:
                continue
            laid = card_outline(without(mask, own), covered, self.card_px)
            if laid is None:
                continue
            # It may lie a little elsewhere than before.
            found = card_outline(without(mask, filled([laid], mask.shape, grow=2)), covered, self.card_px)
            is_near = found is not None and overlap(found, one.corners) > _SAME
            return replace(one, corners=found if found is not None and is_near else one.corners)
        return None

    def _placed(self, corners: Points) -> Held:
        """Return the card of an outline: one that lay there and was turned over, or the next."""
        for one in self.held:
            if overlap(one.corners, corners) > _SAME:
                return Held(one.position, corners)
        return Held(self.next_position, corners)

    def _looks_the_same(self, frame: Frame, now: Image, differs: Mask) -> tuple[SlotSeen, ...]:
        """Take it as it lies, once a card that may have been exchanged for another is read again."""
        exchanged = self._exchanged(now, differs)
        if exchanged is None:
            return self._unchanged(frame, now)
        return self._vote_on(frame, exchanged, now, is_beside_another=True)

    def _unchanged(self, frame: Frame, now: Image) -> tuple[SlotSeen, ...]:
        places = self._unclear_places() if self._told else ()
        self._settle(frame, now)
        return tuple(self._claim(frame, one, "cleared") for one in places)

    def _cleared(self, frame: Frame, now: Image) -> tuple[SlotSeen, ...]:
        positions = {one.position for one in self.held} | {*(self._unclear_places() if self._told else ())}
        self.held = ()
        self._settle(frame, now)
        return tuple(self._claim(frame, one, "cleared") for one in sorted(positions))

    def _gone(self, now: Image) -> tuple[Held, ...]:
        """Return the cards whose visible part looks like the empty felt again."""
        bare = change(difference(now, self.empty), THRESHOLDS[0], self.card_px).mask == 0
        gone: list[Held] = []
        for one in self.held:
            others = [other.corners for other in self.held if other is not one]
            own = filled([one.corners], now.shape, grow=-4)
            seen = (own == 1) & (filled(others, now.shape, grow=3) == 0)
            if seen.sum() >= _LEAST_SEEN * own.sum() and bare[seen].mean() > _GONE:
                gone.append(one)
        return tuple(gone)

    def _taken(self, frame: Frame, now: Image, gone: tuple[Held, ...]) -> tuple[SlotSeen, ...]:
        left = [one for one in self.held if one not in gone]
        # What lay under them looks different now, and is most likely the same: it is read once more. Elsewhere a
        # change is still to be understood: in the movement in which one card goes the next may be laid.
        self.held = (*left[:-1], *(replace(one, card=None) for one in left[-1:]))
        under = filled([one.corners for one in gone], now.shape, grow=_NEAR)[..., None] == 1
        self._look = np.where(under, now, self.empty if self._look is None else self._look)
        return tuple(self._claim(frame, one.position, "cleared") for one in gone)

    def _no_card(self, frame: Frame, now: Image, found: Change, differs: Mask) -> tuple[SlotSeen, ...]:
        """Something is there that is no single card: a hand, two cards, a thing."""
        if frame.received.monotonic_ns - max(self._unclear_ns, 1) < OCCLUDED_NS:
            return ()
        if found.cards < _HALF and not found.at_edge:
            # Cards that were pushed a little: that is how they lie now.
            return self._looks_the_same(frame, now, differs)
        # Cards that came one by one while hands were over the slot are no two cards in one draw.
        was_long = self.watch.stirred_ns - self._unclear_ns > OCCLUDED_NS or self._is_turning(found.mask)
        if self._is_blind or was_long or found.at_edge or not _TWO[0] <= found.cards <= _TWO[1]:
            return self._unclear(frame, "occluded", "no-card")
        return self._unclear(frame, "two-cards", "two-cards")

    def _exchanged(self, now: Image, differs: Mask) -> Held | None:
        """Return the card whose face changed most, to be read again where it lies now; ``None`` where none did.

        Of another card in the same place only index and pips differ: pieces too small to be a card's outline.
        """
        changed = fine_change(differs, THRESHOLDS[1])
        found: tuple[float, Held] | None = None
        above = np.zeros(changed.shape, np.uint8)
        for one in self._topmost_first:
            own = (filled([one.corners], changed.shape, grow=-_AROUND) == 1) & (above == 0)
            above |= filled([one.corners], changed.shape, grow=_AROUND)
            part = float(changed[own].mean()) if own.any() else 0.0
            if part > _EXCHANGED and (found is None or part > found[0]):
                found = part, one
        if found is None:
            return None
        near = filled([found[1].corners], changed.shape, grow=_NEAR)
        return replace(found[1], corners=self._lies(found[1], now, near), card=None)

    def _is_turning(self, mask: Mask) -> bool:
        """Tell whether a card that lay there face down is part of what changed: it may have been turned over."""
        unread = [one.corners for one in self.held if one.card is None]
        return bool(unread) and bool(mask[filled(unread, mask.shape) == 1].mean() > _CHANGED)

    def _unclear(self, frame: Frame, what: str, reason: str) -> tuple[SlotSeen, ...]:
        if self._told == what:
            return ()
        self._told = what
        return tuple(self._claim(frame, one, what, reason=reason) for one in self._unclear_places())

    def _unclear_places(self) -> tuple[int, ...]:
        """Return the next card's place: one that is covered stands for all after it.

        Where it is not known how many cards lie there, the next one's may be any.
        """
        count = _MOST_UNSEEN if self._is_blind and self._told == "occluded" else 1
        return tuple(range(self.next_position, self.next_position + count))

    def _settle(self, frame: Frame, now: Image) -> None:
        self._look, self._vote, self._told, self._tries = now, Vote(), "", 0
        self._pending, self._unclear_ns, self._is_blind = None, 0, False
        self.watch = self.watch.resolved(frame.received.monotonic_ns, is_empty=not self.held)

    # Reading

    def _read(self, frame: Frame, card: Held, now: Image | None = None) -> tuple[SlotSeen, ...]:
        """Read a card once more; ``now`` is the slot's look when the card is new there."""
        outline = self.view.to_picture(card.corners)
        reading = self.reader.read(self.cut(frame.image, outline))
        vote = self._vote = self._vote.cast(Ballot(reading.code, reading.confidence, reading.reason, frame.number))
        tries = self._tries = self._tries + 1
        self._retry_ns = frame.received.monotonic_ns + (_RETRY_NS if vote.is_full else 0)
        if vote.winner is None and not vote.is_full:
            return ()
        was_unread = any(one.position == card.position and one.card is None for one in self.held)
        others = tuple(one for one in self.held if one.position != card.position)
        self.held = (*others, replace(card, card=vote.winner))
        if now is not None:
            self._settle(frame, now)
            self._vote, self._tries = vote, tries
        if vote.winner is None and was_unread:
            return ()
        return (
            self._claim(frame, card.position, "read" if vote.winner else "occupied", vote=vote, outline=outline),
        )

    def _claim(  # noqa: PLR0913 - the parts of a claim
        self,
        frame: Frame,
        position: int,
        seen: str,
        *,
        reason: str = "",
        vote: Vote | None = None,
        outline: Points | None = None,
    ) -> SlotSeen:
        area, winner = self.view.area, vote.winner if vote else None
        if area.seat is None and seen == "read":
            seen = "face-up-in-shoe"
        return SlotSeen(
            area.seat,
            area.hand,
            position,
            seen,
            winner,
            vote.confidence if vote and winner else 0.0,
            vote.reason if vote and not winner else reason,
            outline,
            vote.frames if vote else (frame.number,),
            self.view.cut(frame.image),
            frame,
        )


def _is_same(one: Held, other: Held) -> bool:
    return one.position == other.position and overlap(one.corners, other.corners) > _STILL
