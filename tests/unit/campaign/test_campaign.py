"""The campaign's short form: no wrong card accepted and no money wrong, whatever is injected (anomalies.md, 6)."""

from __future__ import annotations

import argparse
import json

import pytest

from studio.adapters.variants import load_variant, variant_names
from studio.campaign.campaign import Run, play_run, runs
from studio.campaign.command import CampaignCommand
from studio.campaign.faults import HARMLESS, RULES, Fault, applicable
from studio.campaign.tally import Tally
from studio.domain.anomalies import AnomalyKind

_ROUNDS = 150
_SEED = 7


def _play(variant: str, rate: str, *, camera: bool) -> Tally:
    return play_run(Run(variant, rate, camera, _ROUNDS, _SEED), load_variant(variant), lambda _: None)


@pytest.mark.parametrize("camera", [True, False], ids=["camera", "no camera"])
@pytest.mark.parametrize("variant", variant_names())
def test_no_wrong_card_is_accepted_and_no_money_is_wrong(variant: str, camera: bool) -> None:  # noqa: FBT001
    tally = _play(variant, "high", camera=camera)
    assert tally.failures == []
    assert (tally.wrong_cards, tally.money_errors, tally.failed) == (0, 0, 0)
    assert tally.rounds == _ROUNDS == tally.settled + tally.voided
    assert tally.settled > _ROUNDS / 2
    # With a camera a card can get by unseen only while the camera is dead or covered, which is counted as such.
    assert tally.unwitnessed <= (1 if camera else _ROUNDS // 20)


def test_rounds_without_a_fault_raise_no_alarm() -> None:
    tally = _play("deluxe", "realistic", camera=True)
    assert tally.quiet_rounds > _ROUNDS * 0.8
    assert set(tally.alarms) <= {AnomalyKind.DUPLICATE_READ}  # a true second copy in quick order is held by design
    assert tally.voided <= 5


def test_the_same_seed_plays_the_same_campaign() -> None:
    run = Run("continuous", "high", has_camera=True, rounds=40, seed=3)
    first, second = (play_run(run, load_variant("continuous"), lambda _: None) for _ in range(2))
    assert first.as_dict() == second.as_dict()


def test_every_fault_has_a_rule_and_a_table_at_which_it_happens() -> None:
    assert set(RULES) == set(Fault)
    every = {
        fault
        for variant in variant_names()
        for camera in (True, False)
        for fault in applicable(load_variant(variant), has_camera=camera)
    }
    assert every == set(Fault)


def test_each_fault_names_the_anomaly_that_finds_it() -> None:
    unnamed = {fault for fault, rule in RULES.items() if not rule.named} - HARMLESS
    assert unnamed == {Fault.LATE_DECISION}  # which is refused, and opens nothing


def test_the_runs_cover_every_variant_at_both_rates_with_and_without_a_camera() -> None:
    found = list(runs(variant_names(), ("realistic", "high"), 20_000, 1))
    assert len(found) == len(variant_names()) * 4
    assert sum(run.rounds for run in found) >= 20_000
    assert len({run.seed for run in found}) == len(found)


def test_the_command_prints_a_row_for_each_fault_and_tells_progress(capsys: pytest.CaptureFixture[str]) -> None:
    assert _command("--rounds", "24", "--variant", "infinite", "--rate", "high") == 0
    told = capsys.readouterr()
    assert "wrong accepted cards: 0" in told.out
    assert "money errors: 0" in told.out
    assert "infinite, high rate, without a camera: 12 of 12" in told.err


def test_the_command_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert _command("--rounds", "8", "--variant", "continuous", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["rounds"], found["wrong_accepted_cards"], found["money_errors"]) == (8, 0, 0)
    assert set(found["faults"]) == {fault.value for fault in Fault}


def test_runs_side_by_side_give_the_same_result(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--rounds", "16", "--variant", "continuous", "--json")
    assert (_command(*words), _command(*words, "--jobs", "2")) == (0, 0)
    out = capsys.readouterr().out
    assert out[: len(out) // 2] == out[len(out) // 2 :]


@pytest.mark.parametrize("count", ["0", "-1", "many"])
def test_a_count_that_is_none_is_refused(count: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        _command("--rounds", count)
    assert "is no whole number from 1" in capsys.readouterr().err


def _command(*words: str) -> int:
    command = CampaignCommand(load_variant, variant_names())
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(words))
