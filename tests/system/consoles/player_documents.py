"""What the player terminal reads beside the views: a table's rules and a player's history."""

from __future__ import annotations

import time
from typing import Any

SECOND_NS = 1_000_000_000


def rules(published: str | None = "99.53", *, decks: int = 8, split_hands: int = 2) -> dict[str, Any]:
    """Return what the terminal reads of ``rules.json``."""
    return {
        "table": "t1",
        "line": "8 decks · S17 · 3:2 · rules 4f2a",
        "hash": "4f2a" * 16,
        "parameters": {
            "decks": decks,
            "split_hands": split_hands,
            "surrender": "before-any-action",
            "published_rtp": published,
        },
    }


def history() -> dict[str, Any]:
    """Return three rounds: open, voided and settled."""
    return {
        "rounds": [
            {
                "round": 12,
                "ended": "open",
                "at_wall_ns": time.time_ns(),
                "dealer": ["6C"],
                "bets": [_past("main", "8C 3D", 2_500, 0, "open")],
                "decisions": [{"seat": 2, "hand": 1, "action": "hit", "cause": "default"}],
                "entries": [{"id": "t1-12-1", "amount": -2_500, "cause": "bet"}],
            },
            {
                "round": 11,
                "ended": "voided",
                "at_wall_ns": time.time_ns() - 90 * SECOND_NS,
                "dealer": ["TD"],
                "bets": [_past("main", "9C 3D", 2_500, 2_500, "refunded")],
                "decisions": [],
                "entries": [
                    {"id": "t1-11-1", "amount": -2_500, "cause": "bet"},
                    {"id": "t1-11-9", "amount": 2_500, "cause": "refund"},
                ],
            },
            {
                "round": 10,
                "ended": "settled",
                "at_wall_ns": time.time_ns() - 180 * SECOND_NS,
                "dealer": ["TD", "9S"],
                "bets": [
                    _past("main", "8C 3D TS", 123_400, 246_800, "won"),
                    _past("pair", "8C 3D", 500, 0, "lost"),
                ],
                "decisions": [{"seat": 2, "hand": 1, "action": "double"}],
                "entries": [
                    {"id": "t1-10-1", "amount": -123_900, "cause": "bet"},
                    {"id": "t1-10-8", "amount": 246_800, "cause": "win"},
                ],
            },
        ]
    }


def _past(kind: str, cards: str, stake: int, returned: int, result: str) -> dict[str, Any]:
    return {
        "kind": kind,
        "seat": 2,
        "hand": 1,
        "cards": cards.split(),
        "stake": stake,
        "returned": returned,
        "net": returned - stake if result != "open" else 0,
        "result": result,
    }
