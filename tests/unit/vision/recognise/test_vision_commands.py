"""``studio vision``: evaluate, read, enrol on a folder of drawn cards, and what is said of bad input."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from support.card_pictures import felt, place, upright, write_labels

from hardware_sim.camera.camera import SimulatedCamera, layout
from hardware_sim.camera.felt import Felt
from studio.domain.cards import DECK, parse_card
from vision.command import SUB_COMMANDS, VisionCommand
from vision.recognise.enrolment_file import read_enrolment
from vision.recognise.figures_command import BEGIN, END
from vision.recognise.model import load_model
from vision.table.calibration import load_calibration


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    command = VisionCommand()
    command.add_arguments(parser)
    return command.run(parser.parse_args(arguments))


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the 52 cards under a fixed camera, two shots each, and an empty table."""
    folder = tmp_path_factory.mktemp("deck")
    lines = []
    for card in DECK:
        for shot in (1, 2):
            picture = upright(card)
            if shot == 2:
                picture = np.clip(picture * 0.85 + 4, 0, 255).astype(np.uint8)
            cv2.imwrite(str(folder / f"{card}_{shot}.png"), picture)
            corners = "0 0 200 0 200 280 0 280"
            lines.append(
                {
                    "file": f"{card}_{shot}.png",
                    "cards": card.code,
                    "quads": corners,
                    "condition": f"fixed;shot{shot}",
                }
            )
    cv2.imwrite(str(folder / "felt.png"), felt(280, 200))
    lines.append({"file": "felt.png", "kind": "negatives", "cards": "", "quads": "", "condition": "felt"})
    write_labels(folder, lines)
    return folder


def test_evaluate_prints_groups_and_writes_a_line_for_each_card(
    deck: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "predictions.jsonl"
    assert run("evaluate", str(deck), "--enrol", str(deck), "--predictions", str(out)) == 0
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(lines) == 105
    assert [line for line in lines if line["code"] not in {line["truth"], None}] == []
    assert sum(line["code"] is not None for line in lines) >= 102
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].split() == ["group", "cards", "read", "wrong", "no-read", "ms"]
    assert [line.split()[:4] for line in printed if line.startswith("negatives")] == [
        ["negatives", "own", "1", "0"]
    ]


def test_a_sheet_shows_what_was_not_read_and_nothing_else(
    deck: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet, out = tmp_path / "sheet.png", tmp_path / "out.jsonl"
    assert run("evaluate", str(deck), "--crops", str(sheet), "--predictions", str(out)) == 0
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    failures = [line for line in lines if line["truth"] and line["code"] != line["truth"]]
    assert failures
    image = cv2.imread(str(sheet))
    assert image is not None
    # Eight tiles in a row, each a card with four lines of words; what is no tile is paper.
    rows = -(-len(failures) // 8)
    height, width = (image.shape[0] - 10) // rows, (image.shape[1] - 10) // 8
    tiles = [
        image[10 + row * height :, 10 + column * width :][:280, :200] for row in range(rows) for column in range(8)
    ]
    assert [bool((tile != 245).any()) for tile in tiles] == [True] * len(failures) + [False] * (
        len(tiles) - len(failures)
    )
    assert run("evaluate", str(deck), "--crops", str(tmp_path / "sheet.docx")) == 2
    assert "end its name" in capsys.readouterr().err


def test_calibrate_writes_a_calibration_and_draws_the_slots(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    camera = SimulatedCamera(Felt(1), 1, lambda: 0)
    table, layout_file = tmp_path / "empty.png", tmp_path / "layout.json"
    cv2.imwrite(str(table), camera.scene.render(0))
    layout_file.write_text(json.dumps(layout()), "utf-8")
    corners = [f"{x},{y}" for x, y in camera.corners]
    common = ("--layout", str(layout_file), "--output", str(tmp_path / "c.json"))
    drawn = tmp_path / "drawn.png"
    assert run("calibrate", str(table), *common, "--drawn", str(drawn), "--corners", *corners) == 0
    assert "slots" in capsys.readouterr().out
    assert load_calibration(tmp_path / "c.json").corners == tuple(camera.corners)
    picture = cv2.imread(str(drawn))
    assert picture is not None
    assert (picture != cv2.imread(str(table))).any()
    (tmp_path / "c.json").unlink()
    for source, points, said in (
        (str(table), list(reversed(corners)), "wrong way round"),
        (str(table), ["0,0"] * 4, "no table"),
        (str(tmp_path / "none.png"), corners, "no such file"),
        (str(layout_file), corners, "no picture"),
        (f"file:{tmp_path / 'none'}", corners, "cannot be opened"),
    ):
        assert run("calibrate", source, *common, "--corners", *points) == 2
        assert said in capsys.readouterr().err
    assert not (tmp_path / "c.json").exists()


def test_read_lists_every_card_found(deck: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = felt(480, 640)
    place(table, upright(parse_card("8S")), (170, 240), 170, 3)
    place(table, upright(parse_card("QH")), (450, 240), 170, -4)
    cv2.imwrite(str(tmp_path / "table.png"), table)
    assert run("read", str(tmp_path / "table.png"), "--json", "--enrol", str(deck)) == 0
    found = json.loads(capsys.readouterr().out)["cards"]
    assert sorted(card["code"] for card in found) == ["8S", "QH"]
    assert all(len(card["outline"]) == 4 for card in found)


def test_enrol_writes_a_file_that_reads_the_deck(
    deck: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "deck.enrolment"
    status = run("enrol", str(deck), "--output", str(out), "--table", "t1", "--deck", "drawn", "--camera", "c1")
    assert (status, capsys.readouterr().err) == (0, "")
    kept = read_enrolment(out, load_model().digest)
    assert (kept.about.table, kept.about.deck, kept.about.camera) == ("t1", "drawn", "c1")
    assert run("evaluate", str(deck), "--enrol", str(out)) == 0


def test_enrol_says_which_card_is_missing_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), upright(DECK[0]))
    write_labels(tmp_path, [{"file": "one.png", "cards": DECK[0].code, "quads": ""}])
    out = tmp_path / "deck.enrolment"
    assert run("enrol", str(tmp_path), "--output", str(out), "--table", "t", "--deck", "d", "--camera", "c") == 1
    assert f"there is no picture of {DECK[1]}" in capsys.readouterr().err
    assert not out.exists()


def test_figures_go_between_the_marks_of_a_page(
    deck: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "vision.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", "utf-8")
    assert run("figures", str(deck), "--readings", "1", "--write", str(page)) == 0
    text = page.read_text("utf-8")
    assert text.startswith(f"before\n{BEGIN}")
    assert text.endswith(f"{END}\nafter\n")
    assert "old" not in text
    assert "| own fixed | 52 |" in text
    spoilt = next(line for line in text.splitlines() if line.startswith("| mixed hard | 52 |"))
    read, wrong = (cell.split()[0] for cell in spoilt.split("|")[3:5])
    assert int(read) > 20
    assert wrong == "0"
    assert "| negatives own | 1 | 0 | 0 |" in text
    page.write_text("no marks", "utf-8")
    assert run("figures", str(deck), "--readings", "1", "--write", str(page)) == 2
    assert "has no marks" in capsys.readouterr().err


def test_bench_prints_each_part_and_the_whole_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bench", "--seconds", "1") == 0
    printed = capsys.readouterr().out
    for part in ("net", "read a card", "outline in a slot", "watch a still 1080p frame", "nine slots"):
        assert part in printed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("evaluate", "nowhere"), "labels.csv cannot be read"),
        (("read", "nowhere.jpg"), "is no picture that can be decoded"),
        (("evaluate", "nowhere", "--model", "none.onnx"), "labels.csv cannot be read"),
    ],
)
def test_bad_input_is_said_and_not_raised(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("data", [b"", b"\xff\xd8\xff\xe0 truncated", b"text"])
def test_a_broken_picture_is_said(tmp_path: Path, data: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.jpg"
    path.write_bytes(data)
    assert run("read", str(path)) == 2
    assert "no picture" in capsys.readouterr().err


def test_each_sub_command_has_its_row_in_the_reference() -> None:
    page = Path(__file__).parents[4].joinpath("docs/reference/vision.md").read_text("utf-8")
    assert [command.name for command in SUB_COMMANDS if f"`vision {command.name}" not in page] == []
