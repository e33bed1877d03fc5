"""What a table does on a standing word: planned actions, standing follow answers, betting that opens itself.

Pure: a table in, the submissions that are due out, each with a cause of its own so that it is sent once.
"""

from __future__ import annotations

from collections.abc import Iterator

from studio.domain.actions import Action
from studio.domain.answers import Accepted
from studio.domain.commands import AnswerFollow, Decide, OpenBetting
from studio.domain.instants import Instant
from studio.domain.people import SYSTEM, Actor, Role
from studio.domain.playing import planned_action
from studio.domain.procedures import open_betting
from studio.domain.table import Table
from studio.runtime.inbox import Submission


def standing_submissions(table: Table, at: Instant) -> Iterator[Submission]:
    """Yield what is due on a standing word right now; while the table is stopped nothing is."""
    if table.is_stopped:
        return
    yield from _planned(table)
    yield from _following(table)
    if table.setup.opens_itself and isinstance(open_betting(table, OpenBetting(), at), Accepted):
        yield Submission(OpenBetting(), SYSTEM, f"opens itself: round {table.rounds + 1}")


def _planned(table: Table) -> Iterator[Submission]:
    """R8: the action chosen ahead, where it is still legal; else the hand stays asked."""
    current, action = table.round, planned_action(table)
    if current is None or current.question is None or action is None:
        return
    player = current.hand(current.question.hand).player
    number = current.question.number
    cause = f"planned: round {current.number}, decision {number}"
    yield Submission(Decide(player, number, action, False), _player(player), cause)


def _following(table: Table) -> Iterator[Submission]:
    """B8, B9: a standing preference answers the question."""
    current = table.round
    follow = current.follow if current else None
    if current is None or follow is None or follow.deadline_ns is None:
        return
    standing = {one.player: one for one in table.following}
    for rider in current.riders(follow.hand):
        wish = standing.get(rider.player)
        if wish is None or rider.player in follow.answered:
            continue
        follows = wish.double if follow.action is Action.DOUBLE else wish.split
        if follows is not None:
            cause = f"following: round {current.number}, {follow.hand} {follow.action}, {rider.player}"
            command = AnswerFollow(rider.player, follow.hand, follows, False)
            yield Submission(command, _player(rider.player), cause)


def _player(name: str) -> Actor:
    return Actor(name, name, Role.PLAYER)
