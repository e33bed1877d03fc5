"""``studio vision evaluate``: how a folder of labelled pictures is read."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2

from vision.recognise.crops import write_crops
from vision.recognise.enrolment import Enrolment, enrol
from vision.recognise.enrolment_file import read_enrolment
from vision.recognise.evaluate import Prediction, card_pictures, evaluate, tallies, tally
from vision.recognise.labels import read_labels
from vision.recognise.model import Model, load_model
from vision.recognise.reader import Reader


class EvaluateCommand:
    """Reads every labelled card of a folder, prints a line for each group."""

    name = "evaluate"
    help = (
        "read every card of a folder with labels.csv; print read, wrong, not read and milliseconds of each group"
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("folder", type=Path, help="holds labels.csv and the pictures that it names")
        parser.add_argument(
            "--enrol",
            type=Path,
            metavar="FOLDER",
            help="first enrol from this folder's labels.csv, or enrolment file",
        )
        parser.add_argument(
            "--degrade",
            type=int,
            metavar="SEED",
            help="also read each card spoilt in every way, at random by SEED",
        )
        parser.add_argument(
            "--predictions", type=Path, metavar="OUT.jsonl", help="write one JSON line for each card"
        )
        parser.add_argument(
            "--crops", type=Path, metavar="SHEET.png", help="draw the cards that were not read, or read wrong"
        )
        parser.add_argument(
            "--locate", action="store_true", help="find the outlines instead of taking those of labels.csv"
        )
        parser.add_argument("--model", type=Path, metavar="FILE.onnx", help="another model than the shipped one")

    def run(self, arguments: argparse.Namespace) -> int:
        """Evaluate; return 0 whatever the figures are."""
        cv2.setNumThreads(1)
        pictures = read_labels(arguments.folder)
        model = load_model(arguments.model)
        enrolment = None if arguments.enrol is None else enrolment_from(model, arguments.enrol)
        predictions = list(
            evaluate(
                pictures,
                Reader(model, enrolment),
                is_locating=arguments.locate,
                degrade_seed=arguments.degrade,
            )
        )
        if arguments.predictions is not None:
            lines = "".join(json.dumps(prediction.as_json()) + "\n" for prediction in predictions)
            arguments.predictions.write_text(lines, "utf-8")
        sys.stdout.write("\n".join(table(predictions)) + "\n")
        if arguments.crops is not None:
            write_crops(predictions, arguments.crops)
        return 0


def enrolment_from(model: Model, path: Path) -> Enrolment:
    """Return the enrolment in a file, or the one made from a folder of labelled pictures, which is not gated."""
    if path.is_file():
        return read_enrolment(path, model.digest).enrolment
    return enrol(model, card_pictures(read_labels(path)))


def table(predictions: Sequence[Prediction]) -> list[str]:
    """Return the lines of a table: a row for each group and condition, and one for all."""
    rows = [("group", "cards", "read", "wrong", "no-read", "ms")]
    for (group, condition), counted in tallies(predictions).items():
        name = f"{group}, {condition}" if condition else group
        rows.append((name, *_figures(counted.cards, counted.read, counted.wrong, counted.milliseconds)))
    every = tally(predictions)
    rows.append(("all", *_figures(every.cards, every.read, every.wrong, every.milliseconds)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            [
                row[0].ljust(widths[0]),
                *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
            ]
        )
        for row in rows
    ]


def _figures(cards: int, read: int, wrong: int, milliseconds: float) -> tuple[str, str, str, str, str]:
    return str(cards), str(read), str(wrong), str(cards - read - wrong), f"{milliseconds:.1f}"
