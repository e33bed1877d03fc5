"""Several readings of one settled card into one: three of the last five alike, and none that contradicts.

A vote repairs an unlucky frame, never a systematic error: that is the enrolment's part (vision.md, "Lessons").
"""

from __future__ import annotations

from typing import Final, NamedTuple

from studio.domain.cards import Card

OF: Final = 5
ALIKE: Final = 3


class Ballot(NamedTuple):
    """One reading: no card where the reader abstained, with the reason."""

    card: Card | None
    confidence: float
    reason: str
    frame: int


class Vote(NamedTuple):
    """The last :data:`OF` readings of a card; ``is_spoilt`` once two of all of them contradicted each other."""

    ballots: tuple[Ballot, ...] = ()
    is_spoilt: bool = False

    def cast(self, ballot: Ballot) -> Vote:
        """Return the vote with one more reading, the oldest forgotten."""
        read = {one.card for one in (*self.ballots, ballot) if one.card is not None}
        return Vote((*self.ballots, ballot)[-OF:], self.is_spoilt or len(read) > 1)

    @property
    def is_full(self) -> bool:
        """Whether as many were cast as count."""
        return len(self.ballots) >= OF

    @property
    def winner(self) -> Card | None:
        """The card of at least :data:`ALIKE` readings where no other card was ever read."""
        read = [one.card for one in self.ballots if one.card is not None]
        return read[0] if len(read) >= ALIKE and not self.is_spoilt else None

    @property
    def confidence(self) -> float:
        """The least confidence among the readings of a card."""
        return min((one.confidence for one in self.ballots if one.card is not None), default=0.0)

    @property
    def frames(self) -> tuple[int, ...]:
        """The frames it stands on."""
        return tuple(one.frame for one in self.ballots)

    @property
    def reason(self) -> str:
        """Why there is no winner: the newest reason, or that frames contradict each other."""
        if self.is_spoilt:
            return "frames-differ"
        return next((one.reason for one in reversed(self.ballots) if one.reason), "too-few-frames")
