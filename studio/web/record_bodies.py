"""The bodies of the commands that write into the record: notes and disputes."""

from __future__ import annotations

from typing import ClassVar, Literal

from studio.domain import disputes
from studio.domain.commands import Command
from studio.domain.record_events import DisputeEnd, Subject
from studio.settings import Slug
from studio.web.body_forms import Body, Count, DeskCommand, Words
from studio.web.sign_in import Licence


class _AboutThePast(DeskCommand):
    """A command about what happened: that the table has moved meanwhile changes nothing of it."""

    supervisor_says_what_they_saw: ClassVar[bool] = False


class AddNoteArguments(Body):
    """On what the note is, and its words."""

    subject: Subject
    number: Count
    text: Words


class AddNote(_AboutThePast):
    """Put a note on an incident, a round or a dispute."""

    command: Literal["add-note"]
    arguments: AddNoteArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        said = self.arguments
        return disputes.AddNote(said.subject, said.number, said.text)


class OpenDisputeArguments(Body):
    """Which round is disputed, by which player, and what they say."""

    round: Count
    player: Slug
    text: Words


class OpenDispute(_AboutThePast):
    """Take down what a player disputes about a round."""

    command: Literal["open-dispute"]
    arguments: OpenDisputeArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        said = self.arguments
        return disputes.OpenDispute(said.round, said.player, said.text)


class CloseDisputeArguments(Body):
    """Which dispute is answered, how, and in which words."""

    dispute: Count
    end: DisputeEnd
    text: Words


class CloseDispute(_AboutThePast):
    """Answer a dispute."""

    command: Literal["close-dispute"]
    arguments: CloseDisputeArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        said = self.arguments
        return disputes.CloseDispute(said.dispute, said.end, said.text)
