"""The figures that the recogniser is held to (vision.md), measured on a folder of photographs.

A fixed-camera set is enrolled with its first shot or layout and tested on the rest; every set is read without
enrolment too. Nothing of the folder goes anywhere else than into numbers.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

import cv2

from vision.deck_watch import DeckWatch
from vision.recognise.degrade import CONDITIONS
from vision.recognise.enrolment import Enrolment, enrol
from vision.recognise.evaluate import Prediction, card_pictures, evaluate
from vision.recognise.labels import LabelledPicture
from vision.recognise.model import Model
from vision.recognise.reader import Reader

_FIXED: Final = "fixed"
_FIRST: Final = "1"
_WHOLE_DECK: Final = 52
_SHOE: Final = 312
_SHOES: Final = 1000
_SEED: Final = 1


@dataclass(frozen=True, slots=True)
class FixedSet:
    """One deck under one camera: the pictures that enrol it, one of each card, and those that test it."""

    name: str
    enrolling: tuple[LabelledPicture, ...]
    testing: tuple[LabelledPicture, ...]


def fixed_sets(pictures: Sequence[LabelledPicture]) -> list[FixedSet]:
    """Return the sets that a fixed camera took and whose first shots show all 52 cards, by the source's name.

    A picture belongs to the first shot or layout where its name, without its ending, ends with 1 and nothing that
    is a number before it.
    """
    found = []
    taken = [picture for picture in pictures if picture.cards and picture.condition.startswith(_FIXED)]
    for source in dict.fromkeys(picture.source for picture in taken):
        mine = [picture for picture in taken if picture.source == source]
        first = tuple(picture for picture in mine if _is_first(picture))
        if len({card for picture in first for card in picture.cards}) == _WHOLE_DECK:
            rest = tuple(picture for picture in mine if picture not in first)
            found.append(FixedSet(source.split("/")[0], first, rest))
    return found


def _is_first(picture: LabelledPicture) -> bool:
    """Say whether it is a first shot: ``..._1`` or ``club1``, and neither ``club11`` nor a mixed layout."""
    stem = picture.path.stem
    return stem.endswith(_FIRST) and not stem[-2:-1].isdigit() and not stem[:-1].endswith("surface")


def enrolled(model: Model, one: FixedSet) -> Enrolment:
    """Return the enrolment of a set's first shots."""
    return enrol(model, card_pictures(one.enrolling))


def clean(model: Model, sets: Sequence[FixedSet]) -> list[Prediction]:
    """Return the predictions of the test pictures of each set, enrolled, as they were taken."""
    return [
        prediction
        for one in sets
        for prediction in evaluate(one.testing, Reader(model, enrolled(model, one)), is_locating=False)
    ]


def spoilt(model: Model, sets: Sequence[FixedSet], readings: int, jobs: int) -> list[Prediction]:
    """Return at least that many predictions of spoilt test pictures, each set enrolled, by ``jobs`` processes.

    Run ``n`` spoils every picture in every way with the seed ``n``, so the number of processes changes nothing.
    """
    each = sum(len(picture.cards) for one in sets for picture in one.testing) * len(CONDITIONS)
    if not each:
        return []
    kept = [(one, enrolled(model, one)) for one in sets]
    with ProcessPoolExecutor(jobs) as pool:
        runs = pool.map(partial(_spoilt_once, model.data, kept), range(1, math.ceil(readings / each) + 1))
        return [prediction for run in runs for prediction in run]


def _spoilt_once(data: bytes, kept: Sequence[tuple[FixedSet, Enrolment]], seed: int) -> list[Prediction]:
    cv2.setNumThreads(1)
    model = Model(data)
    return [
        prediction
        for one, enrolment in kept
        for prediction in evaluate(one.testing, Reader(model, enrolment), is_locating=False, degrade_seed=seed)
        if prediction.condition
    ]


@dataclass(frozen=True, slots=True)
class OtherDeck:
    """What the reader of one deck made of the cards of another source; of its own deck where the two are one."""

    enrolled: str
    shown: str
    predictions: tuple[Prediction, ...]


@dataclass(frozen=True, slots=True)
class Watched:
    """Shoes of 312 cards, drawn anew: the share that raised the alarm, after how many cards in the middle.

    ``cards`` is 0 where none did. ``wrong`` and ``wrong_before`` are wrong readings a shoe, all of them and those
    before the alarm.
    """

    alarmed: float
    cards: int
    wrong: float
    wrong_before: float


def other_decks(model: Model, sets: Sequence[FixedSet], pictures: Sequence[LabelledPicture]) -> list[OtherDeck]:
    """Return what each set's reader makes of its own test pictures and of every other source's."""
    found = []
    sources = dict.fromkeys(picture.source for picture in pictures if picture.cards)
    for one in sets:
        reader = Reader(model, enrolled(model, one))
        for source in sources:
            name = source.split("/")[0]
            theirs = [picture for picture in pictures if picture.cards and picture.source == source]
            shown = one.testing if name == one.name else theirs
            found.append(OtherDeck(one.name, name, tuple(evaluate(shown, reader, is_locating=False))))
    return found


def watched(predictions: Sequence[Prediction]) -> Watched:
    """Return what the alarm for another deck makes of such cards in any order."""
    chance = random.Random(_SEED)  # noqa: S311 - the same figures each time
    alarms: list[int] = []
    wrong = before = 0
    for _ in range(_SHOES):
        watch, drawn = DeckWatch(), chance.choices(predictions, k=_SHOE)
        wrong += sum(one.is_wrong for one in drawn)
        for number, one in enumerate(drawn, start=1):
            watch.note(one.reading.code, one.reading.reason)
            if watch.is_other_deck:
                # The claim that raises it is not told either.
                alarms.append(number)
                break
            before += one.is_wrong
    middle = round(statistics.median(alarms)) if alarms else 0
    return Watched(len(alarms) / _SHOES, middle, wrong / _SHOES, before / _SHOES)
