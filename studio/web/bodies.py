"""The bodies of the API's desk commands, strict: exact types, bounded sizes, no unknown keys.

What players send is in :mod:`studio.web.player_bodies`. Each body knows which command of the domain it asks for;
it does not know who may send it (see :data:`studio.domain.commands.ALLOWED_ROLES`) nor whether the table takes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, ClassVar, Final, Literal

from pydantic import Field

from studio.domain import commands, shoe_commands
from studio.domain.anomalies import WayOut
from studio.domain.commands import Command
from studio.domain.shoe import ShoeStep
from studio.web.body_forms import Body, Count, DeskCommand, Name, NoArguments, Reason, Words
from studio.web.correction_bodies import (
    ApproveProposal,
    Changes,
    ClaimIncident,
    DeclineProposal,
    HandOverIncident,
    OpenHiddenCard,
    ReviseRound,
    ShelveIncident,
    meant,
)
from studio.web.record_bodies import AddNote, CloseDispute, OpenDispute
from studio.web.report_bodies import ChangeProfile, ConfirmCard, ReportConcern, ReportMisdeal
from studio.web.sign_in import Licence


class PlainCommand(DeskCommand):
    """A command that says everything by its name."""

    command: Literal[
        "open-betting",
        "close-betting",
        "return-cards",
        "commit-result",
        "disagree",
        "call-supervisor",
        "report-boxed-card",
        "sign-off",
        "sign-count",
        "abandon-count",
    ]
    arguments: NoArguments = NoArguments()

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return _PLAIN[self.command]()


_PLAIN: Final[dict[str, Callable[[], Command]]] = {
    "open-betting": commands.OpenBetting,
    "close-betting": commands.CloseBetting,
    "sign-off": commands.SignOff,
    "sign-count": shoe_commands.SignCount,
    "abandon-count": shoe_commands.AbandonCount,
    "return-cards": shoe_commands.ReturnCards,
    "commit-result": commands.CommitResult,
    "disagree": commands.Disagree,
    "call-supervisor": commands.CallSupervisor,
    "report-boxed-card": commands.ReportBoxedCard,
}


class AnswerCall(DeskCommand):
    """Tell the dealer that the call was seen."""

    supervisor_says_what_they_saw: ClassVar[bool] = False

    command: Literal["answer-call"]
    arguments: NoArguments = NoArguments()

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return commands.AnswerCall()


class SignOn(DeskCommand):
    """Take the table as its dealer; the licence is the one in the people file."""

    command: Literal["sign-on"]
    arguments: NoArguments = NoArguments()

    def asked(self, licence: Licence) -> Command:
        """Return the domain's command."""
        return commands.SignOn(*licence)


class ConfirmShoeStepArguments(Body):
    """Which step of the shoe's preparation is done."""

    step: ShoeStep


class ConfirmShoeStep(DeskCommand):
    """Confirm the next step of the shoe's preparation."""

    command: Literal["confirm-shoe-step"]
    arguments: ConfirmShoeStepArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return shoe_commands.ConfirmShoeStep(self.arguments.step)


class PackArguments(Body):
    """Which pack of cards."""

    pack: Name


class RegisterPackArguments(PackArguments):
    """A new pack: which batch it is of, and the colour of its backs."""

    batch: Name
    back: Name


class RegisterPack(DeskCommand):
    """Take a pack of cards into the table's service."""

    command: Literal["register-pack"]
    arguments: RegisterPackArguments

    supervisor_says_what_they_saw: ClassVar[bool] = False

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        said = self.arguments
        return shoe_commands.RegisterPack(said.pack, said.batch, said.back)


class BeginCount(DeskCommand):
    """Count a pack's cards through the reader."""

    command: Literal["begin-count"]
    arguments: PackArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return shoe_commands.BeginCount(self.arguments.pack)


class QuarantinePackArguments(PackArguments):
    """Which pack, and why it is put away."""

    reason: Reason


class QuarantinePack(DeskCommand):
    """Put a pack of cards away for good."""

    command: Literal["quarantine-pack"]
    arguments: QuarantinePackArguments

    supervisor_says_what_they_saw: ClassVar[bool] = True

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return shoe_commands.QuarantinePack(self.arguments.pack, self.arguments.reason)


class ReportForeignCardArguments(Body):
    """What was seen."""

    text: Reason


class ReportForeignCard(DeskCommand):
    """A joker, another back or a strange card was seen."""

    command: Literal["report-foreign-card"]
    arguments: ReportForeignCardArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return shoe_commands.ReportForeignCard(self.arguments.text)


class SuspendArguments(Body):
    """Why the table is stopped."""

    reason: Reason


class Suspend(DeskCommand):
    """Stop the table."""

    supervisor_says_what_they_saw: ClassVar[bool] = False

    command: Literal["suspend"]
    arguments: SuspendArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return commands.Suspend(self.arguments.reason)


class ResolveIncidentArguments(Body):
    """Which incident, by which of its ways out, and why; a supervisor says it in words too.

    ``correction`` is what the way out needs: card values, places, cards out of play, a dead hand's seat.
    """

    incident: Count
    way_out: WayOut
    reason: Reason
    text: Words = ""
    correction: Changes = ()


class ResolveIncident(DeskCommand):
    """Close an incident."""

    command: Literal["resolve-incident"]
    arguments: ResolveIncidentArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        said = self.arguments
        return commands.ResolveIncident(
            said.incident, said.way_out, said.reason, said.text, meant(said.correction)
        )


class VoidRoundArguments(Body):
    """Why the round is void, as a code and in words."""

    reason: Reason
    text: Words


class VoidRound(DeskCommand):
    """Void the open round: every bet goes back in full."""

    command: Literal["void-round"]
    arguments: VoidRoundArguments

    def asked(self, _licence: Licence) -> Command:
        """Return the domain's command."""
        return commands.VoidRound(self.arguments.reason, self.arguments.text)


AnyDeskCommand = Annotated[
    PlainCommand
    | AnswerCall
    | SignOn
    | ConfirmShoeStep
    | RegisterPack
    | BeginCount
    | QuarantinePack
    | ReportForeignCard
    | Suspend
    | ResolveIncident
    | VoidRound
    | AddNote
    | OpenDispute
    | CloseDispute
    | ClaimIncident
    | ShelveIncident
    | HandOverIncident
    | ApproveProposal
    | DeclineProposal
    | OpenHiddenCard
    | ReviseRound
    | ReportConcern
    | ReportMisdeal
    | ConfirmCard
    | ChangeProfile,
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
    "correct": {
        "value": {
            "command": "resolve-incident",
            "arguments": {
                "incident": 4,
                "way_out": "correct",
                "reason": "misread",
                "text": "The still shows an eight",
                "correction": [{"change": "card-value", "draw": 17, "card": "8S"}],
            },
            "seen_sequence": 812,
        }
    },
    "approve-proposal": {
        "value": {"command": "approve-proposal", "arguments": {"proposal": 2}, "seen_sequence": 812}
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
PREVIEW_EXAMPLES: Final = {name: DESK_EXAMPLES[name] for name in ("correct", "void-round")}
