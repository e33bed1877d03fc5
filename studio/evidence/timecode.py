"""Where to find a moment in the recorder's video: SMPTE timecode by the time of day in UTC (consoles.md S9).

A recorder that counts whole frames from midnight UTC (non-drop-frame, by the time of day) has the same numbers in
its picture, up to the difference of the two clocks; see docs/how-to/look-after-the-journal.md.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Final

USUAL_RATE: Final = 25
"""Frames per second where the settings say nothing."""
_NS: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class VideoSpan:
    """From the first to the last frame of a case, each with its day (UTC): a timecode begins anew at midnight."""

    frames_per_second: int
    first_day: str
    first: str
    last_day: str
    last: str


def timecode(wall_ns: int, frames_per_second: int) -> str:
    """Return the frame that was being recorded at a wall time: ``HH:MM:SS:FF`` in UTC."""
    frame = wall_ns % _NS * frames_per_second // _NS
    return f"{_at(wall_ns):%H:%M:%S}:{frame:02d}"


def video_span(first_wall_ns: int, last_wall_ns: int, frames_per_second: int) -> VideoSpan:
    """Return where a case begins and ends in the video."""
    return VideoSpan(
        frames_per_second,
        _day(first_wall_ns),
        timecode(first_wall_ns, frames_per_second),
        _day(last_wall_ns),
        timecode(last_wall_ns, frames_per_second),
    )


def _day(wall_ns: int) -> str:
    return _at(wall_ns).date().isoformat()


def _at(wall_ns: int) -> dt.datetime:
    return dt.datetime.fromtimestamp(wall_ns // _NS, tz=dt.UTC)
