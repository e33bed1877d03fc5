"""Players of every kind of game, by a seed: what they want of a table next. They often want what they cannot have.

It looks at the table alone and changes nothing; it knows neither money nor clocks.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from studio.domain.actions import Action
from studio.domain.bets import SIDE_BETS, Bet, BetKind, Placement
from studio.domain.commands import (
    AnswerFollow,
    AnswerInsurance,
    Command,
    Decide,
    LeaveSeat,
    PlaceBets,
    PlanAction,
    SetFollowing,
    TakeSeat,
)
from studio.domain.phases import Phase, legal_actions, phase
from studio.domain.rules import Layout
from studio.domain.shared_commands import (
    Choosing,
    DecideAll,
    InsureAll,
    Insuring,
)
from studio.domain.table import Follow, Question, Round, Table
from studio.runtime.inbox import Done, Outcome, Refused

_UNANSWERED_SHARE = 0.1
_BOLD_SHARE = 0.6
_PLAN_SHARE = 0.2
_HABIT_SHARE = 0.05
_BOLD = frozenset({Action.DOUBLE, Action.SPLIT})
_UNIT = 10

Wish = tuple[str, Command]
"""Who wants what."""


class SeededPlayers:
    """Some players; ask :meth:`wishes`, submit them, and tell what became of each with :meth:`learn`."""

    def __init__(self, seed: int, names: Sequence[str]) -> None:
        self._chance = random.Random(f"{seed}/players")  # noqa: S311 - reproducible
        self._names = tuple(names)
        self.refused: Counter[str] = Counter()

    def learn(self, command: Command, outcome: Outcome) -> None:  # noqa: ARG002 - the command is for the reader
        """Count what was refused, by its code."""
        match outcome:
            case Refused(rejected):
                self.refused[rejected.code] += 1
            case Done(items=items):
                self.refused.update(item.code for item in items if item is not None)
            case _:
                pass

    def wishes(self, table: Table) -> Iterator[Wish]:
        """Yield what players want at this moment; often nothing, so that deadlines pass."""
        current = table.round
        if phase(table) is Phase.BETTING:
            yield from self._betting(table)
        elif current is None or self._chance.random() < _UNANSWERED_SHARE:
            return
        elif current.follow is not None:
            yield from self._follow(current, current.follow)
        elif current.question is not None:
            yield from self._planning(table, current)
            yield from self._decision(table, current, current.question)
        elif current.insurance is not None and not current.insurance.closed:
            yield from self._insurance(current)

    def _betting(self, table: Table) -> Iterator[Wish]:
        for _ in range(self._chance.randint(1, 3)):
            name = self._chance.choice(self._names)
            if table.setup.rules.layout is Layout.SEATS:
                yield from self._seats(table, name)
            bets = self._bets(table, name)
            yield name, PlaceBets(tuple(Placement((bet,)) for bet in bets))
            if table.setup.rules.layout is Layout.SINGLE_HAND:
                return

    def _seats(self, table: Table, name: str) -> Iterator[Wish]:
        seat = self._seat(table)
        if self._chance.random() < _HABIT_SHARE:
            yield name, TakeSeat(name, seat)
        if self._chance.random() < _HABIT_SHARE:
            yield name, LeaveSeat(name, seat)
        if table.setup.rules.bet_behind and self._chance.random() < _HABIT_SHARE:
            answers = (None, True, False)
            yield name, SetFollowing(name, self._chance.choice(answers), self._chance.choice(answers))

    def _bets(self, table: Table, name: str) -> list[Bet]:
        """Return a main bet, then what else the game offers: on a seat of one's own or on another's."""
        rules = table.setup.rules
        seat = self._seat(table)
        bets = [Bet(name, seat, BetKind.MAIN, self._amount())]
        taken = [one.seat for one in table.seats]
        if rules.bet_behind and taken and self._chance.random() < _BOLD_SHARE:
            bets.append(Bet(name, self._chance.choice(taken), BetKind.BEHIND, self._amount()))
        for kind, key in SIDE_BETS.items():
            if key in rules.side_bets and self._chance.random() < _BOLD_SHARE:
                bets.append(Bet(name, self._chance.choice((seat, *taken)), kind, self._amount()))
        return bets

    def _seat(self, table: Table) -> int:
        return self._chance.randint(1, table.setup.rules.seats)

    def _amount(self) -> int:
        """Return an amount in minor units: sometimes under the minimum of 100."""
        return self._chance.randint(1, 100) * _UNIT

    def _follow(self, current: Round, follow: Follow) -> Iterator[Wish]:
        for bet in current.riders(follow.hand):
            if bet.player not in follow.answered and self._chance.random() < _BOLD_SHARE:
                yield bet.player, AnswerFollow(bet.player, follow.hand, self._is_bold(), funded=False)

    def _planning(self, table: Table, current: Round) -> Iterator[Wish]:
        for hand in current.hands:
            legal = legal_actions(table.setup.rules, current, hand)
            if legal and current.shared is None and self._chance.random() < _PLAN_SHARE:
                yield hand.player, PlanAction(hand.player, hand.id, self._chance.choice((None, *legal)))

    def _decision(self, table: Table, current: Round, question: Question) -> Iterator[Wish]:
        hand = current.hand(question.hand)
        legal = legal_actions(table.setup.rules, current, hand)
        shared = current.shared
        if shared is None:
            yield hand.player, Decide(hand.player, question.number, self._action(legal), funded=False)
            return
        for place, name in enumerate(shared.players):
            if shared.is_asked(place, hand.id.number):
                yield name, DecideAll(question.number, (Choosing(name, self._action(legal)),))

    def _action(self, legal: tuple[Action, ...]) -> Action:
        bold = sorted(_BOLD.intersection(legal))
        return self._chance.choice(bold if bold and self._is_bold() else legal)

    def _is_bold(self) -> bool:
        return self._chance.random() < _BOLD_SHARE

    def _insurance(self, current: Round) -> Iterator[Wish]:
        if current.shared is not None:
            for name in current.shared.players:
                yield name, InsureAll((Insuring(name, self._is_bold()),))
            return
        for seat, name in current.insurable():
            yield name, AnswerInsurance(name, seat, self._is_bold(), funded=False)
