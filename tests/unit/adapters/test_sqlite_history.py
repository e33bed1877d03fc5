"""The history: a player's rounds read back from a real journal, no hidden card among them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.actors import LiveActor, live_actor
from support.tables import DEALER, SUPERVISOR, a_setup, player

from studio.adapters.sqlite_history import SqliteHistory
from studio.adapters.sqlite_ledger import BATCH_FROM
from studio.adapters.variants import load_variant
from studio.domain.actions import Action
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.commands import (
    AnswerFollow,
    AnswerInsurance,
    CloseBetting,
    CommitResult,
    Decide,
    OpenBetting,
    PassDeadline,
    PlaceBets,
    VoidRound,
)
from studio.domain.people import SYSTEM, Actor, Role
from studio.domain.setup import TableSetup
from studio.domain.shared_commands import (
    Choosing,
    DecideAll,
    InsureAll,
    Insuring,
)
from studio.domain.slots import HandId
from studio.ports.history import Ended, Outcome, PlayedBet, PlayedRound
from studio.runtime.inbox import Done

ANNA, BEN = player("anna"), player("ben")
OPERATOR = Actor("ops", "Ops", Role.OPERATOR)
RICH = {"anna": 100_000, "ben": 100_000}


def shared_setup() -> TableSetup:
    return a_setup(load_variant("infinite"))


def history(live: LiveActor) -> SqliteHistory:
    return SqliteHistory(live.store.path, {"t1": live.actor.setup})


def rounds(live: LiveActor, name: str, *, before: int | None = None, limit: int = 50) -> tuple[PlayedRound, ...]:
    return history(live).rounds("t1", name, before=before, limit=limit)


def the_round(live: LiveActor, name: str) -> PlayedRound:
    (found,) = rounds(live, name)
    return found


async def betting(live: LiveActor, *bets: Bet) -> None:
    await live.do(OpenBetting(), DEALER)
    for bet in bets:
        outcome = await live.do(PlaceBets((Placement((bet,)),)), OPERATOR)
        assert isinstance(outcome, Done)
        assert outcome.items == (None,)


async def dealt(live: LiveActor, codes: str, *bets: Bet) -> None:
    await betting(live, *bets)
    await live.do(CloseBetting(), DEALER)
    await live.cards(codes)


async def decide(live: LiveActor, who: Actor, number: int, action: str) -> None:
    assert isinstance(await live.do(Decide(who.id, number, Action(action), False), who), Done)


def bet(who: Actor, seat: int, amount: int = 1000, kind: BetKind = BetKind.MAIN) -> Bet:
    return Bet(who.id, seat, kind, amount)


def balanced(live: LiveActor, name: str) -> None:
    """What the entries say is what the rounds won, and what the wallet has."""
    played = rounds(live, name)
    for one in played:
        if one.ended is not Ended.OPEN:
            assert sum(entry.amount for entry in one.entries) == sum(wager.net for wager in one.bets)
    moved = sum(entry.amount for one in played for entry in one.entries)
    assert live.wallet.available(f"player:{name}") == RICH[name] + moved


async def test_a_settled_round_has_cards_bets_decisions_and_entries(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances=RICH) as live:
        await live.ready()
        await dealt(live, "5C TC 9C 6D 8D TH", bet(ANNA, 1), bet(BEN, 3), bet(ANNA, 1, 500, BetKind.PAIR))
        await decide(live, ANNA, 1, "double")
        await live.cards("KS")
        await decide(live, BEN, 2, "stand")
        await live.do(CommitResult(), DEALER)

        found = the_round(live, "anna")
        assert (found.round, found.ended, found.dealer) == (1, Ended.SETTLED, ("9C", "TH"))
        main, pair = found.bets
        assert main == PlayedBet("main", 1, 1, ("5C", "6D", "KS"), 2000, 4000, 2000, Outcome.WON)
        assert (pair.kind, pair.cards, pair.result, pair.net) == ("pair", ("5C", "6D"), Outcome.LOST, -500)
        (decision,) = found.decisions
        assert (decision.player, decision.seat, decision.hand) == ("anna", 1, 1)
        assert (decision.asked, decision.action, decision.added_stake) == ("double", "double", 1000)
        assert [entry.amount for entry in found.entries] == [-1000, -500, -1000, 2000, 2000]
        assert len({entry.id for entry in found.entries}) == 5
        assert the_round(live, "ben").bets == (
            PlayedBet("main", 3, 1, ("TC", "8D"), 1000, 0, -1000, Outcome.LOST),
        )
        assert rounds(live, "cleo") == ()
        balanced(live, "anna")
        balanced(live, "ben")


async def test_an_open_round_shows_only_what_lies_face_up(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances=RICH) as live:
        await live.ready()
        await betting(live, bet(ANNA, 1), bet(ANNA, 1, 500, BetKind.PAIR))
        found = the_round(live, "anna")
        assert (found.ended, found.dealer) == (Ended.OPEN, ())
        assert [(one.kind, one.stake, one.returned, one.net, one.result) for one in found.bets] == [
            ("main", 1000, 0, 0, Outcome.OPEN),
            ("pair", 500, 0, 0, Outcome.OPEN),
        ]
        await live.do(CloseBetting(), DEALER)
        await live.cards("TC 9C 9D KH")

        found = the_round(live, "anna")
        assert found.dealer == ("9C",)
        assert {one.kind: one.cards for one in found.bets} == {"main": ("TC", "9D"), "pair": ("TC", "9D")}
        assert "KH" not in str(found)
        assert [entry.amount for entry in found.entries] == [-1000, -500]


async def test_a_split_surrendered_and_insured_seat(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances=RICH) as live:
        await live.ready()
        await dealt(live, "8C TC AC 8D 6D 7H", bet(ANNA, 1), bet(BEN, 3))
        await live.do(AnswerInsurance("anna", 1, take=True, funded=False), ANNA)
        await live.do(AnswerInsurance("ben", 3, take=False, funded=False), BEN)
        await decide(live, ANNA, 1, "split")
        await live.cards("TD 9H")
        await decide(live, ANNA, 2, "stand")
        await decide(live, ANNA, 3, "stand")
        open_bets = {(one.kind, one.hand): one for one in the_round(live, "anna").bets}
        assert open_bets["main", 1].cards == ("8C", "TD")
        assert open_bets["split", 2].cards == ("8D", "9H")
        assert open_bets["insurance", 0].stake == 500
        await decide(live, BEN, 4, "stand")
        await live.do(CommitResult(), DEALER)

        found = the_round(live, "anna")
        assert {(one.kind, one.hand): (one.cards, one.result) for one in found.bets} == {
            ("main", 1): (("8C", "TD"), Outcome.PUSH),
            ("split", 2): (("8D", "9H"), Outcome.LOST),
            ("insurance", 0): ((), Outcome.LOST),
        }
        assert [(one.kind, one.action, one.added_stake) for one in found.decisions] == [
            ("insurance", "take", 500),
            ("decision", "split", 1000),
            ("decision", "stand", 0),
            ("decision", "stand", 0),
        ]
        balanced(live, "anna")

        await dealt(live, "TS 6C 6S 7S", bet(ANNA, 1))
        await decide(live, ANNA, 1, "surrender")
        await live.do(CommitResult(), DEALER)
        newest, _ = rounds(live, "anna")
        (surrendered,) = newest.bets
        assert (surrendered.net, surrendered.result) == (-500, Outcome.SURRENDERED)
        balanced(live, "anna")


async def test_a_bet_behind_tells_what_its_seat_decided_and_whether_it_followed(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances=RICH) as live:
        await live.ready()
        await dealt(live, "5C 9C 6D TH", bet(ANNA, 1), bet(BEN, 1, 500, BetKind.BEHIND))
        await decide(live, ANNA, 1, "double")
        await live.do(AnswerFollow("ben", HandId(1, 1), follow=True, funded=False), BEN)
        (lying,) = the_round(live, "ben").bets
        assert (lying.kind, lying.stake, lying.result) == ("behind", 1000, Outcome.OPEN)
        await live.cards("KS")
        await live.do(CommitResult(), DEALER)

        found = the_round(live, "ben")
        assert found.bets == (PlayedBet("behind", 1, 1, ("5C", "6D", "KS"), 1000, 2000, 1000, Outcome.WON),)
        assert [(one.kind, one.player, one.action) for one in found.decisions] == [
            ("decision", "anna", "double"),
            ("follow", "ben", "follow"),
        ]
        balanced(live, "ben")


async def test_a_voided_round_gives_everything_back_and_keeps_its_hole_card(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances=RICH) as live:
        await live.ready()
        await dealt(live, "TC 9C 9D KH", bet(ANNA, 1), bet(ANNA, 1, 500, BetKind.PAIR))
        await live.do(VoidRound("misdeal", "Card on the floor"), SUPERVISOR)

        found = the_round(live, "anna")
        assert (found.ended, found.dealer) == (Ended.VOIDED, ("9C",))
        assert [(one.kind, one.stake, one.returned, one.net, one.result) for one in found.bets] == [
            ("main", 1000, 1000, 0, Outcome.REFUNDED),
            ("pair", 500, 500, 0, Outcome.REFUNDED),
        ]
        assert {(one.hand, one.cards) for one in found.bets} == {(1, ("TC", "9D")), (0, ("TC", "9D"))}
        assert "KH" not in str(found)
        balanced(live, "anna")


async def test_r15_a_voided_split_is_given_back_hand_by_hand(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances=RICH) as live:
        await live.ready()
        await dealt(live, "8C 9C 8D KH", bet(ANNA, 1), bet(BEN, 1, 500, BetKind.BEHIND))
        await decide(live, ANNA, 1, "split")
        await live.do(AnswerFollow("ben", HandId(1, 1), follow=True, funded=False), BEN)
        await live.cards("TD 7H")
        await live.do(VoidRound("misdeal", "Card on the floor"), SUPERVISOR)
        for name, kinds, stake in (("anna", ("main", "split"), 1000), ("ben", ("behind", "behind_split"), 500)):
            assert [(one.kind, one.hand, one.cards, one.returned) for one in the_round(live, name).bets] == [
                (kinds[0], 1, ("8C", "TD"), stake),
                (kinds[1], 2, ("8D", "7H"), stake),
            ]
            balanced(live, name)


async def test_rounds_are_told_newest_first_in_pages(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances=RICH) as live:
        await live.ready()
        for who in (ANNA, BEN, ANNA, BEN, ANNA):
            await betting(live, bet(who, 1 if who is ANNA else 2))
            await live.do(VoidRound("test", "next"), SUPERVISOR)
            await live.wait(1)
        assert [one.round for one in rounds(live, "anna")] == [5, 3, 1]
        assert [one.round for one in rounds(live, "anna", limit=2)] == [5, 3]
        assert [one.round for one in rounds(live, "anna", before=3, limit=2)] == [1]
        assert rounds(live, "anna", before=1) == ()
        assert rounds(live, "anna", limit=0) == ()
        times = [one.at_wall_ns for one in rounds(live, "anna")]
        assert times == sorted(times, reverse=True)


@pytest.mark.parametrize("name", ["main", 'an"na', "ann", "bets", "%", ""])
async def test_a_player_who_is_called_like_something_else_has_no_rounds(tmp_path: Path, name: str) -> None:
    async with live_actor(tmp_path / "j", balances=RICH) as live:
        await live.ready()
        await betting(live, bet(ANNA, 1))
        assert rounds(live, name) == ()


async def test_each_player_of_a_shared_hand_has_their_own_cards(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", setup=shared_setup(), balances={**RICH, "cleo": 100_000}) as live:
        await live.ready()
        await dealt(
            live,
            "8C 9C 8D TH",
            bet(ANNA, 1),
            bet(BEN, 1),
            bet(player("cleo"), 1),
            bet(BEN, 1, 500, BetKind.PAIR),
        )
        choices = (Choosing("anna", Action.SPLIT), Choosing("ben", Action.STAND), Choosing("cleo", Action.HIT))
        outcome = await live.do(DecideAll(1, choices), OPERATOR)
        assert isinstance(outcome, Done)
        assert outcome.items == (None, None, None)
        await play_out(live)

        table = live.actor.table.open_round
        lines = {hand.id.number: tuple(card.code for card in hand.cards) for hand in table.hands}
        anna, ben, cleo = (the_round(live, name) for name in ("anna", "ben", "cleo"))
        assert {one.hand: one.cards for one in anna.bets} == {1: lines[2], 2: lines[3]}
        assert [(one.kind, one.cards, one.result) for one in ben.bets] == [
            ("main", ("8C", "8D"), Outcome.LOST),
            ("pair", ("8C", "8D"), Outcome.WON),
        ]
        assert cleo.bets[0].cards == lines[1]
        assert len(lines[1]) > 2
        assert anna.dealer == ben.dealer == ("9C", "TH")
        assert (anna.decisions[0].action, anna.decisions[0].added_stake) == ("split", 1000)
        assert {one.cause for one in anna.decisions[1:]} == {"no-answer"}
        assert [one.action for one in ben.decisions] == ["stand"]
        balanced(live, "anna")
        balanced(live, "ben")


async def play_out(live: LiveActor) -> None:
    """Deal a ten to whatever wants a card and let every window pass, until the result is committed."""
    for code in ("TS", "TD", "TC", "TH", "9S", "9D"):
        await live.wait(1)
        await live.card(code)
        await live.wait(60)
        await live.do(PassDeadline(), SYSTEM)
        if live.actor.table.open_round.hole_revealed:
            break
    await live.do(CommitResult(), DEALER)


async def test_insurance_on_a_shared_hand(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", setup=shared_setup(), balances=RICH) as live:
        await live.ready()
        await dealt(live, "TC AC 9D KH", bet(ANNA, 1), bet(BEN, 1))
        answers = (Insuring("anna", take=True), Insuring("ben", take=False))
        assert isinstance(await live.do(InsureAll(answers), OPERATOR), Done)
        await live.do(CommitResult(), DEALER)
        assert [(one.kind, one.net, one.result) for one in the_round(live, "anna").bets] == [
            ("main", -1000, Outcome.LOST),
            ("insurance", 1000, Outcome.WON),
        ]
        assert [(one.kind, one.action) for one in the_round(live, "ben").decisions] == [("insurance", "decline")]
        balanced(live, "anna")
        balanced(live, "ben")


async def test_money_that_is_booked_in_columns_is_found(tmp_path: Path) -> None:
    names = [f"p-{number}" for number in range(BATCH_FROM)]
    async with live_actor(tmp_path / "j", setup=shared_setup(), balances=dict.fromkeys(names, 5000)) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        placed = tuple(Placement((Bet(name, 1, BetKind.MAIN, 1000),)) for name in names)
        await live.do(PlaceBets(placed), OPERATOR)
        (entry,) = the_round(live, "p-17").entries
        assert (entry.amount, entry.cause) == (-1000, "main bet")
        assert entry.id.endswith(":17")
        assert [one.stake for one in the_round(live, "p-17").bets] == [1000]


async def test_many_bets_of_one_player_in_a_shared_batch(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", setup=shared_setup(), balances=RICH) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        kinds = (BetKind.MAIN, BetKind.PAIR) * 40
        placed = tuple(Placement((bet(who, 1, 100, kind),)) for kind in kinds for who in (BEN, ANNA))
        await live.do(PlaceBets(placed), OPERATOR)
        found = the_round(live, "anna")
        assert [(one.kind, one.stake) for one in found.bets] == [("main", 4000), ("pair", 4000)]
        assert [entry.amount for entry in found.entries] == [-100] * 80


async def test_nothing_of_the_history_needs_the_key_or_another_table(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances=RICH) as live:
        await live.ready()
        await betting(live, bet(ANNA, 1))
        with pytest.raises(KeyError):
            history(live).rounds("t2", "anna", before=None, limit=1)
        told: Any = SqliteHistory(live.store.path, {"t1": a_setup(), "t2": a_setup(table="t2")})
        assert told.rounds("t2", "anna", before=None, limit=1) == ()
        assert len(told.rounds("t1", "anna", before=None, limit=1)) == 1


async def test_a_file_that_is_none_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be opened"):
        SqliteHistory(tmp_path / "none", {"t1": a_setup()}).rounds("t1", "anna", before=None, limit=1)


async def test_a_shared_hand_that_an_earlier_version_settled_is_read_back_alike(tmp_path: Path) -> None:
    """Its results lie in columns, not in groups: they are not looked for by their place in the text."""
    async with live_actor(tmp_path / "j", setup=shared_setup(), balances=RICH) as live:
        await live.ready()
        await dealt(live, "TC AC 9D KH", bet(ANNA, 1), bet(BEN, 1))
        answers = (Insuring("anna", take=True), Insuring("ben", take=False))
        await live.do(InsureAll(answers), OPERATOR)
        await live.do(CommitResult(), DEALER)
        written = [the_round(live, name) for name in ("anna", "ben")]
    with closing(sqlite3.connect(tmp_path / "j")) as connection:
        (text,) = connection.execute("SELECT payload FROM events WHERE name = 'round-settled'").fetchone()
        rows = [
            (player, group["seat"], group["hand"], group["kind"], stake, returned)
            for group in json.loads(text)["results"]["groups"]
            for player, stake, returned in zip(group["players"], group["stakes"], group["returned"], strict=True)
        ]
        names = ("players", "seats", "hands", "kinds", "stakes", "returned")
        earlier = {"results": dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))}
        connection.execute(
            "UPDATE events SET version = 1, payload = ? WHERE name = 'round-settled'", (json.dumps(earlier),)
        )
        connection.commit()
    looking = SqliteHistory(tmp_path / "j", {"t1": shared_setup()})
    read = [looking.rounds("t1", name, before=None, limit=1)[0] for name in ("anna", "ben")]
    assert read == written
