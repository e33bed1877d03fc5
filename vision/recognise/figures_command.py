"""``studio vision figures``: the table of figures for docs/reference/vision.md, by one command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2

from vision.recognise.crops import write_crops
from vision.recognise.evaluate import Prediction, evaluate, tally
from vision.recognise.figures import OtherDeck, clean, fixed_sets, other_decks, spoilt, watched
from vision.recognise.intervals import interval
from vision.recognise.labels import LabelledPicture, read_labels
from vision.recognise.model import Model, load_model
from vision.recognise.reader import Reader
from vision.recognise.timing import part_times

BEGIN: Final = "<!-- figures: begin -->"
END: Final = "<!-- figures: end -->"


class FiguresCommand:
    """Measures everything vision.md asks for on a folder of photographs."""

    name = "figures"
    help = "measure the recogniser on a folder of photographs and write the tables of docs/reference/vision.md"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("folder", type=Path, help="holds labels.csv and the photographs")
        parser.add_argument(
            "--write", type=Path, metavar="PAGE.md", help="put the tables between this page's marks"
        )
        parser.add_argument(
            "--crops",
            type=Path,
            metavar="SHEET.png",
            help="draw the cards of enrolled decks that were not read, and every one that was read wrong",
        )
        parser.add_argument("--readings", type=int, default=30_000, help="spoilt readings at least (30,000)")
        parser.add_argument("--jobs", type=int, default=1, help="processes that share the spoilt readings (1)")
        parser.add_argument("--model", type=Path, metavar="FILE.onnx", help="another model than the shipped one")

    def run(self, arguments: argparse.Namespace) -> int:
        """Measure and print; return 0 whatever the figures are, 2 where the page has no marks."""
        cv2.setNumThreads(1)
        pictures = read_labels(arguments.folder)
        measured = measure(load_model(arguments.model), pictures, arguments.readings, arguments.jobs)
        text = "\n".join(_page(measured))
        sys.stdout.write(text + "\n")
        if arguments.crops is not None:
            write_crops(measured.failures, arguments.crops)
        if arguments.write is None:
            return 0
        page = arguments.write.read_text("utf-8")
        if BEGIN not in page or END not in page:
            sys.stderr.write(f"studio vision figures: {arguments.write} has no marks {BEGIN} and {END}\n")
            return 2
        head, tail = page.split(BEGIN)[0], page.split(END)[1]
        arguments.write.write_text(f"{head}{BEGIN}\n\n{text}\n\n{END}{tail}", "utf-8")
        return 0


@dataclass(frozen=True, slots=True)
class Measured:
    """All predictions that the page speaks of."""

    model: Model
    pictures: int
    right: Sequence[Prediction]
    """Enrolled, as taken."""
    hard: Sequence[Prediction]
    """Enrolled, spoilt."""
    free: Sequence[Prediction]
    """Not enrolled, with the outlines given; and pictures without a card."""
    found: Sequence[Prediction]
    """Not enrolled, with its own outlines."""
    shown: Sequence[OtherDeck]
    """Each deck under each enrolment."""

    @property
    def others(self) -> list[Prediction]:
        """Enrolled with another deck."""
        return [each for one in self.shown if one.enrolled != one.shown for each in one.predictions]

    @property
    def failures(self) -> list[Prediction]:
        """What the sheet of crops shows: of enrolled decks what was not read, of the rest what was wrong."""
        rest = [*self.hard, *self.free, *self.found, *self.others]
        return [*self.right, *(one for one in rest if one.is_wrong)]


def measure(model: Model, pictures: Sequence[LabelledPicture], readings: int, jobs: int) -> Measured:
    """Read everything."""
    sets, plain = fixed_sets(pictures), Reader(model)
    with_cards = [picture for picture in pictures if picture.cards]
    without = [picture for picture in pictures if not picture.cards]
    return Measured(
        model,
        len(pictures),
        right=clean(model, sets),
        hard=spoilt(model, sets, readings, jobs),
        free=list(evaluate([*with_cards, *without], plain, is_locating=False)),
        found=list(evaluate(pictures, plain, is_locating=True)),
        shown=other_decks(model, sets, pictures),
    )


def _page(measured: Measured) -> list[str]:
    lines = [f"Model {measured.model.digest[:16]}; {measured.pictures} pictures.", ""]
    lines += ["Each fixed-camera deck enrolled with its first shots, tested on the others:", ""]
    lines += _rows(measured.right, lambda prediction: prediction.group)
    lines += ["", "The same, spoilt, by condition:", ""]
    lines += _rows(measured.hard, lambda prediction: prediction.condition)
    lines += ["", "Decks that nobody enrolled, with the outlines given, and what is no card:", ""]
    lines += _rows(measured.free, lambda prediction: prediction.group)
    lines += ["", "Decks that nobody enrolled, with outlines found in the photograph:", ""]
    lines += _rows(measured.found, lambda prediction: prediction.group)
    lines += ["", "Another deck than the enrolled one:", ""]
    lines += _rows(measured.others, lambda prediction: prediction.group)
    lines += ["", "The alarm for another deck, in 1000 shoes of 312 cards each, drawn from these readings:", ""]
    lines += _alarms(measured.shown)
    lines += ["", "Processor time of each part, one core:", "", "| part | ms |", "|---|---|"]
    lines += [f"| {part} | {milliseconds:.1f} |" for part, milliseconds in part_times(measured.model).items()]
    lines += ["", *_wrong([*measured.right, *measured.free, *measured.others])]
    return lines


def _rows(predictions: Sequence[Prediction], name: Callable[[Prediction], str]) -> list[str]:
    """Return a table with a row for each name and one for all."""
    head = "| | cards | read | wrong | wrong, 95 % between | not read | likeliest is right | ms |"
    rows = [head, "|---|---|---|---|---|---|---|---|"]
    grouped: dict[str, list[Prediction]] = {}
    for prediction in predictions:
        grouped.setdefault(name(prediction), []).append(prediction)
    return [*rows, *(_row(key, group) for key, group in grouped.items()), _row("all", predictions)]


def _alarms(shown: Sequence[OtherDeck]) -> list[str]:
    """Return a table of what the alarm makes of each deck under each enrolment."""
    rows = [
        "| enrolled | shown | alarm in | after cards | wrong a shoe, without it | with it |",
        "|---|---|---|---|---|---|",
    ]
    for one in shown:
        if not one.predictions:
            continue
        made = watched(one.predictions)
        after = str(made.cards or "-")
        name = "the same" if one.enrolled == one.shown else one.shown
        share = f"{made.alarmed:.1%}"
        rows.append(
            f"| {one.enrolled} | {name} | {share} | {after} | {made.wrong:.2f} | {made.wrong_before:.2f} |"
        )
    return rows


def _row(name: str, predictions: Sequence[Prediction]) -> str:
    counted = tally(predictions)
    if not counted.cards:
        return f"| {name} | 0 | | | | | | |"
    low, high = interval(counted.wrong, counted.cards)
    likely = sum(prediction.reading.guess == prediction.truth for prediction in predictions if prediction.truth)
    labelled = sum(prediction.truth is not None for prediction in predictions)
    raw = f"{likely / labelled:.2%}" if labelled else "-"
    read = f"{counted.read} ({counted.read / counted.cards:.2%})" if labelled else str(counted.read)
    between = f"{low:.1e} and {high:.1e}"
    cells = (
        name,
        counted.cards,
        read,
        counted.wrong,
        between,
        counted.no_read,
        raw,
        f"{counted.milliseconds:.1f}",
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def _wrong(predictions: Sequence[Prediction]) -> list[str]:
    """Return a line for each wrong reading: what it was, as what it was read, how sure."""
    wrong = [prediction for prediction in predictions if prediction.is_wrong]
    if not wrong:
        return ["No reading of an unspoilt picture was wrong."]
    lines = ["Wrong readings of unspoilt pictures:", ""]
    return lines + [
        f"- {prediction.group}: {prediction.truth or 'no card'} read as {prediction.reading.code}, "
        f"confidence {prediction.reading.confidence:.4f}"
        for prediction in wrong
    ]
