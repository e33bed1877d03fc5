"""The sections of a rule sheet that are calculated: the return beside a published one, and the best strategy.

The figures come from :mod:`studio.odds`; here they are only put into words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation
from functools import reduce
from typing import Final

from studio.odds.figures import Figures
from studio.odds.strategy import FIRST_HAND_ONLY, PAIR_CODES, TOTAL_CODES, UPCARDS
from studio.rule_sheet.forms import Block, Chart, Points, Table
from studio.rule_sheet.writer import Writer

_SHOWN: Final = Decimal("0.0001")
"""How exactly a calculated return is shown, in per cent."""
_SPLITS: Final = frozenset({"P", "Rp"})
_TEN: Final = ("T", "10")
"""How a ten-valued card is written in tables, and on the sheet."""


def returns(writer: Writer, odds: Figures | None) -> Iterator[Block]:
    """Yield the calculated returns, the published one named as such, and that they differ where they do."""
    rules = writer.rules
    figures: list[tuple[str, str | None]] = []
    if odds:
        figures += [
            ("return.computed", _percent(odds.rtp.composition_dependent.per_initial_bet)),
            ("return.computed.table", _percent(odds.rtp.total_dependent.per_initial_bet)),
        ]
        if rules.bet_behind:
            figures.append(("return.computed.behind", _percent(odds.behind.total_dependent.per_initial_bet)))
    figures.append(("return.published", rules.published_rtp))
    yield Table(
        writer.say("return.table"),
        writer.each("return.source", "return.rate"),
        tuple((writer.say(key), writer.say("return.percent", rate=rate)) for key, rate in figures if rate),
    )
    if odds:
        differs = rules.published_rtp is not None and _differs(rules.published_rtp, odds)
        yield writer.points("return.what", *(("return.differs",) if differs else ()))


def _percent(rate: float) -> str:
    return str(Decimal(repr(rate)).quantize(_SHOWN, ROUND_HALF_EVEN))


def _differs(published: str, odds: Figures) -> bool:
    """Tell whether a published return is a number, and not the calculated one rounded as it is published."""
    calculated = Decimal(repr(odds.rtp.composition_dependent.per_initial_bet))
    try:
        return calculated.quantize(Decimal(published), ROUND_HALF_EVEN) != Decimal(published)
    except InvalidOperation:
        return False


def strategy(writer: Writer, odds: Figures) -> Iterator[Block]:
    """Yield the best table, and what a bet behind does where there are some."""
    table = odds.strategy
    parts = {"hard": table.hard, "soft": table.soft}
    if writer.rules.split_hands > 1:
        parts["pairs"] = table.pairs
    rows = {
        name: tuple((_card(row), tuple(codes[upcard] for upcard in UPCARDS)) for row, codes in cells.items())
        for name, cells in parts.items()
    }
    used = {code for part in rows.values() for _, codes in part for code in codes}
    yield writer.points("strategy.what")
    yield Chart(
        writer.say("strategy.chart"),
        writer.say("strategy.across"),
        tuple(map(_card, UPCARDS)),
        tuple((writer.say(f"strategy.{name}"), part) for name, part in rows.items()),
        tuple((code, writer.say(f"strategy.code.{code}")) for code in (*TOTAL_CODES, *PAIR_CODES) if code in used),
    )
    if writer.rules.bet_behind:
        yield Points((_behind(writer, odds),))


def _behind(writer: Writer, odds: Figures) -> str:
    """B8, B9: which splits of the table a bet behind does not follow."""
    splits = [
        writer.say("strategy.behind.split", pair=_card(pair), upcards=", ".join(map(_card, declined)))
        for pair, codes in odds.strategy.pairs.items()
        if (declined := list(_declined(codes, odds.follow_split[pair])))
    ]
    if not splits:
        return writer.say("strategy.behind.always")
    listed = reduce(lambda one, following: writer.say("strategy.behind.list", one=one, next=following), splits)
    return writer.say("strategy.behind.sometimes", splits=listed)


def _declined(codes: Mapping[str, str], follow: Mapping[str, str]) -> Iterator[str]:
    for upcard in UPCARDS:
        if codes[upcard] in _SPLITS and follow[upcard] == FIRST_HAND_ONLY:
            yield upcard


def _card(name: str) -> str:
    return _TEN[1] if name == _TEN[0] else name
