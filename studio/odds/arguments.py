"""What the commands of the odds have in common on the command line."""

from __future__ import annotations

import argparse


def count(text: str) -> int:
    """Read a whole number from 1; commas and underscores may part its digits."""
    number = int(text.replace(",", "").replace("_", ""))
    if number < 1:
        message = "at least 1"
        raise argparse.ArgumentTypeError(message)
    return number
