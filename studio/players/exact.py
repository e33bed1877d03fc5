"""The hard player: it plays the exact strategy table of its own table's rules (rules.md A3).

The table is calculated by the studio for the rules in force and asked of it once; the hole card, other hands and
the cards that are gone play no part in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from studio.domain.cards import parse_card
from studio.domain.hands import total
from studio.odds.strategy import FOLLOW, Cells, StrategyTable
from studio.players.client import ApiClient, NotLetInError, UnreachableError
from studio.players.strategies import first_legal

HARD: Final = "hard"
"""The strategy's name in a people file."""
_ASKS_AGAIN_AFTER_SECONDS: Final = 1.0
_PAIR: Final = 2
_TEN: Final = 10

_PREFERENCES: Final[Mapping[str, tuple[str, ...]]] = {
    "H": ("hit",),
    "S": ("stand",),
    "D": ("double", "hit"),
    "d": ("double", "stand"),
    "R": ("surrender", "hit"),
    "Rs": ("surrender", "stand"),
    "P": ("split",),
    "Rp": ("surrender", "split"),
    "-": (),
}
"""What each code asks for, best first; what is not legal is passed over, a pair then played by its total."""


@dataclass(frozen=True, slots=True)
class ExactPlay:
    """Implements :data:`studio.players.strategies.Strategy` by a table, and answers for bets behind (B8, B9)."""

    table: StrategyTable
    follow_split: Cells
    """Pair card -> upcard -> what a bet behind does when the seat splits."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the play of the studio's answer; raise ``ValueError`` or ``KeyError`` where it is none."""
        return cls(StrategyTable.from_json(data["strategy"]), data["follow_split"])

    def __call__(self, cards: Sequence[str], upcard: str, legal: Collection[str]) -> str:
        """Return what the table says, or the next best of what is legal.

        Raises ``ValueError`` for a code that is no card, a bust hand or no legal action.
        """
        own = [parse_card(code) for code in cards]
        points, soft = total(own)
        try:
            code = (self.table.soft if soft else self.table.hard)[str(points)][_name(upcard)]
        except KeyError as error:
            message = f"a hand of {points} points has nothing to decide: {' '.join(cards)}"
            raise ValueError(message) from error
        preferences = _PREFERENCES[code]
        if len(own) == _PAIR and own[0].value == own[1].value:
            preferences = (*_PREFERENCES[self.table.pairs[_name(cards[0])][_name(upcard)]], *preferences)
        return first_legal(preferences, legal)

    def follows_split(self, cards: Sequence[str], upcard: str) -> bool:
        """Tell whether a bet behind follows a split of these cards, well advised or not."""
        return self.follow_split[_name(cards[0])][_name(upcard)] == FOLLOW


def _name(code: str) -> str:
    """Return a card's name in the table."""
    return "T" if parse_card(code).value == _TEN else code[0]


async def ask_for_exact_play(api: ApiClient, table: str) -> ExactPlay:
    """Return the exact play of a table's rules, however long the studio cannot be reached.

    Raises :class:`~studio.players.client.NotLetInError` where there is no such table.
    """
    while True:
        try:
            answer = await api.get(f"/tables/{table}/strategy.json")
        except UnreachableError:
            await asyncio.sleep(_ASKS_AGAIN_AFTER_SECONDS)
            continue
        if answer.is_success:
            return ExactPlay.from_json(answer.body)
        message = f"no strategy of table {table}: {answer.body.get('text') or answer.status}"
        raise NotLetInError(message)
