"""What an automated player bets in a round: from a table's public view and its own balance to bets.

Pure but for the chance that it is given. It knows the words of the views and nothing of networks or time.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, Final

from studio.players.place import Place

_BETS_IN_MINIMA: Final = (1, 1, 1, 2, 2, 3, 5, 10)
"""How often which multiple of the table's minimum is bet: mostly little."""

_SIDE_BET_SHARE: Final = 0.5
"""In how many rounds somebody with the habit places a side bet."""

BetBody = dict[str, Any]
"""One bet of the API's ``bets``."""


def own_bets(place: Place, table: Mapping[str, Any], balance: int, chance: random.Random) -> list[BetBody]:
    """Return the main bet, and side bets on the same seat; none where the balance does not cover the minimum."""
    if not place.seat or balance < table["minimum"]:
        return []
    amount = _amount(table, balance, chance)
    main = {"seat": place.seat, "amount": amount, "kind": "main"}
    return [main, *_side_bets(place, table, place.seat, balance - amount, chance)]


def bets_behind(
    place: Place, table: Mapping[str, Any], seat: int, balance: int, chance: random.Random
) -> list[BetBody]:
    """Return the bet behind ``seat``, and the side bets on it of somebody who sits nowhere."""
    if balance < table["minimum"]:
        return []
    amount = _amount(table, balance, chance)
    behind = {"seat": seat, "amount": amount, "kind": "behind"}
    beside = () if place.seat else _side_bets(place, table, seat, balance - amount, chance)
    return [behind, *beside]


def seats_to_bet_behind(place: Place, table: Mapping[str, Any]) -> Iterator[int]:
    """Yield the seats that somebody holds by now, of those that the player bets behind."""
    holders = {each["seat"]: each["holder"] for each in table["seats"]} if place.habits.behind else {}
    for seat in place.habits.behind:
        if holders.get(seat):
            yield seat


def _amount(table: Mapping[str, Any], balance: int, chance: random.Random) -> int:
    minimum = int(table["minimum"])
    amount = minimum * chance.choice(_BETS_IN_MINIMA)
    return amount if amount <= min(table["maximum"], balance) else minimum


def _side_bets(
    place: Place, table: Mapping[str, Any], seat: int, balance: int, chance: random.Random
) -> Iterator[BetBody]:
    if not place.habits.side_bets:
        return
    offered = {each["kind"] for each in table["side_bets"] if each["open"]}
    for kind in place.habits.side_bets:
        is_wanted = chance.random() < _SIDE_BET_SHARE
        if is_wanted and kind in offered and balance >= table["minimum"]:
            balance -= table["minimum"]
            yield {"seat": seat, "amount": table["minimum"], "kind": kind}
