"""The bodies of the API's desk commands, strict: exact types, bounded sizes, no unknown keys.

What players send is in :mod:`studio.web.player_bodies`. Each body knows which command of the domain it asks for;
it does not know who may send it (see :data:`studio.domain.commands.ALLOWED_ROLES`) nor whether the table takes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, ClassVar, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

from studio.domain import commands, disputes
from studio.domain.anomalies import WayOut
from studio.domain.commands import Command
from studio.domain.record_events import DisputeEnd, Subject
from studio.domain.shoe import ShoeStep
from studio.settings import Slug
from studio.web.sign_in import Licence

_LARGEST: Final = 2**53
"""No number is larger: beyond it a browser's numbers have gaps."""

Count = Annotated[StrictInt, Field(ge=0, le=_LARGEST)]
"""A number of something, or a sequence number."""

Amount = Annotated[StrictInt, Field(ge=1, le=_LARGEST)]
"""Minor units."""

Words = Annotated[StrictStr, Field(max_length=1000, pattern=r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$")]
"""Text by a person: no control characters but line breaks and tabs."""

Reason = Annotated[Words, Field(min_length=1, max_length=200)]


class Body(BaseModel):
    """What every body has: frozen, and no unknown key."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NoArguments(Body):
    """Nothing is to be said."""


class DeskCommand(Body):
    """A command of a dealer or a supervisor.

    ``seen_sequence`` is the sequence of the view that it was decided on; if the table has moved, it is refused.
    """

    seen_sequence: Count | None = None

    supervisor_says_what_they_saw: ClassVar[bool] = False
    """Whether a supervisor must send ``seen_sequence``."""


class PlainCommand(DeskCommand):
    """A command that says everything by its name."""

    command: Literal[
        "open-betting",
        "close-betting",
        "return-cards",
        "commit-result",
        "disagree",
        "call-supervisor",
        "answer-call",
    ]
    arguments: NoArguments = NoArguments()

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return _PLAIN[self.command]()


_PLAIN: Final[dict[str, Callable[[], Command]]] = {
    "open-betting": commands.OpenBetting,
    "close-betting": commands.CloseBetting,
    "return-cards": commands.ReturnCards,
    "commit-result": commands.CommitResult,
    "disagree": commands.Disagree,
    "call-supervisor": commands.CallSupervisor,
    "answer-call": commands.AnswerCall,
}


class SignOn(DeskCommand):
    """Take the table as its dealer; the licence is the one in the people file."""

    command: Literal["sign-on"]
    arguments: NoArguments = NoArguments()

    def asked(self, licence: Licence) -> Command:
        """Return the domain's command."""
        return commands.SignOn(licence.until, licence.valid)


class ConfirmShoeStepArguments(Body):
    """Which step of the shoe's preparation is done."""

    step: ShoeStep


class ConfirmShoeStep(DeskCommand):
    """Confirm the next step of the shoe's preparation."""

    command: Literal["confirm-shoe-step"]
    arguments: ConfirmShoeStepArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return commands.ConfirmShoeStep(self.arguments.step)


class SuspendArguments(Body):
    """Why the table is stopped."""

    reason: Reason


class Suspend(DeskCommand):
    """Stop the table."""

    command: Literal["suspend"]
    arguments: SuspendArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return commands.Suspend(self.arguments.reason)


class ResolveIncidentArguments(Body):
    """Which incident, by which of its ways out, and why; a supervisor says it in words too."""

    incident: Count
    way_out: WayOut
    reason: Reason
    text: Words = ""


class ResolveIncident(DeskCommand):
    """Close an incident."""

    command: Literal["resolve-incident"]
    arguments: ResolveIncidentArguments

    supervisor_says_what_they_saw: ClassVar[bool] = True

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        said = self.arguments
        return commands.ResolveIncident(said.incident, said.way_out, said.reason, said.text)


class VoidRoundArguments(Body):
    """Why the round is void, as a code and in words."""

    reason: Reason
    text: Words


class VoidRound(DeskCommand):
    """Void the open round: every bet goes back in full."""

    command: Literal["void-round"]
    arguments: VoidRoundArguments

    supervisor_says_what_they_saw: ClassVar[bool] = True

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return commands.VoidRound(self.arguments.reason, self.arguments.text)


class AddNoteArguments(Body):
    """On what the note is, and its words."""

    subject: Subject
    number: Count
    text: Words


class AddNote(DeskCommand):
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


class OpenDispute(DeskCommand):
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


class CloseDispute(DeskCommand):
    """Answer a dispute."""

    command: Literal["close-dispute"]
    arguments: CloseDisputeArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        said = self.arguments
        return disputes.CloseDispute(said.dispute, said.end, said.text)


AnyDeskCommand = Annotated[
    PlainCommand
    | SignOn
    | ConfirmShoeStep
    | Suspend
    | ResolveIncident
    | VoidRound
    | AddNote
    | OpenDispute
    | CloseDispute,
    Field(discriminator="command"),
]

DESK_EXAMPLES: Final[dict[str, dict[str, object]]] = {
    "open-betting": {"value": {"command": "open-betting", "arguments": {}}},
    "confirm-shoe-step": {"value": {"command": "confirm-shoe-step", "arguments": {"step": "shuffled"}}},
    "resolve-incident": {
        "value": {
            "command": "resolve-incident",
            "arguments": {"incident": 4, "way_out": "burn", "reason": "exposed", "text": "Seen by seat 3"},
            "seen_sequence": 812,
        }
    },
    "void-round": {
        "value": {
            "command": "void-round",
            "arguments": {"reason": "misdeal", "text": "Card on the floor"},
            "seen_sequence": 812,
        }
    },
    "open-dispute": {
        "value": {
            "command": "open-dispute",
            "arguments": {"round": 31, "player": "pam", "text": "I pressed stand in time"},
        }
    },
}
