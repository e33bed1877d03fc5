"""The players: seeded bets and answers, each noted on the felt as the player knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.campaign.core import OPERATOR
from studio.campaign.faults import Fault, Moment
from studio.campaign.felt import Stake
from studio.domain.actions import Action
from studio.domain.answers import Decided, Rejected
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.commands import AnswerInsurance, Decide, PassDeadline, PlaceBets
from studio.domain.hands import total
from studio.domain.people import SYSTEM, Actor, Role
from studio.domain.phases import is_insurance_open, legal_actions, open_deadline_ns
from studio.domain.playing import insurance_amount
from studio.domain.rules import Layout
from studio.domain.shared_commands import Choosing, DecideAll, InsureAll, Insuring
from studio.domain.slots import HandId
from studio.domain.table import Question, Round

if TYPE_CHECKING:
    from studio.campaign.game import Game

_SILENT = 0.03
_INSURES = 0.4
_STANDS_FROM = 16
_WEIGHTS = {Action.HIT: 4, Action.STAND: 3, Action.DOUBLE: 2, Action.SPLIT: 5, Action.SURRENDER: 1}


def place_bets(game: Game) -> bool:
    """Place the round's bets; return whether there was anything left to place."""
    current = game.core.table.round
    if current is None or current.bets:
        return False
    shared = game.rules.layout is Layout.SHARED_HAND
    count = game.rng.randint(2, 5) if shared else game.rng.randint(1, min(4, game.rules.seats))
    seats = [1] * count if shared else sorted(game.rng.sample(range(1, game.rules.seats + 1), count))
    # Who sits stays at a seat, so each seat has a player of its own.
    game.players = tuple(f"p{number if shared else seats[number]}" for number in range(count))
    bets = [
        Bet(player, seat, BetKind.MAIN, 100 * game.rng.randint(1, 20))
        for player, seat in zip(game.players, seats, strict=True)
    ]
    for bet in bets:
        if not shared:
            game.felt.stakes[HandId(bet.seat, 1)] = Stake(bet.player, bet.amount)
    sent = game.core.send(PlaceBets(tuple(Placement((bet,), funded=True) for bet in bets)), OPERATOR)
    game.must(sent)
    if isinstance(sent, Decided):
        for refusal in filter(None, sent.items):
            game.must(refusal)
    return True


def answer(game: Game) -> None:
    """Answer whatever is asked, or stay silent until the deadline."""
    current = game.core.table.round
    if current is None or game.core.table.is_stopped:
        return
    if is_insurance_open(current):
        _insure(game, current)
    elif current.question is not None:
        _decide(game, current, current.question)
    else:
        game.core.wait(1)


def _insure(game: Game, current: Round) -> None:
    if current.shared is not None:
        answers = tuple(
            Insuring(player, game.rng.random() < _INSURES, funded=True)
            for player in game.players
            if not current.shared.insurance_answered[current.shared.places[player]]
        )
        game.core.send(InsureAll(answers), OPERATOR)
        return
    answered = {(seat, player) for seat, player, _ in current.insurance.answers} if current.insurance else set()
    for seat, player in current.insurable():
        if (seat, player) in answered:
            continue
        take = game.rng.random() < _INSURES
        cost = insurance_amount(game.core.table, seat, player)
        sent = game.core.send(AnswerInsurance(player, seat, take, funded=True), _player(player))
        if take and isinstance(sent, Decided):
            game.felt.insured[seat, player] = cost


def _decide(game: Game, current: Round, question: Question) -> None:
    if game.take(Moment.WAIT, Fault.LATE_DECISION):
        _decide_late(game, current, question)
    elif game.rng.random() < _SILENT:
        _run_out(game)
    elif current.shared is not None:
        _decide_shared(game, current, question)
    else:
        hand = current.hand(question.hand)
        action = _choose(game, current, question)
        sent = game.core.send(Decide(hand.player, question.number, action, funded=True), _player(hand.player))
        if isinstance(sent, Rejected) and not game.core.table.is_stopped:
            game.must(sent)


def _decide_shared(game: Game, current: Round, question: Question) -> None:
    shared = current.shared
    if shared is None:
        return
    asked = [one for one in game.players if shared.is_asked(shared.places[one], question.hand.number)]
    if not asked:
        _run_out(game)
        return
    choices = tuple(Choosing(one, _choose(game, current, question), funded=True) for one in asked)
    game.core.send(DecideAll(question.number, choices), OPERATOR)


def _choose(game: Game, current: Round, question: Question) -> Action:
    hand = current.hand(question.hand)
    legal = legal_actions(game.rules, current, hand)
    if total(game.felt.cards(hand.id)).points >= _STANDS_FROM and Action.SPLIT not in legal:
        return Action.STAND
    return game.rng.choices(legal, [_WEIGHTS[one] for one in legal])[0]


def _decide_late(game: Game, current: Round, question: Question) -> None:
    """The answer comes after the deadline, for a question that is over."""
    who, hand = game.players[0], current.hand(question.hand)
    action = _choose(game, current, question)
    _run_out(game)
    if current.shared is not None:
        sent = game.core.send(DecideAll(question.number, (Choosing(who, action, funded=True),)), OPERATOR)
    else:
        sent = game.core.send(Decide(hand.player, question.number, action, funded=True), _player(hand.player))
    if isinstance(sent, Rejected):
        game.found(Fault.LATE_DECISION)


def _run_out(game: Game) -> None:
    """Let the open window pass its deadline."""
    deadline_ns = open_deadline_ns(game.core.table.round)
    if deadline_ns is not None:
        game.core.wait(max(0, deadline_ns - game.core.now.monotonic_ns) / 1_000_000_000 + 0.001)
    game.core.send(PassDeadline(), SYSTEM)


def _player(name: str) -> Actor:
    return Actor(name, name, Role.PLAYER)
