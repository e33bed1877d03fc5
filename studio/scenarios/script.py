"""A scenario file: a table, bets, and lines that say what happens and what must come of it. Parsed, not played."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

_NEEDED: Final = frozenset({"id", "title", "variant", "play"})
_KNOWN: Final = _NEEDED | {"ruling", "profile", "settings", "camera", "bets", "betting_open", "start"}


class ScenarioError(ValueError):
    """A scenario that cannot be read or does not come out as it says; the text names the file's line."""


class Start(StrEnum):
    """How the table stands when a scenario begins."""

    READY = "ready"
    """A dealer on duty, a burned shoe in play."""
    NEW_SHOE = "new-shoe"
    """The same, and the burn is owed."""
    UNOPENED = "unopened"
    """The table's stream has not begun."""
    NO_SHOE = "no-shoe"
    """No dealer, no shoe, no pack of cards; only counted packs are loaded."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the play: a verb with its words; ``number`` counts the lines of the play from 1."""

    number: int
    verb: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"line {self.number}: {' '.join((self.verb, *self.words))}"


@dataclass(frozen=True, slots=True)
class Scenario:
    """A whole scenario.

    ``bets`` are main bets by seat in minor units (on a shared hand: by player's number); the player on seat 3 is
    called ``P3``. ``settings`` are settings of the ruling profile that differ from the named one. ``camera`` says
    that a second witness watches the table. ``betting_open``: the play
    closes the betting itself.
    """

    id: str
    title: str
    ruling: str
    variant: str
    profile: str
    bets: dict[int, int]
    lines: tuple[Line, ...]
    settings: dict[str, object] = field(default_factory=dict)
    camera: bool = False
    start: Start = Start.READY
    betting_open: bool = False


def parse_scenario(text: str, name: str) -> Scenario:
    """Return the scenario in a TOML text; raise :class:`ScenarioError` that says what to change."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = f"{name}: not TOML: {error}"
        raise ScenarioError(message) from error
    unknown, missing = sorted(data.keys() - _KNOWN), sorted(_NEEDED - data.keys())
    if unknown or missing:
        message = f"{name}: unknown keys {unknown}, missing keys {missing}; known are {sorted(_KNOWN)}"
        raise ScenarioError(message)
    try:
        bets = {int(seat): int(amount) for seat, amount in data.get("bets", {}).items()}
    except ValueError as error:
        message = f"{name}: bets are seat = amount in minor units: {error}"
        raise ScenarioError(message) from error
    try:
        start = Start(data.get("start", Start.READY))
    except ValueError as error:
        message = f"{name}: start is one of {', '.join(Start)}"
        raise ScenarioError(message) from error
    return Scenario(
        data["id"],
        data["title"],
        data.get("ruling", ""),
        data["variant"],
        data.get("profile", "studio-default"),
        bets,
        tuple(_lines(data["play"])),
        data.get("settings", {}),
        data.get("camera", False),
        start,
        data.get("betting_open", False),
    )


def _lines(play: str) -> list[Line]:
    found = []
    for number, text in enumerate(play.splitlines(), 1):
        words = text.partition("#")[0].split()
        if words:
            found.append(Line(number, words[0], tuple(words[1:])))
    return found


def shipped_cases() -> tuple[Traversable, ...]:
    """Return the files of the shipped cases in the order of their names."""
    folder = resources.files("studio.scenarios") / "cases"
    return tuple(sorted((one for one in folder.iterdir() if one.name.endswith(".toml")), key=lambda one: one.name))
