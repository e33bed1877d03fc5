"""A strategy table: what a hand does by hard total, soft total or pair, and the upcard.

Codes: ``H`` hit, ``S`` stand, ``D`` double else hit, ``d`` double else stand, ``P`` split, ``R`` / ``Rs`` / ``Rp``
surrender else hit / stand / split, ``-`` not split: play the total.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

UPCARDS: Final[tuple[str, ...]] = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "A")
HARD: Final[tuple[str, ...]] = tuple(map(str, range(4, 22)))
SOFT: Final[tuple[str, ...]] = tuple(map(str, range(12, 22)))
PAIRS: Final = UPCARDS
TOTAL_CODES: Final = ("S", "H", "D", "d", "R", "Rs")
"""The codes of the cells of totals."""
PAIR_CODES: Final = ("-", "P", "Rp")
"""The codes of the cells of pairs."""

FOLLOW: Final = "F"
"""What a bet behind does when the seat splits: it follows (B9)."""
FIRST_HAND_ONLY: Final = "1"
"""It keeps to the first hand."""

Cells = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class StrategyTable:
    """A fixed strategy: cell = hard | soft | pairs [total or pair card][upcard] -> code."""

    hard: Cells
    """By total, ``4`` to ``21``."""
    soft: Cells
    """By total, ``12`` to ``21``; an ace counts 11."""
    pairs: Cells
    """By one of the two cards."""

    def as_json(self) -> dict[str, Any]:
        """Return the table as JSON has it: ``hard``, ``soft``, ``pairs`` -> row -> upcard -> code."""
        return {name: {row: dict(cells) for row, cells in part.items()} for name, part in self._parts()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the table of such JSON; raise ``ValueError`` naming a cell that is missing or no code."""
        for name, rows, codes in (
            ("hard", HARD, TOTAL_CODES),
            ("soft", SOFT, TOTAL_CODES),
            ("pairs", PAIRS, PAIR_CODES),
        ):
            for row in rows:
                for upcard in UPCARDS:
                    try:
                        code = data[name][row][upcard]
                    except (KeyError, TypeError):
                        code = None
                    if code not in codes:
                        message = f'strategy table: {name}["{row}"]["{upcard}"] must be one of {", ".join(codes)}'
                        raise ValueError(message)
        return cls(data["hard"], data["soft"], data["pairs"])

    def _parts(self) -> tuple[tuple[str, Cells], ...]:
        return ("hard", self.hard), ("soft", self.soft), ("pairs", self.pairs)
