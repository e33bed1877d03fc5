"""A table's layout in millimetres: how large it is, and where each hand's cards lie.

The file is JSON: ``table_mm`` and ``card_mm`` (width, height), and ``slots``, each with ``seat`` (0 the dealer's),
``hand`` and ``polygon``; the shoe's mouth has ``mouth: true`` instead of a seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

CARD_MM: Final = (63.0, 88.0)
_MOST_SLOTS: Final = 64
_CORNERS: Final = 3


@dataclass(frozen=True, slots=True)
class SlotArea:
    """Where the cards of one hand lie: ``seat`` 0 the dealer, ``None`` the shoe's mouth; millimetres."""

    seat: int | None
    hand: int
    polygon: tuple[tuple[float, float], ...]

    @property
    def name(self) -> str:
        """How people call it."""
        if self.seat is None:
            return "mouth"
        return f"seat{self.seat}.hand{self.hand}" if self.seat else "dealer"

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom, millimetres."""
        xs, ys = [x for x, _ in self.polygon], [y for _, y in self.polygon]
        return min(xs), min(ys), max(xs), max(ys)


@dataclass(frozen=True, slots=True)
class Layout:
    """A table: its size and the size of its cards, millimetres, and its slots."""

    table_mm: tuple[float, float]
    card_mm: tuple[float, float]
    slots: tuple[SlotArea, ...]


def parse_layout(given: Mapping[str, Any]) -> Layout:
    """Return the layout of a JSON object; raise ``ValueError`` with a sentence for one that cannot be."""
    try:
        table = _pair(given["table_mm"])
        card = _pair(given.get("card_mm", CARD_MM))
        slots = tuple(_slot(one) for one in given["slots"])
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        message = f"layout: {error!r}; it needs table_mm, and slots with seat, hand and polygon"
        raise ValueError(message) from error
    if not 1 <= len(slots) <= _MOST_SLOTS:
        message = f"layout: a table has 1 to {_MOST_SLOTS} slots, not {len(slots)}"
        raise ValueError(message)
    names = [one.name for one in slots]
    if len(set(names)) != len(names):
        message = "layout: two slots have the same seat and hand; give each its own"
        raise ValueError(message)
    for one in slots:
        left, top, right, bottom = one.box
        if not (0 <= left < right <= table[0] and 0 <= top < bottom <= table[1]):
            message = f"layout: slot {one.name} does not lie on the table"
            raise ValueError(message)
    return Layout(table, card, slots)


def layout_json(layout: Layout) -> dict[str, Any]:
    """Return the JSON object of a layout."""
    return {
        "table_mm": list(layout.table_mm),
        "card_mm": list(layout.card_mm),
        "slots": [
            {
                **({"mouth": True} if one.seat is None else {"seat": one.seat, "hand": one.hand}),
                "polygon": [list(point) for point in one.polygon],
            }
            for one in layout.slots
        ],
    }


def _slot(given: Mapping[str, Any]) -> SlotArea:
    polygon = tuple(_pair(point) for point in given["polygon"])
    if len(polygon) < _CORNERS:
        message = "layout: a polygon has three corners or more"
        raise ValueError(message)
    if given.get("mouth"):
        return SlotArea(None, 1, polygon)
    return SlotArea(int(given["seat"]), int(given.get("hand", 1)), polygon)


def _pair(given: Any) -> tuple[float, float]:  # noqa: ANN401 - JSON
    first, second = given
    return float(first), float(second)
