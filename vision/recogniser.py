"""Recognisers as the capture process takes them: a function of the camera's settings.

A studio may name one of its own in the setting ``recogniser``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast

from studio.domain.cards import Card
from vision.capture.settings import CameraSettings
from vision.image import Image, Points
from vision.table.reading import Cut, Reader


class Learnt(NamedTuple):
    """What came of learning a deck: why it was not taken, or nothing, and which pictures are to be taken again.

    ``None`` among them stands for those of what is no card.
    """

    problem: str = ""
    again: tuple[Card | None, ...] = ()


Enrol: TypeAlias = Callable[[Mapping[Card, Sequence[Image]], Sequence[Image]], Learnt]
"""Learns a deck from its cards and from what is no card, and keeps it."""


class Recogniser(NamedTuple):
    """What reads an upright card, how to cut one out of a picture for it, and how it learns a deck, if it does.

    ``is_enrolled`` tells that it reads one deck, so that another one on the table is worth an alarm.
    """

    reader: Reader
    cut: Cut
    enrol: Enrol | None = None
    is_enrolled: bool = False


def load_recogniser(settings: CameraSettings) -> Recogniser:
    """Return the recogniser that the settings name; raise ``ValueError`` with the reason where there is none."""
    module, _, name = settings.recogniser.partition(":")
    try:
        made = getattr(import_module(module), name)(settings)
    except Exception as error:
        message = f"the recogniser {settings.recogniser} does not load: {error}"
        raise ValueError(message) from error
    return cast(Recogniser, made)


def shipped(settings: CameraSettings) -> Recogniser:
    """Return the shipped recogniser, enrolled where the settings say so."""
    # Loaded only here: a studio with a recogniser of its own needs no model.
    from vision.recognise.enrolment import enrol  # noqa: PLC0415 - see above
    from vision.recognise.enrolment_file import (  # noqa: PLC0415 - see above
        About,
        read_enrolment,
        save_enrolment,
    )
    from vision.recognise.gate import faults  # noqa: PLC0415 - see above
    from vision.recognise.model import load_model  # noqa: PLC0415 - see above
    from vision.recognise.outline import Outline  # noqa: PLC0415 - see above
    from vision.recognise.reader import Reader as Net  # noqa: PLC0415 - see above
    from vision.recognise.rectify import rectify  # noqa: PLC0415 - see above

    def cut(image: Image, corners: Points) -> Image:
        first, second, third, fourth = ((float(x), float(y)) for x, y in corners)
        return rectify(image, Outline((first, second, third, fourth), 1.0))

    model, file = load_model(), Path(settings.enrolment)
    kept = read_enrolment(file, model.digest) if settings.enrolment and file.exists() else None

    def learn(cards: Mapping[Card, Sequence[Image]], rejects: Sequence[Image]) -> Learnt:
        if not settings.enrolment:
            return Learnt("set enrolment in the camera's settings: the file that the enrolment is written to")
        found = enrol(model, cards, rejects)
        wrong = faults(Net(model, found), cards, rejects)
        if wrong:
            again = tuple(dict.fromkeys(one.card for one in wrong))
            names = [card.code if card else "back and felt" for card in again]
            return Learnt(f"not enrolled, these are not read right: {', '.join(names)}. Take them again", again)
        made = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        save_enrolment(file, About("", "", settings.source, made), found, None)
        return Learnt()

    return Recogniser(Net(model, kept.enrolment if kept else None), cut, learn, kept is not None)
