"""Commands about packs of cards and the shoe: registered, counted, loaded, given back (rules.md S1, S5, S8)."""

from __future__ import annotations

from dataclasses import dataclass

from studio.domain.shoe import ShoeStep


@dataclass(frozen=True, slots=True)
class RegisterPack:
    """A pack of cards comes into the table's service: its id, batch and back colour."""

    pack: str
    batch: str
    back: str


@dataclass(frozen=True, slots=True)
class QuarantinePack:
    """Put a pack of cards away for good."""

    pack: str
    reason: str


@dataclass(frozen=True, slots=True)
class BeginCount:
    """Count a pack's cards through the reader: all of them, or what its ended shoe still holds."""

    pack: str


@dataclass(frozen=True, slots=True)
class SignCount:
    """No card is left: the acting person signs the count."""


@dataclass(frozen=True, slots=True)
class AbandonCount:
    """Give the count in progress up."""


@dataclass(frozen=True, slots=True)
class ReportForeignCard:
    """A joker, another back or a strange card was seen."""

    text: str


@dataclass(frozen=True, slots=True)
class ConfirmShoeStep:
    """The shoe's preparation has come this far (S1)."""

    step: ShoeStep


@dataclass(frozen=True, slots=True)
class ReturnCards:
    """All cards of the round are back in the shuffler (S8); ``counted`` where the device tells how many came."""

    counted: int | None = None


@dataclass(frozen=True, slots=True)
class LoadShuffle:
    """The virtual shoe was shuffled for the next round: its commitment is public, its seed is sealed."""

    load: int
    commitment: str
    seed: str
