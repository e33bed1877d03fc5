"""Timecodes: the frame of the recorder's video at a wall time, in UTC (consoles.md S9)."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.evidence.timecode import timecode, video_span

SECOND = 1_000_000_000


def wall(text: str, ns: int = 0) -> int:
    return int(dt.datetime.fromisoformat(text).timestamp()) * SECOND + ns


@pytest.mark.parametrize(
    ("ns", "rate", "expected"),
    [
        (0, 25, "20:14:07:00"),
        (39_999_999, 25, "20:14:07:00"),
        (40_000_000, 25, "20:14:07:01"),
        (999_999_999, 25, "20:14:07:24"),
        (999_999_999, 50, "20:14:07:49"),
        (999_999_999, 100, "20:14:07:99"),
        (500_000_000, 30, "20:14:07:15"),
    ],
)
def test_a_moment_has_the_frame_that_was_being_recorded(ns: int, rate: int, expected: str) -> None:
    assert timecode(wall("2026-03-01T20:14:07+00:00", ns), rate) == expected


def test_it_is_the_time_of_day_in_utc_wherever_the_server_stands() -> None:
    assert timecode(wall("2026-07-01T01:30:00+02:00"), 25) == "23:30:00:00"


def test_a_case_over_midnight_names_both_days() -> None:
    span = video_span(wall("2026-03-01T23:59:58+00:00"), wall("2026-03-02T00:00:03+00:00", 480_000_000), 25)
    assert (span.first_day, span.first) == ("2026-03-01", "23:59:58:00")
    assert (span.last_day, span.last) == ("2026-03-02", "00:00:03:12")


@given(st.integers(0, 4_000_000_000 * SECOND), st.integers(1, 100))
def test_a_frame_is_found_again_within_its_own_duration(wall_ns: int, rate: int) -> None:
    clock, frame = timecode(wall_ns, rate)[:8], int(timecode(wall_ns, rate)[9:])
    assert clock == dt.datetime.fromtimestamp(wall_ns // SECOND, tz=dt.UTC).strftime("%H:%M:%S")
    assert 0 <= frame < rate
    assert frame * SECOND <= wall_ns % SECOND * rate < (frame + 1) * SECOND
