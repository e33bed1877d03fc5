"""The file that a simulation goes on from: written whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from studio.odds.kernel_values import Sum
from studio.odds.simulation import Estimate, Plan, Point, Progress, Totals, begin

_FORMAT: Final = 1


class _File(BaseModel):
    """What the file holds; ``points`` are (rounds, mean, standard error)."""

    model_config = ConfigDict(extra="forbid", strict=True)

    format: int
    fingerprint: str
    blocks: int
    stride: int
    sums: list[int]
    points: list[tuple[int, float, float]]


def save(path: Path, plan: Plan, progress: Progress) -> None:
    """Write ``progress``; the file is the old one or the new one, even when the machine stops in between."""
    points = [(one.rounds, one.estimate.mean, one.estimate.error) for one in progress.points]
    file = _File(
        format=_FORMAT,
        fingerprint=plan.fingerprint,
        blocks=progress.blocks,
        stride=progress.stride,
        sums=list(progress.totals.sums),
        points=points,
    )
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8") as stream:
        stream.write(file.model_dump_json())
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(path)


def resume(path: Path, plan: Plan) -> Progress:
    """Return the progress in a file, or that before the first block where there is none yet.

    Raises ``ValueError`` where the file is another run's or none of this program's.
    """
    if not path.exists():
        return begin(plan)
    try:
        file = _File.model_validate_json(path.read_text(encoding="utf-8"), strict=False)
    except (ValidationError, json.JSONDecodeError, UnicodeDecodeError) as error:
        message = f"{path} is no checkpoint of a simulation; name another file or delete it"
        raise ValueError(message) from error
    if (file.format, file.fingerprint, len(file.sums)) != (_FORMAT, plan.fingerprint, len(Sum)):
        message = (
            f"{path} belongs to a run with other rules, another strategy, seed, shuffling or auto-play; "
            "name another file or give the same options"
        )
        raise ValueError(message)
    points = tuple(Point(rounds, Estimate(mean, error)) for rounds, mean, error in file.points)
    return Progress(Totals(begin(plan).totals.unit, tuple(file.sums)), file.blocks, points, file.stride)
