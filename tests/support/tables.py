"""A table in memory: commands in, events kept, the clock turned by hand. The core alone, no shell."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Self

from studio.adapters.variants import load_variant
from studio.domain.actions import Action
from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.answers import Decided, Rejected
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.cards import DECK, parse_card
from studio.domain.changes import Change
from studio.domain.commands import (
    AnswerInsurance,
    CloseBetting,
    Command,
    CommitResult,
    Decide,
    OpenBetting,
    OpenTable,
    PassDeadline,
    PlaceBets,
    ResolveIncident,
    SignOn,
)
from studio.domain.decide import decide
from studio.domain.events import Event
from studio.domain.instants import Instant
from studio.domain.people import SYSTEM, Actor, Role
from studio.domain.phases import open_deadline_ns
from studio.domain.record_commands import (
    RecordReader,
    RecordSighting,
)
from studio.domain.rules import RuleSet
from studio.domain.setup import Limits, TableSetup
from studio.domain.shoe import shoe_steps
from studio.domain.shoe_commands import (
    BeginCount,
    ConfirmShoeStep,
    RegisterPack,
    SignCount,
)
from studio.domain.sightings import CardRead, CutCardRead, Reading, Sighting, SightingId, UnknownCode, Unreadable
from studio.domain.table import Table

SECOND = 1_000_000_000
DEALER = Actor("dora", "Dora", Role.DEALER)
SUPERVISOR = Actor("sam", "Sam", Role.SUPERVISOR)
COLLEAGUE = Actor("sue", "Sue", Role.SUPERVISOR)
MANAGER = Actor("max", "Max", Role.MANAGER)
READER = Actor("shoe-1", "shoe-1", Role.DEVICE)
PLAYERS = ("anna", "ben", "cleo")
START = Instant(1_000 * SECOND, 1_700_000_000 * SECOND)


def whole_pack(decks: int, seed: int = 0) -> list[str]:
    """Return the cards of a pack in an order of their own."""
    codes = [card.code for card in DECK] * decks
    random.Random(seed).shuffle(codes)  # noqa: S311 - a test that can be repeated
    return codes


def player(name: str) -> Actor:
    return Actor(name, name, Role.PLAYER)


def a_setup(rules: RuleSet | None = None, **changes: Any) -> TableSetup:
    setup = TableSetup(
        table="t1",
        name="Deluxe 1",
        rules=rules or load_variant("deluxe"),
        limits=Limits("EUR", 100, 1_000_000, 2),
        reader="shoe-1",
        simulated=True,
        cut_position=104,
    )
    return replace(setup, **changes)


class RefusedError(AssertionError):
    def __init__(self, rejected: Rejected) -> None:
        super().__init__(f"{rejected.code}: {rejected.text}")
        self.rejected = rejected


class PlayedTable:
    """One table and everything that happened at it; each method is one thing that people or devices do."""

    def __init__(self, setup: TableSetup | None = None) -> None:
        self.setup = setup or a_setup()
        self.table = Table(self.setup)
        self.events: list[Event] = []
        self.now = START
        self.load = 1
        self.ordinal = 0

    def wait(self, seconds: float) -> Self:
        step = int(seconds * SECOND)
        self.now = Instant(self.now.monotonic_ns + step, self.now.wall_ns + step)
        return self

    def try_do(self, command: Command, actor: Actor) -> Decided | Rejected:
        answer = decide(self.table, command, actor, self.now)
        if isinstance(answer, Decided) and answer.steps:
            self.table = answer.steps[-1].after
            self.events.extend(step.event for step in answer.steps)
        return answer

    def do(self, command: Command, actor: Actor) -> tuple[Event, ...]:
        answer = self.try_do(command, actor)
        if isinstance(answer, Rejected):
            raise RefusedError(answer)
        return tuple(step.event for step in answer.steps)

    def refused(self, command: Command, actor: Actor) -> str:
        before = self.table
        answer = self.try_do(command, actor)
        assert isinstance(answer, Rejected), f"{command} was accepted"
        assert self.table == before
        return answer.code

    # Procedures

    def open(self) -> Self:
        self.do(OpenTable(), SYSTEM)
        self.do(RecordReader("shoe-1", True, self.load, self.ordinal), READER)
        self.do(SignOn("2099-12-31", licence_valid=True), DEALER)
        return self

    def load_shoe(self) -> Self:
        if self.table.used_load is not None:
            self.load = self.table.used_load + 1
            self.ordinal = 0
            self.do(RecordReader("shoe-1", True, self.load, 0), READER)
        return self.confirm_steps()

    def confirm_steps(self) -> Self:
        for step in shoe_steps(self.setup.rules.shuffling):
            self.do(ConfirmShoeStep(step), DEALER)
        return self

    def ready(self, burn: str = "AS 2C") -> Self:
        """Open the table, prepare the shoe, burn, and wait until the burn is well over."""
        self.open().load_shoe().cards(burn)
        assert self.table.shoe is not None
        assert self.table.shoe.is_burnt
        return self.wait(10)

    # Packs of cards

    def reload(self) -> PlayedTable:
        """Put something else into the reader: a load of its own, counted from 1 again."""
        self.load, self.ordinal = self.load + 1, 0
        self.do(RecordReader("shoe-1", True, self.load, 0), READER)
        return self

    def register(self, pack: str, back: str, batch: str | None = None) -> PlayedTable:
        self.do(RegisterPack(pack, batch or f"B-{back}", back), SUPERVISOR)
        return self

    def count(self, codes: Iterable[str], *, pack: str) -> PlayedTable:
        """Begin the count of a pack and pass cards through the reader."""
        self.do(BeginCount(pack), DEALER)
        for code in codes:
            self.card(code)
        return self

    def sign(self, *people: Actor) -> tuple[Event, ...]:
        return tuple(event for person in people for event in self.do(SignCount(), person))

    def verified(self, pack: str, back: str, batch: str | None = None) -> PlayedTable:
        """Register a pack and have two people verify it."""
        self.register(pack, back, batch)
        if self.table.used_load == self.load:
            self.reload()
        self.count(whole_pack(self.setup.rules.decks), pack=pack).sign(DEALER, SUPERVISOR)
        return self

    # Cards

    def sighting(self, reading: Reading, *, ordinal: int | None = None) -> tuple[Event, ...]:
        if ordinal is None:
            if not isinstance(reading, CutCardRead):
                self.ordinal += 1
            ordinal = self.ordinal
        identity = SightingId("shoe-1", self.load, ordinal)
        return self.do(RecordSighting(Sighting(identity, reading, self.now.monotonic_ns)), READER)

    def card(self, code: str, *, ordinal: int | None = None) -> tuple[Event, ...]:
        if code == "CUT":
            return self.sighting(CutCardRead(), ordinal=ordinal)
        return self.sighting(CardRead(parse_card(code)), ordinal=ordinal)

    def cards(self, codes: str) -> Self:
        for code in codes.split():
            self.wait(1).card(code)
        return self

    def no_read(self, *, ordinal: int | None = None) -> tuple[Event, ...]:
        return self.sighting(Unreadable(), ordinal=ordinal)

    def unknown(self, code: str = "5F", *, ordinal: int | None = None) -> tuple[Event, ...]:
        return self.sighting(UnknownCode(code), ordinal=ordinal)

    # Rounds

    def betting(self) -> Self:
        self.do(OpenBetting(), DEALER)
        return self

    def bet(
        self,
        seat: int,
        amount: int = 1000,
        name: str | None = None,
        kind: BetKind = BetKind.MAIN,
        *,
        funded: bool = True,
    ) -> Self:
        who = name or f"P{seat}"
        command = PlaceBets((Placement((Bet(who, seat, kind, amount),), funded),))
        answer = self.try_do(command, player(who))
        if isinstance(answer, Rejected):
            raise RefusedError(answer)
        refusal = answer.items[0]
        if refusal is not None:
            raise RefusedError(refusal)
        return self

    def close(self) -> Self:
        self.do(CloseBetting(), DEALER)
        return self

    def round(self, *seats: int) -> Self:
        """Open betting, bet 1000 on each seat, close."""
        self.betting()
        for seat in seats:
            self.bet(seat)
        return self.close()

    def decide(self, action: str, *, funded: bool = True) -> Self:
        question = self.table.round.question if self.table.round else None
        assert question is not None, "nobody is asked"
        who = self.table.owner_of(question.hand.seat)
        self.do(Decide(who, question.number, Action(action), funded), player(who))
        return self

    def insure(self, seat: int, name: str | None = None, *, take: bool = True, funded: bool = True) -> Self:
        who = name or self.table.owner_of(seat)
        self.do(AnswerInsurance(who, seat, take, funded), player(who))
        return self

    def time_out(self) -> Self:
        deadline_ns = open_deadline_ns(self.table.round)
        assert deadline_ns is not None, "no window is open"
        self.wait(max(0, deadline_ns - self.now.monotonic_ns) / SECOND)
        self.do(PassDeadline(), SYSTEM)
        return self

    def commit(self) -> Self:
        self.do(CommitResult(), DEALER)
        return self

    # Incidents

    def kinds(self) -> list[AnomalyKind]:
        return [incident.kind for incident in self.table.incidents]

    def resolve(self, way: WayOut, actor: Actor = SUPERVISOR, *changes: Change) -> tuple[Event, ...]:
        incident = self.table.incidents[0]
        return self.do(ResolveIncident(incident.number, way, "procedure", "as ruled", changes), actor)

    def net(self) -> dict[str, int]:
        """Return what each player won or lost in the round settled last."""
        assert self.table.results is not None
        won: dict[str, int] = {}
        for result in self.table.results:
            won[result.player] = won.get(result.player, 0) + result.returned - result.stake
        return won
