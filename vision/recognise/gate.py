"""The gate of an enrolment: whether this table may go live on the camera.

All 52 cards are read right, as they are and lightly spoilt, and nothing is read on what is no card: back, cut
card, empty felt (vision.md, part 7). And the watch afterwards: another deck than the enrolled one raises an alarm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from studio.domain.cards import DECK, Card
from vision.image import Image
from vision.recognise.degrade import degrade
from vision.recognise.reader import Reader

_LIGHTLY: Final = ("outline", "light")
_SEED: Final = 52  # not that of the enrolment, so that its pictures are others


class Fault(NamedTuple):
    """Why an enrolment may not go live, and the card whose picture is to be taken again; ``None`` is no card."""

    card: Card | None
    text: str


def faults(reader: Reader, cards: Mapping[Card, Sequence[Image]], rejects: Iterable[Image]) -> list[Fault]:
    """Return what keeps this enrolment from going live; empty where nothing does.

    ``cards`` are upright pictures of each card, ``rejects`` of what is no card.
    """
    random = np.random.default_rng(_SEED)
    found = [Fault(card, f"there is no picture of {card}") for card in DECK if not cards.get(card)]
    for card in DECK:
        for picture in cards.get(card, ()):
            for name, seen in [("", picture), *((name, degrade(picture, name, random)) for name in _LIGHTLY)]:
                reading = reader.read(seen)
                if reading.code is not card:
                    how = f" with another {name}" if name else ""
                    told = f"{card}{how} is read as {reading.code or 'nothing'} {reading.reason}".rstrip()
                    found.append(Fault(card, told))
    for number, picture in enumerate(rejects, start=1):
        reading = reader.read(picture)
        if reading.code is not None:
            found.append(Fault(None, f"picture {number} of what is no card is read as {reading.code}"))
    return found
