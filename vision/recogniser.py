"""Recognisers as the capture process takes them: a function of the camera's settings.

A studio may name one of its own in the setting ``recogniser``.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import NamedTuple, cast

from vision.capture.settings import CameraSettings
from vision.image import Image, Points
from vision.table.reading import Cut, Reader


class Recogniser(NamedTuple):
    """What reads an upright card, and how to cut one out of a picture for it."""

    reader: Reader
    cut: Cut


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
    from vision.recognise.enrolment_file import read_enrolment  # noqa: PLC0415 - see above
    from vision.recognise.model import load_model  # noqa: PLC0415 - see above
    from vision.recognise.outline import Outline  # noqa: PLC0415 - see above
    from vision.recognise.reader import Reader as Net  # noqa: PLC0415 - see above
    from vision.recognise.rectify import rectify  # noqa: PLC0415 - see above

    def cut(image: Image, corners: Points) -> Image:
        first, second, third, fourth = ((float(x), float(y)) for x, y in corners)
        return rectify(image, Outline((first, second, third, fourth), 1.0))

    model = load_model()
    kept = read_enrolment(Path(settings.enrolment), model.digest) if settings.enrolment else None
    return Recogniser(Net(model, kept.enrolment if kept else None), cut)
