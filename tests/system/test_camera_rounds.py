"""Rounds with both sources, each kind of fault injected: detected, missed, false alarms, wrong accepted cards.

``STUDIO_ROUNDS=1000 pytest -s tests/system/test_camera_rounds.py`` is the long form; it prints the table of
docs/reference/camera.md.
"""

from __future__ import annotations

import os

from support.camera_rounds import ALL_FAULTS, EXPECTED, CameraRounds
from support.enrolled_deck import enrolled_recogniser

ROUNDS = int(os.environ.get("STUDIO_ROUNDS", str(len(ALL_FAULTS))))


def test_no_wrong_card_is_accepted_whatever_goes_wrong_and_each_fault_is_noticed() -> None:
    tally = CameraRounds(enrolled_recogniser()).play(ALL_FAULTS, ROUNDS)
    print("\n" + "\n".join(tally.lines()))  # noqa: T201 - the figures
    assert not tally.wrong_accepted
    assert not tally.wrong_reads
    assert tally.settled
    must = ("wrong_seat", "not_laid", "other_card", "scanner_misread", "black", "frozen", "boxed")
    assert {name for name in must if tally.struck[name]} <= {name for name in EXPECTED if tally.detected[name]}
