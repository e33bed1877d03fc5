"""The pure engine alone: seeded rounds on every seat through ``decide``, timed in processor time.

One core, no journal, no clock, no network. Each round is played once to learn its commands, and decided once more
against the clock, so that what is timed is ``decide`` and nothing of the people who are played here.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from studio.domain.actions import Action
from studio.domain.answers import Rejected
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.cards import DECK, Card
from studio.domain.commands import (
    AnswerInsurance,
    CloseBetting,
    Command,
    CommitResult,
    Decide,
    OpenBetting,
    OpenTable,
    PlaceBets,
    SignOn,
)
from studio.domain.decide import decide
from studio.domain.hands import total
from studio.domain.instants import Instant
from studio.domain.people import SYSTEM, Actor, Role
from studio.domain.phases import Phase, legal_actions, phase
from studio.domain.record_commands import (
    RecordReader,
    RecordSighting,
)
from studio.domain.setup import TableSetup
from studio.domain.shoe import ShoeStep
from studio.domain.shoe_commands import ConfirmShoeStep
from studio.domain.sightings import CardRead, CutCardRead, Reading, Sighting, SightingId
from studio.domain.table import Hand, Round, RoundEnd, Table

_NANOSECONDS: Final = 1_000_000_000
_CARD_NS: Final = _NANOSECONDS
"""Time between two cards; everything else takes none, so that no deadline passes."""
_QUIET_NS: Final = 10 * _NANOSECONDS
"""The rest after a burn, so that the first card dealt is not taken for one more burned (S2)."""
_DEALER: Final = Actor("dealer", "Dealer", Role.DEALER)
_STANDS_FROM: Final = 17
_DOUBLES: Final = frozenset({10, 11})
_PAIRS_SPLIT: Final = frozenset({1, 8})


@dataclass(frozen=True, slots=True)
class EngineFigures:
    """What was played, and the processor time of this process that it took."""

    rounds: int
    commands: int
    events: int
    cpu_seconds: float

    @property
    def rounds_per_second(self) -> float:
        """Full rounds per second on one core."""
        return self.rounds / self.cpu_seconds


def measure_engine(setup: TableSetup, rounds: int, *, seed: int = 1) -> EngineFigures:
    """Play ``rounds`` with a bet on every seat, and time them; shoes are loaded and burned off the clock."""
    played = PlayedTable(setup, seed)
    commands = events = spent_ns = 0
    for _ in range(rounds):
        played.prepare_shoe()
        before = played.table
        script = played.play_round()
        began_ns = time.process_time_ns()
        after, happened = decide_all(before, script)
        spent_ns += time.process_time_ns() - began_ns
        if after != played.table:
            message = "the same commands led to another table: the engine is not pure"
            raise RuntimeError(message)
        commands += len(script)
        events += happened
    return EngineFigures(rounds, commands, events, spent_ns / _NANOSECONDS)


Script: TypeAlias = Sequence[tuple[Command, Actor, Instant]]
"""Commands in order, who gave each and when; none of them is refused."""


def decide_all(table: Table, script: Script) -> tuple[Table, int]:
    """Decide a whole script; return the table after it and how many events that took."""
    events = 0
    for command, actor, at in script:
        answer = decide(table, command, actor, at)
        if isinstance(answer, Rejected):
            message = f"{command} was refused: {answer.text}"
            raise ValueError(message)  # noqa: TRY004 - an answer of either type is expected, this one is unwanted
        if answer.steps:
            events += len(answer.steps)
            table = answer.steps[-1].after
    return table, events


class PlayedTable:
    """A table in memory with its dealer, its shoe and a player on every seat."""

    def __init__(self, setup: TableSetup, seed: int) -> None:
        self.table = Table(setup)
        self._script: list[tuple[Command, Actor, Instant]] = []
        self._random = random.Random(seed)  # noqa: S311 - the same seed plays the same rounds
        self._now_ns = 0
        self._load = 0
        self._shoe: list[Card] = []
        self._players = tuple(
            Actor(f"player-{seat}", f"Player {seat}", Role.PLAYER) for seat in range(1, setup.rules.seats + 1)
        )
        self._reader = Actor(setup.reader, setup.reader, Role.DEVICE)
        self._do(OpenTable(), SYSTEM)
        self._do(SignOn("9999-12-31", licence_valid=True), _DEALER)

    def prepare_shoe(self) -> Script:
        """Load, shuffle and burn a shoe where none is in play; return the commands since the last round."""
        if self.table.shoe is not None:
            return self._taken()
        setup = self.table.setup
        self._load += 1
        self._shoe = list(DECK) * setup.rules.decks
        self._random.shuffle(self._shoe)
        self._do(RecordReader(setup.reader, True, self._load, 0), self._reader)
        for step in ShoeStep:
            self._do(ConfirmShoeStep(step), _DEALER)
        while not self._is_burnt():
            self._pull()
        self._now_ns += _QUIET_NS
        return self._taken()

    def _taken(self) -> Script:
        script, self._script = self._script, []
        return script

    def _is_burnt(self) -> bool:
        return self.table.shoe is not None and self.table.shoe.is_burnt

    def play_round(self) -> Script:
        """Play one round from the opened betting until it is closed; return the commands that it took."""
        self._do(OpenBetting(), _DEALER)
        amount = self.table.setup.limits.minimum
        for seat, player in enumerate(self._players, start=1):
            self._do(PlaceBets((Placement((Bet(player.id, seat, BetKind.MAIN, amount),), funded=True),)), player)
        self._do(CloseBetting(), _DEALER)
        while (current := self.table.round) is not None and current.end is not RoundEnd.CLOSED:
            self._go_on(current)
        return self._taken()

    def _go_on(self, current: Round) -> None:
        """Do the one thing that the round waits for."""
        if current.question is not None:
            hand = current.hand(current.question.hand)
            player = self._players[hand.id.seat - 1]
            action = self._choice(current, hand)
            self._do(Decide(player.id, current.question.number, action, True), player)
        elif current.insurance is not None and not current.insurance.closed:
            player = self._players[len(current.insurance.answers)]
            seat = len(current.insurance.answers) + 1
            self._do(AnswerInsurance(player.id, seat, take=seat == 1, funded=True), player)
        elif current.hole_revealed and phase(self.table) is Phase.COMMIT:
            self._do(CommitResult(), _DEALER)
        else:
            self._pull()

    def _choice(self, current: Round, hand: Hand) -> Action:
        """Play simply, and use every action that costs the engine work."""
        legal = legal_actions(self.table.setup.rules, current, hand)
        points = total(hand.cards).points
        for action, wanted in (
            (Action.SPLIT, hand.cards[0].value in _PAIRS_SPLIT),
            (Action.DOUBLE, points in _DOUBLES),
            (Action.HIT, points < _STANDS_FROM),
        ):
            if wanted and action in legal:
                return action
        return Action.STAND

    def _pull(self) -> None:
        """Draw one card; the cut card lies before the last ``cut_position`` ones."""
        self._now_ns += _CARD_NS
        if len(self._shoe) == self.table.setup.cut_position:
            self._read(CutCardRead())
        self._read(CardRead(self._shoe.pop()))

    def _read(self, reading: Reading) -> None:
        ordinal = self.table.setup.rules.decks * len(DECK) - len(self._shoe)
        identity = SightingId(self._reader.id, self._load, ordinal)
        self._do(RecordSighting(Sighting(identity, reading, self._now_ns)), self._reader)

    def _do(self, command: Command, actor: Actor) -> None:
        step = (command, actor, Instant(self._now_ns, self._now_ns))
        self._script.append(step)
        self.table, _ = decide_all(self.table, (step,))
