"""Replay: any past round as it was shown and as it was recorded, hidden cards hidden (consoles.md S10)."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from support.recorded_table import RecordedTable, write
from support.tables import COLLEAGUE, DEALER, SUPERVISOR, a_setup

from studio.adapters.sqlite_evidence import SqliteEvidence
from studio.adapters.variants import load_variant
from studio.domain.anomalies import WayOut
from studio.domain.cards import parse_card
from studio.domain.changes import CardValue
from studio.domain.commands import CallSupervisor, Suspend, TakeSeat, VoidRound
from studio.domain.correction_commands import ApproveProposal
from studio.domain.disputes import AddNote
from studio.domain.people import Actor, Role
from studio.domain.phases import Phase, phase
from studio.domain.projections import dealer_view, table_view
from studio.domain.record_events import Subject
from studio.domain.shoe_commands import ReturnCards
from studio.domain.views import BACK, TableView
from studio.evidence.replay import NoSuchRoundError, Replay, replay
from studio.ports.history import Ended

TODAY = "2023-11-14"
ROUND = "TC 9C TD TH"


async def replayed(path: Path, played: RecordedTable, number: int) -> Replay:
    return replay(await write(path, played), played.setup, number)


def recorded() -> RecordedTable:
    table = RecordedTable()
    table.ready()
    return table


async def test_each_step_shows_both_screens_as_they_were_then(tmp_path: Path) -> None:
    played = recorded()
    played.round(3).cards(ROUND).decide("stand").commit()
    shown = await replayed(tmp_path / "j", played, 1)
    assert (shown.ended, shown.round, shown.simulated) == (Ended.SETTLED, 1, True)
    assert [step.name for step in shown.steps][:4] == [
        "betting-opened",
        "seat-taken",
        "bets-placed",
        "betting-closed",
    ]
    assert shown.steps[-1].name == "round-closed"
    by_name = {step.name: step for step in shown.steps}
    asked = by_name["decision-asked"]
    assert asked.dealer.instruction.words == "Wait for seat 3"
    assert asked.players.seats[2].hands[0].cards == ("TC", "TD")
    assert asked.players.dealer_hand.cards == ("9C", BACK)
    assert by_name["hole-revealed"].players.dealer_hand.cards == ("9C", "TH")
    assert by_name["decision-taken"].by.id == "P3"
    assert [(one.player, one.staked, one.returned) for one in shown.players] == [("P3", 1000, 2000)]


async def test_recorded_facts_have_fields_bytes_chain_and_money(tmp_path: Path) -> None:
    played = recorded()
    played.round(3).cards(ROUND).decide("stand").commit()
    shown = await replayed(tmp_path / "j", played, 1)
    facts = {step.name: step.recorded for step in shown.steps}
    assert facts["bets-placed"].fields["bets"]["amounts"] == [1000]
    assert facts["card-dealt"].raw in {"0612", "sealed"}
    assert len(facts["card-dealt"].chain) == 64
    assert sum(move.amount for move in facts["round-settled"].moves) == 0
    assert {move.account for move in facts["bets-placed"].moves} == {"player:P3", "table:t1"}


async def test_d20_a_card_entered_by_hand_says_so_in_all_three_views(tmp_path: Path) -> None:
    played = recorded()
    played.round(3).cards("TC 9C")
    played.wait(1).no_read()
    played.resolve(WayOut.ENTER, SUPERVISOR, CardValue(played.ordinal, parse_card("TD")))
    played.do(ApproveProposal(1), COLLEAGUE)
    played.cards("TH").decide("stand").commit()
    shown = await replayed(tmp_path / "j", played, 1)
    dealt = [step for step in shown.steps if step.name == "card-dealt"]
    assert [step.recorded.mark for step in dealt] == ["", "", "manual", ""]
    assert [step.recorded.mark for step in shown.steps if step.name == "card-entered"] == ["manual"]
    entered = dealt[2]
    assert entered.dealer.table.seats[2].hands[0].marks == ("", "manual")
    assert entered.dealer.last_cards[0].mark == "manual"
    assert entered.players.seats[2].hands[0].marks == ("", "manual")
    assert shown.steps[-1].players.seats[2].hands[0].marks == ("", "manual")
    assert shown.steps[-1].players.dealer_hand.marks == ()


async def test_a_hole_card_is_hidden_on_the_screens_of_then_and_open_in_the_facts_once_it_was_turned(
    tmp_path: Path,
) -> None:
    played = recorded()
    played.round(3).cards(ROUND).decide("stand").commit()
    shown = await replayed(tmp_path / "j", played, 1)
    (hole,) = [step for step in shown.steps if step.recorded.fields.get("slot", {}).get("face") == "down"]
    assert hole.players.dealer_hand.cards == ("9C", BACK)
    assert "TH" not in json.dumps(asdict(hole.dealer))
    assert (hole.recorded.fields["card"], hole.recorded.raw) == ("TH", "0612")


async def test_a_hole_card_that_was_never_turned_stays_sealed_until_its_shoe_is_closed(tmp_path: Path) -> None:
    played = recorded()
    played.round(3).cards(ROUND)
    played.do(VoidRound("misdeal", "Card on the floor"), SUPERVISOR)
    shown = await replayed(tmp_path / "open", played, 1)
    assert "TH" not in json.dumps(asdict(shown))
    assert "sealed" in json.dumps([step.recorded.fields for step in shown.steps])
    played.wait(1).card("CUT")
    played.wait(1).round(3).cards("TC 9C TD TS").decide("stand").commit()
    assert played.table.shoe is None
    closed = await replayed(tmp_path / "closed", played, 1)
    (hole,) = [step for step in closed.steps if step.recorded.fields.get("slot", {}).get("face") == "down"]
    assert hole.recorded.fields["card"] == "TH"
    assert "TH" not in json.dumps([(asdict(step.dealer), asdict(step.players)) for step in closed.steps])


async def test_held_and_burned_cards_stay_hidden_while_the_shoe_is_in_play(tmp_path: Path) -> None:
    played = recorded()
    played.betting().bet(3).wait(1).card("4S")
    played.resolve(WayOut.BURN)
    shown = await replayed(tmp_path / "j", played, 1)
    assert {"card-held", "card-burned"} <= {step.name for step in shown.steps}
    assert "4S" not in json.dumps(asdict(shown))


async def test_notes_and_disputes_stand_beside_the_round_they_are_about(tmp_path: Path) -> None:
    played = recorded()
    played.round(3).cards(ROUND).decide("stand").commit()
    played.round(3).cards(ROUND).decide("stand").commit()
    played.do(AddNote(Subject.ROUND, 1, "The dealer agrees"), SUPERVISOR)
    evidence = await write(tmp_path / "j", played)
    first, second = replay(evidence, played.setup, 1), replay(evidence, played.setup, 2)
    assert [(note.by.name, note.text) for note in first.notes] == [("Sam", "The dealer agrees")]
    assert second.notes == ()


async def test_there_is_no_replay_of_a_round_that_was_not_played(tmp_path: Path) -> None:
    with pytest.raises(NoSuchRoundError, match="has no round 7"):
        await replayed(tmp_path / "j", recorded(), 7)


def a_table(variant: str) -> RecordedTable:
    if variant == "continuous":
        played = RecordedTable(a_setup(load_variant(variant)))
        played.open().load_shoe()
        return played
    return recorded()


def lively(variant: str, seed: int) -> RecordedTable:
    """Eight rounds over several shoes: people come and go, there are stops, calls and a void."""
    choice = random.Random(seed)  # noqa: S311 - the same seed plays the same rounds
    played = a_table(variant)
    is_shuffler = variant == "continuous"
    for number in range(1, 9):
        if number in {4, 7} and not is_shuffler:
            played.wait(1).card("CUT")
            # It comes long before the declared cut.
            played.resolve(WayOut.ACKNOWLEDGE)
        played.wait(2).betting()
        for seat in [1] if is_shuffler else sorted(choice.sample(range(1, 8), 2)):
            played.bet(seat)
        if number % 3 == 0:
            played.do(CallSupervisor(), DEALER)
            played.do(Suspend("look"), SUPERVISOR)
            played.resolve(WayOut.GO_ON)
        play_out(played, choice, is_void=number % 5 == 0)
        if is_shuffler:
            played.do(ReturnCards(), DEALER)
        elif played.table.shoe is None:
            played.wait(1).load_shoe().cards("2S 3H 4D").wait(10)
    return played


def play_out(played: RecordedTable, choice: random.Random, *, is_void: bool) -> None:
    if phase(played.table) is Phase.BETTING:
        played.close()
    codes = iter(choice.sample([f"{rank}{suit}" for rank in "TJQK9" for suit in "SHDC"], 20))
    while phase(played.table) is Phase.DEALING:
        played.wait(1).card(next(codes))
    if is_void:
        played.do(VoidRound("misdeal", "Looked at"), SUPERVISOR)
    else:
        finish(played, codes)


def finish(played: RecordedTable, codes: Iterator[str]) -> None:
    """Everybody stands; the dealer draws what is owed."""
    while phase(played.table) not in {Phase.COMMIT, Phase.IDLE}:
        match phase(played.table):
            case Phase.DECISIONS:
                played.decide("stand")
            case Phase.INSURANCE:
                played.time_out()
            case _:
                played.wait(1).card(next(codes))
    if phase(played.table) is Phase.COMMIT:
        played.commit()


@pytest.mark.parametrize("variant", ["deluxe", "continuous"])
@pytest.mark.parametrize("seed", [1, 2])
async def test_a_round_folded_from_few_events_looks_as_it_did_folded_from_all(
    tmp_path: Path, variant: str, seed: int
) -> None:
    played = lively(variant, seed)
    evidence = await write(tmp_path / "j", played)
    for number in range(1, played.table.rounds + 1):
        for step in replay(evidence, played.setup, number).steps:
            last = next(one.events[-1] for one in played.entries if step.sequence <= one.events[-1].sequence)
            # Nobody saw a command half done.
            then, at = played.states[last.sequence], last.at
            assert unnumbered(step.dealer.table) == unnumbered(table_view(then, at)), (number, step.name)
            expected = dealer_view(then, at, TODAY)
            assert replace(step.dealer, table=expected.table) == expected
            assert step.players == step.dealer.table


def unnumbered(view: TableView) -> TableView:
    """The running numbers of notices are counted from where the fold begins."""
    return replace(view, notices=tuple(replace(one, number=0) for one in view.notices))


async def test_a_changed_row_is_named_and_nothing_is_shown_of_it(tmp_path: Path) -> None:
    played = recorded()
    played.round(3).cards(ROUND).decide("stand").commit()
    evidence: SqliteEvidence = await write(tmp_path / "j", played)
    with closing(sqlite3.connect(tmp_path / "j", isolation_level=None)) as connection:
        connection.execute(
            "UPDATE events SET payload = replace(payload, '1000', '9000') WHERE name = 'bets-placed'"
        )
    with pytest.raises(ValueError, match="chain hash is wrong"):
        replay(evidence, played.setup, 1)


async def test_those_who_left_before_the_shoe_are_not_seen_again(tmp_path: Path) -> None:
    played = recorded()
    who = Actor("P5", "P5", Role.PLAYER)
    played.do(TakeSeat("P5", 5), who)
    played.round(3).cards(ROUND).decide("stand")
    played.wait(1).card("CUT")
    played.commit()
    assert played.table.shoe is None
    played.wait(1).load_shoe().cards("AS 2C").wait(10)
    played.round(3).cards(ROUND).decide("stand").commit()
    shown = await replayed(tmp_path / "j", played, played.table.rounds)
    assert [seat.holder for seat in shown.steps[0].players.seats] == ["", "", "P3", "", "", "", ""]
