"""What the screen says, done on the felt: cards are laid, taken away and moved as the dealer is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.campaign import judge
from studio.campaign.felt import Felt
from studio.domain.actions import Action
from studio.domain.anomalies import AnomalyKind
from studio.domain.answers import Step
from studio.domain.events import (
    AnomalyDetected,
    BettingOpened,
    CardBurned,
    CardDealt,
    CardDiscarded,
    DecisionTaken,
    Event,
    HandsDied,
    RoundClosed,
    RoundSettled,
    RoundVoided,
    SharedWindowClosed,
)
from studio.domain.rules import Layout
from studio.domain.slots import HandId, Slot
from studio.domain.table import Table

if TYPE_CHECKING:
    from studio.campaign.game import Game


def follow(game: Game, step: Step) -> None:
    """Follow one step of the core."""
    match step.event:
        case BettingOpened():
            _begin(game, step.after)
        case AnomalyDetected(_, kind) if kind is not AnomalyKind.SUPERVISOR_STOP:
            game.tally.alarm(kind, game.active, stops=step.after.incidents[-1].stops)
        case RoundSettled():
            judge.settled(game, step.before, step.event)
        case RoundVoided():
            game.tally.voided += 1
            game.is_void = True
        case RoundClosed():
            judge.money_over(game, void=game.is_void)
            game.active = game.tally.close(game.active)
        case event:
            _on_the_felt(game, event, step.after)


def _on_the_felt(game: Game, event: Event, after: Table) -> None:
    match event:
        case CardDealt(draw, _, _, slot):
            _laid(game, draw, slot)
        case CardBurned(draw) | CardDiscarded(draw):
            game.gone(draw)
        case DecisionTaken(hand, _, action):
            _decided(game, hand, action, after)
        case SharedWindowClosed():
            _lines(game, after)
        case HandsDied(seat):
            game.felt.drop_seat(seat)
        case _:
            pass


def _begin(game: Game, table: Table) -> None:
    held = {one.number for one in table.loose}
    game.felt = Felt(aside=[one for one in game.felt.aside if one.draw in held])
    game.witnessed = set()
    game.eye.forget()
    game.before = dict(game.core.ledger)
    game.is_void = False


def _laid(game: Game, draw: int, slot: Slot) -> None:
    """A card that was beside the hands is laid where the screen says; one in a hand is known now."""
    paper = game.felt.find(draw)
    if paper is None:
        return
    if paper in game.felt.unread:
        game.felt.unread.remove(paper)
    if paper in game.felt.aside:
        game.felt.lay(paper, slot.hand)


def _decided(game: Game, hand: HandId, action: Action, after: Table) -> None:
    if game.rules.layout is Layout.SHARED_HAND:
        return
    match action:
        case Action.SPLIT:
            new = max(one.id.number for one in after.open_round.hands if one.id.seat == hand.seat)
            if len(game.felt.hands.get(hand, ())) > 1:
                game.felt.split(hand, HandId(hand.seat, new))
        case Action.DOUBLE:
            game.felt.stakes[hand].amount *= 2
        case Action.SURRENDER:
            game.felt.stakes[hand].gave_up = True
        case _:
            pass


def _lines(game: Game, after: Table) -> None:
    """I3: the split lines begin with the unsplit hand's own cards."""
    whole = game.felt.hands.get(HandId(1, 1), [])
    for hand in after.open_round.hands:
        if hand.id.number > 1 and hand.id not in game.felt.hands and len(whole) > 1:
            game.felt.hands[hand.id] = [whole[hand.id.number - 2]]
