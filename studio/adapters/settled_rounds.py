"""A table's settled rounds on SQLite: their cards read back from the journal's events, and nothing else.

Implements :class:`studio.ports.settled.SettledRounds`. It has no key: the hole card comes with its reveal. Bets,
answers and results of the many players of a shared hand are never read, so the table keeps the machine.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from studio.adapters.codec import NAMES, decode
from studio.adapters.sqlite_store import open_read_only
from studio.domain import events
from studio.domain.actions import Action
from studio.domain.cards import Card
from studio.domain.events import BettingOpened, CardDealt, DecisionTaken, Event, HoleRevealed
from studio.domain.rules import Layout, RuleSet
from studio.domain.slots import Face, HandId, Slot
from studio.ports.settled import SettledHand, SettledRound

_OPENED: Final = NAMES[events.BettingOpened].name
_SETTLED: Final = NAMES[events.RoundSettled].name
_READ_IN_FULL: Final = tuple(NAMES[kind].name for kind in (BettingOpened, CardDealt, DecisionTaken, HoleRevealed))
_FIRST: Final = (
    "SELECT min(sequence) FROM (SELECT sequence FROM events WHERE table_id = :table AND name = :opened"
    " ORDER BY sequence DESC LIMIT :limit)"
)
_READ: Final = (
    "SELECT name, version, CASE name WHEN :settled THEN '{}' ELSE payload END FROM events"
    " WHERE table_id = :table AND sequence >= :first"
    " AND (name = :settled OR name IN (SELECT value FROM json_each(:names))) ORDER BY sequence"
)


class SqliteSettledRounds:
    """The settled rounds of the tables whose rules it is given, by table, from a journal's file."""

    def __init__(self, path: Path, rules: Mapping[str, RuleSet]) -> None:
        self._path = path
        self._rules = rules

    def settled(self, table: str, *, limit: int) -> tuple[SettledRound, ...]:
        """Return the settled among the newest ``limit`` rounds, oldest first.

        Raises ``KeyError`` for a table whose rules it was not given, ``ValueError`` where an event is wrong.
        """
        is_shared = self._rules[table].layout is Layout.SHARED_HAND
        with closing(open_read_only(self._path)) as connection:
            connection.execute("BEGIN")  # one snapshot: the table goes on meanwhile
            return tuple(_rounds(_events(connection, table, limit), is_shared=is_shared))


def _events(connection: sqlite3.Connection, table: str, limit: int) -> Iterator[Event | None]:
    """Yield the events of the newest rounds; ``None`` stands for a settlement, whose columns are not read."""
    asked: dict[str, Any] = {"table": table, "opened": _OPENED, "settled": _SETTLED, "limit": limit}
    (first,) = connection.execute(_FIRST, asked).fetchone()
    if first is None:
        return
    asked |= {"first": first, "names": json.dumps(_READ_IN_FULL)}
    for name, version, payload in connection.execute(_READ, asked):
        if name == _SETTLED:
            yield None
            continue
        fields = json.loads(payload)
        if not any(isinstance(value, dict) and "sealed" in value for value in fields.values()):
            yield decode(name, version, fields)


@dataclass(slots=True)
class _Fold:
    """The cards of one round while it is read."""

    number: int
    dealer: list[Card] = field(default_factory=list)
    hands: dict[HandId, list[Card]] = field(default_factory=dict)
    firsts: dict[int, list[Card]] = field(default_factory=dict)
    split: set[HandId] = field(default_factory=set)
    surrendered: set[HandId] = field(default_factory=set)

    def dealt(self, slot: Slot, card: Card) -> None:
        """A card went to a slot."""
        if slot.hand is None:
            self.dealer.append(card)
            return
        self.hands.setdefault(slot.hand, []).append(card)
        first = self.firsts.setdefault(slot.hand.seat, [])
        if len(first) < 2:  # noqa: PLR2004 - a position's first two
            first.append(card)

    def decided(self, hand: HandId, action: Action) -> None:
        """A hand was played; a split moves its second card to a new hand (R6)."""
        if action is Action.SURRENDER:
            self.surrendered.add(hand)
        elif action is Action.SPLIT:
            new = HandId(hand.seat, 1 + max(one.number for one in self.hands if one.seat == hand.seat))
            self.hands[new] = [self.hands[hand].pop()]
            self.split |= {hand, new}

    def round(self, *, is_shared: bool) -> SettledRound:
        """Return the round as it was settled."""
        return SettledRound(
            self.number,
            tuple(self.dealer),
            tuple((first, second) for first, second in self.firsts.values()),
            ()
            if is_shared
            else tuple(
                SettledHand(tuple(cards), hand in self.split, hand in self.surrendered)
                for hand, cards in self.hands.items()
            ),
        )


def _rounds(found: Iterable[Event | None], *, is_shared: bool) -> Iterator[SettledRound]:
    fold = _Fold(0)
    for event in found:
        match event:
            case BettingOpened(number):
                fold = _Fold(number)
            case CardDealt(card=card, slot=slot) if slot.face is Face.UP:
                fold.dealt(slot, card)
            case HoleRevealed(card):
                fold.dealer.append(card)
            case DecisionTaken(hand=hand, action=action):
                fold.decided(hand, action)
            case None if fold.firsts:
                yield fold.round(is_shared=is_shared)
            case _:
                pass
