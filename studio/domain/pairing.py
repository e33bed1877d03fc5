"""Two readers of the same shoe, paired: which reading of the second one is which card of the first.

Both read each card as it leaves the shoe, so their readings are paired by time: at most ``offset_ns`` apart,
either may speak first. A reading of the same card pairs at once, the earliest first: a natural repeat pairs one to
one. What is left over when its time is up was read differently, or was not read. Pure values; what
follows from them is in :mod:`studio.domain.second_reader`.
"""

from __future__ import annotations

from typing import NamedTuple

from studio.domain.cards import Card
from studio.domain.sightings import SightingId


class Pass(NamedTuple):
    """A card that the table's reader told of and that has no verdict yet.

    ``card`` is ``None`` while it is unread; ``again_ns`` is when it was passed again. ``untimed``: it was told
    late, after the link was down, so that its time says nothing.
    """

    draw: int
    card: Card | None
    at_ns: int | None
    again_ns: int | None = None
    untimed: bool = False

    @property
    def since_ns(self) -> int:
        """From when the second reader's word is waited for."""
        return self.again_ns or self.at_ns or 0


class Reading(NamedTuple):
    """A reading of the second reader that no card of the first answers yet; without ``card`` if it could not read.

    ``repeated`` where it may be the last card a second time. ``asked``: the table has asked for that card already.
    """

    card: Card | None
    at_ns: int
    repeated: bool = False
    asked: bool = False


class Pairing(NamedTuple):
    """What waits for its other half, each in order.

    ``newest`` is the second reader's newest reading, to know a repetition of it; ``latest_ns`` the time of the
    newest card of the table's reader. ``last`` is the newest card that the second reader read, ``passed`` the
    newest that was passed again and confirmed, each with its time. ``cut_passed``: the cut card came, which it
    cannot read.
    """

    passes: tuple[Pass, ...] = ()
    readings: tuple[Reading, ...] = ()
    newest: SightingId | None = None
    latest_ns: int | None = None
    last: tuple[Card, int] | None = None
    passed: tuple[Card, int] | None = None
    cut_passed: bool = False

    def pass_of(self, draw: int) -> Pass | None:
        """Return the card of a draw, if it waits."""
        return next((one for one in self.passes if one.draw == draw), None)

    def equal(self, one: Pass, offset_ns: int) -> Reading | None:
        """Return the earliest reading that confirms a card."""
        found = (each for each in self.readings if each.card == one.card and is_near(one, each, offset_ns))
        return None if one.card is None else next(found, None)

    def other(self, one: Pass, offset_ns: int) -> Reading | None:
        """Return what the second reader made of an unconfirmed card: a value first, else that it failed."""
        near = [each for each in self.readings if not each.asked and is_near(one, each, offset_ns)]
        return next((each for each in near if each.card is not None), next(iter(near), None))

    def alone(self, offset_ns: int) -> tuple[Reading, ...]:
        """Return the readings that no waiting card can answer; a repetition is none that needs an answer."""
        return tuple(
            each
            for each in self.readings
            if not each.repeated and not any(is_near(one, each, offset_ns) for one in self.passes)
        )

    def changed(self, one: Pass) -> Pairing:
        """Return the pairing with a waiting card replaced by its newer self."""
        return self._replace(passes=tuple(one if each.draw == one.draw else each for each in self.passes))

    def without(self, draw: int, offset_ns: int) -> Pairing:
        """Return the pairing once a draw has its verdict: the card is gone, and with it its other half.

        Of a card that was passed again each reading of it goes, however often it was tried.
        """
        one = self.pass_of(draw)
        if one is None:
            return self
        half = self.equal(one, offset_ns) or self.other(one, offset_ns)
        passes = tuple(each for each in self.passes if each.draw != draw)
        if half is None:
            return self._replace(passes=passes)
        place = self.readings.index(half)
        readings = (*self.readings[:place], *self.readings[place + 1 :])
        if one.again_ns is None and one.card is not None:
            return self._replace(passes=passes, readings=readings)
        same = {None, half.card, one.card}
        kept = tuple(each for each in readings if each.card not in same or not is_near(one, each, offset_ns))
        again = self.passed if one.card is None or one.again_ns is None else (one.card, one.again_ns)
        return self._replace(passes=passes, readings=kept, passed=again)


def is_near(one: Pass, each: Reading, offset_ns: int) -> bool:
    """Tell whether a reading can be this card's.

    One that is passed over the reader again may be read at any try, and by the end of them long ago.
    """
    if one.untimed or one.at_ns is None:
        return True
    if one.again_ns is not None:
        return each.at_ns <= one.again_ns + offset_ns
    if one.card is None:
        return each.at_ns >= one.at_ns - offset_ns
    return abs(each.at_ns - one.at_ns) <= offset_ns
