"""The settled rounds read back from a real journal: every card, and no round that was not settled."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.actors import LiveActor, live_actor
from support.tables import DEALER, SUPERVISOR, a_setup, player

from studio.adapters.settled_rounds import SqliteSettledRounds
from studio.adapters.variants import load_variant
from studio.domain.actions import Action
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.cards import Card
from studio.domain.commands import (
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
from studio.domain.shared_commands import Choosing, DecideAll
from studio.odds.observed import observe
from studio.ports.settled import SettledRound

ANNA, BEN = player("anna"), player("ben")
OPERATOR = Actor("ops", "Ops", Role.OPERATOR)
RICH = {"anna": 100_000, "ben": 100_000}


def settled(live: LiveActor, limit: int = 100) -> tuple[SettledRound, ...]:
    return SqliteSettledRounds(live.store.path, {"t1": live.actor.setup.rules}).settled("t1", limit=limit)


def codes(cards: tuple[Card, ...]) -> str:
    return " ".join(card.code for card in cards)


async def dealt(live: LiveActor, cards: str, *seats: tuple[Actor, int]) -> None:
    await live.do(OpenBetting(), DEALER)
    for who, seat in seats:
        await live.do(PlaceBets((Placement((Bet(who.id, seat, BetKind.MAIN, 1000),)),)), OPERATOR)
    await live.do(CloseBetting(), DEALER)
    await live.cards(cards)


async def decide(live: LiveActor, who: Actor, number: int, action: str) -> None:
    await live.do(Decide(who.id, number, Action(action), False), who)


async def test_a_settled_round_has_every_card_of_its_hands(tmp_path: Path) -> None:
    """R6: a split moves the second card; the position's first two cards are still those dealt (section 6)."""
    async with live_actor(tmp_path / "j", balances=RICH) as live:
        await live.ready()
        await dealt(live, "8C TC 6C 8D 6D 7H", (ANNA, 1), (BEN, 3))
        await decide(live, ANNA, 1, "split")
        await live.cards("TD 3H")
        await decide(live, ANNA, 2, "stand")
        await decide(live, ANNA, 3, "double")
        await live.cards("KS")
        await decide(live, BEN, 4, "surrender")
        await live.cards("9H")
        assert settled(live) == ()
        await live.do(CommitResult(), DEALER)

        (found,) = settled(live)
        assert found.number == 1
        assert codes(found.dealer) == "6C 7H 9H"
        assert [codes(two) for two in found.positions] == ["8C 8D", "TC 6D"]
        hands = {codes(one.cards): (one.from_split, one.surrendered) for one in found.hands}
        assert hands == {"8C TD": (True, False), "8D 3H KS": (True, False), "TC 6D": (False, True)}
        seen = observe(live.actor.setup.rules, [found])
        assert (seen.won, seen.pushed, seen.lost) == (2, 0, 0)


async def test_open_and_voided_rounds_are_left_out_and_the_newest_are_looked_at(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances=RICH) as live:
        await live.ready()
        for number in (1, 2):
            await dealt(live, f"T{'CD'[number - 1]} 9C 9D KH", (ANNA, 1))
            await decide(live, ANNA, 1, "stand")
            await live.do(CommitResult(), DEALER)
            await live.wait(1)
        await dealt(live, "TS 9S 9H KD", (ANNA, 1))
        await live.do(VoidRound("misdeal", "Card on the floor"), SUPERVISOR)
        await live.wait(1)
        await dealt(live, "TH 8S 8H KS", (ANNA, 1))

        assert [one.number for one in settled(live)] == [1, 2]
        assert [one.number for one in settled(live, limit=3)] == [2]
        assert settled(live, limit=2) == ()
        assert "KS" not in str(settled(live))


async def test_the_shared_hand_has_its_first_cards_and_the_dealers(tmp_path: Path) -> None:
    """I2: each of its players may hold another part of it, so no hand of it is compared."""
    async with live_actor(tmp_path / "j", setup=shared_setup(), balances=RICH) as live:
        await live.ready()
        await dealt(live, "8C 6C 8D TH", (ANNA, 1), (BEN, 1))
        await live.do(DecideAll(1, (Choosing("anna", Action.STAND), Choosing("ben", Action.STAND))), OPERATOR)
        await live.wait(60)
        await live.do(PassDeadline(), SYSTEM)
        await live.cards("9H")
        await live.do(CommitResult(), DEALER)

        (found,) = settled(live)
        assert codes(found.dealer) == "6C TH 9H"
        assert [codes(two) for two in found.positions] == ["8C 8D"]
        assert found.hands == ()


def shared_setup() -> TableSetup:
    return a_setup(load_variant("infinite"))


async def test_a_table_without_rounds_has_none_and_an_unknown_one_is_an_error(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j") as live:
        assert settled(live) == ()
        with pytest.raises(KeyError):
            SqliteSettledRounds(live.store.path, {}).settled("t1", limit=1)
