"""The bodies of what the dealer reports, of a card read by the camera alone, and of a new ruling profile."""

from __future__ import annotations

from typing import ClassVar, Literal

from studio.domain import commands
from studio.domain.commands import Command
from studio.domain.sightings import SightingId
from studio.domain.tiles import Concern, Tile
from studio.web.body_forms import Body, Count, DeskCommand, Reason, Words
from studio.web.sign_in import Licence


class ReportMisdealArguments(Body):
    """Which tile, and which seat it is about: 0 is the dealer's own place."""

    tile: Tile
    seat: Count | None = None


class ReportMisdeal(DeskCommand):
    """The dealer's misdeal helper: stop the table and ask for the supervisor."""

    command: Literal["report-misdeal"]
    arguments: ReportMisdealArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return commands.ReportMisdeal(self.arguments.tile, self.arguments.seat)


class ReportConcernArguments(Body):
    """What the player said, and at which seat they sit where they do."""

    concern: Concern
    seat: Count | None = None


class ReportConcern(DeskCommand):
    """The dealer flags what a player said for a supervisor to read; play goes on."""

    command: Literal["report-concern"]
    arguments: ReportConcernArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return commands.ReportConcern(self.arguments.concern, self.arguments.seat)


class ConfirmCardArguments(Body):
    """Which sighting of the camera is confirmed: the one that the dealer saw on the button."""

    device: Words
    load: Count
    ordinal: Count


class ConfirmCard(DeskCommand):
    """Confirm the card that the camera reads, while it stands in for the reader."""

    command: Literal["confirm-card"]
    arguments: ConfirmCardArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        said = self.arguments
        return commands.ConfirmCard(SightingId(said.device, said.load, said.ordinal))


class ChangeProfileArguments(Body):
    """Under which approval the profile is changed."""

    reference: Reason


class ChangeProfile(DeskCommand):
    """Go by the table's profile file as it is now."""

    command: Literal["change-profile"]
    arguments: ChangeProfileArguments

    supervisor_says_what_they_saw: ClassVar[bool] = True

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return commands.ChangeProfile(self.arguments.reference)
