"""Commands about incidents' owners, and of two people together. See :mod:`studio.domain.commands`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from studio.domain.bets import ResultBatch
from studio.domain.changes import Change
from studio.domain.table import Table


@dataclass(frozen=True, slots=True)
class ClaimIncident:
    """Take an incident on: whoever holds it is the one who resolves it, until they hand it over."""

    incident: int


@dataclass(frozen=True, slots=True)
class HandOverIncident:
    """Offer one's incident to a colleague, who takes it by claiming it; ``to`` is a person's id."""

    incident: int
    to: str
    text: str


@dataclass(frozen=True, slots=True)
class ShelveIncident:
    """Put an alarm out of the way for some minutes, and say why it can wait; 0 minutes take it back."""

    incident: int
    minutes: int
    text: str


class Settled(NamedTuple):
    """A settled round as the journal has it: the table when its result was committed, its newest results.

    ``hours`` since its settlement; ``bearable`` is what each player's balance bears, as reserved.
    """

    table: Table
    results: ResultBatch
    hours: float
    bearable: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ApproveProposal:
    """Do what another person proposed; the proposer is refused.

    ``settled`` is filled in by the actor where the proposal is a revision.
    """

    proposal: int
    settled: Settled | None = None


@dataclass(frozen=True, slots=True)
class DeclineProposal:
    """Refuse what was proposed, or take one's own proposal back."""

    proposal: int
    text: str


@dataclass(frozen=True, slots=True)
class OpenHiddenCard:
    """Look at a hidden card: first a proposal; once it is approved, the same command again shows it, once."""

    draw: int
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class ReviseRound:
    """Settle a settled round again with changes, by compensating entries; a proposal that a second one approves.

    ``settled`` is filled in by the actor from the journal, ``None`` where there is no such settled round.
    """

    round: int
    changes: tuple[Change, ...]
    reason: str
    text: str
    settled: Settled | None = None
