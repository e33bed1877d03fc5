"""A folder of labelled pictures: ``labels.csv`` with one line a picture, its cards and their outlines.

Columns: ``file``, ``kind``, ``cards`` (codes, ``;`` between), ``quads`` (four corners as eight numbers each, ``|``
between, empty where not given), ``condition``, ``index`` (``en``, ``fr``), ``complete`` (1: every card in it is
named), ``source``. Others are ignored.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from studio.domain.cards import Card, parse_card
from vision.recognise.outline import Outline, outline_of

LABELS: Final = "labels.csv"
_ENGLISH: Final = "en"


class LabelsError(Exception):
    """A folder of labelled pictures cannot be used; the message names the file, the line and what to do."""


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """One picture and what a person says is on it; ``outlines`` has one a card, ``None`` where not given."""

    path: Path
    file: str
    kind: str
    cards: tuple[Card, ...]
    outlines: tuple[Outline | None, ...]
    condition: str
    index: str
    is_complete: bool
    source: str

    @property
    def group(self) -> str:
        """Under which name its figures are counted: who took it, how, and the index where it is no English one."""
        owner = self.source.split("/")[0] or "own"
        parts = [owner, self.condition.split(";")[0] or self.kind]
        if not self.cards:
            parts = ["negatives", owner]
        return " ".join(parts if self.index in {"", _ENGLISH} else [*parts, f"index {self.index}"])

    @property
    def is_english(self) -> bool:
        """Whether its cards have an English index; no other may be read."""
        return self.index in {"", _ENGLISH}


def read_labels(folder: Path) -> list[LabelledPicture]:
    """Return the labelled pictures of a folder; raise :class:`LabelsError` where its labels cannot be used."""
    path = folder / LABELS
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            return [_picture(folder, number, row) for number, row in enumerate(csv.DictReader(lines), start=2)]
    except OSError as error:
        message = f"{path} cannot be read: give a folder that holds {LABELS} ({error.strerror})"
        raise LabelsError(message) from error


def _picture(folder: Path, number: int, row: dict[str, str | None]) -> LabelledPicture:
    """Return the picture of one line, whose number is given."""
    values = {name: (value or "").strip() for name, value in row.items() if isinstance(name, str)}
    try:
        file = values["file"]
        codes = [code for code in values["cards"].split(";") if code]
        cards = tuple(parse_card(code) for code in codes)
        outlines = _outlines(values.get("quads", ""), len(cards))
    except (KeyError, ValueError) as error:
        message = f"{folder / LABELS}, line {number}: {error}"
        raise LabelsError(message) from error
    return LabelledPicture(
        path=folder / file,
        file=file,
        kind=values.get("kind", ""),
        cards=cards,
        outlines=outlines,
        condition=values.get("condition", ""),
        index=values.get("index", _ENGLISH),
        is_complete=values.get("complete", "") == "1",
        source=values.get("source", ""),
    )


def _outlines(text: str, cards: int) -> tuple[Outline | None, ...]:
    """Return the outlines that a line gives, one for each card; a card without one has ``None``."""
    parts = text.split("|") if text else []
    if len(parts) not in {0, cards}:
        message = f"{cards} cards, but {len(parts)} outlines: write one for each, empty where unknown"
        raise ValueError(message)
    found = [_outline(part) for part in parts]
    return tuple(found) or (None,) * cards


def _outline(text: str) -> Outline | None:
    numbers = [float(number) for number in text.split()]
    if not numbers:
        return None
    if len(numbers) != 8:  # noqa: PLR2004 - four corners
        message = f"an outline is eight numbers, x and y of four corners, not {len(numbers)}"
        raise ValueError(message)
    return outline_of(np.array(numbers).reshape(4, 2))
