"""Measuring on a folder: given outlines, found ones, spoilt pictures, files that are broken."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest
from support.card_pictures import felt, place, quad, upright, write_labels

from studio.domain.cards import Card, parse_card
from vision.image import Image
from vision.recognise.degrade import CONDITIONS
from vision.recognise.evaluate import Prediction, Tally, card_pictures, evaluate, tallies, tally
from vision.recognise.labels import read_labels
from vision.recognise.reader import CardReading, Reader

EIGHT, QUEEN = parse_card("8S"), parse_card("QH")


class Likeness:
    """A reader that names whichever of the two cards the picture is more like, and nothing for anything else."""

    def read(self, card: Image) -> CardReading:
        far = {known: float(np.abs(card.astype(int) - upright(known)).mean()) for known in (EIGHT, QUEEN)}
        best = min(far, key=lambda known: far[known])
        return CardReading(best, 0.99, "") if far[best] < 25 else CardReading(None, 0.1, "not-a-card")


READER = cast(Reader, Likeness())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two cards on one picture, the second labelled wrong; an empty table; a French card; a broken file."""
    table = felt(400, 500)
    eight, queen = (
        place(table, upright(EIGHT), (130, 200), 140, 4),
        place(table, upright(QUEEN), (360, 200), 140, 85),
    )
    cv2.imwrite(str(tmp_path / "two.png"), table)
    cv2.imwrite(str(tmp_path / "none.png"), felt(280, 200))
    cv2.imwrite(str(tmp_path / "alone.png"), upright(QUEEN))
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8 no more")
    write_labels(
        tmp_path,
        [
            {"file": "two.png", "cards": "8S;JD", "quads": f"{quad(eight)}|{quad(queen)}", "condition": "fixed"},
            {"file": "none.png", "cards": ""},
            {"file": "alone.png", "cards": "QH", "condition": "crop", "index": "fr"},
            {"file": "broken.jpg", "cards": "8S", "condition": "phone"},
        ],
    )
    return tmp_path


def of(folder: Path, *, is_locating: bool, seed: int | None = None) -> list[Prediction]:
    return list(evaluate(read_labels(folder), READER, is_locating=is_locating, degrade_seed=seed))


@pytest.mark.parametrize("is_locating", [False, True])
def test_each_labelled_card_has_one_prediction(folder: Path, *, is_locating: bool) -> None:
    lines = [prediction.as_json() for prediction in of(folder, is_locating=is_locating)]
    assert [(line["file"], line["index"], line["truth"], line["code"]) for line in lines] == [
        ("two.png", 0, "8S", "8S"),
        ("two.png", 1, "JD", "QH"),
        ("none.png", 0, None, None),
        ("alone.png", 0, "QH", "QH"),
        ("broken.jpg", 0, "8S", None),
    ]
    assert lines[4]["reason"] == "unreadable-file"
    assert set(lines[0]) == {"file", "index", "truth", "code", "confidence", "reason", "ms"}


def test_groups_count_read_wrong_and_not_read(folder: Path) -> None:
    found = tallies(of(folder, is_locating=False))
    counted = {group: (one.cards, one.read, one.wrong, one.no_read) for (group, _), one in found.items()}
    assert counted == {
        "own fixed": (2, 1, 1, 0),
        "negatives own": (1, 0, 0, 1),
        "own crop index fr": (1, 0, 1, 0),
        "own phone": (1, 0, 0, 1),
    }


def test_a_card_read_where_none_is_labelled_is_wrong_when_the_picture_is_complete(folder: Path) -> None:
    rows = list(csv.DictReader((folder / "labels.csv").read_text("utf-8").splitlines()))
    rows[0]["cards"], rows[0]["quads"] = "8S", rows[0]["quads"].split("|")[0]
    write_labels(folder, rows[:1])
    found = of(folder, is_locating=True)
    assert [(prediction.truth, prediction.reading.code) for prediction in found] == [(EIGHT, EIGHT), (None, QUEEN)]
    assert [prediction.is_wrong for prediction in found] == [False, True]


def test_a_seed_adds_each_way_of_spoiling_and_repeats(folder: Path) -> None:
    once, again = of(folder, is_locating=False, seed=3), of(folder, is_locating=False, seed=3)
    conditions = [one.condition for one in once if (one.file, one.index) == ("two.png", 0)]
    assert conditions == ["", *CONDITIONS]
    assert [one.reading for one in once] == [one.reading for one in again]


def test_pictures_for_enrolment_are_upright_and_leave_out_other_indices(folder: Path) -> None:
    found: dict[Card, int] = {card: len(pictures) for card, pictures in card_pictures(read_labels(folder)).items()}
    assert found == {EIGHT: 1, parse_card("JD"): 1}


def test_no_predictions_are_a_tally_of_none() -> None:
    assert tally([]) == Tally(0, 0, 0, 0.0)
