"""Measuring: what the reader makes of a folder of labelled pictures, card by card and in groups.

Of every labelled card there is one prediction; of a picture without cards one whose truth is empty. A card with an
index that is not English may not be read at all, so a reading of it is wrong. With its own outlines, a reading
where no card was labelled is wrong too.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from studio.domain.cards import Card
from vision.image import Image
from vision.recognise.degrade import CONDITIONS, degrade
from vision.recognise.labels import LabelledPicture
from vision.recognise.outline import Outline, locate, overlap, whole
from vision.recognise.reader import CardReading, Reader
from vision.recognise.rectify import rectify

_MATCH: Final = 0.5  # overlap from which an outline found is the one labelled
_NOT_FOUND: Final = CardReading(None, 0.0, "no-outline")


@dataclass(frozen=True, slots=True)
class Prediction:
    """What was read of one labelled card; ``index`` is its position in ``cards``, ``truth`` empty for no card."""

    group: str
    file: str
    index: int
    truth: Card | None
    reading: CardReading
    milliseconds: float
    is_readable: bool
    condition: str = ""
    crop: Image | None = None
    """The upright card where it was read wrong, or not read though nothing spoilt it."""

    @property
    def is_wrong(self) -> bool:
        """Whether a card was named that is not there, or one that may not be read."""
        code = self.reading.code
        return code is not None and (code != self.truth or not self.is_readable)

    @property
    def is_read(self) -> bool:
        """Whether the right card was named."""
        return self.reading.code is not None and not self.is_wrong

    def as_json(self) -> dict[str, object]:
        """Return it as one line of a file of predictions."""
        code = self.reading.code
        line: dict[str, object] = {
            "file": self.file,
            "index": self.index,
            "truth": self.truth.code if self.truth else None,
            "code": code.code if code else None,
            "confidence": round(self.reading.confidence, 6),
            "reason": self.reading.reason,
            "ms": round(self.milliseconds, 3),
        }
        return line | ({"condition": self.condition} if self.condition else {})


@dataclass(frozen=True, slots=True)
class Tally:
    """How many cards of a group were read, wrongly read, not read, and the milliseconds of each in the middle."""

    cards: int
    read: int
    wrong: int
    milliseconds: float

    @property
    def no_read(self) -> int:
        """How many were not read."""
        return self.cards - self.read - self.wrong


@dataclass(frozen=True, slots=True)
class _Place:
    """A card that is to be read: its picture, which label it is, and how long it took to get there."""

    index: int
    truth: Card | None
    card: Image | None
    milliseconds: float


def evaluate(
    pictures: Iterable[LabelledPicture], reader: Reader, *, is_locating: bool, degrade_seed: int | None = None
) -> Iterator[Prediction]:
    """Yield a prediction for each labelled card, in order; with a seed, one for each condition of spoiling too.

    A picture that cannot be decoded gives predictions with the reason ``unreadable-file``.
    """
    for picture in pictures:
        image = cv2.imread(str(picture.path), cv2.IMREAD_COLOR)
        if image is None:
            yield from _unreadable(picture)
            continue
        for place in _places(picture, np.asarray(image, np.uint8), is_locating=is_locating):
            yield _predicted(picture, place, reader, "")
            if degrade_seed is not None and place.card is not None:
                for condition in CONDITIONS:
                    random = _seeded(degrade_seed, picture.file, place.index, condition)
                    spoilt = _Place(place.index, place.truth, degrade(place.card, condition, random), 0.0)
                    yield _predicted(picture, spoilt, reader, condition)


def tallies(predictions: Sequence[Prediction]) -> dict[tuple[str, str], Tally]:
    """Return the tally of each group and condition, in the order in which they first appear."""
    grouped: dict[tuple[str, str], list[Prediction]] = {}
    for prediction in predictions:
        grouped.setdefault((prediction.group, prediction.condition), []).append(prediction)
    return {key: tally(group) for key, group in grouped.items()}


def tally(predictions: Sequence[Prediction]) -> Tally:
    """Return the tally of some predictions."""
    return Tally(
        cards=len(predictions),
        read=sum(prediction.is_read for prediction in predictions),
        wrong=sum(prediction.is_wrong for prediction in predictions),
        milliseconds=float(np.median([prediction.milliseconds for prediction in predictions]))
        if predictions
        else 0.0,
    )


def card_pictures(pictures: Iterable[LabelledPicture]) -> Mapping[Card, list[Image]]:
    """Return the upright pictures of each labelled card, for enrolment; outlines not given are found."""
    found: dict[Card, list[Image]] = {}
    for picture in pictures:
        image = cv2.imread(str(picture.path), cv2.IMREAD_COLOR)
        if image is None or not picture.is_english:
            continue
        for place in _places(picture, np.asarray(image, np.uint8), is_locating=False):
            if place.truth is not None and place.card is not None:
                found.setdefault(place.truth, []).append(place.card)
    return found


def _seeded(seed: int, file: str, index: int, condition: str) -> np.random.Generator:
    return np.random.default_rng([seed, index, zlib.crc32(f"{file} {condition}".encode())])


def _predicted(picture: LabelledPicture, place: _Place, reader: Reader, condition: str) -> Prediction:
    start = time.perf_counter()
    reading = _NOT_FOUND if place.card is None else reader.read(place.card)
    taken = place.milliseconds + (time.perf_counter() - start) * 1e3
    made = Prediction(
        picture.group, picture.file, place.index, place.truth, reading, taken, picture.is_english, condition
    )
    is_failure = made.is_wrong or (made.truth is not None and reading.code is None and not condition)
    return replace(made, crop=place.card) if is_failure else made


def _unreadable(picture: LabelledPicture) -> Iterator[Prediction]:
    reading = CardReading(None, 0.0, "unreadable-file")
    for index, truth in enumerate(picture.cards or (None,)):
        yield Prediction(picture.group, picture.file, index, truth, reading, 0.0, picture.is_english)


def _places(picture: LabelledPicture, image: Image, *, is_locating: bool) -> Iterator[_Place]:
    if not picture.cards:
        yield from _nothing(image, is_locating=is_locating)
        return
    given = None if is_locating else picture.outlines
    needs_search = given is None or None in given
    start = time.perf_counter()
    found = list(locate(image, None)) if needs_search else []
    searched = (time.perf_counter() - start) * 1e3 / len(picture.cards)
    outlines = _matched(picture, found, image) if given is None else _completed(given, found, image)
    for index, (truth, outline) in enumerate(zip(picture.cards, outlines, strict=True)):
        start = time.perf_counter()
        card = None if outline is None else rectify(image, outline)
        yield _Place(index, truth, card, searched + (time.perf_counter() - start) * 1e3)
    # Where a labelled card's place is not given, nobody can say which outline is one too many.
    if is_locating and picture.is_complete and None not in picture.outlines:
        for extra in found:
            if all(other is None or overlap(extra, other) < _MATCH for other in (*outlines, *picture.outlines)):
                yield _Place(len(picture.cards), None, rectify(image, extra), 0.0)


def _nothing(image: Image, *, is_locating: bool) -> Iterator[_Place]:
    """Yield what is to be tried on a picture without a card: all of it as one card, or what looks like one."""
    outlines = locate(image, None) if is_locating else (whole(image),)
    if not outlines:
        yield _Place(0, None, None, 0.0)
    for index, outline in enumerate(outlines):
        yield _Place(index, None, rectify(image, outline), 0.0)


def _matched(picture: LabelledPicture, found: list[Outline], image: Image) -> Sequence[Outline | None]:
    """Return for each labelled card the outline that was found there; where it was labelled without, any other."""
    left = list(found)
    matched: list[Outline | None] = []
    for given in picture.outlines:
        fitting = [] if given is None else [outline for outline in left if overlap(outline, given) >= _MATCH]
        best = max(fitting, key=lambda outline: outline.quality, default=None)
        if best is not None:
            left.remove(best)
        matched.append(best)
    if picture.outlines == (None,):
        return (left[0] if left else whole(image),)
    return matched


def _completed(given: Sequence[Outline | None], found: list[Outline], image: Image) -> Sequence[Outline | None]:
    """Return the given outlines; a single card without one gets the outline found, or the whole picture."""
    if len(given) == 1 and given[0] is None:
        return (found[0] if found else whole(image),)
    return given
