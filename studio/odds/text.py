"""What ``studio odds`` and ``studio strategy`` print for people: the same reports, set in columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from studio.odds.strategy import UPCARDS, StrategyTable

Json = Mapping[str, Any]

_WAYS: Final = {
    "composition_dependent": "each hand by its own cards",
    "total_dependent": "best table by total and upcard",
}
_COLOURS: Final = {"H": 41, "S": 42, "D": 44, "d": 44, "P": 43, "R": 45, "Rs": 45, "Rp": 45, "-": 100}
"""Background colours of terminals, by code; the letters stay, so that nobody needs the colours."""
_BLACK: Final = 30
_LEGEND: Final = (
    "H hit   S stand   D double, else hit   d double, else stand   P split   - not split: play the total",
    "R surrender, else hit   Rs surrender, else stand   Rp surrender, else split",
)
_LONGEST_FRACTION: Final = 40


def strategy_lines(table: StrategyTable, *, coloured: bool) -> Iterator[str]:
    """Set a strategy table, a letter a cell, with colours where ``coloured``."""
    for title, cells in (("Hard totals", table.hard), ("Soft totals", table.soft), ("Pairs", table.pairs)):
        yield ""
        yield f"{title:<12}" + "".join(f"{upcard:>4}" for upcard in UPCARDS)
        for row, codes in cells.items():
            label = f"{row} {row}" if title == "Pairs" else row
            yield f"{label:>10}  " + "".join(_cell(codes[upcard], coloured=coloured) for upcard in UPCARDS)
    yield ""
    yield from _LEGEND


def _cell(code: str, *, coloured: bool) -> str:
    text = f"{code:>3} "
    return f"\x1b[{_BLACK};{_COLOURS[code]}m{text}\x1b[0m" if coloured else text


def odds_lines(report: Json, published: str | None) -> Iterator[str]:
    """Set a report of the odds; ``published`` is the operator's own figure in per cent."""
    yield from _rtp_lines("Return to player, in per cent", report["rtp"])
    yield f"  average bet {report['average_bet']:.6f} of the first one, each hand by its own cards"
    if published:
        computed = report["rtp"]["composition_dependent"]["per_initial_bet"]
        yield f"  Published by the operator: {published} % at most. Calculated from these rules: {computed:.4f} %."
    parts = {
        "behind": _behind_lines,
        "insurance": _insurance_lines,
        "side_bets": _side_bet_lines,
        "dealer": _dealer_lines,
        "cells": _cells_lines,
    }
    for name, lines in parts.items():
        if name in report:
            yield ""
            yield from lines(report[name])
    yield ""
    yield f"rules {report['rules_hash']}, calculated in {report['seconds']:.2f} s"


def _rtp_lines(title: str, rtp: Json) -> Iterator[str]:
    yield f"{title:<36}{'of the first bet':>18}{'of all wagered':>18}"
    for way, text in _WAYS.items():
        yield f"  {text:<34}{rtp[way]['per_initial_bet']:>18.6f}{rtp[way]['per_total_wagered']:>18.6f}"


def _behind_lines(behind: Json) -> Iterator[str]:
    yield from _rtp_lines("A bet behind, in per cent", behind)
    declined = [
        f"{pair},{pair} against {', '.join(upcards)}"
        for pair, upcards in behind["total_dependent"]["declines_split"].items()
    ]
    yield f"  stays on the first hand when the seat splits {'; '.join(declined) or 'nothing'}"


def _insurance_lines(insurance: Json | None) -> Iterator[str]:
    if insurance is None:
        yield "No insurance"
        return
    yield "Insurance against an ace, of which nothing else is known"
    yield from _exact_lines({"wins": insurance["wins"], "expectation": insurance["expectation"]})


def _side_bet_lines(side_bets: Json) -> Iterator[str]:
    if not side_bets:
        yield "No side bets"
    for name, odds in side_bets.items():
        yield f"Side bet {name}"
        for combination, each in odds["combinations"].items():
            yield from _exact_lines({f"{combination}, pays {each['pays']}": each["hit"]})
        yield from _exact_lines({"any of them": odds["hit"], "return": odds["return"]})


def _exact_lines(values: Json) -> Iterator[str]:
    for label, value in values.items():
        fraction = value["fraction"] if len(value["fraction"]) <= _LONGEST_FRACTION else ""
        yield f"  {label:<34}{value['percent']:>14.6f} %   {fraction}".rstrip()


def _dealer_lines(dealer: Json) -> Iterator[str]:
    outcomes = [name for name, value in dealer["any"].items() if not isinstance(value, dict)]
    yield from _columns("Dealer, in per cent", outcomes, ((name, one) for name, one in dealer.items()))
    yield ""
    cards = list(dealer["any"]["bust_by_cards"])
    rows = ((name, one["bust_by_cards"]) for name, one in dealer.items())
    yield from _columns("Bust by number of cards", cards, rows)


def _columns(title: str, names: Sequence[str], rows: Iterable[tuple[str, Json]]) -> Iterator[str]:
    yield f"{title:<26}" + "".join(f"{name:>11}" for name in names)
    for label, values in rows:
        yield f"{label:>24}  " + "".join(f"{values.get(name, 0.0):>11.6f}" for name in names)


def _cells_lines(cells: Json) -> Iterator[str]:
    names = ("stand", "hit", "double", "split", "surrender")
    yield f"{'Expectation per unit bet':<26}" + "".join(f"{name:>11}" for name in names)
    for hand, by_upcard in cells.items():
        for upcard, options in by_upcard.items():
            values = "".join(f"{options[name]:>11.6f}" if name in options else f"{'':>11}" for name in names)
            yield f"{hand:>12} against {upcard:<4}{values}  {options['best']}"
