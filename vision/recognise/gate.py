"""The gate of an enrolment: whether this table may go live on the camera.

All 52 cards are read right, as they are and lightly spoilt, and nothing is read on what is no card: back, cut
card, empty felt (vision.md, part 7). And the watch afterwards: another deck than the enrolled one raises an alarm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from studio.domain.cards import DECK, Card
from vision.image import Image
from vision.recognise.degrade import degrade
from vision.recognise.reader import Reader

_LIGHTLY: Final = ("outline", "light")
_SEED: Final = 52  # not that of the enrolment, so that its pictures are others


def faults(reader: Reader, cards: Mapping[Card, Sequence[Image]], rejects: Iterable[Image]) -> list[str]:
    """Return what keeps this enrolment from going live, in words; empty where nothing does.

    ``cards`` are upright pictures of each card, ``rejects`` of what is no card.
    """
    random = np.random.default_rng(_SEED)
    found = [f"there is no picture of {card}" for card in DECK if not cards.get(card)]
    for card in DECK:
        for picture in cards.get(card, ()):
            for name, seen in [("", picture), *((name, degrade(picture, name, random)) for name in _LIGHTLY)]:
                reading = reader.read(seen)
                if reading.code is not card:
                    how = f" with another {name}" if name else ""
                    found.append(f"{card}{how} is read as {reading.code or 'nothing'} {reading.reason}".rstrip())
    for number, picture in enumerate(rejects, start=1):
        reading = reader.read(picture)
        if reading.code is not None:
            found.append(f"picture {number} of what is no card is read as {reading.code}")
    return found
