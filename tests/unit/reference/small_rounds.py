"""Small hand-made rounds, written shortly."""

from __future__ import annotations

from typing import Any

from reference.naive_round import play


def seat(number: int, player: str, bet: int = 1000, **more: Any) -> dict[str, Any]:
    return {"seat": number, "player": player, "bet": bet, **more}


def act(number: int, name: str, hand: int | None = None, *, by: str | None = None) -> dict[str, Any]:
    action: dict[str, Any] = {"seat": number, "act": name}
    if hand is not None:
        action["hand"] = hand
    if by is not None:
        action["by"] = by
    return action


def refused(number: int, name: str, hand: int | None = None, *, by: str | None = None) -> dict[str, Any]:
    return {**act(number, name, hand, by=by), "expect": "rejected"}


def script(
    variant: str, cards: str, seats: list[dict[str, Any]], actions: list[dict[str, Any]], **more: Any
) -> dict[str, Any]:
    return {"variant": variant, "seats": seats, "shoe": cards.split(), "actions": actions, **more}


def played(
    variant: str, cards: str, seats: list[dict[str, Any]], actions: list[dict[str, Any]], **more: Any
) -> dict[str, Any]:
    """Play a round; every card of the shoe must be used, and just the marked actions refused."""
    result = play(script(variant, cards, seats, actions, **more))
    assert result["cards_used"] == len([code for code in cards.split() if code != "CUT"])
    assert result["refused"] == [action for action in actions if "expect" in action]
    return result


def bets(result: dict[str, Any]) -> dict[tuple[str, str, int], tuple[int, int]]:
    """Return stake and net by player, kind and seat; the hands of a split add their number to the kind."""
    found = {}
    for bet in result["bets"]:
        kind = f"{bet['kind']}{bet['hand']}" if bet["hand"] > 1 else bet["kind"]
        found[bet["player"], kind, bet["seat"]] = (bet["stake"], bet["net"])
    assert len(found) == len(result["bets"])
    return found


def cards(result: dict[str, Any], number: int = 1) -> list[str]:
    """Return the hands of a seat as text, in the order of their numbers."""
    return [" ".join(hand["cards"]) for hand in result["hands"][f"seat{number}"]]


def later_places(result: dict[str, Any], skip: int) -> list[str]:
    """Return where the cards after the first ``skip`` went, with the line where there is one."""
    return [
        f"{place['to']} {place['line']}" if "line" in place else place["to"]
        for place in result["card_destinations"][skip:]
    ]
