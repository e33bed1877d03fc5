"""Projections of rulings: the round's draws, re-scans, proposals, claims, notices. No hidden card leaves here."""

from __future__ import annotations

from studio.domain import proposals
from studio.domain.card_marks import Mark, mark_of
from studio.domain.claims import absence_of_ns
from studio.domain.correction_events import ActKind
from studio.domain.correction_views import (
    ClaimView,
    DrawView,
    FeltScanView,
    MessageView,
    NoticeView,
    PresenceView,
    ProposalView,
    RulingsView,
)
from studio.domain.instants import Instant
from studio.domain.notices import current_notices
from studio.domain.rulings import Notice, Proposal
from studio.domain.slots import Face
from studio.domain.table import Dealt, Draw, Incident, Table
from studio.domain.views import BACK


def rulings_view(table: Table, now: Instant, present: tuple[PresenceView, ...]) -> RulingsView:
    """Return what a supervisor needs to put the table right."""
    return RulingsView(
        draws=draws_view(table),
        scan=_scan(table),
        proposals=proposals_view(table, now),
        claims=tuple(
            ClaimView(
                one.number, one.owner, one.owner_name, one.offered_to, one.absent_stage, _absent(table, one, now)
            )
            for one in table.incidents
        ),
        notices=public_notices(table),
        present=present,
    )


def _absent(table: Table, incident: Incident, now: Instant) -> int | None:
    due_ns = absence_of_ns(table, incident)
    return None if due_ns is None else due_ns + now.wall_ns - now.monotonic_ns


def draws_view(table: Table) -> tuple[DrawView, ...]:
    """Return the round's cards by their draws, a hidden one as a back."""
    current = table.round
    if current is None or table.round_start is None:
        return ()
    views = [_dealt(one, mark_of(current, one.draw), revealed=current.hole_revealed) for one in current.draws]
    views += [_aside(one) for one in table.loose]
    return tuple(sorted(views, key=lambda one: one.draw))


def _dealt(dealt: Dealt, mark: Mark, *, revealed: bool) -> DrawView:
    is_shown = dealt.face is Face.UP or revealed
    code = dealt.card.code if is_shown else BACK
    if dealt.hand is None:
        return DrawView(dealt.draw, code, "dealer", 0, 0, mark)
    return DrawView(dealt.draw, code, str(dealt.hand), dealt.hand.seat, dealt.hand.number, mark)


def _aside(draw: Draw) -> DrawView:
    return DrawView(draw.number, BACK, "unread" if draw.card is None else "held", 0, 0, Mark.READ)


def _scan(table: Table) -> FeltScanView | None:
    scan = table.scan
    if scan is None:
        return None
    read = len(scan.read)
    due = scan.draws[read] if read < len(scan.draws) else None
    return FeltScanView(scan.incident, len(scan.draws), read, due, scan.differing or ())


def proposals_view(table: Table, now: Instant, kind: ActKind | None = None) -> tuple[ProposalView, ...]:
    """Return the open proposals, those of one kind where it is given."""
    return tuple(_proposal(one, now) for one in table.proposals if kind in {None, one.act.kind})


def _proposal(one: Proposal, now: Instant) -> ProposalView:
    return ProposalView(
        number=one.number,
        kind=one.act.kind,
        words=proposals.words(one.act),
        reason=one.act.reason,
        text=one.act.text,
        by=one.by,
        name=one.name,
        approved_by=one.approved_by,
        expires_wall_ns=now.wall_ns + one.expires_ns - now.monotonic_ns,
        draw=one.act.draw,
    )


def message_of(notice: Notice) -> MessageView:
    """Return what a notice tells, as the consoles' catalogue has it."""
    return MessageView(notice.key, {"round": str(notice.round)})


def public_notices(table: Table) -> tuple[NoticeView, ...]:
    """Return the rulings that everybody at the table is told of; what one did to one's money is one's own."""
    return tuple(
        NoticeView(one.number, one.round, message_of(one), 0) for one in current_notices(table) if not one.players
    )


def notices_of(table: Table, player: str) -> tuple[NoticeView, ...]:
    """Return the rulings that touch a player: those of the whole table, and those that moved their money."""
    found = []
    for one in current_notices(table):
        amount = sum(each for who, each in zip(one.players, one.amounts, strict=True) if who == player)
        if not one.players or player in one.players:
            found.append(NoticeView(one.number, one.round, message_of(one), amount))
    return tuple(found)
