"""What a player bets in a round, by its place, the table's view and its balance."""

from __future__ import annotations

import random
from typing import Any

import pytest

from studio.players.place import Habits, Place
from studio.players.strategies import play_normal
from studio.players.wishes import bets_behind, own_bets, seats_to_bet_behind

View = dict[str, Any]


def table(*, held: tuple[int, ...] = (), side_bets: dict[str, bool] | None = None) -> View:
    return {
        "minimum": 500,
        "maximum": 5000,
        "seats": [{"seat": seat, "holder": "somebody" if seat in held else ""} for seat in range(1, 8)],
        "side_bets": [{"kind": kind, "open": is_open} for kind, is_open in (side_bets or {}).items()],
    }


def place(seat: int, **habits: Any) -> Place:
    return Place("t1", seat, play_normal, seed=1, habits=Habits(**habits))


def many(count: int = 200) -> list[random.Random]:
    return [random.Random(seed) for seed in range(count)]  # noqa: S311 - reproducible play


def test_without_habits_it_is_one_main_bet_within_the_limits() -> None:
    for chance in many():
        (bet,) = own_bets(place(3), table(side_bets={"pair": True}), 100_000, chance)
        assert (bet["seat"], bet["kind"]) == (3, "main")
        assert 500 <= bet["amount"] <= 5000
        assert bet["amount"] % 500 == 0


def test_side_bets_are_placed_now_and_then_and_only_open_ones() -> None:
    offered = table(side_bets={"pair": True, "bust": True, "poker3": False})
    player = place(1, side_bets=("pair", "bust", "poker3", "lucky3"))
    rounds = [{bet["kind"] for bet in own_bets(player, offered, 100_000, chance)} for chance in many()]
    assert all("main" in kinds for kinds in rounds)
    assert {frozenset(kinds) for kinds in rounds} == {
        frozenset({"main"}),
        frozenset({"main", "pair"}),
        frozenset({"main", "bust"}),
        frozenset({"main", "pair", "bust"}),
    }


@pytest.mark.parametrize("balance", [0, 499, 500, 600, 1200])
def test_a_player_never_bets_more_than_the_balance(balance: int) -> None:
    player = place(3, side_bets=("pair", "bust"))
    for chance in many():
        bets = own_bets(player, table(side_bets={"pair": True, "bust": True}), balance, chance)
        assert sum(bet["amount"] for bet in bets) <= balance
        assert bool(bets) is (balance >= 500)


def test_somebody_who_sits_nowhere_has_no_main_bet() -> None:
    assert own_bets(place(0, behind=(1,)), table(held=(1,)), 100_000, random.Random(1)) == []  # noqa: S311 - a test


def test_behind_a_seat_one_bets_once_somebody_holds_it() -> None:
    player = place(0, behind=(1, 3))
    assert list(seats_to_bet_behind(player, table())) == []
    assert list(seats_to_bet_behind(player, table(held=(3, 4)))) == [3]
    assert list(seats_to_bet_behind(place(2), table(held=(3, 4)))) == []


def test_a_pair_goes_with_the_bet_behind_of_who_has_no_seat() -> None:
    offered = table(held=(1,), side_bets={"pair": True})
    standing, sitting = (place(seat, behind=(1,), side_bets=("pair",)) for seat in (0, 5))
    kinds = {
        tuple((bet["seat"], bet["kind"]) for bet in bets_behind(standing, offered, 1, 100_000, chance))
        for chance in many()
    }
    assert kinds == {((1, "behind"),), ((1, "behind"), (1, "pair"))}
    for chance in many():
        assert [bet["kind"] for bet in bets_behind(sitting, offered, 1, 100_000, chance)] == ["behind"]
    assert bets_behind(standing, offered, 1, 499, random.Random(1)) == []  # noqa: S311 - a test
