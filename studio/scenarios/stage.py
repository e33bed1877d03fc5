"""The stage of a scenario: the table, the clock turned by hand, the ledger, and how a command reaches the core."""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from typing import Final

from studio.domain.answers import Decided, Rejected
from studio.domain.bets import ResultBatch
from studio.domain.cards import parse_card
from studio.domain.changes import CardValue, Change, DeadHand, OutOfPlay, Placed
from studio.domain.commands import Command
from studio.domain.correction_commands import Settled
from studio.domain.decide import decide
from studio.domain.events import Event, RoundSettled
from studio.domain.instants import Instant
from studio.domain.money import transfers
from studio.domain.people import Actor, Role
from studio.domain.slots import HandId
from studio.domain.table import Incident, Round, Table
from studio.scenarios.reader import MakeReader, Reader, ReaderPlace
from studio.scenarios.script import Line, Scenario, ScenarioError

DEALER: Final = Actor("dealer", "Dealer", Role.DEALER)
SUPERVISOR: Final = Actor("supervisor", "Supervisor", Role.SUPERVISOR)
SECOND_SUPERVISOR: Final = Actor("supervisor-2", "Second supervisor", Role.SUPERVISOR)
READER: Final = Actor("shoe", "shoe", Role.DEVICE)
CAMERA: Final = Actor("camera", "camera", Role.DEVICE)
SECOND_NS: Final = 1_000_000_000
_BEGINNING: Final = Instant(SECOND_NS, SECOND_NS)
_BEFORE: Final = Line(0, "the beginning", ())
_FIRST_LOAD: Final = 1
_HOUR_SECONDS: Final = 3600
_AMPLE: Final = 2**53


@dataclass(slots=True)
class PlayedScenario:
    """What came of it: the table at the end, every event, each account's sum of transfers (they sum to zero)."""

    table: Table
    events: list[Event] = field(default_factory=list)
    ledger: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Stage:
    """A table in play; ``make_reader`` says what its reader is, ``witnessed`` counts the camera's readings."""

    scenario: Scenario
    played: PlayedScenario
    make_reader: InitVar[MakeReader]
    reader: Reader = field(init=False)
    now: Instant = _BEGINNING
    line: Line = _BEFORE
    """The line that is played."""
    witnessed: int = 0
    dealer: Actor = DEALER
    refusal: str | None = None
    """The code of the refusal that came, while one is expected; ``None`` while none is."""
    _settled: tuple[Table, ResultBatch, int] | None = None

    def __post_init__(self, make_reader: MakeReader) -> None:
        """Put the reader in its place."""
        table = self.table
        ordinal = table.shoe.drawn if table.shoe else 0
        decks = table.setup.rules.decks
        self.reader = make_reader(
            ReaderPlace(READER.id, decks, _FIRST_LOAD, ordinal, lambda: self.now, self._record)
        )

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.played.table

    @property
    def round(self) -> Round:
        """The round in play; raise :class:`ScenarioError` while there is none."""
        if self.table.round is None:
            message = "no round is open"
            raise ScenarioError(message)
        return self.table.round

    def newest(self, line: Line, kind: str | None = None) -> Incident:
        """Return the incident opened last (of a kind)."""
        found = [one for one in self.table.incidents if kind in {None, one.kind}]
        if not found:
            message = f"{line}: no such incident is open"
            raise ScenarioError(message)
        return found[-1]

    def settled(self) -> Settled | None:
        """Return the round settled last as a revision needs it; every player's balance bears what is taken."""
        if self._settled is None:
            return None
        table, results, at_ns = self._settled
        hours = (self.now.monotonic_ns - at_ns) / SECOND_NS / _HOUR_SECONDS
        return Settled(table, results, hours, tuple((f"P{seat}", _AMPLE) for seat in self.scenario.bets))

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.wait_until(self.now.monotonic_ns + int(seconds * SECOND_NS))

    def wait_until(self, at_ns: int) -> None:
        """Let time pass up to a moment, and the reader do what it does by itself until then."""
        while (due_ns := self.reader.next_due_ns()) is not None and due_ns <= at_ns:
            self.now = Instant(due_ns, due_ns)
            self.reader.tick()
        self.now = Instant(at_ns, at_ns)

    def _record(self, command: Command) -> None:
        self.must(self.line, command, READER)

    def must(self, line: Line, command: Command, actor: Actor) -> None:
        """Have a command decided; raise :class:`ScenarioError` for a refusal that no line expects."""
        answer = decide(self.table, command, actor, self.now)
        refusal = answer if isinstance(answer, Rejected) else next((one for one in answer.items if one), None)
        if refusal is not None:
            if self.refusal is None:
                message = f"{line}: refused with {refusal.code}: {refusal.text}"
                raise ScenarioError(message)
            self.refusal = self.refusal or refusal.code
        if isinstance(answer, Decided):
            for step in answer.steps:
                self.played.events.append(step.event)
                for move in transfers(step.before, step.event):
                    ledger = self.played.ledger
                    ledger[move.source] = ledger.get(move.source, 0) - move.amount
                    ledger[move.target] = ledger.get(move.target, 0) + move.amount
                if isinstance(step.event, RoundSettled):
                    self._settled = (step.before, step.event.results, self.now.monotonic_ns)
                self.played.table = step.after


def only(line: Line) -> str:
    """Return the one word of a line."""
    if len(line.words) != 1:
        message = f"{line}: takes one word"
        raise ScenarioError(message)
    return line.words[0]


def player(seat: int) -> Actor:
    """Return the player of a seat."""
    return Actor(f"P{seat}", f"P{seat}", Role.PLAYER)


def hand_of(place: str) -> HandId | None:
    """Return the hand that a place names: ``dealer``, ``3`` (seat 3, hand 1) or ``3.2``."""
    if place == "dealer":
        return None
    seat, _, number = place.partition(".")
    return HandId(int(seat), int(number or 1))


def change_of(word: str) -> Change:
    """Return a change: ``5=KH`` a value, ``5>3`` a place, ``5!`` out of play, ``seat3`` a dead hand."""
    if word.startswith("seat"):
        return DeadHand(int(word.removeprefix("seat")))
    if word.endswith("!"):
        return OutOfPlay(int(word[:-1]))
    draw, value, code = word.partition("=")
    if value:
        return CardValue(int(draw), parse_card(code))
    draw, _, place = word.partition(">")
    return Placed(int(draw), hand_of(place))
