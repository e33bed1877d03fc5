"""The second witness: what a table's camera claims of each place, or its second reader of each card.

It never places a card. Absent is not different: a card of which the camera said nothing is counted as not covered,
a card of which it said something else stops the table (anomalies.md, invariant 2). What follows from the claims is
in :mod:`studio.domain.fusion`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from studio.domain.cards import Card
from studio.domain.pairing import Pairing
from studio.domain.sightings import SightingId
from studio.domain.slots import HandId, Slot


class Seen(StrEnum):
    """What the camera says of a place, or a second reader of a card."""

    READ = "read"
    READ_AGAIN = "read-again"
    """Of a second reader: perhaps the last card once more."""
    UNREAD = "unread"
    """Of a second reader: a card came that it could not read."""
    OCCUPIED = "occupied"
    OCCLUDED = "occluded"
    CLEARED = "cleared"
    FACE_UP_IN_SHOE = "face-up-in-shoe"
    TWO_CARDS = "two-cards"


class Verdict(StrEnum):
    """What was made of a card of the round."""

    AGREED = "agreed"
    ABSENT = "absent"
    DIFFERENT = "different"
    RULED = "ruled"
    """A person decided about it."""


class Place(NamedTuple):
    """A place on the felt, whichever side of the card shows; the dealer's where ``hand`` is ``None``."""

    hand: HandId | None
    position: int


def place_of(slot: Slot) -> Place:
    """Return the place of a slot."""
    return Place(slot.hand, slot.position)


@dataclass(frozen=True, slots=True)
class CardWitnessed:
    """The camera claims something of a place, or of the shoe's mouth (``slot`` null).

    ``frame`` names the still; ``at_ns`` is the time of the frame. A second reader claims something of a
    card, which has no place and no still.
    """

    sighting: SightingId
    seen: Seen
    slot: Slot | None
    card: Card | None
    confidence_permille: int
    frame: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class WitnessJudged:
    """Whether the camera agreed with a card, or had no value for it by the deadline."""

    draw: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class SingleSourceAccepted:
    """A supervisor lets the table go on without its witness until then."""

    until_ns: int


@dataclass(frozen=True, slots=True)
class SingleSourceEnded:
    """The table compares with its witness again: it agreed with ``agreed`` cards in a row, or the time is up."""

    agreed: int


@dataclass(frozen=True, slots=True)
class CameraTakesOver:
    """The reader is down: the camera reads the rest of this round, the dealer confirms each card."""


WitnessEvent = CardWitnessed | WitnessJudged | SingleSourceAccepted | SingleSourceEnded | CameraTakesOver
"""What the second witness says and what becomes of it."""


class Claim(NamedTuple):
    """The newest claim of one place; ``ruled`` once a person decided about it."""

    place: Place | None
    seen: Seen
    card: Card | None
    at_ns: int
    sighting: SightingId
    ruled: bool = False


class Watched(NamedTuple):
    """A card of the round that the camera is to confirm, since ``at_ns``."""

    draw: int
    slot: Slot
    at_ns: int
    verdict: Verdict | None = None
    turned: bool = False
    """The hole card, since its face is due to come up."""

    @property
    def place(self) -> Place:
        """Where it was dealt, or moved to by a split."""
        return place_of(self.slot)


class Witness(NamedTuple):
    """All that is known of a table's camera, or of its second reader.

    ``outcomes`` are the newest judgements, a set bit for a card that the camera had a value for, ``judged`` of
    them; ``absent`` counts those without in a row, ``agreed`` those that the camera agreed with in a row.
    """

    ready: bool = False
    claims: tuple[Claim, ...] = ()
    watched: tuple[Watched, ...] = ()
    outcomes: int = 0
    judged: int = 0
    absent: int = 0
    agreed: int = 0
    single_source_until_ns: int | None = None
    takes_over: bool = False
    """Until the round is closed, and the shoe with it."""
    pairing: Pairing = Pairing()
    """What a second reader read, and what waits for it."""
    muted: bool = False
    """In a replay of the round nothing is found: what the camera saw is the present's."""

    def claim(self, place: Place | None) -> Claim | None:
        """Return the newest claim of a place."""
        return next((one for one in self.claims if one.place == place), None)

    def is_covered(self, place: Place) -> bool:
        """Tell whether nothing is known of a place: something covers it, or one before it in the same hand."""
        own = self.claim(place)
        if own is not None and own.seen is not Seen.OCCLUDED:
            return False
        return any(
            one.seen is Seen.OCCLUDED and one.place.hand == place.hand and one.place.position <= place.position
            for one in self.claims
            if one.place is not None
        )

    def is_present(self, place: Place) -> bool:
        """Tell whether a card is seen at a place, or may be there: it is covered."""
        claim = self.claim(place)
        return self.is_covered(place) or (claim is not None and claim.seen in {Seen.READ, Seen.OCCUPIED})

    def watch(self, place: Place) -> Watched | None:
        """Return the watched card of a place."""
        return next((one for one in self.watched if one.place == place), None)

    def with_claim(self, claim: Claim) -> Witness:
        """Return the witness with one place's claim replaced."""
        others = tuple(one for one in self.claims if one.place != claim.place)
        return self._replace(claims=(*others, claim))

    def judged_as(self, draw: int, verdict: Verdict, cards: int) -> Witness:
        """Return the witness after a judgement; the newest ``cards`` of them measure its coverage."""
        watched = tuple(one._replace(verdict=verdict) if one.draw == draw else one for one in self.watched)
        if verdict is Verdict.RULED:
            return self._replace(watched=watched)
        covered = verdict is not Verdict.ABSENT
        return self._replace(
            watched=watched,
            outcomes=((self.outcomes << 1) | covered) & ((1 << cards) - 1),
            judged=min(self.judged + 1, cards),
            absent=0 if covered else self.absent + 1,
            agreed=self.agreed + 1 if verdict is Verdict.AGREED else 0,
        )

    def measured_anew(self, single_source_until_ns: int | None) -> Witness:
        """Return the witness where the time of a single source begins or ends: what was missed is accepted."""
        return self._replace(
            single_source_until_ns=single_source_until_ns, absent=0, agreed=0, outcomes=0, judged=0
        )

    def replayed(self, after: Witness) -> Witness:
        """Return the witness once its round was replayed: the cards lie where the replay dealt them.

        What was made of a card holds where it still lies at that place; of a moved card a person decided.
        """
        if not after.watched:
            return self
        before = {one.draw: one for one in self.watched}
        watched = tuple(
            one._replace(
                verdict=before[one.draw].verdict if before[one.draw].place == one.place else Verdict.RULED
            )
            if one.draw in before
            else one
            for one in after.watched
        )
        return self._replace(watched=watched)

    @property
    def covered(self) -> int:
        """How many of the judged cards the camera had a value for."""
        return self.outcomes.bit_count()


def _again(now: Watched, before: Watched | None) -> Watched:
    if before is None:
        return now
    return now._replace(verdict=before.verdict if before.place == now.place else Verdict.RULED)


NO_WITNESS: Final = Witness()
MUTED: Final = Witness(muted=True)
