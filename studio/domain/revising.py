"""Revisions: a settled round settled again with the right cards, by compensating entries alone (C08, C31).

Nothing is voided and no decision is asked again: the result follows the cards as they were. A round that would
have needed another card, or in which a decision could not have been taken, cannot be revised.
"""

from __future__ import annotations

from collections import Counter

from studio.domain.answers import Answer, Rejected
from studio.domain.bets import ResultBatch
from studio.domain.changes import Change, Unlawful
from studio.domain.correction_commands import (
    ReviseRound,
    Settled,
)
from studio.domain.events import Act, ActKind, RoundRevised
from studio.domain.evolve import evolve
from studio.domain.people import Actor
from studio.domain.phases import Phase, phase
from studio.domain.proposals import propose
from studio.domain.replay import replay
from studio.domain.settlement import settle
from studio.domain.table import Table


def propose_revision(table: Table, command: ReviseRound, actor: Actor, now_ns: int) -> Answer:
    """Propose a revision that could be made now."""
    act = Act(ActKind.REVISE_ROUND, command.reason, command.text, round=command.round, changes=command.changes)
    revised = revision(table, act, command.settled)
    return revised if isinstance(revised, Rejected) else propose(table, act, actor, now_ns)


def revision(table: Table, act: Act, settled: Settled | None) -> RoundRevised | Rejected:
    """Return the revision of a settled round, or why it cannot be made."""
    hours = table.setup.profile.mispay_window
    if settled is None:
        return Rejected(
            "no-such-round", f"Round {act.round} of this table is not settled; look at its number again"
        )
    if settled.hours >= hours:
        return Rejected("too-late", f"A round can be revised for {hours} hours after its settlement")
    results = revised_results(settled, act.changes)
    if isinstance(results, Rejected):
        return results
    owed = differences(settled.results, results)
    bearable = dict(settled.bearable)
    moved = tuple(
        max(amount, -bearable.get(player, 0)) if amount < 0 else amount for player, amount in owed.items()
    )
    return RoundRevised(
        act.round, act.changes, results, tuple(owed), tuple(owed.values()), moved, act.reason, act.text
    )


def revised_results(settled: Settled, changes: tuple[Change, ...]) -> ResultBatch | Rejected:
    """Return the round's results with the changes, or why they cannot be told."""
    if not changes:
        return Rejected("wrong-changes", "Say which cards of the round were others")
    after = replay(settled.table, changes, evolve, settled=True)
    if isinstance(after, Unlawful):
        return Rejected(after.code, after.text)
    if after.round is None or phase(after) is not Phase.COMMIT or after.loose:
        return Rejected(
            "cards-missing", "With these cards the round would have needed another one: it has no result"
        )
    return settle(after.setup.rules, after.round)


def differences(before: ResultBatch, after: ResultBatch) -> dict[str, int]:
    """Return what each player is owed (or owes, negative) by a revision; who is owed nothing is not named."""
    owed: Counter[str] = Counter()
    for results, sign in ((after, 1), (before, -1)):
        for group in results.groups:
            for player, stake, returned in zip(group.players, group.stakes, group.returned, strict=True):
                owed[player] += sign * (returned - stake)
    return {player: amount for player, amount in sorted(owed.items()) if amount}
