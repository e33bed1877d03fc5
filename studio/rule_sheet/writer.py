"""The writer: one language's sentences with one variant's values in them, put into the form of a sheet.

It holds every number that a sentence may name. It decides nothing about which sentences there are.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from studio.domain.cards import DECK
from studio.domain.hands import TWENTY_ONE, total
from studio.domain.rules import Money, Odds, RuleSet
from studio.domain.setup import Limits
from studio.rule_sheet.catalogue import Catalogue, Count
from studio.rule_sheet.forms import Block, Points, Section, Table

DEALER_STANDS_ON: Final = 17
"""R12."""
DRAWS_TO: Final = 11
"""R9, R10: the total up to which a hand draws by itself."""
EASY_STANDS_ON: Final = 17
"""A1: the total from which the easy automated player stands."""
WIN_PAYS: Final = Odds(1, 1)
"""R14."""
INSURANCE_PAYS: Final = Odds(2, 1)
"""R3, R14."""
_ACE, _TWO, *_, _KING = DECK
_MINOR: Final = 100
_EXAMPLE: Final = 123_400


def amount(minor_units: int) -> str:
    """Write an amount of minor units as every language shows it: ``1,234.00`` (M5)."""
    return f"{minor_units // _MINOR:,}.{minor_units % _MINOR:02}"


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes for one variant, and for one table's limits where there is a table."""

    catalogue: Catalogue
    rules: RuleSet
    limits: Limits | None
    values: dict[str, object]

    def has(self, key: str) -> bool:
        """Tell whether the language has a sentence of this key."""
        return key in self.catalogue.sentences

    def say(self, key: str, **more: object) -> str:
        """Return a sentence; raise ``KeyError`` where the language has none or a value for it is missing."""
        return self.catalogue.say(key, self.values | more)

    def word(self, name: str) -> str:
        """Return one of the game's words: a field of :class:`studio.rule_sheet.catalogue.Words` by its name."""
        return self.catalogue.typeset(str(self.values[name]))

    def name(self, key: str, name: str) -> str:
        """Return how something is called; what nobody foresaw is called by its own name, its dashes as spaces."""
        return self.say(key) if self.has(key) else name.replace("-", " ").capitalize()

    def each(self, *keys: str) -> tuple[str, ...]:
        """Return several sentences."""
        return tuple(map(self.say, keys))

    def points(self, *keys: str) -> Points:
        """Return several sentences as points."""
        return Points(self.each(*keys))

    def table(self, caption: str, head: tuple[str, ...], *rows: tuple[str, ...]) -> Table:
        """Return a table whose caption and cells are given by their keys."""
        return Table(self.say(caption), self.each(*head), tuple(self.each(*row) for row in rows))

    def section(self, anchor: str, *blocks: Block) -> Section:
        """Return a section; its heading is the sentence of its anchor."""
        return Section(anchor, self.say(anchor), blocks)

    def money(self, minor_units: int) -> str:
        """Return an amount with its unit."""
        virtual = self.rules.money is Money.VIRTUAL
        return self.say("money.unit.virtual" if virtual else "money.unit", amount=amount(minor_units))


def writer_for(catalogue: Catalogue, rules: RuleSet, limits: Limits | None) -> Writer:
    """Return the writer of a variant's sheet; ``limits`` are a table's, ``None`` for the variant alone."""
    bust_bonus = catalogue.sentences["side.bust-bonus"]
    words = catalogue.words_of(rules.variant)
    numbers = {
        "target": TWENTY_ONE,
        "one": _ACE.value,
        "eleven": total([_ACE]).points,
        "low": _TWO.value,
        "ten": _KING.value,
        "deck_size": len(DECK),
        "decks": rules.decks,
        "cards": rules.decks * len(DECK),
        "seats": rules.seats,
        "seats_per_player": rules.seats_per_player,
        "split_hands": rules.split_hands,
        "dealer_stands_on": DEALER_STANDS_ON,
        "dealer_draws_to": DEALER_STANDS_ON - 1,
        "draws_to": DRAWS_TO,
        "easy_stands_on": EASY_STANDS_ON,
    }
    values: dict[str, object] = {
        **{name: Count(number) for name, number in numbers.items()},
        **asdict(words),
        "bust_bonus": bust_bonus,
        "natural_pays": rules.natural_pays,
        "win_pays": WIN_PAYS,
        "insurance_pays": INSURANCE_PAYS,
        "example": amount(_EXAMPLE),
        "currency": limits.currency if limits else "",
    }
    return Writer(catalogue, rules, limits, values)
