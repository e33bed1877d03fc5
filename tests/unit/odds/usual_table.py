"""The usual table for 8 decks, S17, double after split: a strategy that needs no calculation."""

from __future__ import annotations

from studio.odds.strategy import UPCARDS, StrategyTable

_HARD = {
    **dict.fromkeys((4, 5, 6, 7, 8), "HHHHHHHHHH"),
    9: "HDDDDHHHHH",
    10: "DDDDDDDDHH",
    11: "DDDDDDDDDH",
    12: "HHSSSHHHHH",
    **dict.fromkeys((13, 14, 15), "SSSSSHHHHH"),
    16: "SSSSSHHRRH",
    **dict.fromkeys((17, 18, 19, 20, 21), "SSSSSSSSSS"),
}
_SOFT = {
    12: "HHHHHHHHHH",
    **dict.fromkeys((13, 14), "HHHDDHHHHH"),
    **dict.fromkeys((15, 16), "HHDDDHHHHH"),
    17: "HDDDDHHHHH",
    18: "SddddSSHHH",
    **dict.fromkeys((19, 20, 21), "SSSSSSSSSS"),
}
_PAIRS = {
    **dict.fromkeys("237", "PPPPPP----"),
    "4": "---PP-----",
    **dict.fromkeys("5T", "----------"),
    "6": "PPPPP-----",
    **dict.fromkeys("8A", "PPPPPPPPPP"),
    "9": "PPPPP-PP--",
}


def usual_table() -> StrategyTable:
    return StrategyTable(*({str(key): _row(row) for key, row in rows.items()} for rows in (_HARD, _SOFT, _PAIRS)))


def constant_table(code: str) -> StrategyTable:
    """The same code for every total; pairs are never split."""
    return StrategyTable(
        {str(total): _row(code * 10) for total in range(4, 22)},
        {str(total): _row(code * 10) for total in range(12, 22)},
        {pair: _row("-" * 10) for pair in UPCARDS},
    )


def _row(codes: str) -> dict[str, str]:
    return dict(zip(UPCARDS, codes, strict=True))
