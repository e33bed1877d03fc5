"""The faults that happen while no card is due: surplus cards, cards seen or collected too soon, conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from studio.campaign import conditions
from studio.campaign.core import DEALER
from studio.campaign.faults import Fault, Moment
from studio.campaign.felt import Paper
from studio.domain.commands import Disagree, ReportMisdeal
from studio.domain.hands import total
from studio.domain.phases import Phase, phase
from studio.domain.slots import HandId
from studio.domain.tiles import Tile

if TYPE_CHECKING:
    from studio.campaign.game import Game

_INITIAL: Final = 2


def in_waiting(game: Game) -> bool:
    """Let the first fault that can happen while no card is due happen; return whether one did."""
    if game.core.table.is_stopped:
        return False
    return game.first(Moment.WAIT, lambda fault: fault in _IN_WAITING and _IN_WAITING[fault](game, fault))


def at_commit(game: Game) -> bool:
    """Let a fault at the result happen; return whether one did."""
    fault = None if game.core.table.is_stopped else game.take(Moment.COMMIT)
    if fault is Fault.OVERDRAW:
        game.core.wait(1)
        game.draw_aside()
    elif fault is Fault.DISAGREE_WRONGLY:
        game.core.send(Disagree(), DEALER)
    return fault is not None


def _extra(game: Game, fault: Fault) -> bool:
    if phase(game.core.table) not in {Phase.DECISIONS, Phase.INSURANCE}:
        return False
    game.inject(fault)
    game.core.wait(1)
    paper = game.draw_aside()
    if fault is Fault.EXTRA_EXPOSED and paper in game.felt.aside and game.core.table.is_stopped:
        game.core.send(ReportMisdeal(Tile.EXPOSED), DEALER)
    return True


def _hole_exposed(game: Game, fault: Fault) -> bool:
    current = game.core.table.round
    if current is None or current.hole_revealed or len(game.felt.cards(None)) < _INITIAL:
        return False
    game.inject(fault)
    if game.core.table.setup.camera is not None and not game.eye.dead:
        game.eye.peeked = True
        game.eye.look()
        game.eye.peeked = False
    else:
        game.core.send(ReportMisdeal(Tile.EXPOSED), DEALER)
    return True


def _early_collect(game: Game, fault: Fault) -> bool:
    current = game.core.table.round
    if current is None or game.eye.dead:
        return False
    game.eye.look()
    game.core.wait(1)
    live = [
        hand.id
        for hand in current.hands
        if hand.id.number == 1 and hand.cards and not total(hand.cards).is_bust and _stays(game, hand.id)
    ]
    if not live or game.core.table.is_stopped:
        return False
    game.inject(fault)
    for paper in game.felt.hands[game.rng.choice(live)]:
        paper.seen = False
    game.eye.look()
    return True


def _stays(game: Game, hand: HandId) -> bool:
    stake = game.felt.stakes.get(hand)
    papers: list[Paper] = game.felt.hands.get(hand, [])
    return bool(papers) and all(one.seen for one in papers) and not (stake and stake.gave_up)


_IN_WAITING: Final[dict[Fault, Callable[[Game, Fault], bool]]] = {
    Fault.EXTRA_UNEXPOSED: _extra,
    Fault.EXTRA_EXPOSED: _extra,
    Fault.HOLE_EXPOSED: _hole_exposed,
    Fault.EARLY_COLLECT: _early_collect,
    Fault.REVERSE: conditions.reverse,
    Fault.RESTART: conditions.restart,
    Fault.CLOCK_JUMP: conditions.warn,
    Fault.DISK_LOW: conditions.warn,
    Fault.COMMIT_FAILED: conditions.warn,
}
