"""The table that a round script is played at."""

from __future__ import annotations

import math

from studio.domain.people import Actor
from studio.domain.profile import RulingProfile
from studio.domain.rules import RuleSet
from studio.domain.setup import Limits, TableSetup
from studio.domain.shoe import Shoe
from studio.domain.table import Reader, SignedOn, Table

_AMPLE = 2**62


def ready_table(rules: RuleSet, dealer: Actor, reader: str, *, is_new: bool) -> Table:
    """Return a table with ``dealer`` and ``reader`` and a shoe in play; a new one must be burned first (S2)."""
    unit = math.lcm(2, rules.natural_pays.denominator)
    setup = TableSetup(
        table="script",
        name="Round script",
        rules=rules,
        limits=Limits("XXX", unit, _AMPLE // unit * unit, unit),
        reader=reader,
        simulated=True,
        cut_position=0,
        # The script says where the cut card comes, and how long the dealer stays.
        profile=RulingProfile(round_reserve=0, cut_card_tolerance=rules.decks * 52, rotation_minutes=_AMPLE),
    )
    shoe = Shoe("script", 1, rules.decks, 0, burn_owed=None if is_new else 0)
    on_duty = SignedOn(dealer.id, dealer.name, "9999-12-31", 0)
    ready = Reader(ready=True, load=1, ordinal=0, was_ready=True)
    return Table(setup, opened=True, dealer=on_duty, reader=ready, shoe=shoe, shoes=1)
