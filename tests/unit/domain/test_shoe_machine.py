"""A table under shoe control, at random: packs, counts, signatures, dealers who come and go. No pair raises."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import test_table_machine as machine
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule
from support.tables import DEALER, READER, SUPERVISOR, PlayedTable, a_setup

from studio.adapters.variants import load_variant
from studio.domain.anomalies import WayOut
from studio.domain.bets import BetKind
from studio.domain.cards import DECK
from studio.domain.commands import (
    CloseBetting,
    CommitResult,
    OpenBetting,
    ResolveIncident,
    SignOff,
    SignOn,
)
from studio.domain.instructions import instruction, primary_button
from studio.domain.people import Actor, Role
from studio.domain.profile import BurnOn, RulingProfile
from studio.domain.record_commands import (
    RecordReader,
    RecordSighting,
)
from studio.domain.shoe import ShoeStep
from studio.domain.shoe_commands import (
    AbandonCount,
    BeginCount,
    ConfirmShoeStep,
    QuarantinePack,
    RegisterPack,
    ReportForeignCard,
    ReturnCards,
    SignCount,
)
from studio.domain.shoe_life import tally
from studio.domain.sightings import CardRead, CutCardRead, Reading, Sighting, SightingId
from studio.domain.table import Table

ELSE = Actor("eva", "Eva", Role.DEALER)
OTHER = Actor("sue", "Sue", Role.SUPERVISOR)
PEOPLE = (DEALER, ELSE, SUPERVISOR, OTHER)
PACKS = ("red-1", "blue-1", "red-2", "blue-2")
BUTTONS = {
    "open-betting": OpenBetting,
    "close-betting": CloseBetting,
    "commit-result": CommitResult,
    "return-cards": ReturnCards,
    "sign-count": SignCount,
    "sign-off": SignOff,
}
WAITS_FOR_OTHERS = {"count", "wait-signature", "register-pack", "relief", "sign-on"}


class ControlledMachine(machine.TableMachine):
    def __init__(self) -> None:
        super().__init__()
        profile = RulingProfile(round_reserve=0, rotation_minutes=1, burn_on=BurnOn.ALL)
        rules = replace(load_variant(self.variant), decks=1)
        setup = replace(
            a_setup(), rules=rules, cut_position=30, profile=profile, shoe_control=True, full_count_rounds=1
        )
        self.played = PlayedTable(setup)
        self.mirror = Table(setup)

    @initialize(ready=st.booleans(), seats=st.lists(st.integers(1, 7), unique=True, max_size=4))
    def open(self, *, ready: bool, seats: list[int]) -> None:
        self.played.open().verified("red-1", "red").verified("blue-1", "blue")
        if ready:
            self.played.load_shoe()
        for event in self.played.events:
            self._book(event)
        for seat in seats:
            self.bet(seat, 1000, BetKind.MAIN, funded=True)

    @rule()
    def press_the_primary_button(self) -> None:
        button = primary_button(self.played.table)
        if button is None:
            return
        on_duty = self.played.table.dealer
        dealer = next((one for one in (DEALER, ELSE) if on_duty and one.id == on_duty.dealer), DEALER)
        arguments = button.arguments
        command: Any
        match button.command:
            case "confirm-shoe-step":
                command = ConfirmShoeStep(ShoeStep(str(arguments["step"])))
            case "resolve-incident":
                command = ResolveIncident(int(arguments["incident"]), WayOut(str(arguments["way_out"])), "x")
            case "begin-count":
                command = BeginCount(str(arguments["pack"]))
            case "sign-on":
                command = SignOn("2099-12-31", licence_valid=True)
            case other:
                command = BUTTONS[other]()
        self._do(command, dealer)

    @rule(reading=machine._READINGS, seconds=st.just(1), skip=st.just(0))
    def a_reading(self, reading: Reading, seconds: float, skip: int) -> None:
        """Any reading is the other machines' matter: here it would end most shoes before their first round."""
        if isinstance(reading, CutCardRead):
            super().a_reading(reading, seconds, skip)

    @rule(pick=st.integers(0, 51))
    def a_good_card(self, pick: int) -> None:
        """A card that is still in the shoe, in good time, where one is asked for."""
        shoe = self.played.table.shoe
        if not instruction(self.played.table).code.startswith(("card", "hole", "turn", "burn")):
            return
        left = [card for card in DECK if shoe is not None and shoe.copies_out(card) < shoe.decks]
        if shoe is None or not left:
            return
        self.played.wait(4)
        identity = SightingId("shoe-1", shoe.load, shoe.drawn + 1)
        card = left[pick % len(left)]
        self._do(RecordSighting(Sighting(identity, CardRead(card), self.played.now.monotonic_ns)), READER)

    @rule(steps=st.integers(1, 30), pick=st.integers(0, 51))
    def go_on(self, steps: int, pick: int) -> None:
        """Do what the console asks for, several times: so that shoes do end."""
        for step in range(steps):
            before = self.played.table
            self.press_the_primary_button()
            self.a_good_card(pick + 7 * step)
            if self.played.table is before:
                self.count_the_rest(0)
                self.bet(1 + step % 3, 1000, BetKind.MAIN, funded=True)
                self.time_passes(20)

    @rule()
    def load_something_else(self) -> None:
        if self.played.table.shoe is not None:
            return
        load = (self.played.table.reader.load or 0) + 1
        self.played.load, self.played.ordinal = load, 0
        self._do(RecordReader("shoe-1", True, load, 0), READER)

    @rule(lost=st.sampled_from((0, 0, 0, 1)))
    def count_the_rest(self, lost: int) -> None:
        count = self.played.table.life.counting
        pack = self.played.table.life.pack(count.pack) if count else None
        if count is None or pack is None:
            return
        for ordinal, card in enumerate(tally(pack, count).missing[lost:], start=count.last + 1):
            sighting = Sighting(SightingId("shoe-1", count.load, ordinal), CardRead(card), 0)
            self._do(RecordSighting(sighting), READER)

    @rule(who=st.sampled_from(PEOPLE), pack=st.sampled_from(PACKS), pick=st.integers(0, 7))
    def a_person_does_something(self, who: Actor, pack: str, pick: int) -> None:
        commands: tuple[Any, ...] = (
            RegisterPack(pack, f"B-{pack.partition('-')[0]}", pack.partition("-")[0]),
            BeginCount(pack),
            SignCount(),
            AbandonCount(),
            QuarantinePack(pack, "x"),
            SignOff(),
            SignOn("2099-12-31", licence_valid=True),
            ReportForeignCard("x"),
        )
        self._do(commands[pick], who)

    @rule()
    def everybody_signs(self) -> None:
        for who in PEOPLE:
            self._do(SignCount(), who)

    @invariant()
    def there_is_no_dead_end(self) -> None:
        if instruction(self.played.table).code in WAITS_FOR_OTHERS:
            return
        super().there_is_no_dead_end()

    @invariant()
    def no_pack_is_lost_and_none_is_in_two_places(self) -> None:
        life = self.played.table.life
        assert len({one.id for one in life.packs}) == len(life.packs)
        assert sum(one.id == life.loaded for one in life.packs) == bool(life.loaded)
        assert all(0 <= one.out[card.index] <= one.decks for one in life.packs for card in DECK)


class ControlledShuffler(ControlledMachine):
    variant = "continuous"


_SETTINGS = settings(
    max_examples=40, stateful_step_count=60, deadline=None, suppress_health_check=list(HealthCheck)
)
TestControlled = ControlledMachine.TestCase
TestControlled.settings = _SETTINGS
TestControlledShuffler = ControlledShuffler.TestCase
TestControlledShuffler.settings = _SETTINGS
