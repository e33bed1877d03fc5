"""Plays a scenario through ``decide``: readings, people and supervisors in, and each expectation checked.

The clock is turned by hand, a second between cards. What a line expects and does not find raises
:class:`studio.scenarios.script.ScenarioError`, which names the line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from studio.domain.actions import Action
from studio.domain.answers import Decided, Rejected
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.cards import parse_card
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
    RecordSighting,
    Suspend,
)
from studio.domain.decide import decide
from studio.domain.events import Event
from studio.domain.hands import total
from studio.domain.incidents import ways_out
from studio.domain.instants import Instant
from studio.domain.money import player_account, transfers
from studio.domain.people import SYSTEM, Actor, Role
from studio.domain.phases import open_deadline_ns
from studio.domain.sightings import CardRead, CutCardRead, Reading, Sighting, SightingId, UnknownCode, Unreadable
from studio.domain.slots import HandId
from studio.domain.table import Incident, Round, Table
from studio.scenarios.script import Line, Scenario, ScenarioError

DEALER: Final = Actor("dealer", "Dealer", Role.DEALER)
SUPERVISOR: Final = Actor("supervisor", "Supervisor", Role.SUPERVISOR)
SECOND_SUPERVISOR: Final = Actor("supervisor-2", "Second supervisor", Role.SUPERVISOR)
_OPERATOR: Final = Actor("scenario", "scenario", Role.OPERATOR)
_READER: Final = Actor("shoe", "shoe", Role.DEVICE)
_SECOND_NS: Final = 1_000_000_000
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
            "disagree": lambda line: self._must(line, Disagree(), DEALER),
            "suspend": lambda line: self._must(line, Suspend(self._scenario.id), SUPERVISOR),
            "confirm": lambda line: self._must(line, CommitResult(), DEALER),
            "anomaly": self._expect_anomaly,
            "none": self._expect_none,
            "offers": self._expect_offers,
            "lies": self._expect_cards,
            "net": self._expect_net,
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

    def _read(self, reading: Reading, *, moves: bool = True) -> None:
        self._ordinal += moves
        self._send(Sighting(SightingId(_READER.id, _LOAD, self._ordinal), reading, self._now.monotonic_ns))

    def _send(self, sighting: Sighting) -> None:
        self._must(Line(0, "reading", (str(sighting.reading),)), RecordSighting(sighting), _READER)
