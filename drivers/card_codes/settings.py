"""The settings of every reader of printed codes: what the codes stand for, and when one is a repetition."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from drivers.card_codes.book import MOST_BYTES, CardCode, CodeBook
from drivers.card_codes.duplicates import Duplicates, Gate, Transit, Unique
from drivers.card_codes.reader import AimPrefix, CodeReader, Symbologies, is_clean
from drivers.card_codes.symbology import SYMBOLOGIES
from studio.domain.cards import parse_card

_MS: Final = 1_000_000
Code = Annotated[str, Field(min_length=1, max_length=MOST_BYTES)]


class CodeSettings(BaseModel):
    """Settings that a driver adds to those of its port; the names are those of the configuration."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    map: dict[Code, str] = Field(default_factory=dict)
    """Code to card, such as ``{"0417" = "8S"}``, or to card and deck: ``"8S 3"``. ``studio learn`` writes it."""
    pattern: str | None = None
    """A regular expression for the whole code with the groups ``card`` (or ``rank`` and ``suit``) and ``deck``."""
    decks: int | None = Field(default=None, ge=1, le=99)
    """The highest deck number that a code of ours has; a higher one is a foreign card."""
    no_read: list[Code] = Field(default_factory=lambda: ["NR", "NOREAD"])
    """What the reader sends when it could read nothing."""
    cut_codes: list[Code] = Field(default_factory=list)
    """The codes on cut cards."""
    aim: Literal["off", "optional", "required"] = "optional"
    """Whether codes come behind an AIM prefix ``]cm``."""
    symbologies: list[str] = Field(default_factory=list)
    """The kinds of code that are taken, where the reader says which it read; empty for all."""
    duplicates: Literal["gate", "unique", "transit"] = "transit"
    """When a code that comes again is taken for the same card: the strongest that the reader can support."""
    transit_ms: int = Field(default=250, ge=1, le=10_000)
    """``transit``: the same code again within this time of its last reading may be the same card."""
    reload_seconds: int = Field(default=30, ge=5, le=3600)
    """``unique``: after a silence of so long the cards may be others; nobody may change a shoe faster."""
    gate_codes: list[Code] = Field(default_factory=list)
    """``gate``: what the light barrier sends when a card begins to pass; none where it triggers the reader."""
    passage_ms: int = Field(default=1000, ge=50, le=10_000)
    """``gate``: a passage of which nothing was read for so long is a card that was not read."""

    @field_validator("map")
    @classmethod
    def _map_names_cards(cls, entries: dict[str, str]) -> dict[str, str]:
        for code, value in entries.items():
            _card_code(code, value)
        return entries

    @field_validator("pattern")
    @classmethod
    def _pattern_names_a_card(cls, pattern: str | None) -> str | None:
        if pattern is None:
            return None
        try:
            groups = set(re.compile(pattern, re.ASCII).groupindex)
        except re.error as error:
            message = f"{pattern!r} is no regular expression: {error}"
            raise ValueError(message) from None
        if "card" not in groups and not {"rank", "suit"} <= groups:
            message = f"{pattern!r} must have a group (?P<card>...), or (?P<rank>...) and (?P<suit>...)"
            raise ValueError(message)
        return pattern

    @field_validator("symbologies")
    @classmethod
    def _symbologies_are_known(cls, names: list[str]) -> list[str]:
        unknown = sorted(set(names) - SYMBOLOGIES)
        if unknown:
            message = f"{', '.join(unknown)}: no symbology, there are {', '.join(sorted(SYMBOLOGIES))}"
            raise ValueError(message)
        return names

    @model_validator(mode="after")
    def _each_text_means_one_thing(self) -> CodeSettings:
        uses: dict[str, str] = {}
        named = {
            "map": [*self.map],
            "no_read": self.no_read,
            "cut_codes": self.cut_codes,
            "gate_codes": self.gate_codes,
        }
        for name, texts in named.items():
            for text in texts:
                if not is_clean(text.encode()):
                    message = f"{name}: {text!r} holds more than printable ASCII, which no code does"
                    raise ValueError(message)
                if uses.setdefault(text, name) != name:
                    message = f"{text!r} stands in both {uses[text]} and {name}: it can mean one thing only"
                    raise ValueError(message)
        if self.gate_codes and self.duplicates != "gate":
            message = 'gate_codes are for duplicates = "gate" only'
            raise ValueError(message)
        return self

    def book(self) -> CodeBook:
        """Return what the codes stand for."""
        return CodeBook(
            {code: _card_code(code, value) for code, value in self.map.items()},
            None if self.pattern is None else re.compile(self.pattern, re.ASCII),
            frozenset(self.no_read),
            frozenset(self.cut_codes),
            frozenset(self.gate_codes),
            self.decks,
        )

    def code_reader(self, device: str) -> CodeReader:
        """Return a fresh reader of the codes of ``device``."""
        symbologies = Symbologies(AimPrefix(self.aim), frozenset(self.symbologies))
        return CodeReader(device, self.book(), symbologies, self._policy())

    def _policy(self) -> Duplicates:
        match self.duplicates:
            case "gate":
                return Gate(self.passage_ms * _MS, speaks=bool(self.gate_codes))
            case "unique":
                return Unique(self.reload_seconds * 1000 * _MS, self.transit_ms * _MS)
            case "transit":
                return Transit(self.transit_ms * _MS)


def _card_code(code: str, value: str) -> CardCode:
    name, separator, number = value.partition(" ")
    try:
        card = parse_card(name)
    except ValueError as error:
        message = f"{code!r}: {error}"
        raise ValueError(message) from None
    if not separator:
        return CardCode(card, None)
    if not (number.isascii() and number.isdecimal()):
        message = f"{code!r}: {value!r} must be a card, or a card and its deck's number such as '8S 3'"
        raise ValueError(message)
    return CardCode(card, int(number))
