"""The bodies of what supervisors send to put a table right. See :mod:`studio.web.bodies`."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field, StrictStr, field_validator

from studio.domain import correction_commands as commands
from studio.domain.cards import parse_card
from studio.domain.changes import CardValue, Change, DeadHand, OutOfPlay, Placed
from studio.domain.commands import Command
from studio.domain.slots import HandId
from studio.web.body_forms import Body, Count, DeskCommand, Reason, Words
from studio.web.sign_in import Licence

_MOST_CHANGES: Final = 64

CardCode = Annotated[StrictStr, Field(min_length=2, max_length=2, examples=["8S"])]


class _CardChange(Body):
    """The draw is this card: it was misread, or not read."""

    change: Literal["card-value"]
    draw: Count
    card: CardCode

    @field_validator("card")
    @classmethod
    def _is_card(cls, code: str) -> str:
        parse_card(code)
        return code

    def meant(self) -> Change:
        """Return the domain's change."""
        return CardValue(self.draw, parse_card(self.card))


class _OutChange(Body):
    """The draw lies in no hand."""

    change: Literal["out-of-play"]
    draw: Count

    def meant(self) -> Change:
        """Return the domain's change."""
        return OutOfPlay(self.draw)


class _PlaceChange(Body):
    """The draw lies at this hand, the dealer's where ``seat`` is 0."""

    change: Literal["placed"]
    draw: Count
    seat: Count
    hand: Count = 1

    def meant(self) -> Change:
        """Return the domain's change."""
        return Placed(self.draw, HandId(self.seat, self.hand) if self.seat else None)


class _DeadChange(Body):
    """The seat leaves the round."""

    change: Literal["dead-hand"]
    seat: Count

    def meant(self) -> Change:
        """Return the domain's change."""
        return DeadHand(self.seat)


AnyChange = Annotated[_CardChange | _OutChange | _PlaceChange | _DeadChange, Field(discriminator="change")]
Changes = Annotated[tuple[AnyChange, ...], Field(max_length=_MOST_CHANGES)]


def meant(changes: tuple[AnyChange, ...]) -> tuple[Change, ...]:
    """Return the domain's changes."""
    return tuple(change.meant() for change in changes)


class ClaimIncidentArguments(Body):
    """Which incident."""

    incident: Count


class ClaimIncident(DeskCommand):
    """Take an incident on."""

    command: Literal["claim-incident"]
    arguments: ClaimIncidentArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return commands.ClaimIncident(self.arguments.incident)


class ShelveIncidentArguments(Body):
    """Which incident, for how many minutes (0 takes it back), and why it can wait."""

    incident: Count
    minutes: Count
    text: Words


class ShelveIncident(DeskCommand):
    """Put an alarm out of the way for a time."""

    command: Literal["shelve-incident"]
    arguments: ShelveIncidentArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        said = self.arguments
        return commands.ShelveIncident(said.incident, said.minutes, said.text)


class HandOverIncidentArguments(Body):
    """Which incident, to whom (a person's id), and what they should know."""

    incident: Count
    to: Reason
    text: Words


class HandOverIncident(DeskCommand):
    """Offer one's incident to a colleague."""

    command: Literal["hand-over-incident"]
    arguments: HandOverIncidentArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        said = self.arguments
        return commands.HandOverIncident(said.incident, said.to, said.text)


class ApproveProposalArguments(Body):
    """Which proposal."""

    proposal: Count


class ApproveProposal(DeskCommand):
    """Do what another person proposed."""

    command: Literal["approve-proposal"]
    arguments: ApproveProposalArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return commands.ApproveProposal(self.arguments.proposal)


class DeclineProposalArguments(Body):
    """Which proposal, and why."""

    proposal: Count
    text: Words


class DeclineProposal(DeskCommand):
    """Refuse a proposal, or take one's own back."""

    command: Literal["decline-proposal"]
    arguments: DeclineProposalArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return commands.DeclineProposal(self.arguments.proposal, self.arguments.text)


class OpenHiddenCardArguments(Body):
    """Which draw, and why."""

    draw: Count
    reason: Reason
    text: Words


class OpenHiddenCard(DeskCommand):
    """Look at a hidden card: a proposal at first; sent again after its approval, the answer has the card."""

    command: Literal["open-hidden-card"]
    arguments: OpenHiddenCardArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        said = self.arguments
        return commands.OpenHiddenCard(said.draw, said.reason, said.text)


class ReviseRoundArguments(Body):
    """Which settled round, with which changes, and why."""

    round: Count
    changes: Annotated[Changes, Field(min_length=1)]
    reason: Reason
    text: Words


class ReviseRound(DeskCommand):
    """Propose to settle a settled round again."""

    command: Literal["revise-round"]
    arguments: ReviseRoundArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        said = self.arguments
        return commands.ReviseRound(said.round, meant(said.changes), said.reason, said.text)
