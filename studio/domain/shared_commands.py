"""Commands of the many players of a shared hand, whose answers come together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from studio.domain.actions import Action


class Choosing(NamedTuple):
    """One player's decision in a batch; ``funded`` where the action needs a second stake."""

    player: str
    action: Action
    funded: bool = False


@dataclass(frozen=True, slots=True)
class DecideAll:
    """Play the shared hand for many players, each answered on its own (I1)."""

    decision: int
    choices: tuple[Choosing, ...]


class Insuring(NamedTuple):
    """One player's answer about insurance in a batch."""

    player: str
    take: bool
    funded: bool = False


@dataclass(frozen=True, slots=True)
class InsureAll:
    """Take or decline insurance on the shared hand for many players, each answered on its own."""

    answers: tuple[Insuring, ...]
