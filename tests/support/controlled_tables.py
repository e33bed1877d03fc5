"""Tables with shoe control: only counted packs are loaded, and each ended shoe is counted (rules.md S1, S5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from studio.adapters.variants import load_variant
from studio.domain.cards import DECK
from studio.domain.order_evidence import Drawn
from studio.domain.profile import RulingProfile
from support.tables import PlayedTable, a_setup


def controlled(**changes: Any) -> PlayedTable:
    """A table with shoe control; its packs have one deck, to keep the counts short."""
    rules, profile = replace(load_variant("deluxe"), decks=1), RulingProfile(round_reserve=0)
    settings = {"rules": rules, "profile": profile, "shoe_control": True, "cut_position": 40, **changes}
    return PlayedTable(replace(a_setup(), **settings)).open()


def playing(table: PlayedTable) -> PlayedTable:
    """Load the due pack, and burn an ace's one card."""
    return table.load_shoe().cards("AS 2C").wait(10)


def rest_of(table: PlayedTable, pack: str) -> list[str]:
    """Return what an ended shoe of one pack still holds."""
    found = table.table.life.pack(pack)
    assert found is not None
    return [card.code for card in DECK for _ in range(found.decks - found.out[card.index])]


def ended(table: PlayedTable) -> PlayedTable:
    """Play the last round of the shoe: the cut card comes in it."""
    table.round(1).cards("TS TD CUT 9S 8D").decide("stand").commit()
    assert table.table.shoe is None
    return table.wait(10)


def never_shown(table: PlayedTable, code: str, pack: str) -> PlayedTable:
    """Give a pack a past: many shoes that showed half their cards each, and that card in none of them."""
    halves = (tuple(int(card.index % 2 == half and card.code != code) for card in DECK) for half in (0, 1))
    found = table.table.life.pack(pack)
    assert found is not None
    shoes = tuple(map(Drawn, halves)) * 40
    table.table = table.table._replace(life=table.table.life.with_pack(found._replace(shoes=shoes)))
    return table
