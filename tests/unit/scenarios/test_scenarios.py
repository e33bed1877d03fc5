"""Every case of cases.md as a scenario: what is detected, what is offered, that cards and money add up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drivers.smartshoe.plugin import SmartshoePlugin
from hardware_sim.peer import SimulatedPeers
from studio.adapters.profiles import read_profile
from studio.adapters.variants import load_variant
from studio.domain.anomalies import AnomalyKind
from studio.scenario_readers import find_reader, wired
from studio.scenarios.command import ScenarioCommand
from studio.scenarios.reader import DirectReader, MakeReader
from studio.scenarios.script import ScenarioError, parse_scenario, shipped_cases
from studio.scenarios.stage import PlayedScenario

COMMAND = ScenarioCommand(load_variant, lambda name: read_profile(name).profile, find_reader)
CASES = shipped_cases()
WIRED = wired(SmartshoePlugin(), SimulatedPeers("smartshoe"))


def play(text: str, make_reader: MakeReader = DirectReader) -> PlayedScenario:
    return COMMAND.play(parse_scenario(text, "x.toml"), make_reader)


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.name)
def test_a_case_comes_out_as_it_says_and_bytes_make_the_same_events(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    by_bytes, told = play(text, WIRED), play(text)
    assert by_bytes == told
    assert by_bytes.events == told.events


def test_each_of_the_forty_cases_has_a_scenario() -> None:
    numbers = {int(re.match(r"c(\d+)", file.name)[1]) for file in CASES}  # type: ignore[index]
    assert numbers == set(range(1, 41))


ONE = """
id = "X"
title = "An extra card"
variant = "deluxe"
bets = { 1 = 1000 }
play = '''
deal TS 9H 8D 8C
stand 1
card 6D
%s
'''
"""


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("anomaly no-read", "line 4: anomaly no-read: found extra-card hold"),
        ("offers void", "line 4: offers void: offered are burn"),
        ("none", "line 4: none: still open: extra-card"),
        ("lies 1 TS", "line 4: lies 1 TS: there lie TS 8D"),
        ("net 1 +5", "line 4: net 1 +5: it is -1000"),
        ("refused not-a-way-out resolve burn", "it was accepted"),
        ("resolve use-next", "refused with not-a-way-out"),
        ("sing", "line 4: sing: unknown verb"),
        ("deal XX", "line 4: deal XX"),
    ],
)
def test_a_scenario_that_expects_something_else_fails_and_names_its_line(line: str, says: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(says)):
        play(ONE % line)


def test_a_file_with_unknown_keys_is_refused() -> None:
    with pytest.raises(ScenarioError, match="unknown keys"):
        parse_scenario(ONE + "seats = 3", "x.toml")


def test_the_profile_of_a_scenario_has_only_settings_that_exist() -> None:
    with pytest.raises(ValueError, match="no setting"):
        play(ONE % "none" + "settings = { luck = 1 }")


def test_kinds_in_scenarios_are_the_catalogues() -> None:
    named = {
        words[1].removeprefix("@")
        for file in CASES
        for words in map(str.split, file.read_text(encoding="utf-8").splitlines())
        if words[:1] == ["anomaly"]
    }
    assert named <= {*AnomalyKind}
