"""A folder of labelled pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.card_pictures import write_labels

from studio.domain.cards import parse_card
from vision.recognise.labels import LabelsError, read_labels


def test_a_line_gives_cards_outlines_and_group(tmp_path: Path) -> None:
    line = {
        "file": "a/one.jpg",
        "cards": "8S;QH",
        "quads": "0 0 10 0 10 14 0 14|",
        "condition": "fixed-camera;shot1",
    }
    write_labels(tmp_path, [line])
    (picture,) = read_labels(tmp_path)
    assert picture.path == tmp_path / "a/one.jpg"
    assert picture.cards == (parse_card("8S"), parse_card("QH"))
    assert picture.outlines[0] is not None
    assert np.array_equal(picture.outlines[0].points, [(0, 0), (10, 0), (10, 14), (0, 14)])
    assert picture.outlines[1] is None
    assert picture.group == "own fixed-camera"


def test_a_picture_without_cards_is_a_negative(tmp_path: Path) -> None:
    write_labels(tmp_path, [{"file": "n.jpg", "kind": "negatives", "cards": "", "quads": ""}])
    (picture,) = read_labels(tmp_path)
    assert (picture.cards, picture.outlines, picture.group) == ((), (), "negatives own")


def test_a_french_index_is_a_group_of_its_own(tmp_path: Path) -> None:
    write_labels(tmp_path, [{"file": "r.jpg", "cards": "KH", "condition": "phone", "index": "fr"}])
    (picture,) = read_labels(tmp_path)
    assert not picture.is_english
    assert picture.group == "own phone index fr"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"file": "x.jpg", "cards": "1S"}, "'1S' is no card"),
        ({"file": "x.jpg", "cards": "8S;9S", "quads": "0 0 10 0 10 14 0 14"}, "2 cards, but 1 outlines"),
        ({"file": "x.jpg", "cards": "8S", "quads": "0 0 10 0"}, "eight numbers"),
        ({"file": "x.jpg", "cards": "8S", "quads": "0 0 10 14 10 0 0 14"}, "convex"),
        ({"file": "x.jpg", "cards": "8S", "quads": "a b c d e f g h"}, "could not convert"),
        ({"file": "x.jpg", "cards": "8S", "quads": "0 0 nan 0 10 14 0 14"}, "an outline is four corners"),
    ],
)
def test_a_line_that_makes_no_sense_is_named(tmp_path: Path, line: dict[str, str], said: str) -> None:
    write_labels(tmp_path, [{"file": "good.jpg", "cards": "8S"}, line])
    with pytest.raises(LabelsError, match=f"line 3: .*{said}"):
        read_labels(tmp_path)


def test_a_folder_without_labels_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(LabelsError, match=r"labels\.csv cannot be read: give a folder"):
        read_labels(tmp_path)
