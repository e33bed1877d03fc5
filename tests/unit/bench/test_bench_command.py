"""The whole command in short: real studio, driver and pseudo-terminal, simulated shoe and dealer, no browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from studio.__main__ import main
from studio.bench import command, live


def test_a_short_run_without_chromium_prints_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "find_browser", lambda: None)
    monkeypatch.setattr(command, "_BARE_PAUSE_SECONDS", 0.0)
    few = ["--cards", "5", "--rounds", "4", "--simulated", "5000", "--players", "40"]
    assert main(["bench", *few, "--data", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert "cores" in said.out
    assert "4 rounds of 7 seats" in said.out
    assert re.search(r"[\d,]+ rounds per second", said.out)
    assert re.search(r"8 decks, one split +[\d.]+ ms", said.out)
    assert "Simulation: 5,000 rounds of" in said.out
    assert "Shared hand: 40 players" in said.out
    assert "not measured, no Chromium is installed" in said.out
    assert "5 cards" in said.out
    assert len(re.findall(r"^  bare loop +\d+\.\d\d ms +\d+\.\d\d ms", said.out, re.MULTILINE)) == 2
    assert re.search(r"ratio \d+\.\d\d and \d+\.\d\d", said.out)
    assert "on the dealer's console" not in said.out
    assert "Incidents" not in said.out
    assert "starting the shoe and the dealer" in said.err
    assert list(tmp_path.iterdir()) == []


def test_a_program_that_ends_ends_the_run_with_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(live, "SHOE_SERIAL", "no-serial")
    monkeypatch.setattr(command, "_BARE_PAUSE_SECONDS", 0.0)
    few = ["--no-browser", "--cards", "4", "--rounds", "4", "--simulated", "4", "--players", "4"]
    assert main(["bench", *few, "--data", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert "--no-browser" in said.out
    assert "studio bench: the table ended with code 2" in said.err


@pytest.mark.parametrize(
    "arguments",
    [["--cards", "3"], ["--rounds", "0"], ["--rounds", "many"], ["--simulated", "0"], ["--players", "3"]],
)
def test_too_little_to_measure_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["bench", *arguments])
    assert stopped.value.code == 2
    assert arguments[0] in capsys.readouterr().err
