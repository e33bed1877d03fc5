"""Moments, always given as arguments: the core never asks what time it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Instant:
    """One moment on both clocks, in nanoseconds: monotonic for spans and deadlines, wall for the record."""

    monotonic_ns: int
    wall_ns: int


_DAY_NS = 86_400_000_000_000
_DAYS_TO_MARCH_0 = 719_468
"""From the 1st of March of year 0 to the 1st of January 1970."""
_DAYS_OF_400_YEARS = 146_097


def iso_date(wall_ns: int) -> str:
    """Return the ISO date (UTC) of a wall time; by H. Hinnant's *chrono-compatible low-level date algorithms*."""
    days = wall_ns // _DAY_NS + _DAYS_TO_MARCH_0
    era, of_era = divmod(days, _DAYS_OF_400_YEARS)
    years = (of_era - of_era // 1_460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * years + years // 4 - years // 100)
    month_from_march = (5 * of_year + 2) // 153
    day = of_year - (153 * month_from_march + 2) // 5 + 1
    month = month_from_march + 3 if month_from_march < 10 else month_from_march - 9  # noqa: PLR2004 - October
    year = years + era * 400 + (month <= 2)  # noqa: PLR2004 - January and February end the year from March
    return f"{year:04}-{month:02}-{day:02}"
