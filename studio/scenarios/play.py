"""Plays a scenario through ``decide``, line by line; each verb is a function of the stage."""

from __future__ import annotations

from typing import Final

from studio.domain.bets import Bet, BetKind, Placement
from studio.domain.commands import CloseBetting, OpenBetting, PlaceBets
from studio.domain.people import Actor, Role
from studio.domain.phases import Phase, phase
from studio.domain.table import Table
from studio.scenarios.cards import CARD_VERBS
from studio.scenarios.expectations import EXPECTATIONS
from studio.scenarios.people import PEOPLE_VERBS
from studio.scenarios.reader import DirectReader, MakeReader
from studio.scenarios.script import Line, Scenario, ScenarioError
from studio.scenarios.stage import PlayedScenario, Stage

_OPERATOR: Final = Actor("scenario", "scenario", Role.OPERATOR)
_VERBS: Final = CARD_VERBS | PEOPLE_VERBS | EXPECTATIONS


def play_scenario(scenario: Scenario, table: Table, make_reader: MakeReader = DirectReader) -> PlayedScenario:
    """Play a scenario at a ready table; raise :class:`ScenarioError` where it does not come out as it says."""
    stage = Stage(scenario, PlayedScenario(table), make_reader)
    _place_bets(stage)
    for line in scenario.lines:
        _obey(stage, line)
    if sum(stage.played.ledger.values()):
        message = f"{scenario.id}: the ledger sums to {sum(stage.played.ledger.values())}"
        raise ScenarioError(message)
    return stage.played


def _place_bets(stage: Stage) -> None:
    scenario = stage.scenario
    if not scenario.bets:
        return
    at_start = Line(0, "bets", ())
    stage.must(at_start, OpenBetting(), stage.dealer)
    bets = (Bet(f"P{seat}", seat, BetKind.MAIN, amount) for seat, amount in scenario.bets.items())
    stage.must(at_start, PlaceBets(tuple(Placement((bet,), funded=True) for bet in bets)), _OPERATOR)
    if not scenario.betting_open and phase(stage.table) is Phase.BETTING:
        stage.must(at_start, CloseBetting(), stage.dealer)


def _obey(stage: Stage, line: Line) -> None:
    """Do what a line says, or check it; ``refused CODE rest`` is the rest with that refusal."""
    stage.line = line
    if line.verb == "refused":
        _expect_refusal(stage, line)
        return
    if (verb := _VERBS.get(line.verb)) is None:
        message = f"{line}: unknown verb; known are {', '.join(sorted((*_VERBS, 'refused')))}"
        raise ScenarioError(message)
    try:
        verb(stage, line)
    except (ValueError, KeyError, IndexError, StopIteration) as error:
        if isinstance(error, ScenarioError):
            raise
        message = f"{line}: {error}"
        raise ScenarioError(message) from error


def _expect_refusal(stage: Stage, line: Line) -> None:
    code, verb, *words = line.words
    stage.refusal = ""
    _obey(stage, Line(line.number, verb, tuple(words)))
    found, stage.refusal = stage.refusal, None
    if found != code:
        message = f"{line}: {f'refused with {found}' if found else 'it was accepted'}"
        raise ScenarioError(message)
