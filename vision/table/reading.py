"""What the table asks of a recogniser, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from studio.domain.cards import Card
from vision.image import Image, Points


class CardReading(Protocol):
    """What a recogniser makes of one card: ``code`` is ``None`` where it abstains, with the ``reason``."""

    @property
    def code(self) -> Card | None:
        """The card."""
        ...

    @property
    def confidence(self) -> float:
        """How sure, 0 to 1."""
        ...

    @property
    def reason(self) -> str:
        """Why nothing was read, a short word; empty when something was."""
        ...


class Reader(Protocol):
    """Reads one upright card."""

    def read(self, card: Image) -> CardReading:
        """Return the reading of a card that fills the picture."""
        ...


Cut: TypeAlias = Callable[[Image, Points], Image]
"""Cuts a card with these corners, from its top left clockwise, out of a picture: upright, for the reader."""
