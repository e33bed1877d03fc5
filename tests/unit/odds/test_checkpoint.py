"""The file that a run goes on from: whole, its own, or refused."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from usual_table import constant_table, usual_table

from studio.adapters.variants import load_variant
from studio.odds.checkpoint import resume, save
from studio.odds.simulation import BLOCK_ROUNDS, Plan, Progress, begin, simulate

PLAN = Plan(load_variant("deluxe"), usual_table(), 1)


@pytest.fixture(scope="module")
def two_blocks() -> Progress:
    *_, last = simulate(PLAN, 2 * BLOCK_ROUNDS, begin(PLAN))
    return last


def test_what_is_saved_is_resumed(tmp_path: Path, two_blocks: Progress) -> None:
    path = tmp_path / "run.json"
    save(path, PLAN, two_blocks)
    assert resume(path, PLAN) == two_blocks
    assert [one.name for one in tmp_path.iterdir()] == ["run.json"]


def test_without_a_file_a_run_begins(tmp_path: Path) -> None:
    assert resume(tmp_path / "run.json", PLAN) == begin(PLAN)


@pytest.mark.parametrize(
    "other",
    [
        dataclasses.replace(PLAN, seed=2),
        dataclasses.replace(PLAN, auto_play=0.5),
        dataclasses.replace(PLAN, strategy=constant_table("S")),
        dataclasses.replace(PLAN, rules=load_variant("continuous")),
    ],
)
def test_another_runs_file_is_refused(tmp_path: Path, two_blocks: Progress, other: Plan) -> None:
    path = tmp_path / "run.json"
    save(path, PLAN, two_blocks)
    with pytest.raises(ValueError, match="name another file or give the same options"):
        resume(path, other)


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": 1}', "\x00"])
def test_what_is_no_checkpoint_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="is no checkpoint of a simulation"):
        resume(path, PLAN)
    assert path.read_text(encoding="utf-8") == text


def test_a_file_of_another_format_is_refused(tmp_path: Path, two_blocks: Progress) -> None:
    path = tmp_path / "run.json"
    save(path, PLAN, two_blocks)
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | {"format": 2}), encoding="utf-8")
    with pytest.raises(ValueError, match="belongs to a run with other"):
        resume(path, PLAN)


def test_a_save_that_fails_leaves_the_old_file(
    tmp_path: Path, two_blocks: Progress, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.json"
    save(path, PLAN, begin(PLAN))
    before = path.read_bytes()

    def full(_descriptor: int) -> None:
        message = "no space left on device"
        raise OSError(message)

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        save(path, PLAN, two_blocks)
    assert path.read_bytes() == before
