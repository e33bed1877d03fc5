"""Records of what people put right: corrections, manual entry by two, dead hands, opened cards, revisions."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.recorded_table import RecordedTable, write
from support.tables import SUPERVISOR

from studio.domain.anomalies import WayOut
from studio.domain.cards import parse_card
from studio.domain.changes import CardValue, DeadHand
from studio.domain.commands import ResolveIncident, Suspend
from studio.domain.correction_commands import ApproveProposal, OpenHiddenCard, ReviseRound
from studio.domain.events import BettingOpened
from studio.domain.people import Actor, Role
from studio.evidence.records import Record, incident_record, record_at
from studio.evidence.replay import replay
from studio.ports.evidence import Wanted
from studio.ports.journal import Recorded
from studio.runtime.settled_rounds import settled_round

MANAGER = Actor("mia", "Mia", Role.MANAGER)


@pytest.fixture
def played() -> RecordedTable:
    """A round that was dealt to seats 3 and 4."""
    table = RecordedTable()
    table.ready().round(3, 4).cards("TC 9C 8C")
    return table


async def only_record(path: Path, played: RecordedTable) -> Record:
    return incident_record(await write(path, played), played.setup, 1)


async def test_a_corrected_card_is_a_correction_with_what_was_changed(
    tmp_path: Path, played: RecordedTable
) -> None:
    played.do(Suspend("The still shows a nine"), SUPERVISOR)
    change = CardValue(played.ordinal, parse_card("9H"))
    played.do(ResolveIncident(1, WayOut.CORRECT, "misread", "The still shows it", (change,)), SUPERVISOR)
    record = await only_record(tmp_path / "j", played)
    assert record.classes == ("correct", "suspend")
    assert record.players_delta == 0
    (corrected,) = [event for event in record.events if event.name == "round-corrected"]
    assert "9H" in corrected.said
    evidence = await write(tmp_path / "again", played)
    (found,) = evidence.search(Wanted()).rounds
    # It is in the incident's record, and has none of its own.
    assert [one.kind for one in found.noticed] == ["supervisor-stop"]
    shown = replay(evidence, played.setup, 1)
    before, after = (step.players.dealer_hand.cards for step in (shown.steps[-3], shown.steps[-1]))
    assert (before, after) == (("8C",), ("9H",))


async def test_a_dead_hand_gives_the_money_that_went_back(tmp_path: Path, played: RecordedTable) -> None:
    played.do(Suspend("Seat 4 was dealt out of turn"), SUPERVISOR)
    command = ResolveIncident(1, WayOut.DEAD_HAND, "procedure", "Seat 4 is out", (DeadHand(4),))
    played.do(command, SUPERVISOR)
    record = await only_record(tmp_path / "j", played)
    assert record.classes == ("correct", "suspend")
    assert record.players_delta == 1000
    assert {line.account for line in record.money} == {"player:P4", "table:t1"}


async def test_a_manual_entry_names_both_people(tmp_path: Path, played: RecordedTable) -> None:
    played.wait(1).no_read()
    change = CardValue(played.ordinal, parse_card("5D"))
    played.do(ResolveIncident(1, WayOut.ENTER, "unread", "It is torn", (change,)), SUPERVISOR)
    played.wait(5)
    played.do(ApproveProposal(1), MANAGER)
    record = await only_record(tmp_path / "j", played)
    assert "manual-entry" in record.classes
    assert [person.name for person in record.actors] == ["shoe-1", "Sam", "Mia"]
    names = [event.name for event in record.events]
    assert names.index("proposal-made") < names.index("proposal-approved") < names.index("card-entered")


async def test_an_opened_hidden_card_is_recorded_and_told_to_nobody_else(
    tmp_path: Path, played: RecordedTable
) -> None:
    played.cards("TD TS TH")
    hole = played.ordinal
    played.do(OpenHiddenCard(hole, "dispute", "A player says it was seen"), SUPERVISOR)
    played.do(ApproveProposal(1), MANAGER)
    played.do(OpenHiddenCard(hole, "dispute", "A player says it was seen"), SUPERVISOR)
    evidence = await write(tmp_path / "j", played)
    (found,) = evidence.search(Wanted(kind="hidden-card-opened")).rounds
    record = record_at(evidence, played.setup, found.noticed[0].sequence)
    assert record.classes == ("opening",)
    assert record.reason == "dispute"
    (opened,) = record.events
    assert (opened.by.name, "approved by: mia" in opened.said) == ("Sam", True)
    assert "TH" not in opened.said


async def test_a_revision_stands_with_the_round_that_it_revises_and_gives_its_money(tmp_path: Path) -> None:
    played = RecordedTable()
    played.ready().round(3).cards("TC 9C TD TH").decide("stand").commit()
    played.wait(60).round(4).cards("TC 9C TD TH")
    recorded = [one for entry in played.entries for one in entry.events]
    settled = settled_round(played.setup, recorded_of_round(recorded, 1), played.now)
    # The dealer's second card was a queen of hearts and no ten: nothing changes but the record.
    changes = (CardValue(6, parse_card("8H")),)
    played.do(ReviseRound(1, changes, "misread", "The still shows it", settled), SUPERVISOR)
    played.do(ApproveProposal(1, settled), MANAGER)
    evidence = await write(tmp_path / "j", played)
    (found,) = evidence.search(Wanted(kind="round-revised")).rounds
    assert found.span.round == 1
    record = record_at(evidence, played.setup, found.noticed[0].sequence)
    assert (record.kind, record.round) == ("round-revised", 1)
    assert "correct" in record.classes
    assert [person.name for person in record.actors] == ["Sam", "Mia"]
    assert (record.reason, record.text) == ("misread", "The still shows it")
    second = replay(evidence, played.setup, 2)
    assert second.noticed == ()


def recorded_of_round(recorded: list[Recorded], number: int) -> list[Recorded]:
    starts = [place for place, one in enumerate(recorded) if isinstance(one.event, BettingOpened)]
    return recorded[starts[number - 1] : starts[number]]
