"""Moments, always given as arguments: the core never asks what time it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Instant:
    """One moment on both clocks, in nanoseconds: monotonic for spans and deadlines, wall for the record."""

    monotonic_ns: int
    wall_ns: int
