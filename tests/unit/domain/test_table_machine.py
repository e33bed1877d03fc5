"""The whole table under random commands, cards and faults: what must hold at every moment."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from support.tables import COLLEAGUE, DEALER, PLAYERS, READER, SUPERVISOR, PlayedTable, a_setup, player

from studio.adapters.variants import load_variant
from studio.domain.actions import Action
from studio.domain.anomalies import CATALOGUE, AnomalyKind, WayOut
from studio.domain.answers import Rejected
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.cards import DECK
from studio.domain.changes import CardValue, Change, DeadHand, OutOfPlay, Placed
from studio.domain.commands import (
    AnswerCall,
    AnswerFollow,
    AnswerInsurance,
    CallSupervisor,
    CloseBetting,
    CommitResult,
    Decide,
    Disagree,
    LeaveSeat,
    OpenBetting,
    PassDeadline,
    PlaceBets,
    PlanAction,
    ResolveIncident,
    Suspend,
    TakeSeat,
    VoidRound,
)
from studio.domain.correctable import felt_draws
from studio.domain.correction_commands import (
    ApproveProposal,
    ClaimIncident,
    DeclineProposal,
    HandOverIncident,
    OpenHiddenCard,
    ReviseRound,
    ShelveIncident,
)
from studio.domain.decide import decide
from studio.domain.events import Event
from studio.domain.evolve import evolve
from studio.domain.incidents import ways_out
from studio.domain.instructions import instruction, primary_button
from studio.domain.money import HOUSE, player_account, table_account, transfers
from studio.domain.people import SYSTEM, Actor, Role
from studio.domain.phases import Phase, expected_slot, open_deadline_ns, phase
from studio.domain.player_projection import player_view
from studio.domain.preview import preview
from studio.domain.projections import dealer_view, supervisor_view, table_view
from studio.domain.record_commands import (
    RecordFault,
    RecordReader,
    RecordRestart,
    RecordSighting,
    RecordWarning,
)
from studio.domain.refunds import refunds
from studio.domain.replay import replay
from studio.domain.rules import Shuffling
from studio.domain.shared_commands import (
    Choosing,
    DecideAll,
    InsureAll,
    Insuring,
)
from studio.domain.shoe import ShoeStep
from studio.domain.shoe_commands import (
    ConfirmShoeStep,
    LoadShuffle,
    ReturnCards,
)
from studio.domain.sightings import CardRead, CutCardRead, Reading, Sighting, SightingId, UnknownCode, Unreadable
from studio.domain.slots import Face
from studio.domain.table import RoundEnd, Table
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

    variant = "deluxe"

    def __init__(self) -> None:
        super().__init__()
        self.played = PlayedTable(a_setup(load_variant(self.variant)))
        self.balances: dict[str, int] = {}
        self.mirror = Table(self.played.setup)

    @initialize(ready=st.booleans(), seats=st.lists(st.integers(1, 7), unique=True, max_size=4))
    def open(self, *, ready: bool, seats: list[int]) -> None:
        self.played.open()
        shuffling = self.played.setup.rules.shuffling
        if ready and shuffling is Shuffling.VIRTUAL:
            self.played.do(LoadShuffle(1, "c0ffee", "5eed"), SYSTEM)
        elif ready:
            self.played.load_shoe()
            if shuffling is Shuffling.SHOE:
                self.played.cards("AS 2C").wait(10)
        if ready and seats:
            self.played.betting()
            for seat in seats:
                if seat <= self.played.setup.rules.seats and phase(self.played.table) is Phase.BETTING:
                    self.played.bet(seat)
            if phase(self.played.table) is Phase.BETTING:
                self.played.close()
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
        self._read(reading, seconds, skip)

    def _read(self, reading: Reading, seconds: float, skip: int = 0) -> None:
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
            case "return-cards":
                self._do(ReturnCards(), DEALER)
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

    @rule(action=st.sampled_from(Action), pick=st.integers(0, 6), funded=st.booleans())
    def decide_as_asked(self, action: Action, pick: int, *, funded: bool) -> None:
        current = self.played.table.round
        if current is None or current.question is None:
            return
        number = current.question.number
        if current.shared is not None:
            who = current.shared.players[pick % len(current.shared.players)]
            self._do(DecideAll(number, (Choosing(who, action, funded),)), player(who))
            return
        who = current.hand(current.question.hand).player
        self._do(Decide(who, number, action, funded), player(who))

    @rule(seat=st.integers(0, 8), pick=st.integers(0, 2), leave=st.booleans(), is_trial=st.booleans())
    def sit_or_leave(self, seat: int, pick: int, *, leave: bool, is_trial: bool) -> None:
        who = PLAYERS[pick]
        command = LeaveSeat(who, seat) if leave else TakeSeat(who, seat, is_trial)
        self._do(command, player(who))

    @rule(pick=st.integers(0, 9), yes=st.booleans(), funded=st.booleans())
    def follow(self, pick: int, *, yes: bool, funded: bool) -> None:
        current = self.played.table.round
        if current is not None and current.follow is not None:
            riders = current.riders(current.follow.hand)
            if riders:
                who = riders[pick % len(riders)].player
                self._do(AnswerFollow(who, current.follow.hand, yes, funded), player(who))

    @rule(pick=st.integers(0, 9), action=st.sampled_from((None, *Action)))
    def plan(self, pick: int, action: Action | None) -> None:
        current = self.played.table.round
        if current is not None and current.hands:
            hand = current.hands[pick % len(current.hands)]
            self._do(PlanAction(hand.player, hand.id, action), player(hand.player or "nobody"))

    @rule(load=st.integers(1, 3))
    def shuffle_anew(self, load: int) -> None:
        self._do(LoadShuffle(load, "c0ffee", "5eed"), SYSTEM)

    @rule(seat=st.integers(1, 7), take=st.booleans(), funded=st.booleans())
    def insure(self, seat: int, *, take: bool, funded: bool) -> None:
        current = self.played.table.round
        if current is not None and current.shared is not None:
            for who in current.shared.players[seat - 1 : seat]:
                self._do(InsureAll((Insuring(who, take, funded),)), player(who))
            return
        insurable = current.insurable() if current else {}
        who = next((player for where, player in insurable if where == seat), "nobody")
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
                    Suspend("x"), VoidRound("x", "y"), RecordFault("x"), PassDeadline(),
                ),
            ),
            st.sampled_from(
                (
                    ClaimIncident(1), HandOverIncident(1, "sue", "x"), ShelveIncident(1, 10, "x"),
                    ApproveProposal(1), DeclineProposal(1, "x"),
                    OpenHiddenCard(6, "x", "y"), ReviseRound(1, (OutOfPlay(5),), "x", "y"),
                ),
            ),
            st.builds(RecordRestart, st.just(0)),
            st.builds(ConfirmShoeStep, st.sampled_from(ShoeStep)),
            st.builds(
                Decide, st.sampled_from(PLAYERS), st.integers(-1, 99), st.sampled_from(Action), st.booleans()
            ),
            st.builds(ResolveIncident, st.integers(-1, 9), st.sampled_from(WayOut), st.just("x"), st.just("y")),
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
                way = ways[pick % len(ways)]
                changes = self._changes(way, pick)
                self._do(ResolveIncident(incident.number, way, "x", "as ruled", changes), SUPERVISOR)

    def _changes(self, way: WayOut, pick: int) -> tuple[Change, ...]:
        """Something that the way out takes, lawful or not."""
        table = self.played.table
        draws = [draw for draw, _ in felt_draws(table)] or [1]
        draw = draws[pick % len(draws)]
        hands = [*(hand.id for hand in table.round.hands), None] if table.round else [None]
        card = DECK[pick * 7 % len(DECK)]
        match way:
            case WayOut.CORRECT:
                return (CardValue(draw, card), Placed(draws[-1], hands[pick % len(hands)]))[: 1 + pick % 2]
            case WayOut.ENTER:
                unread = [one.number for one in table.loose if one.card is None]
                return (CardValue(unread[0] if unread else draw, card),)
            case WayOut.MOVE:
                return (Placed(draw, hands[pick % len(hands)]),)
            case WayOut.OUT_OF_PLAY:
                return (OutOfPlay(draw),)
            case WayOut.DEAD_HAND:
                return (DeadHand(hands[0].seat if hands[0] else 1),)
            case _:
                return ()

    @rule(pick=st.integers(0, 999))
    def the_supervisor_stops_the_table_and_corrects_a_card(self, pick: int) -> None:
        current = self.played.table.round
        if current is None or not current.draws:
            return
        self._do(Suspend("looks wrong"), SUPERVISOR)
        stop = self.played.table.find_incident(AnomalyKind.SUPERVISOR_STOP)
        ways = (WayOut.CORRECT, WayOut.MOVE, WayOut.OUT_OF_PLAY, WayOut.DEAD_HAND, WayOut.DRAW_NOW, WayOut.REBUILD)
        way = (*ways, WayOut.CORRECT, WayOut.CORRECT)[pick % 8]
        assert stop is not None
        self._do(ResolveIncident(stop.number, way, "x", "as ruled", self._changes(way, pick)), SUPERVISOR)

    @rule(pick=st.integers(0, 999))
    def a_preview_says_what_the_command_would_do_and_does_nothing(self, pick: int) -> None:
        """It is lawful exactly where the command is accepted, and hides the hole card."""
        table, now = self.played.table, self.played.now
        void = VoidRound("x", "as ruled")
        commands: list[Any] = [void]
        for incident in table.incidents[:2]:
            for way in ways_out(table, incident, Role.SUPERVISOR):
                changes = self._changes(way, pick)
                commands.append(ResolveIncident(incident.number, way, "x", "as ruled", changes))
        for command in commands:
            shown = preview(table, command, SUPERVISOR, now)
            answer = decide(table, command, SUPERVISOR, now)
            if isinstance(answer, Rejected):
                assert (shown.lawful, shown.code, shown.text) == (False, answer.code, answer.text)
            elif shown.lawful and not shown.needs_second:
                after = answer.steps[-1].after if answer.steps else table
                # It is left out where it would tell a card that nobody sees (S8).
                assert shown.phase_after in {"", phase(after)}
                assert shown.staked_after == sum(bet.amount for bet in refunds(after))
            if shown.lawful and command is void:
                assert shown.refund_total == sum(bet.amount for bet in refunds(table))
            self._hides_the_hole(table, json.dumps(asdict(shown)))

    @rule(approves=st.booleans())
    def a_second_supervisor_answers_a_proposal(self, *, approves: bool) -> None:
        for proposal in self.played.table.proposals[:1]:
            self._do(
                ApproveProposal(proposal.number) if approves else DeclineProposal(proposal.number, "no"), COLLEAGUE
            )

    @rule(pick=st.integers(0, 9))
    def somebody_claims_an_incident_or_hands_it_over(self, pick: int) -> None:
        for incident in self.played.table.incidents[:1]:
            command: Any = ClaimIncident(incident.number)
            if pick % 3 == 0:
                command = HandOverIncident(incident.number, COLLEAGUE.id, "end of shift")
            self._do(command, (SUPERVISOR, COLLEAGUE)[pick % 2])

    @rule(right=st.booleans())
    def the_felt_is_passed_over_the_reader(self, *, right: bool) -> None:
        while (scan := self.played.table.scan) is not None and scan.differing is None:
            known = dict(felt_draws(self.played.table)).get(scan.draws[len(scan.read)])
            card = known if known is not None and right else DECK[0]
            before = len(scan.read)
            self._read(CardRead(card), 1)
            after = self.played.table.scan
            if after is not None and len(after.read) == before:
                return

    # What must hold

    @invariant()
    def replay_equals_live(self) -> None:
        assert self.mirror == self.played.table

    @invariant()
    def a_replay_without_changes_gives_the_same_round(self) -> None:
        table = self.played.table
        if table.round_start is not None:
            assert replay(table, (), evolve) == table

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
    def what_is_offered_is_accepted_and_everything_else_refused(self) -> None:
        """The core is pure: every action is tried, and none of them happens."""
        table = self.played.table
        current = table.round
        if current is None or current.question is None or table.is_stopped:
            return
        question, shared = current.question, current.shared
        if self.played.now.monotonic_ns >= question.deadline_ns:
            return
        hand = current.hand(question.hand)
        asked = [hand.player]
        if shared is not None:
            asked = [who for place, who in enumerate(shared.players) if shared.is_asked(place, hand.id.number)]
        for who in asked[:2]:
            (offered,) = (
                one.actions
                for one in player_view(table, who, 10**9, self.played.now).questions
                if one.kind == "decision"
            )
            assert offered, "nothing to answer"
            for action in Action:
                command: Any = Decide(who, question.number, action, True)
                if shared is not None:
                    command = DecideAll(question.number, (Choosing(who, action, funded=True),))
                answer = decide(table, command, player(who), self.played.now)
                refused = isinstance(answer, Rejected) or any(answer.items)
                assert refused == (action not in offered), (action, offered)

    @invariant()
    def there_is_no_dead_end(self) -> None:
        """A card, a person, a deadline or a reader that comes back: something moves every state on."""
        table = self.played.table
        if table.is_stopped:
            ways = [ways_out(table, incident, Role.SUPERVISOR) for incident in table.incidents]
            waiting = [one for one in table.incidents if not one.cleared and CATALOGUE[one.kind].latches]
            restarted = table.find_incident(AnomalyKind.CRASH_RECOVERY) is not None and not table.reader.ready
            assert any(ways) or waiting or restarted
            return
        current = table.round
        rules = table.setup.rules
        waits = (
            not table.reader.ready,
            primary_button(table) is not None,
            current is not None and expected_slot(rules, current) is not None,
            open_deadline_ns(current) is not None,
            current is not None and current.end is RoundEnd.NOT_YET and current.is_betting,
            table.shoe is not None and not table.shoe.is_burnt,
            rules.shuffling is Shuffling.VIRTUAL,
        )
        assert any(waits), phase(table)

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
        self._hides_the_hole(table, text)
        assert BACK in text

    def _hides_the_hole(self, table: Table, text: str) -> None:
        current = table.round
        if current is None or current.hole_revealed or len(current.dealer) < 2:
            return
        hole = current.dealer[1]
        dealt = [card for hand in current.hands for card in hand.cards]
        # A dead hand's cards stay among the round's draws, and a signed count names what its pack lacks.
        face_up = [one.card for one in table.recent if one.face is Face.UP]
        face_up += [one.card for one in current.draws if one.face is Face.UP]
        counted = [
            card
            for pack in table.life.packs
            if pack.last_count is not None
            for card in (*pack.last_count.tally.missing, *pack.last_count.tally.extra)
        ]
        if hole not in (*dealt, current.dealer[0], *face_up, *counted):
            assert hole.code not in text


_SEATED = tuple(f"P{seat}" for seat in range(1, 8))


class InfiniteMachine(TableMachine):
    variant = "infinite"


class EuropeanMachine(TableMachine):
    variant = "european"


class ContinuousMachine(TableMachine):
    variant = "continuous"


_SETTINGS = settings(
    max_examples=60, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
)
TestDeluxe = TableMachine.TestCase
TestDeluxe.settings = _SETTINGS
TestInfinite = InfiniteMachine.TestCase
TestInfinite.settings = _SETTINGS
TestEuropean = EuropeanMachine.TestCase
TestEuropean.settings = _SETTINGS
TestContinuous = ContinuousMachine.TestCase
TestContinuous.settings = _SETTINGS
