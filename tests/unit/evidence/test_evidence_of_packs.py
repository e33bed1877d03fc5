"""Packs of cards in the evidence: their records, and past rounds dealt from them (consoles.md S9, S10)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from support.controlled_tables import ended, playing, rest_of
from support.recorded_table import RecordedTable, write
from support.tables import DEALER, SUPERVISOR, a_setup

from studio.adapters.variants import load_variant
from studio.domain.anomalies import WayOut
from studio.domain.profile import RulingProfile
from studio.domain.projections import dealer_view
from studio.domain.shoe_commands import QuarantinePack
from studio.evidence.records import incident_record, record_at
from studio.evidence.replay import replay
from studio.ports.evidence import Wanted

TODAY = "2023-11-14"


def controlled() -> RecordedTable:
    """A table with shoe control; its packs have one deck, to keep the counts short."""
    rules = replace(load_variant("deluxe"), decks=1)
    profile = RulingProfile(round_reserve=0)
    setup = replace(a_setup(), rules=rules, profile=profile, shoe_control=True, cut_position=40)
    table = RecordedTable(setup)
    table.open().verified("red-1", "red").verified("blue-1", "blue")
    return table


def next_shoe(table: RecordedTable, pack: str, burn: str, cards: str) -> None:
    """Count the ended shoe, have it signed, load the other pack and play a round from it."""
    table.wait(10).count(rest_of(table, pack), pack=pack).sign(DEALER, SUPERVISOR)
    table.load_shoe().cards(burn).wait(10).round(1).cards(cards).decide("stand").commit()


async def test_a_pack_that_is_put_away_without_an_incident_has_a_record_of_its_own(tmp_path: Path) -> None:
    table = controlled()
    ended(playing(table))
    table.do(QuarantinePack("blue-1", "backs worn"), SUPERVISOR)
    evidence = await write(tmp_path / "j", table)
    (found,) = evidence.search(Wanted(kind="pack-quarantined")).rounds
    record = record_at(evidence, table.setup, found.noticed[-1].sequence)
    assert (record.kind, record.reason, record.classes) == ("pack-quarantined", "backs worn", ("integrity",))
    assert [person.name for person in record.actors] == ["Sam"]


async def test_a_pack_put_away_by_its_count_is_in_the_incidents_record_alone(tmp_path: Path) -> None:
    """shoe-count: what led to the incident in one command belongs to it, and so does its recount."""
    table = controlled()
    ended(playing(table))
    table.count(rest_of(table, "red-1")[1:], pack="red-1").sign(DEALER)
    table.resolve(WayOut.RECOUNT)
    evidence = await write(tmp_path / "j", table)
    (found,) = evidence.search(Wanted(table="t1")).rounds
    assert "shoe-count" in [one.kind for one in found.noticed]
    assert "pack-quarantined" not in [one.kind for one in found.noticed]
    (shoe_count,) = [one for one in found.noticed if one.kind == "shoe-count"]
    record = incident_record(evidence, table.setup, shoe_count.number)
    names = {event.name for event in record.events}
    assert {"pack-quarantined", "recount-ordered", "incident-resolved"} <= names
    assert "integrity" in record.classes


async def test_a_round_of_a_later_shoe_shows_its_pack_as_it_was(tmp_path: Path) -> None:
    """Folded without the cards of the counts and of the shoes before."""
    table = controlled()
    ended(playing(table))
    next_shoe(table, "red-1", "AH 3C", "KS KD CUT 9H 8C")
    next_shoe(table, "blue-1", "AD 4C", "QS QD 9C 8H")
    evidence = await write(tmp_path / "j", table)
    for number in range(1, table.table.rounds + 1):
        for step in replay(evidence, table.setup, number).steps:
            last = next(one.events[-1] for one in table.entries if step.sequence <= one.events[-1].sequence)
            expected = dealer_view(table.states[last.sequence], last.at, TODAY)
            assert (step.dealer.pack, step.dealer.instruction) == (expected.pack, expected.instruction)
    assert step.dealer.pack is not None
    assert (step.dealer.pack.id, step.dealer.pack.loads) == ("red-1", 2)
