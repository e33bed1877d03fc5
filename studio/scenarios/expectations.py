"""What must have come of a scenario so far; what did not raises :class:`ScenarioError` with what was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final

from studio.domain.hands import total
from studio.domain.incidents import ways_out
from studio.domain.money import player_account
from studio.domain.people import Role
from studio.domain.phases import phase
from studio.domain.projections import dealer_view, supervisor_view
from studio.scenarios.script import Line, ScenarioError
from studio.scenarios.stage import Stage, hand_of, only

_TODAY: Final = "2026-01-01"


def _fail(line: Line, found: object) -> None:
    message = f"{line}: {found}"
    raise ScenarioError(message)


def _anomaly(stage: Stage, line: Line) -> None:
    """``anomaly KIND [LEVEL]``: the newest incident."""
    kind, *level = line.words
    found = stage.newest(line)
    if found.kind != kind or (level and found.level != level[0]):
        _fail(line, f"found {found.kind} {found.level} ({found.detail})")


def _none(stage: Stage, line: Line) -> None:
    """No incident is open."""
    if stage.table.incidents:
        _fail(line, f"still open: {', '.join(one.kind for one in stage.table.incidents)}")


def _offers(stage: Stage, line: Line) -> None:
    """``offers WAY ...``: exactly these ways out are open to the supervisor for the newest incident."""
    offered = ways_out(stage.table, stage.newest(line), Role.SUPERVISOR)
    if set(offered) != set(line.words):
        _fail(line, f"offered are {' '.join(offered) or 'none'}")


def _lies(stage: Stage, line: Line) -> None:
    """``lies PLACE CODE ...``: the cards of a hand, or the dealer's."""
    place, *codes = line.words
    hand = hand_of(place)
    cards = stage.round.dealer if hand is None else stage.round.hand(hand).cards
    if [str(card) for card in cards] != codes:
        _fail(line, f"there lie {' '.join(map(str, cards)) or 'none'} ({total(cards)})")


def _net(stage: Stage, line: Line) -> None:
    """``net SEAT AMOUNT``: what the player has won or lost in this scenario, in minor units."""
    seat, amount = line.words
    found = stage.played.ledger.get(player_account(f"P{seat}"), 0)
    if found != int(amount):
        _fail(line, f"it is {found:+}")


def _phase(stage: Stage, line: Line) -> None:
    found = phase(stage.table)
    if found != only(line):
        _fail(line, f"it is {found}")


def _instruction(stage: Stage, line: Line) -> None:
    """``instruction WORDS``: what the dealer reads."""
    found = dealer_view(stage.table, stage.now, _TODAY).instruction.words
    if found != " ".join(line.words):
        _fail(line, f"it is {found!r}")


def _nowhere(stage: Stage, line: Line) -> None:
    """``nowhere CODE ...``: these cards stand in no view, not even a supervisor's."""
    shown = set(_texts(asdict(supervisor_view(stage.table, stage.now, _TODAY))))
    if found := [code for code in line.words if code in shown]:
        _fail(line, f"shown are {' '.join(found)}")


def _texts(value: Any) -> list[str]:  # noqa: ANN401 - whatever a view holds
    match value:
        case str():
            return [value]
        case dict():
            return [text for one in value.values() for text in _texts(one)]
        case list() | tuple():
            return [text for one in value for text in _texts(one)]
        case _:
            return []


EXPECTATIONS: Final[dict[str, Callable[[Stage, Line], None]]] = {
    "anomaly": _anomaly,
    "none": _none,
    "offers": _offers,
    "lies": _lies,
    "net": _net,
    "phase": _phase,
    "instruction": _instruction,
    "nowhere": _nowhere,
}
"""What can be expected, by verb."""
