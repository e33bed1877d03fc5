"""The whole table under random commands, cards and faults: what must hold at every moment."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from support.tables import DEALER, PLAYERS, READER, SUPERVISOR, PlayedTable, player

from studio.domain.actions import Action
from studio.domain.anomalies import AnomalyKind, WayOut
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.cards import DECK
from studio.domain.commands import (
    AnswerCall,
    AnswerInsurance,
    CallSupervisor,
    CloseBetting,
    CommitResult,
    ConfirmShoeStep,
    Decide,
    Disagree,
    OpenBetting,
    PassDeadline,
    PlaceBets,
    RecordFault,
    RecordReader,
    RecordRestart,
    RecordSighting,
    RecordWarning,
    ResolveIncident,
    Suspend,
    VoidRound,
)
from studio.domain.events import Event
from studio.domain.evolve import evolve
from studio.domain.incidents import refunds, ways_out
from studio.domain.instructions import instruction, primary_button
from studio.domain.money import HOUSE, player_account, table_account, transfers
from studio.domain.people import SYSTEM, Actor, Role
from studio.domain.projections import dealer_view, player_view, supervisor_view, table_view
from studio.domain.shoe import ShoeStep
from studio.domain.sightings import CardRead, CutCardRead, Reading, Sighting, SightingId, UnknownCode, Unreadable
from studio.domain.slots import Face
from studio.domain.table import Table
from studio.domain.views import BACK

_ACTORS = (DEALER, SUPERVISOR, READER, SYSTEM, *map(player, PLAYERS))
_READINGS: st.SearchStrategy[Reading] = st.one_of(
    st.sampled_from(DECK).map(CardRead),
    st.just(CutCardRead()),
    st.just(Unreadable()),
    st.just(UnknownCode("5F")),
)


class TableMachine(RuleBasedStateMachine):
    """Random life of one table, with a ledger beside it that only knows the transfers."""

    def __init__(self) -> None:
        super().__init__()
        self.played = PlayedTable()
        self.balances: dict[str, int] = {}
        self.mirror = Table(self.played.setup)

    @initialize(ready=st.booleans(), seats=st.lists(st.integers(1, 7), unique=True, max_size=4))
    def open(self, *, ready: bool, seats: list[int]) -> None:
        _ = self.played.ready() if ready else self.played.open()
        if ready and seats:
            self.played.round(*seats)
        for event in self.played.events:
            self._book(event)

    def _book(self, event: Event) -> None:
        for move in transfers(self.mirror, event):
            self.balances[move.source] = self.balances.get(move.source, 0) - move.amount
            self.balances[move.target] = self.balances.get(move.target, 0) + move.amount
        self.mirror = evolve(self.mirror, event)

    def _do(self, command: Any, actor: Actor) -> None:
        before = len(self.played.events)
        self.played.try_do(command, actor)
        for event in self.played.events[before:]:
            self._book(event)

    # The usual course, so that rounds do end

    @rule(reading=_READINGS, seconds=st.sampled_from((0.1, 0.5, 1, 4)), skip=st.sampled_from((0, 0, 0, 0, 1, 2)))
    def a_reading(self, reading: Reading, seconds: float, skip: int) -> None:
        self.played.wait(seconds)
        shoe = self.played.table.shoe
        seen = self.played.table.last_seen
        ordinal = (seen.ordinal if seen else 0) + 1 + skip - (isinstance(reading, CutCardRead))
        load = shoe.load if shoe else self.played.load
        identity = SightingId("shoe-1", load, max(0, ordinal))
        self._do(RecordSighting(Sighting(identity, reading, self.played.now.monotonic_ns)), READER)

    @rule(reading=_READINGS)
    def a_rescan(self, reading: Reading) -> None:
        self.played.wait(1)
        for draw in self.played.table.loose[:1]:
            self._do(RecordSighting(Sighting(draw.sighting, reading, self.played.now.monotonic_ns)), READER)

    @rule()
    def press_the_primary_button(self) -> None:
        button = primary_button(self.played.table)
        if button is None:
            return
        match button.command:
            case "confirm-shoe-step":
                self._do(ConfirmShoeStep(ShoeStep(str(button.arguments["step"]))), DEALER)
            case "open-betting":
                self._do(OpenBetting(), DEALER)
            case "close-betting":
                self._do(CloseBetting(), DEALER)
            case "commit-result":
                self._do(CommitResult(), DEALER)
            case "resolve-incident":
                number = int(button.arguments["incident"])
                self._do(ResolveIncident(number, WayOut(str(button.arguments["way_out"])), "x"), DEALER)
            case other:
                assert other == "sign-on"

    @rule(
        seat=st.integers(0, 8),
        amount=st.sampled_from((0, 99, 100, 1000, 10**7, -100)),
        kind=st.sampled_from(BetKind),
        funded=st.booleans(),
    )
    def bet(self, seat: int, amount: int, kind: BetKind, *, funded: bool) -> None:
        who = PLAYERS[seat % len(PLAYERS)]
        self._do(PlaceBets((Placement((Bet(who, seat, kind, amount),), funded),)), player(who))

    @rule(action=st.sampled_from(Action), funded=st.booleans())
    def decide_as_asked(self, action: Action, *, funded: bool) -> None:
        current = self.played.table.round
        if current is not None and current.question is not None:
            who = self.played.table.owner_of(current.question.hand.seat)
            self._do(Decide(who, current.question.number, action, funded), player(who))

    @rule(seat=st.integers(1, 7), take=st.booleans(), funded=st.booleans())
    def insure(self, seat: int, *, take: bool, funded: bool) -> None:
        bets = self.played.table.round.main_bets() if self.played.table.round else {}
        who = bets[seat].player if seat in bets else "nobody"
        self._do(AnswerInsurance(who, seat, take, funded), player(who))

    @rule(seconds=st.sampled_from((1, 20)))
    def time_passes(self, seconds: int) -> None:
        self.played.wait(seconds)
        self._do(PassDeadline(), SYSTEM)

    # People and devices at any time, in any role

    @rule(
        command=st.one_of(
            st.sampled_from(
                (
                    OpenBetting(), CloseBetting(), CommitResult(), Disagree(), CallSupervisor(), AnswerCall(),
                    Suspend("x"), VoidRound("x"), RecordFault("x"), PassDeadline(),
                ),
            ),
            st.builds(RecordRestart, st.just(0)),
            st.builds(ConfirmShoeStep, st.sampled_from(ShoeStep)),
            st.builds(
                Decide, st.sampled_from(PLAYERS), st.integers(-1, 99), st.sampled_from(Action), st.booleans()
            ),
            st.builds(ResolveIncident, st.integers(-1, 9), st.sampled_from(WayOut), st.just("x")),
            st.builds(RecordReader, st.just("shoe-1"), st.booleans(), st.sampled_from((None, 1, 2)), st.just(0)),
            st.builds(
                RecordWarning,
                st.just("shoe-1"),
                st.sampled_from((AnomalyKind.WRONG_MODE, AnomalyKind.REVERSE_MOVEMENT, AnomalyKind.SHOE_EMPTY)),
                st.booleans(),
                st.just("x"),
            ),
        ),
        actor=st.sampled_from(_ACTORS),
    )  # fmt: skip
    def anything(self, command: Any, actor: Actor) -> None:
        self._do(command, actor)

    @rule(pick=st.integers(0, 99))
    def the_supervisor_resolves_something(self, pick: int) -> None:
        for incident in self.played.table.incidents[:1]:
            ways = ways_out(self.played.table, incident, Role.SUPERVISOR)
            if ways:
                self._do(ResolveIncident(incident.number, ways[pick % len(ways)], "x"), SUPERVISOR)

    # What must hold

    @invariant()
    def replay_equals_live(self) -> None:
        assert self.mirror == self.played.table

    @invariant()
    def money_is_conserved_and_the_stakes_on_the_table_are_what_a_void_gives_back(self) -> None:
        assert sum(self.balances.values()) == 0
        stakes = self.balances.get(table_account("t1"), 0)
        assert stakes == sum(bet.amount for bet in refunds(self.played.table))
        assert set(self.balances) <= {HOUSE, table_account("t1"), *map(player_account, PLAYERS + _SEATED)}

    @invariant()
    def the_inventory_stays_within_the_shoe(self) -> None:
        shoe = self.played.table.shoe
        if shoe is not None:
            assert min(shoe.seen) >= 0
            assert shoe.left + shoe.out == shoe.size

    @invariant()
    def there_is_one_short_instruction(self) -> None:
        words = instruction(self.played.table).words
        assert 1 <= len(words.split()) <= 7

    @invariant()
    def the_hole_card_is_in_no_view_before_its_reveal(self) -> None:
        table, now = self.played.table, self.played.now
        current = table.round
        if current is None or current.hole_revealed or len(current.dealer) < 2:
            return
        today = "2026-01-01"
        views = (
            asdict(table_view(table, now)),
            asdict(dealer_view(table, now, today)),
            asdict(supervisor_view(table, now, today)),
            *(asdict(player_view(table, name, 10**9, now)) for name in PLAYERS),
        )
        text = json.dumps(views)
        hole = current.dealer[1]
        dealt = [card for hand in current.hands for card in hand.cards]
        face_up = [one.card for one in table.recent if one.face is Face.UP]
        if hole not in (*dealt, current.dealer[0], *face_up):
            assert hole.code not in text
        assert BACK in text


_SEATED = tuple(f"P{seat}" for seat in range(1, 8))

TestTable = TableMachine.TestCase
TestTable.settings = settings(
    max_examples=120,
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
