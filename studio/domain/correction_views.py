"""Views of corrections: what a way out would do, and who waits for whom. See :mod:`studio.domain.views`.

Filled by :mod:`studio.domain.preview` and :mod:`studio.domain.projections`; a hidden card is a back here too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class HandBeside:
    """A hand before or after: cards as codes or backs, its total in words, its state as in ``HandView``."""

    cards: tuple[str, ...]
    total: str
    stake: int
    state: str


@dataclass(frozen=True, slots=True)
class HandPreview:
    """One hand of a seat, the dealer's where ``seat`` is 0; ``None`` where there is no such hand then."""

    seat: int
    hand: int
    player: str
    before: HandBeside | None
    after: HandBeside | None
    changed: bool


@dataclass(frozen=True, slots=True)
class MoneyPreview:
    """One player's money of a kind on a seat, in minor units.

    ``staked`` lies on the table, ``back`` is what comes back of it, winnings included: of a finished round by its
    result, of a void or a dead hand the refund, else ``None``: not known yet. Of a shared hand, sums by kind.
    """

    player: str
    seat: int
    kind: str
    staked_before: int
    staked_after: int
    back_before: int | None
    back_after: int | None


@dataclass(frozen=True, slots=True)
class MessageView:
    """What players are told: a key of the consoles' catalogue and what it needs, as text."""

    key: str
    parameters: dict[str, str]


@dataclass(frozen=True, slots=True)
class Preview:
    """What a supervisor's command would do now; nothing has happened.

    ``lawful`` and else ``code`` and ``text`` that say why not, as the refusal would. ``needs_second`` when it
    only becomes a proposal. ``phase_after`` and ``next_step`` say how the table goes on; ``phase_after`` is empty
    where that rests on a card that nobody sees.
    """

    lawful: bool
    code: str
    text: str
    needs_second: bool
    hands: tuple[HandPreview, ...]
    money: tuple[MoneyPreview, ...]
    staked_before: int
    staked_after: int
    refund_total: int
    phase_before: str
    phase_after: str
    next_step: str
    message: MessageView | None


@dataclass(frozen=True, slots=True)
class DrawView:
    """One card of the round by its draw, to name it in a correction: a code or a back, and where it was dealt.

    ``place`` is ``seat3.hand1``, ``dealer``, ``held`` or ``unread``; ``seat`` and ``hand`` are 0 at the dealer's.
    ``mark`` says how the card is known, as the marks of a ``HandView`` do (D20).
    """

    draw: int
    card: str
    place: str
    seat: int
    hand: int
    mark: str


@dataclass(frozen=True, slots=True)
class ReadingView:
    """One of the last readings: ``what`` is where it went, a ``place`` of :class:`DrawView`, burned or felt-scan.

    ``card`` is a code, a back, or empty where none was read; ``raw`` are the bytes behind it in hex, ``sealed``
    while they would tell a hidden card, empty where the source has none. ``still`` is the frame in which the
    camera saw the card, empty where it did not.
    """

    draw: int | None
    what: str
    card: str
    raw: str
    at_wall_ns: int
    still: str = ""


@dataclass(frozen=True, slots=True)
class FeltScanView:
    """A re-scan under way or ended: ``due`` is the draw that is passed next, ``None`` once all were.

    ``differing`` are the draws that read differently; their readings are not shown, a difference may be hidden.
    """

    incident: int
    expected: int
    read: int
    due: int | None
    differing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ProposalView:
    """What waits for a second person; ``words`` says what it is, without a hidden card's face.

    ``draw`` is the hidden card that is to be looked at, else 0.
    """

    number: int
    kind: str
    words: str
    reason: str
    text: str
    by: str
    name: str
    approved_by: str
    expires_wall_ns: int
    draw: int = 0


@dataclass(frozen=True, slots=True)
class ClaimView:
    """Who holds an open incident, to whom it is offered, and how far its absence was called out (0 to 2).

    ``absent_wall_ns`` is when it is called out next, ``None`` where it will not be.
    """

    incident: int
    owner: str
    owner_name: str
    offered_to: str
    absent_stage: int
    absent_wall_ns: int | None = None


@dataclass(frozen=True, slots=True)
class NoticeView:
    """What a player is told about a ruling: the message, and what it moved for them in minor units, or 0."""

    number: int
    round: int
    message: MessageView
    amount: int


@dataclass(frozen=True, slots=True)
class PresenceView:
    """Who has this table's panel open, and the incident they are previewing a correction of, ``None`` if none."""

    person: str
    name: str
    correcting: int | None


@dataclass(frozen=True, slots=True)
class RulingsView:
    """What a supervisor needs to put a table right: the round's draws, and what is under way."""

    draws: tuple[DrawView, ...] = ()
    scan: FeltScanView | None = None
    proposals: tuple[ProposalView, ...] = ()
    claims: tuple[ClaimView, ...] = ()
    notices: tuple[NoticeView, ...] = ()
    present: tuple[PresenceView, ...] = ()


NO_RULINGS: Final = RulingsView()
