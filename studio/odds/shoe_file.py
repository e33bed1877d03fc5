"""A shoe's cards by rank and suit, and the file that gives them (``--shoe``)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from studio.domain.cards import DECK, Card, parse_card
from studio.odds.composition import VALUES, Counts, composition_of, whole_shoe

_TEN: Final = "10"
_WANTED: Final = (
    'it holds JSON: how many there are of each value, {"2": 32, …, "9": 32, "T": 128, "A": 32}, or of each card, '
    '{"AS": 8, …}, or a list of cards, ["AS", "TD", …]'
)


@dataclass(frozen=True, slots=True)
class Shoe:
    """What is in a shoe: counts by value, and by card where the suits are known."""

    values: Counts
    cards: Mapping[Card, int] | None


def full_shoe(decks: int) -> Shoe:
    """Return ``decks`` full decks (C1)."""
    return Shoe(whole_shoe(decks), dict.fromkeys(DECK, decks))


def read_shoe(path: Path) -> Shoe:
    """Read a shoe's composition; raise ``ValueError`` saying what is wrong with the file."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return _shoe(data)
    except (OSError, UnicodeDecodeError) as error:
        message = f"shoe file {path} cannot be read: {error}"
        raise ValueError(message) from error
    except ValueError as error:
        message = f"shoe file {path}: {error}; {_WANTED}"
        raise ValueError(message) from error


def _shoe(data: Any) -> Shoe:  # noqa: ANN401 - whatever the file holds
    counts = Counter(data) if isinstance(data, list) and all(isinstance(one, str) for one in data) else data
    if not isinstance(counts, dict) or not all(type(count) is int and count >= 0 for count in counts.values()):
        message = "no whole numbers from 0 by value or card"
        raise ValueError(message)
    if set(counts) <= {*VALUES, _TEN}:
        return Shoe(composition_of({"T" if name == _TEN else name: count for name, count in counts.items()}), None)
    cards = {parse_card(code): count for code, count in counts.items() if count}
    values = np.zeros(len(VALUES), dtype=np.int64)
    for card, count in cards.items():
        values[card.value - 1] += count
    return Shoe(values, cards)
