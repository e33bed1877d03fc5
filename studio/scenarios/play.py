"""Plays a scenario through ``decide``: readings, people and supervisors in, and each expectation checked.

The clock is turned by hand, a second between cards. What a line expects and does not find raises
:class:`studio.scenarios.script.ScenarioError`, which names the line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from studio.domain.actions import Action
from studio.domain.anomalies import WayOut
from studio.domain.answers import Decided, Rejected
from studio.domain.bets import Bet, BetKind, Placement, ResultBatch
from studio.domain.cards import parse_card
from studio.domain.changes import CardValue, Change, DeadHand, OutOfPlay, Placed
from studio.domain.commands import (
    AnswerInsurance,
    CloseBetting,
    Command,
    CommitResult,
    Decide,
    Disagree,
    OpenBetting,
    PassDeadline,
    PlaceBets,
    RecordReader,
    RecordRestart,
    RecordSighting,
    ReportBoxedCard,
    ReportMisdeal,
    ResolveIncident,
    Suspend,
    VoidRound,
)
from studio.domain.correction_commands import ApproveProposal, ReviseRound, Settled
from studio.domain.decide import decide, next_alarm_ns
from studio.domain.events import Event, RoundSettled
from studio.domain.hands import total
from studio.domain.incidents import ways_out
from studio.domain.instants import Instant
from studio.domain.money import player_account, transfers
from studio.domain.people import SYSTEM, Actor, Role
from studio.domain.phases import open_deadline_ns, phase
from studio.domain.projections import dealer_view
from studio.domain.sightings import (
    CardRead,
    CutCardRead,
    FaceUpInShoe,
    Reading,
    Sighting,
    SightingId,
    SlotCleared,
    SlotOccluded,
    SlotOccupied,
    TwoCards,
    UnknownCode,
    Unreadable,
    WitnessReading,
)
from studio.domain.slots import HandId, Slot
from studio.domain.table import Incident, Round, Table
from studio.domain.tiles import Tile
from studio.scenarios.script import Line, Scenario, ScenarioError

DEALER: Final = Actor("dealer", "Dealer", Role.DEALER)
SUPERVISOR: Final = Actor("supervisor", "Supervisor", Role.SUPERVISOR)
SECOND_SUPERVISOR: Final = Actor("supervisor-2", "Second supervisor", Role.SUPERVISOR)
_OPERATOR: Final = Actor("scenario", "scenario", Role.OPERATOR)
READER: Final = Actor("shoe", "shoe", Role.DEVICE)
_CAMERA: Final = Actor("camera", "camera", Role.DEVICE)
_TODAY: Final = "2026-01-01"
_WITNESSED: Final[dict[str, type[WitnessReading]]] = {
    "occupied": SlotOccupied,
    "cleared": SlotCleared,
    "covered": SlotOccluded,
    "face-up": FaceUpInShoe,
    "two": TwoCards,
}
_SECOND_NS: Final = 1_000_000_000
_HOUR_SECONDS: Final = 3600
_AMPLE: Final = 2**53
_LOAD: Final = 1


@dataclass(slots=True)
class PlayedScenario:
    """What came of it: the table at the end, every event, each account's sum of transfers (they sum to zero)."""

    table: Table
    events: list[Event] = field(default_factory=list)
    ledger: dict[str, int] = field(default_factory=dict)


def play_scenario(scenario: Scenario, table: Table) -> PlayedScenario:
    """Play a scenario at a ready table; raise :class:`ScenarioError` where it does not come out as it says."""
    player = _Player(scenario, table)
    player.place_bets()
    for line in scenario.lines:
        player.obey(line)
    player.check_ledger()
    return player.played


class _Player:
    def __init__(self, scenario: Scenario, table: Table) -> None:
        self.played = PlayedScenario(table)
        self._scenario = scenario
        self._now = Instant(_SECOND_NS, _SECOND_NS)
        self._ordinal = table.shoe.drawn if table.shoe else 0
        self._expects_refusal = False
        self._refusal = ""
        self._witnessed = 0
        self._last_settled: tuple[Table, ResultBatch, int] | None = None
        self._verbs: dict[str, Callable[[Line], None]] = {
            "deal": self._deal,
            "card": self._card,
            "again": self._again,
            "unread": lambda _: self._read(Unreadable()),
            "code": lambda line: self._read(UnknownCode(_only(line))),
            "cut": lambda _: self._read(CutCardRead(), moves=False),
            "rescan": self._rescan,
            "hit": lambda line: self._act(line, Action.HIT),
            "stand": lambda line: self._act(line, Action.STAND),
            "double": lambda line: self._act(line, Action.DOUBLE),
            "split": lambda line: self._act(line, Action.SPLIT),
            "surrender": lambda line: self._act(line, Action.SURRENDER),
            "insure": lambda line: self._insure(line, take=True),
            "decline": lambda line: self._insure(line, take=False),
            "silence": lambda _: self._pass_deadline(),
            "wait": lambda line: self._wait(float(_only(line))),
            "report": self._report,
            "boxed": lambda line: self._must(line, ReportBoxedCard(), DEALER),
            "camera": self._camera,
            "tick": self._tick,
            "close": lambda line: self._must(line, CloseBetting(), DEALER),
            "open": lambda line: self._must(line, OpenBetting(), DEALER),
            "reader": self._reader,
            "restart": lambda line: self._must(line, RecordRestart(self._now.monotonic_ns), SYSTEM),
            "felt": self._felt,
            "void": lambda line: self._must(line, VoidRound(self._scenario.id, self._scenario.title), SUPERVISOR),
            "phase": self._expect_phase,
            "instruction": self._expect_instruction,
            "disagree": lambda line: self._must(line, Disagree(), DEALER),
            "suspend": lambda line: self._must(line, Suspend(self._scenario.id), SUPERVISOR),
            "confirm": lambda line: self._must(line, CommitResult(), DEALER),
            "anomaly": self._expect_anomaly,
            "none": self._expect_none,
            "offers": self._expect_offers,
            "lies": self._expect_cards,
            "net": self._expect_net,
            "resolve": self._resolve,
            "approve": self._approve,
            "revise": self._revise,
        }

    # The start

    def place_bets(self) -> None:
        """Open the betting, place every bet and close it."""
        if not self._scenario.bets:
            return
        at_start = Line(0, "bets", ())
        self._must(at_start, OpenBetting(), DEALER)
        bets = (Bet(f"P{seat}", seat, BetKind.MAIN, amount) for seat, amount in self._scenario.bets.items())
        self._must(at_start, PlaceBets(tuple(Placement((bet,), funded=True) for bet in bets)), _OPERATOR)
        if not self._scenario.betting_open:
            self._must(at_start, CloseBetting(), DEALER)

    def obey(self, line: Line) -> None:
        """Do what a line says, or check it; ``refused CODE rest`` is the rest with that refusal."""
        if line.verb == "refused":
            self._expect_refusal(line)
            return
        if (verb := self._verbs.get(line.verb)) is None:
            message = f"{line}: unknown verb; known are {', '.join(sorted((*self._verbs, 'refused')))}"
            raise ScenarioError(message)
        try:
            verb(line)
        except (ValueError, KeyError, IndexError) as error:
            if isinstance(error, ScenarioError):
                raise
            message = f"{line}: {error}"
            raise ScenarioError(message) from error

    # Cards

    def _deal(self, line: Line) -> None:
        """Cards that come as they should: none may open an incident."""
        for code in line.words:
            before = self._table.incident_count
            self._wait(1)
            self._read(CardRead(parse_card(code)))
            if self._table.incident_count != before:
                found = self._newest(line)
                message = f"{line}: {code} opened {found.kind}: {found.detail}"
                raise ScenarioError(message)

    def _card(self, line: Line) -> None:
        """Cards that may come amiss."""
        for code in line.words:
            self._wait(1)
            self._read(CardRead(parse_card(code)))

    def _again(self, line: Line) -> None:
        """The same code a tenth of a second after the last one."""
        self._wait(0.1)
        self._read(CardRead(parse_card(_only(line))))

    def _rescan(self, line: Line) -> None:
        """The unread card passed over the exit reader again, read or not (``fails``)."""
        self._wait(1)
        unread = next(draw for draw in self._table.loose if draw.card is None)
        reading = Unreadable() if _only(line) == "fails" else CardRead(parse_card(_only(line)))
        self._send(Sighting(unread.sighting, reading, self._now.monotonic_ns))

    def _felt(self, line: Line) -> None:
        """Every card of the felt over the exit reader again, in the order of the draws."""
        for code in line.words:
            self._wait(1)
            self._read(CardRead(parse_card(code)))

    def _camera(self, line: Line) -> None:
        """``camera PLACE:POSITION CODE|occupied|cleared|covered|two``, ``camera shoe face-up``."""
        place, what = line.words
        slot = None
        if place != "shoe":
            hand, _, position = place.partition(":")
            slot = Slot(_hand(hand), int(position))
        reading = _WITNESSED[what]() if what in _WITNESSED else CardRead(parse_card(what))
        self._witnessed += 1
        seen = SightingId(_CAMERA.id, 1, self._witnessed)
        sighting = Sighting(seen, reading, self._now.monotonic_ns, slot=slot, frame=f"frame-{self._witnessed}")
        self._must(line, RecordSighting(sighting), _CAMERA)

    def _tick(self, line: Line) -> None:
        """``tick SECONDS``: time passes, and what waits for the clock is done."""
        until_ns = self._now.monotonic_ns + int(float(_only(line)) * _SECOND_NS)
        while (due_ns := next_alarm_ns(self._table)) is not None and due_ns <= until_ns:
            self._now = Instant(max(due_ns, self._now.monotonic_ns), max(due_ns, self._now.monotonic_ns))
            before = len(self.played.events)
            self._must(line, PassDeadline(), SYSTEM)
            if len(self.played.events) == before:
                break
        self._now = Instant(until_ns, until_ns)

    def _read(self, reading: Reading, *, moves: bool = True) -> None:
        self._ordinal += moves
        self._send(Sighting(SightingId(READER.id, _LOAD, self._ordinal), reading, self._now.monotonic_ns))

    def _send(self, sighting: Sighting) -> None:
        self._must(Line(0, "reading", (str(sighting.reading),)), RecordSighting(sighting), READER)

    # People

    def _act(self, line: Line, action: Action) -> None:
        seat = int(_only(line))
        question = self._round.question
        number = question.number if question else self._round.questions
        self._must(line, Decide(f"P{seat}", number, action, funded=True), _player(seat))

    def _insure(self, line: Line, *, take: bool) -> None:
        for word in line.words:
            seat = int(word)
            self._must(line, AnswerInsurance(f"P{seat}", seat, take, funded=True), _player(seat))

    def _resolve(self, line: Line) -> None:
        """``resolve [@KIND] WAY [CHANGE ...]`` closes the newest incident (of a kind), by the supervisor."""
        self._must(line, self._resolution(line), SUPERVISOR)

    def _resolution(self, line: Line) -> ResolveIncident:
        kind = line.words[0].removeprefix("@") if line.words[0].startswith("@") else None
        way, *changes = line.words[kind is not None :]
        return ResolveIncident(
            self._newest(line, kind).number,
            WayOut(way),
            self._scenario.id,
            self._scenario.title,
            tuple(_change(word) for word in changes),
        )

    def _approve(self, line: Line) -> None:
        """``approve [same]``: another supervisor approves the newest proposal, or the same one tries to."""
        actor = SUPERVISOR if line.words == ("same",) else SECOND_SUPERVISOR
        self._must(line, ApproveProposal(self._table.proposals[-1].number, self._settled()), actor)

    def _revise(self, line: Line) -> None:
        """``revise CHANGE ...``: the round settled last, settled again with changes; a proposal."""
        settled = self._settled()
        number = settled.table.round.number if settled and settled.table.round else 0
        changes = tuple(_change(word) for word in line.words)
        command = ReviseRound(number, changes, self._scenario.id, self._scenario.title, settled)
        self._must(line, command, SUPERVISOR)

    def _settled(self) -> Settled | None:
        if self._last_settled is None:
            return None
        table, results, at_ns = self._last_settled
        hours = (self._now.monotonic_ns - at_ns) / _SECOND_NS / _HOUR_SECONDS
        return Settled(table, results, hours, tuple((f"P{seat}", _AMPLE) for seat in self._scenario.bets))

    def _pass_deadline(self) -> None:
        deadline_ns = open_deadline_ns(self._table.round)
        if deadline_ns is not None:
            self._now = Instant(deadline_ns, deadline_ns)
        self._must(Line(0, "silence", ()), PassDeadline(), SYSTEM)

    def _report(self, line: Line) -> None:
        """``report TILE [SEAT]``: the dealer's misdeal helper, seat 0 for the dealer's own place."""
        tile, *seat = line.words
        self._must(line, ReportMisdeal(Tile(tile), int(seat[0]) if seat else None), DEALER)

    def _reader(self, line: Line) -> None:
        """``reader down|up``."""
        up = {"up": True, "down": False}[_only(line)]
        self._must(line, RecordReader(READER.id, up, _LOAD, self._ordinal, "" if up else "Cable out"), READER)

    # What must have come of it

    def _expect_phase(self, line: Line) -> None:
        found = phase(self._table)
        if found != _only(line):
            message = f"{line}: it is {found}"
            raise ScenarioError(message)

    def _expect_instruction(self, line: Line) -> None:
        found = dealer_view(self._table, self._now, _TODAY).instruction.words
        if found != " ".join(line.words):
            message = f"{line}: it is {found!r}"
            raise ScenarioError(message)

    def _expect_anomaly(self, line: Line) -> None:
        kind, *level = line.words
        found = self._newest(line)
        if found.kind != kind or (level and found.level != level[0]):
            message = f"{line}: found {found.kind} {found.level} ({found.detail})"
            raise ScenarioError(message)

    def _expect_none(self, line: Line) -> None:
        if self._table.incidents:
            message = f"{line}: still open: {', '.join(one.kind for one in self._table.incidents)}"
            raise ScenarioError(message)

    def _expect_offers(self, line: Line) -> None:
        offered = ways_out(self._table, self._newest(line), Role.SUPERVISOR)
        if set(offered) != set(line.words):
            message = f"{line}: offered are {' '.join(offered) or 'none'}"
            raise ScenarioError(message)

    def _expect_cards(self, line: Line) -> None:
        """``lies PLACE CODE ...``: the cards of a hand, or the dealer's."""
        place, *codes = line.words
        hand = _hand(place)
        cards = self._round.dealer if hand is None else self._round.hand(hand).cards
        if [str(card) for card in cards] != codes:
            message = f"{line}: there lie {' '.join(map(str, cards)) or 'none'} ({total(cards)})"
            raise ScenarioError(message)

    def _expect_net(self, line: Line) -> None:
        """``net SEAT AMOUNT``: what the player has won or lost of this scenario, in minor units."""
        seat, amount = line.words
        found = self.played.ledger.get(player_account(f"P{seat}"), 0)
        if found != int(amount):
            message = f"{line}: it is {found:+}"
            raise ScenarioError(message)

    def _expect_refusal(self, line: Line) -> None:
        code, verb, *words = line.words
        self._refusal = ""
        self._expects_refusal = True
        try:
            self.obey(Line(line.number, verb, tuple(words)))
        finally:
            self._expects_refusal = False
        if self._refusal != code:
            message = f"{line}: {f'refused with {self._refusal}' if self._refusal else 'it was accepted'}"
            raise ScenarioError(message)

    def check_ledger(self) -> None:
        """Every transfer takes from one account what it gives to another."""
        if sum(self.played.ledger.values()):
            message = f"{self._scenario.id}: the ledger sums to {sum(self.played.ledger.values())}"
            raise ScenarioError(message)

    # The core

    @property
    def _table(self) -> Table:
        return self.played.table

    @property
    def _round(self) -> Round:
        current = self._table.round
        if current is None:
            message = "no round is open"
            raise ScenarioError(message)
        return current

    def _newest(self, line: Line, kind: str | None = None) -> Incident:
        found = [one for one in self._table.incidents if kind in {None, one.kind}]
        if not found:
            message = f"{line}: no such incident is open"
            raise ScenarioError(message)
        return found[-1]

    def _wait(self, seconds: float) -> None:
        by_ns = int(seconds * _SECOND_NS)
        self._now = Instant(self._now.monotonic_ns + by_ns, self._now.wall_ns + by_ns)

    def _must(self, line: Line, command: Command, actor: Actor) -> None:
        answer = decide(self._table, command, actor, self._now)
        refusal = answer if isinstance(answer, Rejected) else next((one for one in answer.items if one), None)
        if refusal is not None:
            if not self._expects_refusal:
                message = f"{line}: refused with {refusal.code}: {refusal.text}"
                raise ScenarioError(message)
            self._refusal = refusal.code
        if isinstance(answer, Decided):
            for step in answer.steps:
                self.played.events.append(step.event)
                for move in transfers(step.before, step.event):
                    ledger = self.played.ledger
                    ledger[move.source] = ledger.get(move.source, 0) - move.amount
                    ledger[move.target] = ledger.get(move.target, 0) + move.amount
                if isinstance(step.event, RoundSettled):
                    self._last_settled = (step.before, step.event.results, self._now.monotonic_ns)
                self.played.table = step.after


def _only(line: Line) -> str:
    if len(line.words) != 1:
        message = f"{line}: takes one word"
        raise ScenarioError(message)
    return line.words[0]


def _player(seat: int) -> Actor:
    return Actor(f"P{seat}", f"P{seat}", Role.PLAYER)


def _hand(place: str) -> HandId | None:
    """``dealer``, ``3`` (seat 3, hand 1) or ``3.2``."""
    if place == "dealer":
        return None
    seat, _, number = place.partition(".")
    return HandId(int(seat), int(number or 1))


def _change(word: str) -> Change:
    """``5=KH`` a value, ``5>3`` a place, ``5!`` out of play, ``seat3`` a dead hand."""
    if word.startswith("seat"):
        return DeadHand(int(word.removeprefix("seat")))
    if word.endswith("!"):
        return OutOfPlay(int(word[:-1]))
    draw, value, code = word.partition("=")
    if value:
        return CardValue(int(draw), parse_card(code))
    draw, _, place = word.partition(">")
    return Placed(int(draw), _hand(place))
