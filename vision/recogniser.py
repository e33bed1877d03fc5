"""Recognisers as the capture process takes them: a function of the camera's settings.

A studio may name one of its own in the setting ``recogniser``.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple, cast

from vision.capture.settings import CameraSettings
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
