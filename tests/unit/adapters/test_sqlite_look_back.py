"""The look-back: rounds of a shoe, a pack, a batch, a time, with their money, from a real journal (C17)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.actors import LiveActor, live_actor
from support.tables import COLLEAGUE, DEALER, READER, SECOND, START, SUPERVISOR, a_setup, player, whole_pack

from studio.adapters.sqlite_look_back import SqliteLookBack
from studio.adapters.variants import load_variant
from studio.domain.actions import Action
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.cards import parse_card
from studio.domain.changes import CardValue
from studio.domain.commands import (
    CloseBetting,
    CommitResult,
    Decide,
    OpenBetting,
    PlaceBets,
    SignOn,
    VoidRound,
)
from studio.domain.correction_commands import ApproveProposal, ReviseRound
from studio.domain.profile import RulingProfile
from studio.domain.record_commands import (
    RecordReader,
    RecordSighting,
)
from studio.domain.setup import TableSetup
from studio.domain.shoe import ShoeStep
from studio.domain.shoe_commands import (
    BeginCount,
    ConfirmShoeStep,
    RegisterPack,
    SignCount,
)
from studio.domain.sightings import CardRead, Sighting, SightingId
from studio.ports.look_back import LookBackQuery, PlayerMoney, TouchedRound

ANNA, BEN = player("anna"), player("ben")
RICH = {"anna": 100_000, "ben": 100_000}


def controlled() -> TableSetup:
    rules = replace(load_variant("deluxe"), decks=1)
    return replace(
        a_setup(), rules=rules, cut_position=40, shoe_control=True, profile=RulingProfile(round_reserve=0)
    )


async def pass_through(live: LiveActor, load: int, codes: list[str]) -> None:
    for ordinal, code in enumerate(codes, start=1):
        identity = SightingId("shoe-1", load, ordinal)
        await live.do(RecordSighting(Sighting(identity, CardRead(parse_card(code)), START.monotonic_ns)), READER)


async def verified(live: LiveActor, pack: str, batch: str, load: int) -> None:
    await live.do(RegisterPack(pack, batch, "red"), SUPERVISOR)
    await live.do(RecordReader("shoe-1", True, load, 0), READER)
    await live.do(BeginCount(pack), DEALER)
    await pass_through(live, load, whole_pack(1))
    await live.do(SignCount(), DEALER)
    await live.do(SignCount(), SUPERVISOR)


async def card(live: LiveActor, load: int, ordinal: int, code: str) -> None:
    await live.wait(1)
    at_ns = live.clock.now().monotonic_ns
    sighting = Sighting(SightingId("shoe-1", load, ordinal), CardRead(parse_card(code)), at_ns)
    await live.do(RecordSighting(sighting), READER)


async def opened(live: LiveActor) -> int:
    """Sign on, verify a pack, load and burn it; return the reader's load."""
    await live.do(RecordReader("shoe-1", True, 1, 0), READER)
    await live.do(SignOn("2099-12-31", licence_valid=True), DEALER)
    await verified(live, "red-1", "B-7", 1)
    await live.do(RecordReader("shoe-1", True, 2, 0), READER)
    for step in ShoeStep:
        await live.do(ConfirmShoeStep(step), DEALER)
    await card(live, 2, 1, "AS")
    await card(live, 2, 2, "2C")
    await live.wait(10)
    return 2


async def a_round(live: LiveActor, load: int, first: int, codes: str) -> None:
    """Anna stands on seat 1; Ben loses a side bet or wins it."""
    await live.do(OpenBetting(), DEALER)
    await live.do(PlaceBets((Placement((Bet("anna", 1, BetKind.MAIN, 1000),)),)), ANNA)
    await live.do(PlaceBets((Placement((Bet("ben", 2, BetKind.MAIN, 500),)),)), BEN)
    await live.do(CloseBetting(), DEALER)
    for place, code in enumerate(codes.split()):
        await card(live, load, first + place, code)
    for who in (ANNA, BEN):
        question = live.actor.table.open_round.question
        assert question is not None
        await live.do(Decide(who.id, question.number, Action.STAND, funded=True), who)
    await live.do(CommitResult(), DEALER)


def look(live: LiveActor, **query: object) -> list[TouchedRound]:
    return list(SqliteLookBack(live.store.path).rounds(LookBackQuery(**query)))  # type: ignore[arg-type]


async def test_every_round_of_a_shoe_with_the_money_in_it(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "journal.sqlite", setup=controlled(), balances=RICH) as live:
        load = await opened(live)
        opened_at = live.clock.now().wall_ns
        await a_round(live, load, 3, "TS 9S TD TH 9H 8D")  # 20 and 18 against 18
        await live.wait(60)
        await live.do(OpenBetting(), DEALER)
        await live.do(PlaceBets((Placement((Bet("anna", 1, BetKind.MAIN, 400),)),)), ANNA)
        await live.do(VoidRound("misdeal", "two at once"), SUPERVISOR)
        await live.do(OpenBetting(), DEALER)
        await live.do(CloseBetting(), DEALER)
        await live.do(OpenBetting(), DEALER)

        first, second, third, fourth = look(live, shoe="t1-shoe-1")

        assert first == TouchedRound(
            "t1",
            1,
            "t1-shoe-1",
            "red-1",
            "B-7",
            "dora",
            opened_at,
            "settled",
            "EUR",
            (PlayerMoney("anna", 1000, 2000), PlayerMoney("ben", 500, 500)),
        )
        assert (second.ended, second.players) == ("voided", (PlayerMoney("anna", 400, 400),))
        assert [one.net for one in first.players] == [1000, 0]
        assert (third.ended, third.players, third.currency) == ("no-bets", (), "")
        assert fourth.ended == "open"

        assert [one.round for one in look(live, batch="B-7", pack="red-1", table="t1")] == [1, 2, 3, 4]
        assert [one.round for one in look(live, from_wall_ns=opened_at + SECOND)] == [2, 3, 4]
        assert [one.round for one in look(live, to_wall_ns=opened_at + SECOND)] == [1]
        for other in ({"shoe": "t1-shoe-2"}, {"batch": "B-8"}, {"pack": "blue-1"}, {"table": "t2"}):
            assert look(live, **other) == []


@pytest.mark.parametrize(("code", "returned"), [("TD", 2000), ("8D", 0)])
async def test_what_a_revision_moved_counts_to_its_round(tmp_path: Path, code: str, returned: int) -> None:
    """19 against 19 was a push; with a ten it was 20, with an eight 18 (C08)."""
    async with live_actor(tmp_path / "journal.sqlite", balances={"anna": 5000}) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        await live.do(PlaceBets((Placement((Bet("anna", 1, BetKind.MAIN, 1000),)),)), ANNA)
        await live.do(CloseBetting(), DEALER)
        await live.cards("TC 9C 9D TH")
        third = live.actor.table.open_round.draws[2].draw
        await live.do(Decide("anna", 1, Action.STAND, funded=False), ANNA)
        await live.do(CommitResult(), DEALER)
        assert look(live)[0].players == (PlayerMoney("anna", 1000, 1000),)

        await live.do(OpenBetting(), DEALER)
        changes = (CardValue(third, parse_card(code)),)
        await live.do(ReviseRound(1, changes, "misread", "looked again"), SUPERVISOR)
        await live.do(ApproveProposal(1), COLLEAGUE)

        revised, open_ = look(live)
        assert revised.players == (PlayerMoney("anna", 1000, returned),)
        assert open_.players == ()


async def test_the_rounds_of_very_many_players(tmp_path: Path) -> None:
    """Their transfers lie in columns."""
    names = [f"p{number}" for number in range(1200)]
    balances = dict.fromkeys(names, 10_000)
    path = tmp_path / "journal.sqlite"
    async with live_actor(path, setup=a_setup(load_variant("infinite")), balances=balances) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        bets = tuple(Placement((Bet(name, 1, BetKind.MAIN, 100),)) for name in names)
        await live.do(PlaceBets(bets), replace(ANNA, id="ops", role=ANNA.role))

        (found,) = look(live)

        assert len(found.players) == len(names)
        assert {(one.staked, one.returned) for one in found.players} == {(100, 0)}


def test_without_a_journal_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be opened"):
        list(SqliteLookBack(tmp_path / "none.sqlite").rounds(LookBackQuery()))
