"""The look-back as a table for people, CSV and JSON; amounts are minor units, times ISO 8601 in UTC."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, Final

from studio.ports.look_back import TouchedRound

COLUMNS: Final = (
    "table",
    "round",
    "shoe",
    "pack",
    "batch",
    "dealer",
    "opened",
    "ended",
    "currency",
    "player",
    "staked",
    "returned",
    "net",
)
"""One row for each player of a round; a round that nobody bet in has one without a player."""

_NANOSECONDS: Final = 1_000_000_000


class Form(StrEnum):
    """How the report is written."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


def written(rounds: Sequence[TouchedRound], form: Form) -> str:
    """Return the report in a form, with a line feed at its end."""
    match form:
        case Form.TABLE:
            return _table(rounds)
        case Form.CSV:
            return _csv(rounds)
        case Form.JSON:
            return json.dumps(as_json(rounds), indent=2, ensure_ascii=False) + "\n"


def as_json(rounds: Sequence[TouchedRound]) -> dict[str, Any]:
    """Return the report as JSON values: rounds with their players, and totals by currency."""
    return {
        "rounds": [
            {
                "table": one.table,
                "round": one.round,
                "shoe": one.shoe,
                "pack": one.pack,
                "batch": one.batch,
                "dealer": one.dealer,
                "opened": _moment(one.opened_wall_ns),
                "ended": one.ended,
                "currency": one.currency,
                "players": [
                    {"player": each.player, "staked": each.staked, "returned": each.returned, "net": each.net}
                    for each in one.players
                ],
            }
            for one in rounds
        ],
        "totals": totals(rounds),
    }


def totals(rounds: Iterable[TouchedRound]) -> dict[str, dict[str, int]]:
    """Return the number of ended rounds, staked, returned and what the players lost altogether, by currency.

    ``lost`` is the sum of the rounds' losses alone: what a refund of every lost round would come to.
    """
    found: dict[str, Counter[str]] = {}
    for one in rounds:
        if not one.currency or one.ended == "open":
            continue
        sums = found.setdefault(one.currency, Counter())
        sums["rounds"] += 1
        for each in one.players:
            sums["staked"] += each.staked
            sums["returned"] += each.returned
            sums["lost"] += max(0, -each.net)
    names = ("rounds", "staked", "returned", "lost")
    return {currency: {name: sums[name] for name in names} for currency, sums in sorted(found.items())}


def _rows(rounds: Iterable[TouchedRound]) -> Iterable[tuple[str | int, ...]]:
    for one in rounds:
        head = (one.table, one.round, one.shoe, one.pack, one.batch, one.dealer, _moment(one.opened_wall_ns))
        for each in one.players:
            yield (*head, one.ended, one.currency, each.player, each.staked, each.returned, each.net)
        if not one.players:
            yield (*head, one.ended, one.currency, "", 0, 0, 0)


def _csv(rounds: Iterable[TouchedRound]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_rows(rounds))
    return text.getvalue()


def _table(rounds: Sequence[TouchedRound]) -> str:
    rows = [tuple(map(str, row)) for row in (COLUMNS, *_rows(rounds))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    sums = [
        f"{currency}: {each['rounds']} ended rounds with bets, staked {each['staked']},"
        f" returned {each['returned']}, lost by players {each['lost']}"
        for currency, each in totals(rounds).items()
    ]
    return "\n".join((*lines, "", f"{len(rounds)} rounds", *sums)) + "\n"


def _moment(wall_ns: int) -> str:
    return dt.datetime.fromtimestamp(wall_ns / _NANOSECONDS, tz=dt.UTC).isoformat(timespec="seconds")


def wall_ns_of(text: str) -> int:
    """Return the wall time of an ISO 8601 date or time, UTC where it names no zone; raise ``ValueError``."""
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError as error:
        message = f"{text!r} is no ISO 8601 date or time, such as 2026-03-01 or 2026-03-01T18:30"
        raise ValueError(message) from error
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
    return int(zoned.timestamp() * _NANOSECONDS)
