"""Names in logs and answers are the journal's names."""

from __future__ import annotations

from studio.adapters.codec import NAMES
from studio.domain.commands import OpenBetting
from studio.domain.shoe import ShoeStep
from studio.domain.shoe_commands import ConfirmShoeStep
from studio.runtime.names import _kebab, command_name


def test_event_names_agree_with_the_file_format() -> None:
    for event_type, name in NAMES.items():
        assert _kebab(event_type.__name__) == name.name


def test_command_names_are_kebab_case() -> None:
    assert command_name(OpenBetting()) == "open-betting"
    assert command_name(ConfirmShoeStep(ShoeStep.CUT)) == "confirm-shoe-step"
