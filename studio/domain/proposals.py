"""Acts that two people do together: one proposes, another one approves (S8). The same person is never both."""

from __future__ import annotations

from typing import assert_never

from studio.domain.answers import Accepted, Answer, Rejected
from studio.domain.correctable import hidden_card
from studio.domain.correction_commands import (
    ApproveProposal,
    DeclineProposal,
    OpenHiddenCard,
)
from studio.domain.events import (
    Act,
    ActKind,
    Event,
    HiddenCardOpened,
    ProposalApproved,
    ProposalClosed,
    ProposalEnd,
    ProposalMade,
)
from studio.domain.people import SUPERVISING, Actor
from studio.domain.rulings import Proposal
from studio.domain.table import Table

_SECOND_NS = 1_000_000_000


def propose(table: Table, act: Act, actor: Actor, now_ns: int) -> Answer:
    """Make a proposal of an act; a second one of the same act is refused while the first is open."""
    same = next((one for one in table.proposals if one.act == act and one.by == actor.id), None)
    if same is not None:
        return Rejected("proposal-open", f"Proposal {same.number} says the same and waits for a second person")
    expires_ns = now_ns + table.setup.profile.proposal_seconds * _SECOND_NS
    number = table.proposal_count + 1
    return Accepted((ProposalMade(number, act.kind, actor.id, actor.name, act, now_ns, expires_ns),))


def find(table: Table, number: int) -> Proposal | Rejected:
    """Return an open proposal, or the refusal where there is none."""
    for one in table.proposals:
        if one.number == number:
            return one
    return Rejected("no-such-proposal", f"Proposal {number} is not open; look at the list again")


def to_approve(table: Table, command: ApproveProposal, actor: Actor, now_ns: int) -> Proposal | Rejected:
    """Return the proposal that ``actor`` may approve now, or why not."""
    proposal = find(table, command.proposal)
    if isinstance(proposal, Rejected):
        return proposal
    if proposal.by == actor.id:
        return Rejected("same-person", "Another person must approve what you proposed")
    if proposal.approved_by:
        return Rejected("no-such-proposal", f"Proposal {proposal.number} is approved already")
    if not proposal.at_ns <= now_ns < proposal.expires_ns:
        return Rejected("proposal-expired", "Nobody approved it in time; propose it again")
    return proposal


def approved(proposal: Proposal, actor: Actor, events: tuple[Event, ...]) -> Accepted:
    """Return the approval and what it leads to."""
    return Accepted((ProposalApproved(proposal.number, actor.id, actor.name), *events))


def decline(table: Table, command: DeclineProposal, actor: Actor) -> Answer:
    """Refuse a proposal, or take one's own back."""
    proposal = find(table, command.proposal)
    if isinstance(proposal, Rejected):
        return proposal
    own = proposal.by == actor.id
    if not own and actor.role not in SUPERVISING:
        return Rejected("not-yours", "A dealer can only take back what they proposed themselves")
    end = ProposalEnd.WITHDRAWN if own else ProposalEnd.DECLINED
    return Accepted((ProposalClosed(proposal.number, end, actor.id, command.text),))


def open_hidden_card(table: Table, command: OpenHiddenCard, actor: Actor, now_ns: int) -> Answer:
    """Propose to look at a hidden card; once that is approved, look. The answer alone has the card."""
    if hidden_card(table, command.draw) is None:
        return Rejected("not-hidden", f"Draw {command.draw} is no card that is hidden now")
    mine = [one for one in table.proposals if (one.act.kind, one.by) == (ActKind.OPEN_CARD, actor.id)]
    for one in mine:
        if one.act.draw == command.draw and one.approved_by:
            seen = HiddenCardOpened(command.draw, actor.id, one.approved_by, one.act.reason, one.act.text)
            return Accepted((seen,))
    return propose(table, Act(ActKind.OPEN_CARD, command.reason, command.text, draw=command.draw), actor, now_ns)


def expiry_ns(table: Table) -> int | None:
    """Return when the next proposal expires, ``None`` without one."""
    return min((one.expires_ns for one in table.proposals), default=None)


def expired(table: Table, now_ns: int) -> tuple[Event, ...]:
    """Return the end of every proposal whose time is over, or that was made before the clock began anew."""
    text = "Nobody approved it in time"
    return tuple(
        ProposalClosed(one.number, ProposalEnd.EXPIRED, "", text)
        for one in table.proposals
        if not one.at_ns <= now_ns < one.expires_ns
    )


def words(act: Act) -> str:
    """Return what an act is, without any card's face."""
    match act.kind:
        case ActKind.ENTER_CARD:
            return (
                f"Enter the card of draw {', '.join(str(getattr(one, 'draw', 0)) for one in act.changes)} by hand"
            )
        case ActKind.OPEN_CARD:
            return f"Look at the hidden card of draw {act.draw}"
        case ActKind.REVISE_ROUND:
            return f"Revise round {act.round}"
        case ActKind.VOID_ROUND:
            return f"Void round {act.round}"
        case _:
            assert_never(act.kind)


def needs_settled(table: Table, number: int) -> int | None:
    """Return the settled round that an approval of this proposal needs to see, ``None`` for none."""
    proposal = find(table, number)
    if isinstance(proposal, Rejected) or proposal.act.kind is not ActKind.REVISE_ROUND:
        return None
    return proposal.act.round
