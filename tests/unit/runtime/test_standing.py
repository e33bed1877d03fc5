"""What happens on a standing word: planned actions, standing follow answers, betting that opens itself."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from support.actors import LiveActor, live_actor, until
from support.tables import DEALER, a_setup, player

from studio.adapters.variants import load_variant
from studio.domain.actions import Action
from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.commands import CloseBetting, Decide, OpenBetting, PlaceBets, PlanAction, SetFollowing
from studio.domain.events import DecisionTaken, FollowAnswered
from studio.domain.money import player_account
from studio.domain.phases import Phase, phase
from studio.domain.slots import HandId

E = TypeVar("E")


def _all(live: LiveActor, kind: type[E]) -> list[E]:
    return [event for event in live.observer.events if isinstance(event, kind)]


async def test_a_planned_action_is_played_when_the_turn_comes_with_its_funds(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000, "ben": 5000}) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        await live.bet(player("anna"), 1, 1000)
        await live.bet(player("ben"), 2, 1000)
        await live.do(CloseBetting(), DEALER)
        await live.cards("9C 5D 6C 5H 6D TH")
        await live.do(PlanAction("ben", HandId(2, 1), Action.DOUBLE), player("ben"))
        await live.do(Decide("anna", 1, Action.STAND, False), player("anna"))
        await until(lambda: len(_all(live, DecisionTaken)) == 2)
        taken = _all(live, DecisionTaken)
        assert [(event.hand.seat, event.action) for event in taken] == [(1, Action.STAND), (2, Action.DOUBLE)]
        assert live.wallet.available(player_account("ben")) == 3000


async def test_a_standing_answer_follows_at_once_and_without_one_the_question_waits(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 5000, "ben": 5000}) as live:
        await live.ready()
        await live.do(SetFollowing("ben", True, None), player("ben"))
        await live.do(OpenBetting(), DEALER)
        await live.bet(player("anna"), 1, 1000)
        behind = PlaceBets((Placement((Bet("ben", 1, BetKind.BEHIND, 400),)),))
        await live.do(behind, player("ben"))
        await live.do(CloseBetting(), DEALER)
        await live.cards("6C 6H 5D TC")
        await live.do(Decide("anna", 1, Action.DOUBLE, False), player("anna"))
        await until(lambda: bool(_all(live, FollowAnswered)))
        assert [event.added_stake for event in _all(live, FollowAnswered)] == [400]
        assert live.actor.table.round is not None
        assert live.actor.table.round.follow is None


async def test_a_table_may_open_its_betting_by_itself_round_after_round(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", setup=a_setup(opens_itself=True)) as live:
        await live.ready()
        await until(lambda: phase(live.actor.table) is Phase.BETTING)
        await live.wait(15)
        await until(lambda: live.actor.table.rounds == 2)


async def test_b4_a_bet_is_mirrored_by_the_balance_as_it_is(tmp_path: Path) -> None:
    async with live_actor(tmp_path / "j", balances={"anna": 15_000}) as live:
        await live.ready()
        await live.do(OpenBetting(), DEALER)
        for seat in (2, 5):
            placed = PlaceBets((Placement((Bet("anna", seat, BetKind.MAIN, 100),)),))
            await live.do(placed, player("anna"))
        await live.bet(player("anna"), 2, 10_000)
        assert live.actor.table.round is not None
        bets = live.actor.table.round.main_bets()
        assert {seat: bet.amount for seat, bet in bets.items()} == {2: 7500, 5: 7500}
        assert live.wallet.available(player_account("anna")) == 0


async def test_continuous_deals_a_hand_with_the_confirmed_bet(tmp_path: Path) -> None:
    setup = a_setup(load_variant("continuous"), opens_itself=True)
    async with live_actor(tmp_path / "j", setup=setup, balances={"anna": 5000}) as live:
        await live.ready_shuffler()
        await until(lambda: phase(live.actor.table) is Phase.BETTING)
        await live.bet(player("anna"), 1, 1000)
        assert phase(live.actor.table) is Phase.DEALING
