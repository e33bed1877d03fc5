"""Which sealed cards and seeds may leave in clear: those that were revealed, and those of a shoe that is closed.

Until then a hole card, a burned, held or unread card, a seed and the bytes behind them stay hidden, whoever
exports (system.md principle 7).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from studio.domain.events import (
    BettingOpened,
    CardDealt,
    CardsReturned,
    Event,
    HoleRevealed,
    ShoeClosed,
    ShuffleCommitted,
    ShuffleOpened,
    hides_card,
)


@dataclass(slots=True)
class Disclosure:
    """Takes one table's events in their order; ``open`` then holds the sequences whose secrets may be shown."""

    open: set[int] = field(default_factory=set)
    _shoe: set[int] = field(default_factory=set)
    _hole: set[int] = field(default_factory=set)
    _seeds: dict[str, int] = field(default_factory=dict)

    def take(self, sequence: int, event: Event) -> None:
        """Take the next event."""
        match event:
            case ShuffleCommitted(commitment=commitment):
                self._seeds[commitment] = sequence
            case ShuffleOpened(commitment=commitment):
                if commitment in self._seeds:
                    self.open.add(self._seeds.pop(commitment))
                self._open_shoe()
            case ShoeClosed() | CardsReturned():
                self._open_shoe()
            case HoleRevealed():
                self.open |= self._hole
                self._hole.clear()
            case BettingOpened():
                # A hole card that was never turned, in a round that was voided, waits for the end of the shoe.
                self._shoe |= self._hole
                self._hole.clear()
            case CardDealt() if hides_card(event):
                self._hole.add(sequence)
            case _ if hides_card(event):
                self._shoe.add(sequence)
            case _:
                pass

    def _open_shoe(self) -> None:
        self.open |= self._shoe | self._hole
        self._shoe.clear()
        self._hole.clear()
