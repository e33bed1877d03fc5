"""What the player terminal reads beside the views: a table's rules and a player's history."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from studio.domain.events import Cause
from studio.ports.history import Ended, LedgerLine, Outcome, PlayedBet, PlayedDecision, PlayedRound

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


def history(*, newest: int = 0) -> dict[str, Any]:
    """Return three rounds, open, voided and settled, leaving out the ``newest`` ones."""
    return {"rounds": [asdict(one) for one in _rounds()[newest:]]}


def _rounds() -> list[PlayedRound]:
    now = time.time_ns()
    return [
        PlayedRound(
            12,
            Ended.OPEN,
            now,
            ("6C",),
            (PlayedBet("main", 2, 1, ("8C", "3D"), 2_500, 0, 0, Outcome.OPEN),),
            (PlayedDecision("decision", "p-ada", 2, 1, "hit", "hit", Cause.NO_ANSWER, 0),),
            (LedgerLine("t1:120:0", -2_500, "main bet"),),
        ),
        PlayedRound(
            11,
            Ended.VOIDED,
            now - 90 * SECOND_NS,
            ("TD",),
            (PlayedBet("main", 2, 1, ("9C", "3D"), 2_500, 2_500, 0, Outcome.REFUNDED),),
            (),
            (LedgerLine("t1:110:0", -2_500, "main bet"), LedgerLine("t1:116:0", 2_500, "main refund")),
        ),
        PlayedRound(
            10,
            Ended.SETTLED,
            now - 180 * SECOND_NS,
            ("TD", "9S"),
            (
                PlayedBet("main", 2, 1, ("8C", "3D", "TS"), 123_400, 246_800, 123_400, Outcome.WON),
                PlayedBet("pair", 2, 0, ("8C", "3D"), 500, 0, -500, Outcome.LOST),
            ),
            (
                PlayedDecision("decision", "p-ada", 2, 1, "double", "double", Cause.PLAYER, 61_700),
                PlayedDecision("decision", "p-ada", 3, 1, "double", "hit", Cause.NO_FUNDS, 0),
            ),
            (
                LedgerLine("t1:90:0", -61_700, "main bet"),
                LedgerLine("t1:90:1", -500, "pair bet"),
                LedgerLine("t1:94:0", -61_700, "double"),
                LedgerLine("t1:97:0", 123_400, "main returned"),
                LedgerLine("t1:97:1", 123_400, "main won"),
            ),
        ),
    ]
