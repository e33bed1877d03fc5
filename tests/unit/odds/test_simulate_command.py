"""``studio simulate``: what it prints, keeps, draws and refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from usual_table import usual_table

from studio.__main__ import main
from studio.odds import engine_check, simulate_run
from studio.odds.encoding import kernel_rules
from studio.odds.simulation import BLOCK_ROUNDS, Progress, simulate

TWO_BLOCKS = str(2 * BLOCK_ROUNDS)


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(usual_table().as_json()), encoding="utf-8")
    return str(path)


def simulated(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["simulate", *arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def without_clock(found: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in found.items() if key not in {"seconds", "rounds_per_second", "cores"}}


def test_a_run_by_the_best_table_is_compared_with_the_exact_figure(capsys: pytest.CaptureFixture[str]) -> None:
    """The seed is fixed; a correct kernel is five standard errors off in one of two million seeds."""
    found = simulated(capsys, "european", "--rounds", "1,000,000", "--seed", "7")
    assert found["rounds"] == found["shoes"] == 1_000_000
    assert found["exact"]["per_initial_bet"] == pytest.approx(99.48, abs=0.02)
    assert abs(found["exact"]["standard_errors"]) < 5
    per_bet = found["rtp"]["per_initial_bet"]
    off = (per_bet["percent"] - found["exact"]["per_initial_bet"]) / per_bet["standard_error"]
    assert off == pytest.approx(found["exact"]["standard_errors"])
    assert per_bet["margin"] == pytest.approx(1.959964 * per_bet["standard_error"])
    assert sum(found["hands"].values()) == 1_000_000 + found["counts"]["splits"]
    assert found["deviation_in_bets"] == pytest.approx(1.14, abs=0.03)


def test_a_run_says_the_same_in_words(capsys: pytest.CaptureFixture[str], table: str) -> None:
    assert main(["simulate", "deluxe", "--rounds", "20000", "--strategy", table, "--auto-play", "0.1"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("deluxe (8 decks · S17 · 3:2")
    assert "shuffled after every round, seed 1" in said.out
    assert "nobody answers 10 % of the decisions" in said.out
    for part in ("return per initial bet", "return per unit wagered", "average bet", "cards per round", "20,000"):
        assert part in said.out
    assert "exact" not in said.out  # of another table, or of silent players, none was computed
    assert said.err == ""


def test_a_run_that_goes_on_from_its_file_says_what_one_run_says(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, table: str
) -> None:
    kept = str(tmp_path / "run.json")
    same = ("deluxe", "--strategy", table, "--cut-card", "104")
    simulated(capsys, *same, "--rounds", str(BLOCK_ROUNDS + 10), "--resume", kept)
    resumed = simulated(capsys, *same, "--rounds", TWO_BLOCKS, "--resume", kept)
    at_once = simulated(capsys, *same, "--rounds", TWO_BLOCKS, "--cores", "1")
    assert without_clock(resumed) == without_clock(at_once)
    assert main(["simulate", *same, "--rounds", "100", "--resume", kept]) == 2
    assert "has 524,288 rounds already" in capsys.readouterr().err
    assert main(["simulate", *same, "--seed", "2", "--resume", kept]) == 2
    assert "belongs to a run with other" in capsys.readouterr().err


def test_an_interrupted_run_keeps_what_it_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "run.json"
    same = ("deluxe", "--strategy", table, "--resume", str(kept))

    def interrupted(*arguments: Any) -> Any:
        steps = simulate(*arguments)
        first: Progress = next(steps)
        yield first
        steps.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate_run, "simulate", interrupted)
    assert main(["simulate", *same, "--rounds", TWO_BLOCKS]) == 130
    monkeypatch.undo()
    assert json.loads(kept.read_text(encoding="utf-8"))["blocks"] == 1
    capsys.readouterr()
    resumed = simulated(capsys, *same, "--rounds", TWO_BLOCKS)
    assert resumed["rounds"] == 2 * BLOCK_ROUNDS


def test_the_plot_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path, table: str) -> None:
    drawn = tmp_path / "run.svg"
    simulated(capsys, "deluxe", "--strategy", table, "--rounds", TWO_BLOCKS, "--plot", str(drawn))
    assert drawn.read_text(encoding="utf-8").startswith("<svg ")
    assert main(["simulate", "deluxe", "--strategy", table, "--rounds", "10", "--plot", str(drawn)]) == 2
    assert "needs more rounds" in capsys.readouterr().err


def test_the_cut_cards_effect_is_the_difference_of_two_runs(
    capsys: pytest.CaptureFixture[str], table: str
) -> None:
    found = simulated(capsys, "deluxe", "--strategy", table, "--rounds", "100000", "--cut-card-effect", "104")
    cut, fixed = found["cut_card"], found["rounds_per_shoe"]
    assert cut["shuffled"] == "shoes to the cut card, 104 cards behind it"
    assert fixed["shuffled"] == f"{int(cut['rounds'] / cut['shoes'])} rounds per shoe"
    means = [one["rtp"]["per_initial_bet"]["percent"] for one in (cut, fixed)]
    errors = [one["rtp"]["per_initial_bet"]["margin"] for one in (cut, fixed)]
    assert found["cut_card_effect"]["points"] == pytest.approx(means[0] - means[1])
    assert found["cut_card_effect"]["margin"] == pytest.approx((errors[0] ** 2 + errors[1] ** 2) ** 0.5)
    assert main(["simulate", "deluxe", "--strategy", table, "--rounds", "20000", "--cut-card-effect", "104"]) == 0
    assert "cut-card effect" in capsys.readouterr().out


def test_kernel_and_engine_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    found = simulated(capsys, "infinite", "--check-engine", "150", "--cores", "1")
    assert (found["rounds"], found["differences"]) == (150, [])
    assert found["cards"] > 600
    assert main(["simulate", "infinite", "--check-engine", "50", "--cores", "1"]) == 0
    assert "0 rounds differ" in capsys.readouterr().out


def test_a_difference_is_told_with_its_script(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_check, "kernel_rules", lambda rules: kernel_rules(rules)._replace(natural_wins=5))
    assert main(["simulate", "deluxe", "--check-engine", "300", "--cores", "1"]) == 1
    said = capsys.readouterr()
    assert "rounds differ" in said.out
    text, script, *_ = said.err.splitlines()
    assert text == "net: engine 6, kernel 5"
    assert json.loads(script)["variant"] == "deluxe"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["vegas"], "there is no variant 'vegas'"),
        (["deluxe", "--strategy", "absent.json"], "absent.json"),
        (["deluxe", "--strategy", __file__], "test_simulate_command.py: "),
        (["deluxe", "--cut-card", "416", "--strategy", "TABLE"], "write 1 to 390"),
        (["deluxe", "--auto-play", "2", "--strategy", "TABLE"], "write a number from 0 to 1"),
        (["deluxe", "--cut-card-effect", "52", "--plot", "x.svg", "--strategy", "TABLE"], "plays two runs"),
    ],
)
def test_what_cannot_be_simulated_is_refused_with_a_sentence(
    capsys: pytest.CaptureFixture[str], table: str, arguments: list[str], sentence: str
) -> None:
    assert main(["simulate", *(table if one == "TABLE" else one for one in arguments)]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("studio simulate: ")
    assert sentence in said.err
    assert said.out == ""


@pytest.mark.parametrize(
    "arguments", [["--rounds", "0"], ["--rounds", "x"], ["--cut-card", "5", "--rounds-per-shoe", "5"]]
)
def test_options_that_say_nothing_or_two_things_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["simulate", "deluxe", *arguments])
    assert stopped.value.code == 2
    assert arguments[0] in capsys.readouterr().err
