"""Seeded chance: one independent stream per purpose, so that one fault's draws never shift another's.

It knows nothing of cards or faults.
"""

from __future__ import annotations

import random


def seeded(seed: int, purpose: str) -> random.Random:
    """Return the generator of ``purpose``; the same seed and purpose give the same draws on every run."""
    return random.Random(f"{seed}/{purpose}")  # noqa: S311 - must be reproducible: this is a simulator
