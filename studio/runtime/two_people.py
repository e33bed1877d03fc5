"""What the actor knows for acts of two people: the round to revise, the card to show, the proposal made."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from studio.domain.answers import Step
from studio.domain.cards import Card
from studio.domain.commands import Command
from studio.domain.correctable import hidden_card
from studio.domain.correction_commands import ApproveProposal, ReviseRound, Settled
from studio.domain.events import HiddenCardOpened, ProposalMade
from studio.domain.instants import Instant
from studio.domain.proposals import needs_settled
from studio.domain.setup import TableSetup
from studio.domain.table import Table
from studio.ports.journal import Journal
from studio.runtime.settled_rounds import settled_round


async def informed(journal: Journal, table: Table, command: Command, at: Instant) -> Command:
    """Give a revision the settled round that it is about, read from the journal in a thread."""
    match command:
        case ReviseRound(round=number):
            pass
        case ApproveProposal(proposal=proposal) if (wanted := needs_settled(table, proposal)) is not None:
            number = wanted
        case _:
            return command
    return replace(command, settled=await read_settled(journal, table.setup, number, at))


async def read_settled(journal: Journal, setup: TableSetup, number: int, at: Instant) -> Settled | None:
    """Return a settled round, read from the journal in a thread; ``None`` where there is no such round."""
    recorded = await asyncio.to_thread(journal.round, setup.table, number)
    return settled_round(setup, recorded, at)


def of_two_people(steps: tuple[Step, ...]) -> tuple[int | None, Card | None]:
    """Return the proposal that a command made, and the hidden card that it opened, if it did."""
    proposal: int | None = None
    opened: Card | None = None
    for step in steps:
        match step.event:
            case ProposalMade(number):
                proposal = number
            case HiddenCardOpened(draw):
                opened = hidden_card(step.before, draw)
            case _:
                pass
    return proposal, opened
